import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openShell } from '../shell.ts'

// There is no database at this address; the document must not need one.
const kusanya = openShell({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', SERVICE_NAME: 'Another Name' })

describe('openapi', () => {
  it('prints the same document with any settings', async () => {
    const { code, out } = await kusanya(['openapi'])
    expect(code).toBe(0)
    const document = JSON.parse(out)
    expect(document.openapi).toBe('3.1.0')
    expect(document.info.title).toBe('Kusanya API')
    const paths = Object.keys(document.paths)
    expect(paths).toContain('/api/collectionrequests')
    expect(paths).toEqual([...paths].sort())
    expect((await kusanya(['openapi'])).out).toBe(out)
  })

  it('writes the document to a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kusanya-openapi-'))
    const file = join(folder, 'openapi.json')
    expect(await kusanya(['openapi', '--write', file])).toEqual({ code: 0, out: '', err: '' })
    expect(await readFile(file, 'utf8')).toBe(`${(await kusanya(['openapi'])).out}\n`)
    await rm(folder, { recursive: true })
  })
})

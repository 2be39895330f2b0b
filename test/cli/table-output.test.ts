import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { writeWhole } from '../../src/cli/table-output.ts'

const folder = mkdtempSync(join(tmpdir(), 'kusanya-table-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a file that a command writes', () => {
  it('is there as a whole, or not at all', async () => {
    const path = join(folder, 'march.csv')
    async function* lines() {
      yield 'amount\n'
      yield '1500\n'
      await Promise.resolve()
      throw new Error('The database is away.')
    }
    await expect(writeWhole(path, lines())).rejects.toThrow('The database is away.')
    expect(readdirSync(folder)).toEqual([])
    await writeWhole(path, ['amount\n', Buffer.from('1500\n')])
    expect(readFileSync(path, 'utf8')).toBe('amount\n1500\n')
  })

  it('is named when it cannot be written, and what stands in its place stays', async () => {
    writeFileSync(join(folder, 'file'), 'mine')
    const path = join(folder, 'file', 'april.csv')
    await expect(writeWhole(path, ['x'])).rejects.toThrow(`The file ${path} cannot be written: ENOTDIR`)
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('mine')
  })
})

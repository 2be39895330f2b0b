import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashSources } from '../../src/lib/source-hash.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sources-'))
  await mkdir(join(folder, 'pages'))
  await writeFile(join(folder, 'pages/one.tsx'), 'one')
})
afterAll(() => rm(folder, { recursive: true }))

it('changes with a name, a content and a further file, and not with a build result', async () => {
  const before = hashSources(folder)
  await mkdir(join(folder, 'dist'))
  await writeFile(join(folder, 'dist/one.js'), 'built')
  expect(hashSources(folder)).toBe(before)
  expect(hashSources(folder, [join(folder, 'dist/one.js')])).not.toBe(before)
  await writeFile(join(folder, 'pages/one.tsx'), 'two')
  const changed = hashSources(folder)
  expect(changed).not.toBe(before)
  await writeFile(join(folder, 'pages/two.tsx'), '')
  expect(hashSources(folder)).not.toBe(changed)
})

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { replaceFolder } from '../../../src/lib/builds/replace-folder.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replaced-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function make(name: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(path)
  await writeFile(join(path, 'page.txt'), name)
  return path
}

const served = () => readFile(join(folder, 'served/page.txt'), 'utf8')

it('replaces a folder, or makes the first one', async () => {
  await replaceFolder(await make('first'), join(folder, 'served'))
  expect(await served()).toBe('first')
  await replaceFolder(await make('second'), join(folder, 'served'))
  expect(await served()).toBe('second')
  expect(await readdir(folder)).toEqual(['served'])
})

it('lets one of several win that replace it at once', async () => {
  const names = ['one', 'two', 'three', 'four']
  const built = await Promise.all(names.map(make))
  await Promise.all(built.map((path) => replaceFolder(path, join(folder, 'served'))))
  expect(names).toContain(await served())
  expect(await readdir(folder)).toEqual(['served'])
})

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'no-data-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Run a command as an operator does, in its own process and without DATABASE_URL. */
function kusanya(args: string[], data_dir: string): Promise<{ code: number | null; out: string; err: string }> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, KUSANYA_ENV_FILE: 'off', DATA_DIR: data_dir }
  return new Promise((resolve) => {
    const command = [join(ROOT, 'src/cli/index.ts'), ...args]
    const child = execFile(process.execPath, command, { cwd: folder, env }, (_error, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    )
  })
}

it.each([
  ['reads', ['requests', 'list']],
  ['changes', ['accounts', 'fund', '1', '100']],
  ['checks', ['doctor']],
  ['deletes', ['sandbox', 'reset', '--yes']],
])('a command that %s says that a folder has no data, and creates none', async (_what, args) => {
  const { code, out, err } = await kusanya(args, folder)
  expect([code, out, err]).toEqual([1, '', `There is no data in ${folder}. \`npx kusanya serve\` creates it.\n`])
  expect(await readdir(folder)).toEqual([])
})

it('a command does not create the folder itself', async () => {
  const missing = join(folder, 'missing')
  const { code, err } = await kusanya(['organizations', 'list'], missing)
  expect([code, err]).toEqual([1, `There is no data in ${missing}. \`npx kusanya serve\` creates it.\n`])
  expect(existsSync(missing)).toBe(false)
})

import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { builtScriptPath, compressScript, loadDocsPage } from '../../src/http/docs/page.ts'
import { buildConsole } from './machine-lock.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A build takes more than a minute on a busy machine. */
const TIMEOUT = { timeout: 300_000 }

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pages-'))
  const isSource = (path: string) => !path.startsWith(join(ROOT, 'web/dist'))
  await cp(join(ROOT, 'web'), join(folder, 'web'), { recursive: true, filter: isSource })
  for (const name of ['src', 'node_modules', 'package.json', 'package-lock.json', 'tsconfig.json'])
    await symlink(join(ROOT, name), join(folder, name))
  // A build compresses what is not in the served pages.
  await buildConsole()
  for (const name of ['assets', 'docs'])
    await cp(join(ROOT, 'web/dist', name), join(folder, 'web/dist', name), { recursive: true })
  await writeFile(join(folder, 'web/dist/assets/old.js'), 'of the pages before')
  await writeFile(join(folder, 'web/dist/index.html'), 'the served page')
})
afterEach(() => rm(folder, { recursive: true }))

function build(): Promise<{ status: number; stderr: string }> {
  const vite = join(folder, 'node_modules/vite/bin/vite.js')
  const options = { cwd: folder, env: { ...process.env, NODE_ENV: 'production' } }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [vite, 'build', 'web', '--logLevel', 'warn'],
      options,
      (_error, _out, stderr) => resolve({ status: child.exitCode!, stderr }),
    )
  })
}

const built = async () => (await readdir(join(folder, 'web'))).filter((name) => name.startsWith('dist'))

it('replaces the served pages after a complete build', TIMEOUT, async () => {
  const served = join(folder, 'web/dist/assets')
  const [changed] = (await readdir(served)).filter((name) => name.endsWith('.js') && name !== 'old.js')
  for (const ending of ['', '.br', '.gz']) await writeFile(join(served, changed! + ending), 'another version')
  expect(await build()).toEqual({ status: 0, stderr: '' })
  expect(await built()).toEqual(['dist'])
  const assets = await readdir(join(folder, 'web/dist/assets'))
  const scripts = assets.filter((name) => name.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(20)
  expect(scripts).not.toContain('old.js')
  for (const name of scripts) {
    const [plain, br, gz] = await Promise.all(
      ['', '.br', '.gz'].map((ending) => readFile(join(folder, 'web/dist/assets', name + ending))),
    )
    expect([name, brotliDecompressSync(br!).equals(plain!), gunzipSync(gz!).equals(plain!)]).toEqual([name, true, true])
  }
  // The subset of the font for English, French and Swahili, and the rest of its Latin letters, with the licence.
  const fonts = assets.filter((name) => name.endsWith('.woff2')).sort()
  expect(fonts).toEqual([expect.stringMatching(/^inter-latin-ext-wght/), expect.stringMatching(/^inter-latin-wght/)])
  expect((await stat(join(folder, 'web/dist/assets', fonts[1]!))).size).toBeLessThan(50_000)
  expect(assets).toContain('inter-LICENSE.txt')
  const [docs] = await readdir(join(folder, 'web/dist/docs'))
  const { script } = await loadDocsPage('')
  expect(join('docs', docs!)).toBe(builtScriptPath(script))
  const packed = await readFile(join(folder, 'web/dist/docs', docs!))
  expect(packed.length).toBeLessThan(960_000)
  expect(brotliDecompressSync(packed).equals(script)).toBe(true)
  const { br, plain } = await compressScript(script, join(folder, 'web/dist'))
  expect([br.equals(packed), plain.equals(script)]).toEqual([true, true])
  expect(await readFile(join(folder, 'web/dist/sources.txt'), 'utf8')).toMatch(/^[0-9a-f]{64}$/)
  expect(await readFile(join(folder, 'web/dist/index.html'), 'utf8')).toContain('<!doctype html>')
})

it('keeps the served pages when a page file is empty during the build', TIMEOUT, async () => {
  await writeFile(join(folder, 'web/pages/keys/keys.tsx'), '')
  const { status, stderr } = await build()
  expect(status).toBe(1)
  expect(stderr).toMatch(/keys\.tsx is a page and has no default export/)
  expect(await readFile(join(folder, 'web/dist/index.html'), 'utf8')).toBe('the served page')
})

import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packagesOf, stageProgram, toJavaScript } from '../../scripts/npm-package.ts'

/* The contents of the npm package, without its pages. `npm run test:package` installs the packed package and runs it. */

const ROOT = join(import.meta.dirname, '../..')
let folder: string
let described: { dependencies: Record<string, string>; [name: string]: unknown }
const repository = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

beforeAll(() => {
  // Below node_modules, where Node refuses TypeScript; the packages that it needs are found through the link.
  folder = mkdtempSync(join(tmpdir(), 'kusanya-package-'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  stageProgram(folder)
  described = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the JavaScript of the package', () => {
  it('keeps every line and column, and names JavaScript files', () => {
    const source = "import { type A, b } from './b.ts'\nconst c = (x: number): A => b(x)\nawait import('../d.ts')\n"
    const made = toJavaScript(source)
    expect(made.split('\n').map((line) => line.length)).toEqual(source.split('\n').map((line) => line.length))
    expect(made.indexOf('=> b(x)')).toBe(source.indexOf('=> b(x)'))
    expect(made).toContain("from './b.js'")
    expect(made).toContain("import('../d.js')")
    expect(
      packagesOf(
        "import x from '@a/b/c'\nimport('node:fs')\nimport y from 'pg'\nimport './own.js'\nrequire('undici')\nx is distinct from 'skip'",
      ),
    ).toEqual(['@a/b', 'pg', 'undici'])
  })

  it('imports only files and packages that the package has', () => {
    const files = globSync('dist/**/*.js', { cwd: folder })
    expect(files.length).toBeGreaterThan(700)
    const lost = files.flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const own = [...text.matchAll(/^(?:import|export)\b[^'"\n]*from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm)]
      return own
        .map((match) => join(folder, file, '..', match[1] ?? match[2]!))
        .filter((path) => !existsSync(path))
        .map((path) => `${file}: ${path}`)
    })
    expect(lost).toEqual([])
    expect(Object.keys(described.dependencies).filter((name) => isBuiltin(name))).toEqual([])
    expect(described.dependencies).toMatchObject({
      fastify: repository.dependencies.fastify,
      undici: repository.dependencies.undici,
      '@expo-google-fonts/noto-sans-arabic': repository.dependencies['@expo-google-fonts/noto-sans-arabic'],
      'pino-pretty': expect.any(String),
    })
    for (const name of ['react', 'vite', 'vitest']) expect(described.dependencies).not.toHaveProperty(name)
  })

  it('runs, and finds its own files', () => {
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [join(folder, 'dist/cli/index.js'), ...args], {
        cwd: folder,
        encoding: 'utf8' as const,
        env: { PATH: process.env.PATH, KUSANYA_ENV_FILE: 'off' },
      })
    expect(run('--version').trim()).toBe(repository.version)
    expect(run('networks', 'list')).toContain('mtn-momo')
    expect(run('openapi')).toBe(readFileSync(join(ROOT, 'openapi.json'), 'utf8'))
  })
})

describe('the package', () => {
  it('has migrations, deploy, docs and licence, and nothing private', () => {
    const migrations = globSync('migrations/*.sql', { cwd: ROOT }).sort()
    expect(globSync('migrations/*', { cwd: folder }).sort()).toEqual(migrations)
    for (const path of [
      'LICENSE',
      'README.md',
      'docs/operating.md',
      'deploy/compose.yaml',
      'deploy/systemd/kusanya.service',
    ])
      expect(existsSync(join(folder, path)), path).toBe(true)
    const strays = globSync('{**/*.ts,deploy/secrets,test,web,.env}', { cwd: folder, exclude: ['node_modules/**'] })
    expect(strays).toEqual([])
  })

  it('may be published with its provenance, and the repository itself may not', () => {
    expect(described).toMatchObject({
      name: 'kusanya',
      version: repository.version,
      bin: { kusanya: 'dist/cli/index.js' },
      publishConfig: { access: 'public', provenance: true },
      optionalDependencies: repository.optionalDependencies,
    })
    expect(described).not.toHaveProperty('scripts')
    expect(described).not.toHaveProperty('devDependencies')
    expect(described).not.toHaveProperty('private')
    expect(repository.private).toBe(true)
  })

  it('states its requirement on an old Node', async () => {
    const { nodeFault } = await import('../../src/cli/node-version.ts')
    expect(nodeFault('20.20.2')).toContain('Kusanya needs Node 24 or later, and this is Node 20.20.2.')
    expect([nodeFault('24.0.0'), nodeFault('26.1.0')]).toEqual([null, null])
  })
})

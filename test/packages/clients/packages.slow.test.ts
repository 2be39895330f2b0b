import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { VERSION } from '../../../packages/client/src/version.ts'
import { makeClientFiles, readClientFiles } from '../../../scripts/clients/index.ts'
import { find, PHP_PACKAGE, PYTHON_PACKAGE, php, python, run, titleOf } from './languages.ts'

/*
 * The packages of the Python and the PHP client: their types, their own tests, and that they can be built and installed.
 */

/** Setuptools makes wheels by itself from 70.1 on, and with the package wheel before. */
const HAS_SETUPTOOLS = `
import setuptools, sys
try:
    import setuptools.command.bdist_wheel
except ImportError:
    import wheel
sys.exit(sys.version_info < (3, 10))
`
const builder = find(
  ['python3', '/usr/bin/python3'],
  ['-c', HAS_SETUPTOOLS],
  'there is no python3 with setuptools and wheel (on Debian: python3-wheel)',
)
const composer = php.skipped ? php : find(['composer'], ['--version'], 'there is no composer')
const folder = mkdtempSync(join(tmpdir(), 'kusanya-clients-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (...path: string[]) => readFileSync(join(...path), 'utf8')

describe('the types of the clients', () => {
  it('are those of openapi.json: run `npm run clients` after a change of the interface', () => {
    const made = makeClientFiles()
    const committed = readClientFiles()
    const paths = new Set([...made.keys(), ...committed.keys()])
    expect([...paths].filter((path) => made.get(path) !== committed.get(path))).toEqual([])
  })
})

describe('the Python client', () => {
  it('has the version of the TypeScript client, its licence, and no dependencies', () => {
    const project = read(PYTHON_PACKAGE, 'pyproject.toml')
    expect(project).toContain(`\nversion = "${VERSION}"\n`)
    expect(project).toContain('\ndependencies = []\n')
    expect(read(PYTHON_PACKAGE, 'src/kusanya/_version.py')).toContain(`VERSION = "${VERSION}"`)
    expect(read(PYTHON_PACKAGE, 'LICENSE')).toBe(read(PYTHON_PACKAGE, '../client/LICENSE'))
  })

  it.skipIf(python.skipped)(titleOf('passes its own tests', python), async () => {
    const args = ['-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests']
    await run(python.path!, args, { cwd: PYTHON_PACKAGE, settings: { PYTHONPATH: 'src' } })
  })

  it.skipIf(builder.skipped)(titleOf('is a wheel that can be installed', builder), async () => {
    const source = join(folder, 'python')
    const target = join(folder, 'installed')
    cpSync(PYTHON_PACKAGE, source, { recursive: true })
    // These are the steps of pip, without pip.
    const build = "from setuptools import build_meta; build_meta.build_wheel('..')"
    await run(builder.path!, ['-c', build], { cwd: source })
    const wheel = `kusanya-${VERSION}-py3-none-any.whl`
    expect(readdirSync(folder)).toContain(wheel)
    await run(builder.path!, ['-m', 'zipfile', '-e', wheel, target], { cwd: folder })
    const metadata = read(target, `kusanya-${VERSION}.dist-info/METADATA`)
    for (const line of ['Requires-Python: >=3.10', 'License-File: LICENSE'])
      expect(metadata.split('\n')).toContain(line)
    const modules = (root: string) => globSync('kusanya/*.{py,typed}', { cwd: root }).sort()
    expect(modules(target)).toEqual(modules(join(PYTHON_PACKAGE, 'src')))
    const program =
      "import kusanya; print(kusanya.__version__, kusanya.Kusanya('https://pay.example.com', 'k').payments.list())"
    expect(await run(builder.path!, ['-c', program], { cwd: folder, settings: { PYTHONPATH: target } })).toContain(
      VERSION,
    )
  })
})

describe('the PHP client', () => {
  it('has the version of the TypeScript client, its licence, and no dependencies but extensions', () => {
    expect(read(PHP_PACKAGE, 'src/Internal/Transport.php')).toContain(`VERSION = '${VERSION}';`)
    const { require } = JSON.parse(read(PHP_PACKAGE, 'composer.json'))
    expect(require).toEqual({ php: '>=8.1', 'ext-curl': '*', 'ext-json': '*' })
    expect(read(PHP_PACKAGE, 'LICENSE')).toBe(read(PHP_PACKAGE, '../client/LICENSE'))
  })

  it.skipIf(php.skipped)(titleOf('passes its own tests', php), async () => {
    expect(await run(php.path!, ['tests/run.php'], { cwd: PHP_PACKAGE })).toMatch(/^[1-9]\d* passed, 0 failed$/m)
  })

  it.skipIf(composer.skipped)(titleOf('is installed by Composer, and all its classes load', composer), async () => {
    const shop = join(folder, 'shop')
    mkdirSync(shop)
    const repositories = [{ type: 'path', url: PHP_PACKAGE, options: { symlink: false } }, { 'packagist.org': false }]
    writeFileSync(join(shop, 'composer.json'), JSON.stringify({ repositories, require: { 'kusanya/client': '@dev' } }))
    const settings = { COMPOSER_HOME: join(folder, 'composer'), COMPOSER_ALLOW_SUPERUSER: '1' }
    await run(composer.path!, ['validate', '--strict', '--no-interaction'], { cwd: PHP_PACKAGE, settings })
    await run(composer.path!, ['install', '--no-interaction', '--no-progress'], { cwd: shop, settings })
    const classes = globSync('**/*.php', { cwd: join(PHP_PACKAGE, 'src') }).map(
      (path) => `Kusanya\\${path.slice(0, -4).replaceAll(/[\\/]/g, '\\')}`,
    )
    const program = `require 'vendor/autoload.php';
      foreach (json_decode(stream_get_contents(STDIN)) as $class)
        class_exists($class) || interface_exists($class) || exit("$class is missing");
      echo (new Kusanya\\Client('https://pay.example.com', 'k'))->payments::class;`
    const output = await run(php.path!, ['-r', program], { cwd: shop, input: JSON.stringify(classes) })
    expect(output).toBe('Kusanya\\Resource\\Payments')
  })
})

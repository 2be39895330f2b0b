/*
 * `npm run package [folder]`: writes the npm package of the service, `kusanya-<version>.tgz`, into a folder. Node refuses TypeScript below
 * node_modules, so the package has JavaScript: the sources without their types, each line and column where it was. There is no
 * shrinkwrap: npm would put the packages below this one, and its Node would not be on the path of npx.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { buildPages } from './built-pages.ts'

const ROOT = join(import.meta.dirname, '..')

/** Files of the package besides the program, by patterns of their paths. */
const FILES = [
  'migrations/*.sql',
  'deploy/**/*',
  'docs/**/*.md',
  '{README,CHANGELOG,SECURITY}.md',
  'LICENSE',
  'openapi.json',
]

/** Never part of a package: secrets that a run of deploy/make-secrets.sh has left. */
const LEFT_OUT = /^deploy\/secrets(\/|$)/

/** Packages whose files the program reads without an import. */
const READ = ['@expo-google-fonts/noto-sans-arabic', '@expo-google-fonts/noto-sans-ethiopic']

/** An import of a file of the program, also one that waits: `from './x.ts'`, `import('./x.ts')`. */
const OWN_IMPORT = /(\bfrom\s*|\bimport\s*\(?\s*)'(\.{1,2}\/[^']+)\.ts'/g

/** An import of a package of npm, also by `require`, and no SQL such as `decision is distinct from 'skip'`. */
const PACKAGE_IMPORT =
  /(?:(?<!distinct )\bfrom\s*|\bimport\s*\(?\s*|\brequire\()'((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^']*)?'/g

/**
 * The JavaScript of a source: types become spaces and `.ts` of an import `.js`, so that a stack trace names the line and the column of the
 * source.
 * @throws SyntaxError for TypeScript that is more than types
 */
export function toJavaScript(source: string): string {
  return stripTypeScriptTypes(source, { mode: 'strip' }).replaceAll(OWN_IMPORT, "$1'$2.js'")
}

/** The names of the npm packages that a program imports, without the modules of Node. */
export function packagesOf(javascript: string): string[] {
  return [...javascript.matchAll(PACKAGE_IMPORT)].map((match) => match[1]!)
}

/** Write the contents of the package into a folder, without the pages of the console. */
export function stageProgram(folder: string): void {
  const imported = new Set<string>()
  for (const path of globSync('src/**/*', { cwd: ROOT, withFileTypes: true }).filter((entry) => entry.isFile())) {
    const from = join(path.parentPath, path.name)
    const to = join(folder, 'dist', from.slice(join(ROOT, 'src').length))
    mkdirSync(dirname(to), { recursive: true })
    if (!from.endsWith('.ts')) {
      cpSync(from, to)
      continue
    }
    const javascript = toJavaScript(readFileSync(from, 'utf8'))
    for (const name of packagesOf(javascript)) imported.add(name)
    writeFileSync(to.replace(/\.ts$/, '.js'), javascript)
  }
  for (const path of globSync(FILES, { cwd: ROOT }))
    if (!LEFT_OUT.test(path)) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(describePackage([...imported]), null, 2)}\n`)
}

/** Return the package.json of the package: the repository's, reduced to the needs of the running program. */
function describePackage(imported: readonly string[]): object {
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const needed = [...READ, ...imported].sort()
  const missing = needed.filter((name) => own.dependencies[name] === undefined)
  if (missing.length > 0) throw new Error(`package.json does not name ${missing.join(', ')} among its dependencies.`)
  const { name, version, description, keywords, license, homepage, repository, engines } = own
  return {
    name,
    version,
    description,
    keywords,
    license,
    homepage,
    repository,
    type: 'module',
    engines,
    bin: { kusanya: 'dist/cli/index.js' },
    // A program and no library: nothing of it is imported by others.
    exports: { './package.json': './package.json' },
    publishConfig: { access: 'public', provenance: true },
    dependencies: Object.fromEntries(needed.map((one) => [one, own.dependencies[one]])),
    optionalDependencies: own.optionalDependencies,
    allowScripts: own.allowScripts,
  }
}

/** Build the console and the documentation, and write the package into a folder. Gives the path of the tarball. */
export function makePackage(folder: string): string {
  buildPages()
  const staged = mkdtempSync(join(tmpdir(), 'kusanya-package-'))
  try {
    stageProgram(staged)
    for (const pages of ['web/dist', 'site/dist']) cpSync(join(ROOT, pages), join(staged, pages), { recursive: true })
    return pack(staged, folder)
  } finally {
    rmSync(staged, { recursive: true, force: true })
  }
}

/** Builds the TypeScript client, and writes its package into a folder. Gives the path of the tarball. */
export function makeClientPackage(folder: string): string {
  const client = join(ROOT, 'packages/client')
  execFileSync('npm', ['run', 'build'], { cwd: client, stdio: ['ignore', 'ignore', 'inherit'] })
  return pack(client, folder)
}

/** Packs a folder for npm into another one, and returns the path of the tarball. */
function pack(from: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(folder)]
  const output = execFileSync('npm', args, { cwd: from, encoding: 'utf8', maxBuffer: 64 * 1_024 * 1_024 })
  const { filename } = Object.values<{ filename: string }>(JSON.parse(output))[0]!
  return join(resolve(folder), filename)
}

if (process.argv[1] && realpathSync(process.argv[1]) === realpathSync(import.meta.filename)) {
  const tarball = makePackage(process.argv[2] ?? 'release')
  const megabytes = readFileSync(tarball).length / 1_000_000
  process.stdout.write(`${tarball} (${megabytes.toFixed(1)} MB)\n`)
}

import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { otherConsoleSources } from '../src/lib/builds/console-sources.ts'
import { hashSources } from '../src/lib/source-hash.ts'

const ROOT = join(import.meta.dirname, '..')

/** Build the console and the documentation, each if it is not built from the present sources. */
export function buildPages(): void {
  if (readBuiltSources() !== hashConsole())
    execFileSync('npm', ['run', 'build'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  execFileSync(process.execPath, [join(ROOT, 'site/build.ts'), '--if-changed'])
}

/** Hash the present sources of the console, as its build does. */
export function hashConsole(): string {
  return hashSources(join(ROOT, 'web'), otherConsoleSources(ROOT))
}

/** Read the hash that the built console has of its sources. */
function readBuiltSources(): string | undefined {
  try {
    return readFileSync(join(ROOT, 'web/dist/sources.txt'), 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Returns the arguments with which `git archive` adds the built pages of the console and the documentation.
 * @param prefix the folder of the release in the tarball, with a slash at its end
 */
export function addBuiltPages(prefix: string): string[] {
  const files = globSync('{web,site}/dist/**/*', { cwd: ROOT, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort()
  return paths.flatMap((path) => {
    const folder = dirname(path).slice(ROOT.length).split(sep).join('/')
    return [`--prefix=${prefix}${folder.slice(1)}/`, `--add-file=${path}`]
  })
}

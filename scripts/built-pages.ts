import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** Builds the console, and the documentation if it is not built from the present sources. */
export function buildPages(): void {
  execFileSync('npm', ['run', 'build'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  execFileSync(process.execPath, [join(ROOT, 'site/build.ts'), '--if-changed'])
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

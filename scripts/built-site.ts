import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

const SITE = join(import.meta.dirname, '../site')

/**
 * Build the documentation if it is not built from the present sources, and return the arguments with which `git
 * archive` adds it.
 * @param prefix the folder of the release in the tarball, with a slash at its end
 */
export function addBuiltSite(prefix: string): string[] {
  execFileSync(process.execPath, [join(SITE, 'build.ts'), '--if-changed'])
  const files = globSync('dist/**/*', { cwd: SITE, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort()
  return paths.flatMap((path) => {
    const folder = dirname(path).slice(SITE.length).split(sep).join('/')
    return [`--prefix=${prefix}site${folder}/`, `--add-file=${path}`]
  })
}

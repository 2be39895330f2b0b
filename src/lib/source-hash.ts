import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/**
 * Hashes the names and contents of the files under a folder. A build result stores this hash, so that a comparison
 * shows if the result belongs to the present sources. Folders called `dist…` are results, not sources.
 * @param others paths of further files to include
 */
export function hashSources(folder: string, others: readonly string[] = []): string {
  const names = globSync('**/*', {
    cwd: folder,
    withFileTypes: true,
    exclude: (entry) => entry.name.startsWith('dist'),
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const hash = createHash('sha256')
  for (const path of [...names, ...others])
    hash
      .update(`${path.slice(folder.length).split(sep).join('/')}\0`)
      .update(readFileSync(path))
      .update('\0')
  return hash.digest('hex')
}

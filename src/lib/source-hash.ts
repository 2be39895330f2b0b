import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/**
 * What identifies the sources under a folder: a hash over the names and contents of its files. Build results carry it, so that
 * anybody can tell whether they are those of the sources as they are. Folders called `dist…` are results, not sources.
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

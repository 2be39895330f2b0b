/*
 * `npm run docs`: builds the documentation site into `site/dist`, which the service serves under `/docs`. With `--if-changed` it builds
 * only if the site is missing or its sources have changed.
 */
import { globSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFolder } from '../src/lib/builds/replace-folder.ts'
import { hashSources } from '../src/lib/source-hash.ts'
import { ROOT, ROOT_PAGES, SERVED_DIR } from './layout.ts'
import { linkedFilesOf } from './links.ts'
import { findPages } from './navigation.ts'
import { insertTables, makeTables, TABLE_SOURCES } from './tables.ts'

const if_changed = process.argv.includes('--if-changed')
const built = `${SERVED_DIR}-${process.pid}`
// Hashed before the build reads them, so that a later change leads to a new build.
const sources = hashAllSources()
const before = await readFile(join(SERVED_DIR, 'sources.txt'), 'utf8').catch(() => undefined)

if (if_changed && before === sources) process.stdout.write('unchanged\n')
else {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      removeUnfinished()
      process.exit(1)
    })
  try {
    // Loaded only when there is something to build, because it takes a second.
    const [{ build }, tables] = await Promise.all([import('vitepress'), makeTables()])
    await build(import.meta.dirname, {
      outDir: built,
      onAfterConfigResolve(config) {
        // Beside the result, so that two builds at once do not share a folder.
        config.tempDir = `${built}-temp`
        const followLinks = config.markdown?.config
        config.markdown = {
          ...config.markdown,
          async config(markdown) {
            await followLinks?.(markdown)
            insertTables(markdown, tables)
          },
        }
      },
    })
    await writeFile(join(built, 'sources.txt'), sources)
    await replaceFolder(built, SERVED_DIR)
    process.stdout.write('built\n')
  } finally {
    removeUnfinished()
  }
}

function removeUnfinished(): void {
  for (const folder of [built, `${built}-temp`]) rmSync(folder, { recursive: true, force: true })
}

/**
 * Hash all that the site is made of: pages, images, the files that pages lead to, the sources of tables, the program
 * that builds it and its packages.
 */
function hashAllSources(): string {
  const own = globSync(['site/*.{ts,css}', 'site/.vitepress/**/*.ts', ...TABLE_SOURCES, 'src/http/openapi/guide.ts'], {
    cwd: ROOT,
  })
  const files = [
    ...Object.keys(ROOT_PAGES),
    ...linkedFilesOf(findPages().values()),
    ...own.sort(),
    'openapi.json',
    'package-lock.json',
  ]
  return hashSources(
    join(ROOT, 'docs'),
    files.map((file) => join(ROOT, file)),
  )
}

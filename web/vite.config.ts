import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { brotliAtBuild } from '../src/http/compression/files.ts'
import { builtScriptPath, loadDocsPage } from '../src/http/docs/page.ts'
import { otherConsoleSources } from '../src/lib/builds/console-sources.ts'
import { replaceFolder } from '../src/lib/builds/replace-folder.ts'
import { hashSources } from '../src/lib/source-hash.ts'

const SERVED_DIR = join(import.meta.dirname, 'dist')
const FONT_LICENCE = join(import.meta.dirname, '../node_modules/@fontsource-variable/inter/LICENSE')

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), leaveOutNotes(), refuseEmptyPages(), finishBuild()],
  build: {
    outDir: `dist-${process.pid}`,
    emptyOutDir: true,
    // The content policy allows no data: scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_500,
    // The compression takes most of the time of a build, and is no reason for a warning.
    rolldownOptions: {
      checks: { pluginTimings: false },
      // Few files: a request costs a browser more than some kilobytes that it does not need yet. What two pages share is in
      // `libraries` and `parts`; charts and languages stay apart.
      output: {
        codeSplitting: {
          groups: [
            // The start waits for the texts in a language before it loads the console, so the console is in other files.
            { name: 'start', test: /[\\/]web[\\/](reload|texts[\\/](index|languages))\.ts$/, priority: 2 },
            {
              name: 'libraries',
              test: /@mantine[\\/](core|dates|form|hooks|notifications)|@tabler|@tanstack/,
              minShareCount: 2,
              priority: 1,
            },
            { name: 'parts', test: /[\\/]web[\\/](?!texts)/, minShareCount: 2 },
          ],
        },
      },
    },
  },
})

/** Return true if a chunk is a page of ours; libraries have parts that are loaded later, too. */
function isPage(chunk: { isDynamicEntry: boolean; facadeModuleId: string | null }): boolean {
  return chunk.isDynamicEntry && !chunk.facadeModuleId?.includes('/node_modules/')
}

/** Leave the notes for translators out of the messages of the service. */
function leaveOutNotes(): Plugin {
  const isNote = (key: string) => key === 'description'
  return {
    name: 'leave-out-notes',
    enforce: 'pre',
    transform(json, id) {
      if (!id.endsWith('/src/lib/messages/en.json')) return undefined
      return { code: JSON.stringify(JSON.parse(json), (key, value) => (isNote(key) ? undefined : value)), map: null }
    },
  }
}

/** Refuse a page without a default export. A file that is read while an editor writes it is empty, and still valid. */
function refuseEmptyPages(): Plugin {
  return {
    name: 'refuse-empty-pages',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk' && isPage(chunk) && !chunk.exports.includes('default'))
          this.error(`${chunk.facadeModuleId} is a page and has no default export.`)
    },
  }
}

/**
 * Compress the built files, write the hash of their sources, and then move the folder to where it is served. Browsers
 * cache a file for a year by its name, so they must never get an incomplete file.
 */
function finishBuild(): Plugin {
  let sources: string
  return {
    name: 'finish',
    apply: 'build',
    buildStart() {
      // Hashed before the build reads them, so that a later change leads to a new build. The service compares the hash.
      sources = hashSources(import.meta.dirname, otherConsoleSources(join(import.meta.dirname, '..')))
    },
    async writeBundle({ dir }) {
      const assets = join(dir!, 'assets')
      const texts = (await readdir(assets)).filter((name) => /\.(js|css|svg)$/.test(name))
      await Promise.all([...texts.map((name) => compress(dir!, join('assets', name))), compressDocs(dir!)])
      // The licence of the font asks to go wherever the font goes.
      await copyFile(FONT_LICENCE, join(assets, 'inter-LICENSE.txt'))
      await writeFile(join(dir!, 'sources.txt'), sources)
      // Several services may share the folder. The last one replaces the pages with the same pages.
      await replaceFolder(dir!, SERVED_DIR)
    },
  }
}

/**
 * Compress a file once at build time, because connections may be slow. This takes most of the time of a build, so the
 * compressed forms of a file that the served pages have, too, are copied from there.
 */
async function compress(dist: string, name: string): Promise<void> {
  const bytes = await readFile(join(dist, name))
  const served = await readFile(join(SERVED_DIR, name)).catch(() => undefined)
  for (const [ending, pack] of [
    ['br', promisify(brotliCompress)],
    ['gz', promisify(gzip)],
  ] as const) {
    const path = `${name}.${ending}`
    const is_copied = served?.equals(bytes) === true && (await copyServed(dist, path))
    if (!is_copied) await writeFile(join(dist, path), await pack(bytes))
  }
}

/** Copy a file from the served pages. Returns false if they do not have it. */
function copyServed(dist: string, path: string): Promise<boolean> {
  return copyFile(join(SERVED_DIR, path), join(dist, path)).then(
    () => true,
    () => false,
  )
}

/** Compress the script of the page `/docs`, for which a running service has not the time. */
async function compressDocs(dist: string): Promise<void> {
  const { script } = await loadDocsPage('')
  const path = builtScriptPath(script)
  await mkdir(dirname(join(dist, path)), { recursive: true })
  // Its name says what it contains.
  if (!(await copyServed(dist, path))) await writeFile(join(dist, path), await brotliAtBuild(script))
}

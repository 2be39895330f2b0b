import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { hashSources } from '../src/lib/source-hash.ts'

const lock = join(import.meta.dirname, '../package-lock.json')
const SERVED_DIR = join(import.meta.dirname, 'dist')

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), refuseEmptyPages(), finishBuild()],
  build: {
    outDir: `dist-${process.pid}`,
    emptyOutDir: true,
    // The content policy allows no data: scripts or styles, and files are served by ourselves anyway.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_500,
  },
})

/** A page's file that was read while an editor was writing it is empty, which is no fault of syntax: React would find it. */
function refuseEmptyPages(): Plugin {
  return {
    name: 'refuse-empty-pages',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk' && chunk.isDynamicEntry && !chunk.exports.includes('default'))
          this.error(`${chunk.facadeModuleId} is loaded when it is needed, and has no default export.`)
    },
  }
}

/**
 * Compresses what was built, says which sources it is of, and only then puts it where it is served: browsers keep a file for
 * a year under a name that stands for its content, so they must never get half of one.
 */
function finishBuild(): Plugin {
  let sources: string
  return {
    name: 'finish',
    apply: 'build',
    buildStart() {
      // Taken before they are read: what is changed meanwhile is built once more. The service compares it at its start.
      sources = hashSources(import.meta.dirname, [lock])
    },
    async writeBundle({ dir }) {
      const assets = join(dir!, 'assets')
      const texts = (await readdir(assets)).filter((name) => /\.(js|css|svg)$/.test(name))
      await Promise.all(texts.map((name) => compress(join(assets, name))))
      await writeFile(join(dir!, 'sources.txt'), sources)
      await replaceServedPages(dir!)
    },
  }
}

/** Once, here, and not with every request: the way to Kampala may be narrow. */
async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes))
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes))
}

/** Several services may share the folder: whoever is later puts the same pages there once more. */
async function replaceServedPages(built: string): Promise<void> {
  const former = `${built}-former`
  const isFree = () => rename(built, SERVED_DIR).then(() => true, ignoreErrors('ENOTEMPTY', 'EEXIST'))
  while (!(await isFree())) await rename(SERVED_DIR, former).catch(ignoreErrors('ENOENT'))
  await rm(former, { recursive: true, force: true })
}

/** Lets a fault pass as false when it is one of these. */
function ignoreErrors(...codes: string[]) {
  return (fault: NodeJS.ErrnoException): false => {
    if (!codes.includes(fault.code ?? '')) throw fault
    return false
  }
}

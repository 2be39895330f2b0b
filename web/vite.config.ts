import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { hashSources } from '../src/lib/source-hash.ts'

const lock = join(import.meta.dirname, '../package-lock.json')

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [
    react(),
    {
      name: 'source-hash',
      generateBundle() {
        // The service compares it with the sources at its start, and builds again when they differ.
        this.emitFile({ type: 'asset', fileName: 'sources.txt', source: hashSources(import.meta.dirname, [lock]) })
      },
    },
    {
      name: 'compress',
      apply: 'build',
      async writeBundle({ dir }) {
        const assets = join(dir!, 'assets')
        const texts = (await readdir(assets)).filter((name) => /\.(js|css|svg)$/.test(name))
        await Promise.all(texts.map((name) => compress(join(assets, name))))
      },
    },
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The content policy allows no data: scripts or styles, and files are served by ourselves anyway.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_500,
  },
})

/** Once, here, and not with every request: the way to Kampala may be narrow. */
async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes))
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes))
}

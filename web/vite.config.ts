import { join } from 'node:path'
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

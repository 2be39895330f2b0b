import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/postgres.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
    isolate: false,
    // The settings of a developer must not change what the programs of a test do.
    // Programs that tests start keep what Node compiled.
    env: { KUSANYA_ENV_FILE: 'off', NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/kusanya') },
  },
})

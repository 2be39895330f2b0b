import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import LongestFirst from './test/longest-first.ts'

const ALL = ['test/**/*.test.ts']
/** Folders of what takes long and seldom fails alone: only files with the word `quick` are in the first lane. */
const LONG = 'attacks,bench,cli/commands,examples,fuzz,simulator/doors,web'
const SECOND_LANE = ['test/**/*.slow.test.ts', `test/{${LONG}}/**/!(*.quick).test.ts`]

/** The files of a run: of the first lane (`npm test`), of the rest, or all (also when `npx vitest run` names some). */
function filesOf(lane: string): { include: string[]; exclude: string[] } {
  const { exclude } = configDefaults
  if (lane === 'first') return { include: ALL, exclude: [...exclude, ...SECOND_LANE] }
  if (lane === 'rest') return { include: SECOND_LANE, exclude }
  return { include: ALL, exclude }
}

// Workers, and the programs that their tests start, keep what Node compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/kusanya')

export default defineConfig(({ mode }) => ({
  test: {
    ...filesOf(mode),
    globalSetup: ['test/postgres.ts'],
    setupFiles: ['test/setup.ts'],
    reporters: ['default', './test/run-report.ts'],
    // Far above what a busy machine needs: what a test waits for, it names (`eventually`).
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000 } },
    // Long tests wait for programs, timers and browsers: three of them leave a quarter of two cores idle.
    maxWorkers: mode === 'first' ? 3 : 4,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // A worker that keeps its modules and services has much to copy at each small garbage collection: so there are fewer.
    execArgv: ['--max-semi-space-size=64'],
    // Node itself loads the modules, as it does for the service: no test replaces one.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // The settings of a developer must not change what the programs of a test do.
    env: { KUSANYA_ENV_FILE: 'off' },
  },
}))

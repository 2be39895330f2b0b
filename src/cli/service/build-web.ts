import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { WEB_DIST } from '../../console/pages.ts'
import { otherConsoleSources } from '../../lib/builds/console-sources.ts'
import { type EventLog, logEvent } from '../../lib/log-events.ts'
import { hashSources } from '../../lib/source-hash.ts'
import { IS_PACKAGE, PROGRAM_ROOT } from '../program.ts'
import { type PageBuild, startBuild } from './page-build.ts'

const WEB = join(PROGRAM_ROOT, 'web')

/** Build the pages of the console when they are missing or older than their sources. A failure is logged. */
export function buildWeb(log: EventLog): PageBuild {
  return startBuild(
    async (run) => {
      if (await isBuilt()) return
      // Vite moves the complete build to its final folder (web/vite.config.ts). A stopped build leaves this folder behind.
      const unfinished = `${WEB_DIST}-${randomBytes(4).toString('hex')}`
      const started = performance.now()
      try {
        const output = await run([viteProgram(), 'build', WEB, '--outDir', unfinished, '--logLevel', 'warn'])
        if (output !== null) logEvent(log, 'console_built', { duration_ms: Math.round(performance.now() - started) })
      } finally {
        await rm(unfinished, { recursive: true, force: true })
      }
    },
    (error) => logEvent(log, 'console_build_failed', { error }),
  )
}

/** The built pages contain the hash of their sources (web/vite.config.ts). The package of npm has the pages and no sources. */
async function isBuilt(): Promise<boolean> {
  if (IS_PACKAGE) return true
  const built = await readFile(join(WEB_DIST, 'sources.txt'), 'utf8').catch(() => undefined)
  return built !== undefined && built === hashSources(WEB, otherConsoleSources(PROGRAM_ROOT))
}

/** @throws Error where only the packages of production are installed */
function viteProgram(): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')
  } catch {
    throw new Error('The packages that build the console are not installed: run `npm ci --include=dev`.')
  }
}

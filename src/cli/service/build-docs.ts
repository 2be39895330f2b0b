import { access, constants } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type EventLog, logEvent } from '../../lib/log-events.ts'
import { PROGRAM_ROOT } from '../program.ts'
import { type PageBuild, startBuild } from './page-build.ts'

const SITE = join(PROGRAM_ROOT, 'site')

/**
 * Build the documentation when it is missing or older than its sources, after the console, and with the time that
 * nothing else needs. It does nothing where that cannot work: without the sources, without the generator, which is a
 * package of development, or in a folder that this process may not write to. `/docs` says then how to build it.
 * @param before the build to wait for
 */
export function buildDocs(log: EventLog, before: Promise<void>): PageBuild {
  return startBuild(
    async (run) => {
      await before
      if (!(await canBuild())) return
      const started = performance.now()
      // The program compares the sources itself.
      const output = await run([join(SITE, 'build.ts'), '--if-changed'], { background: true })
      if (output?.endsWith('built\n'))
        logEvent(log, 'docs_built', { duration_ms: Math.round(performance.now() - started) })
    },
    (error) => logEvent(log, 'docs_build_failed', { error }),
  )
}

async function canBuild(): Promise<boolean> {
  try {
    createRequire(import.meta.url).resolve('vitepress')
    await access(join(SITE, 'build.ts'))
    await access(SITE, constants.W_OK)
    return true
  } catch {
    return false
  }
}

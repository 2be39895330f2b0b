import type { Config } from '../../config.ts'
import type { EventLog } from '../../lib/log-events.ts'
import { buildDocs } from './build-docs.ts'
import { buildWeb } from './build-web.ts'
import type { PageBuild } from './page-build.ts'

/** Build the pages of the console and then the documentation; nothing where the console is off. */
export function buildPages({ CONSOLE }: Pick<Config, 'CONSOLE'>, log: EventLog): PageBuild | null {
  if (!CONSOLE) return null
  const web = buildWeb(log)
  const docs = buildDocs(log, web.done)
  return {
    done: docs.done,
    stop() {
      web.stop()
      docs.stop()
    },
  }
}

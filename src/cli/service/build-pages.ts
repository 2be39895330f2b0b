import type { Config } from '../../config.ts'
import type { EventLog } from '../../lib/log-events.ts'
import { buildDocs } from './build-docs.ts'
import { buildWeb } from './build-web.ts'
import type { PageBuild } from './page-build.ts'

/** Build the pages of the console, if it is on, and then the documentation. */
export function buildPages({ CONSOLE }: Pick<Config, 'CONSOLE'>, log: EventLog): PageBuild {
  const web = CONSOLE ? buildWeb(log) : undefined
  const docs = buildDocs(log, web?.done ?? Promise.resolve())
  return {
    done: docs.done,
    stop() {
      web?.stop()
      docs.stop()
    },
  }
}

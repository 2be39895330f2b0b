import type { MarkdownRenderer } from 'vitepress'
import { createProgram } from '../src/cli/command-table.ts'
import { topics } from '../src/cli/described/index.ts'
import { toMarkdown } from '../src/cli/described/table.ts'
import { processTerminal } from '../src/cli/terminal.ts'
import { describeAlerts } from './alerts.ts'

/** Files from which the tables are made. */
export const TABLE_SOURCES = [
  'src/config.ts',
  'src/config/*.ts',
  'src/lib/log-events.ts',
  'src/lib/log/*.ts',
  'src/cli/**/*.ts',
  'src/http/health.ts',
  'src/connections/tools/metrics.ts',
  'src/jobs/shared/job-metrics.ts',
  'src/db/reads/metrics.ts',
  'src/lib/tracing/spans.ts',
  'src/core/access/{api-keys,roles}.ts',
  'src/lib/statements/{portal,statement-line}.ts',
  'deploy/prometheus/alerts.yaml',
]

/** A line of a page that stands for a table. GitHub does not show it. */
const PLACE = /^<!-- table: (\w+) -->$/gm

/** Make all tables, as Markdown by their names. */
export async function makeTables(): Promise<Map<string, string>> {
  const loadCommands = () => createProgram(processTerminal(), [])
  const tables = new Map([['alerts', toMarkdown(describeAlerts())]])
  for (const [topic, describe] of Object.entries(topics)) tables.set(topic, toMarkdown(await describe(loadCommands)))
  return tables
}

/** Names of the tables that a page has. */
export function tablesOf(page: string): string[] {
  return [...page.matchAll(PLACE)].map(([, name]) => name!)
}

/** Put the tables into the pages before they are read. */
export function insertTables(markdown: MarkdownRenderer, tables: ReadonlyMap<string, string>): void {
  markdown.core.ruler.before('normalize', 'insert-tables', (state) => {
    state.src = state.src.replace(PLACE, (_line, name: string) => {
      const table = tables.get(name)
      if (table === undefined) throw new Error(`There is no table of the name ${name}.`)
      return table
    })
  })
}

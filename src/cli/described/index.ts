import type { Terminal } from '../terminal.ts'
import type { DescribedTable } from './table.ts'

/** Topics of `kusanya describe`. Only the one that is asked for is loaded. */
export const topics: Readonly<Record<string, (terminal: Terminal) => Promise<DescribedTable[]>>> = {
  settings: async () => (await import('./settings.ts')).describeSettings(),
  log: async () => (await import('./log.ts')).describeLog(),
  metrics: async () => (await import('./metrics.ts')).describeMetrics(),
  spans: async () => (await import('./spans.ts')).describeSpans(),
  permissions: async () => (await import('./permissions.ts')).describePermissions(),
  reads: async () => (await import('./reads.ts')).describeReads(),
  statement: async () => (await import('./statement.ts')).describeStatement(),
  doctor: async () => (await import('./doctor.ts')).describeDoctor(),
  commands: async (terminal) => {
    const [{ createProgram }, { describeCommands }] = await Promise.all([
      import('../command-table.ts'),
      import('./commands.ts'),
    ])
    return describeCommands(await createProgram(terminal, []))
  },
}

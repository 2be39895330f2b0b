import type { Command } from 'commander'
import type { DescribedTable } from './table.ts'

/** Load the program with all its commands. */
export type LoadCommands = () => Promise<Command>

/** Topics of `kusanya describe`. Only the one that is asked for is loaded. */
export const topics: Readonly<Record<string, (loadCommands: LoadCommands) => Promise<DescribedTable[]>>> = {
  settings: async () => (await import('./settings.ts')).describeSettings(),
  log: async () => (await import('./log.ts')).describeLog(),
  metrics: async () => (await import('./metrics.ts')).describeMetrics(),
  spans: async () => (await import('./spans.ts')).describeSpans(),
  permissions: async () => (await import('./permissions.ts')).describePermissions(),
  reads: async () => (await import('./reads.ts')).describeReads(),
  statement: async () => (await import('./statement.ts')).describeStatement(),
  doctor: async () => (await import('./doctor.ts')).describeDoctor(),
  commands: async (loadCommands) => (await import('./commands.ts')).describeCommands(await loadCommands()),
}

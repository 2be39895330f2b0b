import { availableParallelism, cpus } from 'node:os'
import { CUSTOMERS, type Figure, type Options, type Result } from './scenarios.ts'
import type { World } from './world.ts'

/** What was measured where, for `--json`. */
export function describeRun(database: World['database'], options: Options, result: Result) {
  return {
    machine: {
      processor: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      node: process.version,
      database,
    },
    options: { ...options, customers: CUSTOMERS },
    ...result,
  }
}
export type Report = ReturnType<typeof describeRun>

/** The report as people read it. */
export function printReport({ machine, options, figures, checks }: Report): string {
  const { processor, cores, node, database } = machine
  const { version, fsync, synchronous_commit, full_page_writes } = database
  return [
    `${cores} cores (${processor}), Node ${node}, PostgreSQL ${version}`,
    `fsync ${fsync}, synchronous_commit ${synchronous_commit}, full_page_writes ${full_page_writes}`,
    `${options.connections} connections, ${options.seconds} s a round, ${options.customers} customers, the load on the same cores`,
    '',
    line('', 'a second', 'p50', 'p99', 'errors', 'of the ceiling'),
    ...figures.map(lineOf),
    '',
    ...checks.map(({ claim, holds }) => `${holds ? 'yes' : 'NO '}  ${claim}`),
  ].join('\n')
}

function lineOf({ name, per_second, p50_ms, p99_ms, errors, ratio }: Figure): string {
  const milliseconds = (value: number | null) => (value === null ? '' : `${value.toFixed(1)} ms`)
  return line(
    name,
    Math.round(per_second).toLocaleString('en'),
    milliseconds(p50_ms),
    milliseconds(p99_ms),
    String(errors),
    ratio === undefined ? '' : ratio.toFixed(2),
  )
}

function line(name: string, ...cells: string[]): string {
  return (name.padEnd(42) + cells.map((cell) => cell.padStart(10)).join(' ')).trimEnd()
}

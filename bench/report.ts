import { availableParallelism, cpus } from 'node:os'
import type { Figure, Options, Result, Table } from './measurements.ts'
import type { BenchPostgres } from './postgres.ts'
import { CUSTOMERS } from './shops.ts'

/** The results with the machine and the options, for `--json`. */
export function describeRun(database: BenchPostgres['database'], options: Options, result: Result) {
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

/** Formats the report as text. */
export function printReport({ machine, options, figures, checks, series = [], tables = [] }: Report): string {
  const { processor, cores, node, database } = machine
  const { version, fsync, synchronous_commit, full_page_writes } = database
  const { connections, seconds, rounds, customers, organizations, processes } = options
  return [
    `${cores} cores (${processor}), Node ${node}, PostgreSQL ${version}`,
    `fsync ${fsync}, synchronous_commit ${synchronous_commit}, full_page_writes ${full_page_writes}`,
    `${connections} connections, ${rounds} rounds of ${seconds} s, ${customers} customers of ${organizations} organizations`,
    `the service in ${processes} ${processes === 1 ? 'process' : 'processes'}, the load on the same cores`,
    '',
    ...(figures.length > 0 ? [line('', 'a second', 'p50', 'p99', 'errors'), ...figures.map(lineOf), ''] : []),
    ...tables.flatMap((table) => [...printTable(table), '']),
    ...series.map(({ name, values }) => `${name}: ${values.map((value) => Math.round(value)).join(' ')}`),
    ...(series.length > 0 ? [''] : []),
    ...checks.map(({ claim, holds }) => `${holds ? 'yes' : 'NO '}  ${claim}`),
  ].join('\n')
}

function lineOf({ name, per_second, p50_ms, p99_ms, errors, ratio, of }: Figure): string {
  const milliseconds = (value: number | null) => (value === null ? '' : `${value.toFixed(1)} ms`)
  const cells = line(
    name,
    Math.round(per_second).toLocaleString('en'),
    milliseconds(p50_ms),
    milliseconds(p99_ms),
    errors.toLocaleString('en'),
  )
  return ratio === undefined ? cells : `${cells}   ${ratio.toFixed(2)} of ${of ?? 'the ceiling'}`
}

function printTable({ title, columns, rows }: Table): string[] {
  const toText = (value: number | null) =>
    value === null ? '' : value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 100 ? 2 : 0 })
  return [line(title, ...columns), ...rows.map(({ name, values }) => line(`  ${name}`, ...values.map(toText)))]
}

function line(name: string, ...cells: string[]): string {
  return (name.padEnd(46) + cells.map((cell) => cell.padStart(10)).join(' ')).trimEnd()
}

import { availableParallelism, cpus } from 'node:os'
import { type JudgedGate, judgeGates, summariseGates } from './gates.ts'
import type { Figure, Options, Result, Table } from './measurements.ts'
import type { BenchPostgres } from './postgres.ts'
import { CUSTOMERS } from './shops.ts'
import { wrk_is_installed } from './wrk/wrk.ts'

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
    gates: judgeGates(result.figures),
    wrk: wrk_is_installed,
  }
}
export type Report = ReturnType<typeof describeRun>

/** Format the report as text. */
export function printReport(report: Report): string {
  const { machine, options, figures, checks, series = [], tables = [], notes = [], gates, wrk } = report
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
    ...notes,
    ...(notes.length > 0 ? [''] : []),
    ...checks.map(({ claim, holds }) => `${holds ? 'yes' : 'NO '}  ${claim}`),
    ...printGates(gates, wrk),
  ].join('\n')
}

function lineOf({ name, per_second, p50_ms, p99_ms, errors, ratio, baseline, with_wrk }: Figure): string {
  const milliseconds = (value: number | null) => (value === null ? '' : `${value.toFixed(1)} ms`)
  const cells = line(
    name,
    Math.round(per_second).toLocaleString('en'),
    milliseconds(p50_ms),
    milliseconds(p99_ms),
    errors.toLocaleString('en'),
  )
  const text = ratio === undefined ? cells : `${cells}   ${formatRatio(ratio)} of ${baseline ?? 'the ceiling'}`
  return with_wrk === undefined ? text : `${text}${ratio === undefined ? '   ' : '; '}${describeWrk(with_wrk)}`
}

function describeWrk({ per_second, ratio, errors }: NonNullable<Figure['with_wrk']>): string {
  const rate = `${Math.round(per_second).toLocaleString('en')} a second`
  const wrong = errors > 0 ? `, ${errors} errors` : ''
  return `with wrk ${ratio === undefined ? rate : `${formatRatio(ratio)} (${rate})`}${wrong}`
}

/** Small ratios have a third digit. */
function formatRatio(ratio: number): string {
  return ratio.toFixed(ratio < 0.1 ? 3 : 2)
}

/** Print the gates with their measurements. They do not affect the exit code: machines differ. */
function printGates(gates: readonly JudgedGate[], wrk: boolean): string[] {
  if (gates.length === 0) return []
  const toText = (unit: JudgedGate['unit'], value: number | null) => {
    if (value === null) return ''
    return unit === 'ratio' ? formatRatio(value) : `${Math.round(value)} ms`
  }
  const answers = (value: boolean | null) => (value === null ? '' : value ? 'yes' : 'no')
  return [
    '',
    line('gates: ratio to the ceiling, or p99', 'measured', 'gate', 'holds', 'aim', 'reached', 'with wrk'),
    ...gates.map(({ name, unit, measured, gate, aim, holds, reaches_aim, with_wrk }) =>
      line(
        name,
        toText(unit, measured),
        toText(unit, gate),
        answers(holds),
        toText(unit, aim),
        answers(reaches_aim),
        toText(unit, with_wrk),
      ),
    ),
    ...(wrk ? [] : ['wrk is not installed, so all loads come from the load generator of Node alone.']),
    summariseGates(gates),
  ]
}

function printTable({ title, columns, rows }: Table): string[] {
  const toText = (value: number | null) =>
    value === null ? '' : value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 100 ? 2 : 0 })
  return [line(title, ...columns), ...rows.map(({ name, values }) => line(`  ${name}`, ...values.map(toText)))]
}

function line(name: string, ...cells: string[]): string {
  return (name.padEnd(46) + cells.map((cell) => cell.padStart(10)).join(' ')).trimEnd()
}

import { parseArgs } from 'node:util'
import { buildPages } from '../scripts/built-pages.ts'
import type { Options, Result, ScenarioContext, UnservedContext } from './measurements.ts'
import { type BenchPostgres, closeAllPostgres, startPostgres } from './postgres.ts'
import { endChildren, startBareServer } from './processes.ts'
import { describeRun, printReport } from './report.ts'
import { measureBills } from './scenarios/bills.ts'
import { measureMove } from './scenarios/cells/move.ts'
import { measureNeighbours, NEIGHBOURS } from './scenarios/cells/neighbours.ts'
import { measureRestore } from './scenarios/cells/restore.ts'
import { measureCells } from './scenarios/cells/two-cells.ts'
import { CONTENDERS, measureContention } from './scenarios/contention.ts'
import { measureCost } from './scenarios/cost.ts'
import { measureCreate } from './scenarios/create.ts'
import { measureDeliveries } from './scenarios/deliveries.ts'
import { measureEverything } from './scenarios/everything.ts'
import { LANES, measureFairness } from './scenarios/fairness.ts'
import { measureGrowth } from './scenarios/growth.ts'
import { measureHalfRate } from './scenarios/half-rate.ts'
import { measureHour } from './scenarios/hour.ts'
import { measureMemory } from './scenarios/memory.ts'
import { measureNewCustomers } from './scenarios/new-customers.ts'
import { measureOverload } from './scenarios/overload.ts'
import { measurePause } from './scenarios/pause.ts'
import { measureProcesses } from './scenarios/processes.ts'
import { measureGet, measureList } from './scenarios/reads.ts'
import { measureSettle } from './scenarios/settle.ts'
import { measureSustained } from './scenarios/sustained.ts'
import { measureWallets, WALLET_COUNT } from './scenarios/wallets.ts'
import { measureWithoutHttp } from './scenarios/without-http.ts'

/** A scenario on a service that is started for it. */
interface ServedScenario {
  measure(context: ScenarioContext): Promise<Result>
  /** True if the service also runs the jobs. */
  jobs?: boolean
  /** The number of organizations, instead of the option. */
  organizations?: number
  /** True if the scenario runs only when --only names it, because it takes long. */
  only_when_named?: boolean
}

/** Scenario that starts its services itself. */
interface UnservedScenario {
  measureUnserved(context: UnservedContext): Promise<Result>
  only_when_named?: boolean
}
type Scenario = ServedScenario | UnservedScenario

/** Scenarios. Each starts with an empty database and a new service. */
const scenarios: Record<string, Scenario> = {
  create: { measure: measureCreate },
  new: { measure: measureNewCustomers },
  sql: { measure: measureWithoutHttp },
  half: { measure: measureHalfRate },
  get: { measure: measureGet },
  list: { measure: measureList },
  settle: { measure: measureSettle },
  wallets: { measure: measureWallets, organizations: WALLET_COUNT },
  bills: { measure: measureBills, jobs: true },
  everything: { measureUnserved: measureEverything },
  deliveries: { measure: measureDeliveries, jobs: true },
  overload: { measure: measureOverload },
  memory: { measure: measureMemory, jobs: true, only_when_named: true },
  sustained: { measure: measureSustained, jobs: true, only_when_named: true },
  growth: { measure: measureGrowth, only_when_named: true },
  fairness: { measure: measureFairness, jobs: true, organizations: LANES, only_when_named: true },
  neighbours: { measure: measureNeighbours, organizations: NEIGHBOURS, only_when_named: true },
  hour: { measureUnserved: measureHour, only_when_named: true },
  pause: { measureUnserved: measurePause, only_when_named: true },
  processes: { measureUnserved: measureProcesses, only_when_named: true },
  cost: { measureUnserved: measureCost, only_when_named: true },
  cells: { measureUnserved: measureCells, only_when_named: true },
  move: { measureUnserved: measureMove, only_when_named: true },
  restore: { measureUnserved: measureRestore, only_when_named: true },
  contention: { measure: measureContention, organizations: CONTENDERS, only_when_named: true },
}
const names = Object.keys(scenarios)
const defaultNames = names.filter((name) => !scenarios[name]!.only_when_named)
const optionalNames = names.filter((name) => scenarios[name]!.only_when_named)

const HELP = `Measures the performance of this machine, with its own PostgreSQL at full durability.

  npm run bench -- [options]

  --only <names>         scenarios with commas between them, of ${defaultNames.join(', ')};
                         these run only when they are named: ${optionalNames.join(', ')}
  --seconds <n>          how long each round is measured (4)
  --rounds <n>           how many alternating rounds compare two sides (3)
  --connections <n>      the number of concurrent callers (64)
  --rows <n>             how many requests the table of list has (200000), and the largest of growth (1000000);
                         how many events are stored before deliveries (none)
  --processes <n>        the number of processes of the service (1)
  --organizations <n>    how many organizations, each with its own key, share the requests (1)
  --minutes <n>          how long a steady load lasts in memory (10) and in hour (60)
  --due <n>              how many plans of one organization are due in fairness (1000000)
  --collections <n>      how many collections cost counts, move moves, and restore restores (2000)
  --per-second <n>       how many of them begin each second (40); in pause, instead of a share of the full rate
  --json                 print JSON
  --help`

/** Run the scenarios one after the other and clean up. The exit code is 1 when a check fails. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: defaultNames.join(',') },
      seconds: { type: 'string', default: '4' },
      connections: { type: 'string', default: '64' },
      rounds: { type: 'string', default: '3' },
      rows: { type: 'string' },
      processes: { type: 'string', default: '1' },
      organizations: { type: 'string', default: '1' },
      minutes: { type: 'string' },
      due: { type: 'string', default: '1000000' },
      collections: { type: 'string', default: '2000' },
      'per-second': { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return
  }
  const options: Options = {
    seconds: readCount('seconds', values.seconds),
    connections: readCount('connections', values.connections),
    rounds: readCount('rounds', values.rounds),
    rows: values.rows === undefined ? null : readCount('rows', values.rows, 8),
    processes: readCount('processes', values.processes),
    organizations: readCount('organizations', values.organizations),
    minutes: values.minutes === undefined ? null : readCount('minutes', values.minutes),
    due: readCount('due', values.due, 7),
    collections: readCount('collections', values.collections, 8),
    collections_per_second:
      values['per-second'] === undefined ? null : readCount('per-second', values['per-second'], 3),
  }
  const selected = readNames(values.only)
  // A service that starts without its pages would build them beside the measurement.
  buildPages()
  const postgres = await startPostgres(options.processes)
  const cleanUp = async () => {
    await endChildren()
    await closeAllPostgres()
  }
  process.once('SIGINT', () => void cleanUp().finally(() => process.exit(130)))
  try {
    const result = await measureAll(postgres, selected, options)
    const report = describeRun(postgres.database, options, result)
    console.log(values.json ? JSON.stringify(report, null, 2) : printReport(report))
    if (!result.checks.every(({ holds }) => holds)) process.exitCode = 1
  } finally {
    await cleanUp()
  }
}

async function measureAll(postgres: BenchPostgres, selected: readonly string[], options: Options): Promise<Result> {
  const results: Result[] = []
  const bare_server = await startBareServer()
  for (const name of selected) {
    const scenario = scenarios[name]!
    if ('measureUnserved' in scenario) {
      results.push(await scenario.measureUnserved({ postgres, bare_server, options }))
      continue
    }
    const { measure, jobs, organizations = options.organizations } = scenario
    const service = await postgres.startService(jobs ? [] : ['--no-jobs'], organizations)
    results.push(await measure({ postgres, service, bare_server, options }))
    await service.close()
  }
  return {
    figures: results.flatMap(({ figures }) => figures),
    checks: results.flatMap(({ checks }) => checks),
    series: results.flatMap(({ series = [] }) => series),
    tables: results.flatMap(({ tables = [] }) => tables),
    notes: results.flatMap(({ notes = [] }) => notes),
  }
}

function readNames(text: string): string[] {
  const requested = text.split(',').map((name) => name.trim())
  if (!requested.every((name) => names.includes(name)))
    throw new Error(`--only takes ${names.join(', ')}, not ${text}.`)
  return names.filter((name) => requested.includes(name))
}

function readCount(name: string, text: string, digits = 4): number {
  const count = Number(text)
  if (!/^\d+$/.test(text) || text.length > digits || count === 0)
    throw new Error(`--${name} takes a whole number, not ${text}.`)
  return count
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

import { parseArgs } from 'node:util'
import { measureDeliveries } from './deliveries.ts'
import { endChildren, startCeiling } from './processes.ts'
import { describeRun, printReport } from './report.ts'
import {
  measureCreate,
  measureEverything,
  measureGet,
  measureList,
  measureSettle,
  type Options,
  type Result,
} from './scenarios.ts'
import { startWorld, type World } from './world.ts'

const scenarios = ['create', 'get', 'list', 'settle', 'everything', 'deliveries'] as const
type Scenario = (typeof scenarios)[number]

const HELP = `Measures what this machine can do, against a PostgreSQL of its own with full durability.

  npm run bench -- [options]

  --only <names>         of ${scenarios.join(', ')}; several with commas
  --seconds <n>          how long each round is measured (4)
  --connections <n>      how many callers there are at once (64)
  --rounds <n>           how often create, and deliveries, take turns with their ceilings (3)
  --rows <n>             how many requests lie in the table that is listed (200000)
  --json                 figures for programs
  --help`

/** Runs the scenarios one after the other and leaves nothing behind. The exit code is 1 when a check does not hold. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: scenarios.join(',') },
      seconds: { type: 'string', default: '4' },
      connections: { type: 'string', default: '64' },
      rounds: { type: 'string', default: '3' },
      rows: { type: 'string', default: '200000' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return
  }
  const options = {
    seconds: readCount('seconds', values.seconds),
    connections: readCount('connections', values.connections),
    rounds: readCount('rounds', values.rounds),
    rows: readCount('rows', values.rows, 8),
  }
  const wanted = readScenarios(values.only)
  const world = await startWorld()
  const cleanUp = async () => {
    await endChildren()
    await world.close()
  }
  process.once('SIGINT', () => void cleanUp().finally(() => process.exit(130)))
  try {
    const result = await measure(world, wanted, options)
    const report = describeRun(world.database, options, result)
    console.log(values.json ? JSON.stringify(report, null, 2) : printReport(report))
    if (!result.checks.every(({ holds }) => holds)) process.exitCode = 1
  } finally {
    await cleanUp()
  }
}

async function measure(world: World, wanted: Scenario[], options: Options): Promise<Result> {
  const results: Result[] = []
  const against = ['create', 'get', 'settle', 'list'].some((name) => wanted.includes(name as Scenario))
  const ceiling = against ? await startCeiling() : undefined
  if (ceiling && wanted.some((name) => ['create', 'get', 'settle'].includes(name))) {
    const house = await world.open(['--no-jobs'])
    if (wanted.includes('create')) results.push(await measureCreate(house, ceiling, options))
    if (wanted.includes('get')) results.push(await measureGet(house, ceiling, options))
    if (wanted.includes('settle')) results.push(await measureSettle(house, ceiling, options))
    await house.close()
  }
  if (ceiling && wanted.includes('list')) {
    const house = await world.open(['--no-jobs'])
    results.push(await measureList(house, ceiling, options))
    await house.close()
  }
  if (wanted.includes('everything')) {
    const house = await world.open([])
    results.push(await measureEverything(house, options))
    await house.close()
  }
  if (wanted.includes('deliveries')) {
    const house = await world.open([])
    results.push(await measureDeliveries(house, options))
    await house.close()
  }
  return {
    figures: results.flatMap(({ figures }) => figures),
    checks: results.flatMap(({ checks }) => checks),
  }
}

function readScenarios(text: string): Scenario[] {
  const names = text.split(',').map((name) => name.trim())
  const wanted = scenarios.filter((name) => names.includes(name))
  if (wanted.length < names.length) throw new Error(`--only takes ${scenarios.join(', ')}, not ${text}.`)
  return wanted
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

import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/db/client.ts'
import { findInconsistencies } from '../../src/jobs/check-consistency.ts'
import { gates } from '../gates.ts'
import { findHighestRate, loadAtRate, stepTable } from '../hour/highest-rate.ts'
import {
  checkPartitions,
  moveClockTo,
  partitionTimes,
  RETENTION_SETTINGS,
  readPartitions,
} from '../hour/partition-turn.ts'
import { readDeadRows, readSample, type Sample } from '../hour/samples.ts'
import { minuteTables, totalsTable } from '../hour/tables.ts'
import type { Outcome } from '../load.ts'
import { type Check, figureOf, printProgress, type Result, type UnservedContext } from '../measurements.ts'
import { checkArrived, waitUntilAllIsCounted, waitUntilDone } from '../outside/arrived.ts'
import { type ServiceWithOutside, startServiceWithOutside } from '../outside/outside.ts'
import { startPostgres } from '../postgres.ts'
import { measureCollections, warmUp } from './everything.ts'
import { checkCounts } from './reads.ts'
import { checkBooks } from './settle.ts'

const DEFAULT_MINUTES = 60
/** The share of the highest rate that is kept: a rate at the edge leaves nothing for checkpoints and vacuum. */
const KEPT_SHARE = 0.9
/** Duration of each step: half a minute, or less before a short load. */
const stepSeconds = (minutes: number) => Math.min(30, 5 * minutes + 5)
/** Duration of measuring the full rate, from which the first step follows. */
const FULL_RATE_S = 10
const MINUTE_MS = 60_000

/**
 * Find the highest rate at which the p99 of creates stays under a second with everything on. Keep most of it for an
 * hour, with the checkpoints and vacuums of the embedded PostgreSQL. In the middle a new week of partitions begins, and
 * at three quarters the partitions of the steps are dropped. Nothing may be lost, and the books must balance.
 */
export async function measureHour({ options }: UnservedContext): Promise<Result> {
  const minutes = options.minutes ?? DEFAULT_MINUTES
  const postgres = await startPostgres(options.processes)
  const outside = await startServiceWithOutside(postgres, options.organizations, { settings: RETENTION_SETTINGS })
  const { db } = outside.service
  try {
    printProgress('everything on, to find the highest rate')
    let created = await warmUp(outside, options)
    const full = await measureCollections(outside, options, FULL_RATE_S, created)
    const first = created + full.created + full.outcome.errors
    created += full.created
    const found = await findHighestRate(outside, options, {
      finished: full.per_second,
      step_s: stepSeconds(minutes),
      first,
    })
    created += found.created
    await waitUntilAllIsCounted(db)
    const per_second = Math.max(1, Math.floor(found.highest * KEPT_SHARE))
    const times = partitionTimes(Date.now(), minutes)
    const partitions = await moveClockTo(db, times)
    const notifications = (await outside.countCalls()).notifications
    printProgress(`everything on, ${per_second} a second for ${minutes} minutes`)
    const start = await readSample(outside.service)
    const kept = await keepRate(outside, { per_second, minutes, first: first + found.tried, load: options })
    const ended = await checkEnded(db)
    const end = await readSample(outside.service)
    const kept_created = kept.outcome.statuses[201] ?? 0
    const calls = { notifications: (await outside.countCalls()).notifications - notifications }
    const dead = await readDeadRows(db)
    const figure = figureOf(`everything on: create, for ${minutes} minutes`, [kept.outcome])
    return {
      figures: [{ ...figure, gate: gates.everything_create }],
      tables: [
        stepTable(found.steps),
        ...minuteTables(kept.outcome, kept.samples, start),
        totalsTable({ start, end, created: kept_created, outcome: kept.outcome, dead }),
      ],
      notes: [describeKept(per_second, found.highest, kept.outcome)],
      checks: [
        ended,
        ...(await checkArrived(db, { requests: created + kept_created, calls, since: new Date(times.start) })),
        checkPartitions(partitions, await readPartitions(db), times),
        await checkBooks(db),
        await checkCounts(db),
        await checkConsistent(outside),
      ],
    }
  } finally {
    await outside.close()
    await postgres.close()
  }
}

/** Check that everything ends. If it does not, the measurements are reported all the same. */
async function checkEnded(db: Database): Promise<Check> {
  try {
    const done = await waitUntilDone(db)
    await waitUntilAllIsCounted(db)
    const seconds = Math.max(...Object.values(done)) / 1_000
    return { claim: `everything was done ${seconds.toFixed(1)} s after the last create`, holds: true }
  } catch (error) {
    return { claim: error instanceof Error ? error.message : String(error), holds: false }
  }
}

interface KeptRate {
  per_second: number
  minutes: number
  /** The number of the first new customer. */
  first: number
  load: UnservedContext['options']
}

/** Keep a rate, and look at service and database once a minute. */
async function keepRate(
  outside: ServiceWithOutside,
  { per_second, minutes, first, load }: KeptRate,
): Promise<{ outcome: Outcome; samples: Sample[] }> {
  const samples: Sample[] = []
  const started_at = performance.now()
  const loading = loadAtRate(outside, load, { per_second, seconds: minutes * 60, first, interval_s: 60 })
  for (let minute = 1; minute <= minutes; minute += 1) {
    await sleep(Math.max(0, started_at + minute * MINUTE_MS - performance.now()))
    const sample = await readSample(outside.service)
    samples.push(sample)
    printProgress(
      `minute ${minute} of ${minutes}: ${sample.open} open, ${sample.waiting} notifications wait, ${Math.round(sample.service_mb)} MB`,
    )
  }
  return { outcome: await loading, samples }
}

function describeKept(per_second: number, highest: number, { measured }: Outcome): string {
  const cores = availableParallelism()
  const { count = 0, slow = 0 } = measured[201] ?? {}
  const share = count > 0 ? ((100 * slow) / count).toFixed(2) : '-'
  return (
    `kept: ${per_second} collections a second, ${KEPT_SHARE} of the highest rate that held (${highest}); ${share} % of the creates took more than a second.\n` +
    `per core: ${(per_second / cores).toFixed(0)} a second on ${cores} cores, which the load, the network, the SMS provider and the receiver share.\n` +
    'Mojaloop publishes 1,000 transfers a second for an hour, 1 % of them above a second, on a cluster of many machines.'
  )
}

async function checkConsistent({ service }: ServiceWithOutside): Promise<Check> {
  const findings = await findInconsistencies(service.db)
  return {
    claim: findings.length > 0 ? `${findings.length} things are wrong: ${findings[0]}` : 'the data is consistent',
    holds: findings.length === 0,
  }
}

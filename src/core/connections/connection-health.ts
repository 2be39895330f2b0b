import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { type Latencies, mergeLatencies, noLatencies, percentile } from '../../lib/latencies.ts'

/** Results of one process's calls over one connection in the last 15 minutes. */
const healthTable = table('connection_health', {
  connection: column.text().key(),
  calls: column.integer(),
  unanswered: column.integer(),
  durations: column.jsonb<Latencies>(),
  last_call: column.timestamptz().nullable(),
  last_answer: column.timestamptz().nullable(),
  degraded_since: column.timestamptz().nullable(),
  process: column.text().key(),
  updated: column.timestamptz(),
})
export type ProcessHealth = Omit<Row<typeof healthTable>, 'process' | 'updated'>

/** Problem that only the operator can repair. */
const alarmTable = table('connection_alarms', {
  connection: column.text().key(),
  message: column.text().key(),
  first: column.timestamptz(),
  last: column.timestamptz(),
  /** Number of times it was noticed. */
  count: column.bigint(),
})
export type ConnectionAlarm = Omit<Row<typeof alarmTable>, 'connection'>

/** The health of a connection over the last 15 minutes, of all processes together. */
export interface ConnectionHealth {
  connection: string
  /** `degraded`: most calls had no answer, so that only one call at a time is sent. */
  state: 'healthy' | 'degraded'
  degraded_since: Date | null
  calls: number
  /** The share of calls that were answered, from 0 to 1; null without calls. A refusal is an answer. */
  success_rate: number | null
  /** Half of the calls took at most this many milliseconds. */
  p50_ms: number | null
  /** 95 of 100 calls took at most this many milliseconds. */
  p95_ms: number | null
  last_call: Date | null
  last_answer: Date | null
  /** The alarms of the last day, the newest first. */
  alarms: ConnectionAlarm[]
}

/** Relation of another process to a connection. */
export interface OtherProcess {
  connection: string
  degraded_since: Date | null
  last_call: Date | null
}

/** A process whose row is older than this has ended. */
const PROCESS_LIFE_MS = 30_000
/** The figures cover this time. */
const HEALTH_SPAN_MS = 15 * 60_000
/** Alarms are shown for this long after they were noticed last. */
const ALARM_SHOWN_MS = 24 * 3_600_000
const ALARM_KEPT_MS = 30 * 24 * 3_600_000

/** Stores the measurements of this process, and deletes those of ended processes from before the last 15 minutes. */
export async function storeHealth(
  tx: Tx,
  real: Date,
  process: string,
  measured: readonly ProcessHealth[],
): Promise<void> {
  await tx`
    ${insert(healthTable, measured, { process, updated: real })}
    ${healthTable.replace(['updated', 'calls', 'unanswered', 'durations', 'last_call', 'last_answer', 'degraded_since'])}`
  await tx`delete from connection_health where updated < ${before(real, HEALTH_SPAN_MS)}`
}

/** Reads the relation of the other running processes to their connections. */
export function readOtherProcesses(db: Reader, real: Date, process: string): Promise<OtherProcess[]> {
  return db<OtherProcess[]>`
    select connection, degraded_since, last_call from connection_health
    where process <> ${process} and updated > ${before(real, PROCESS_LIFE_MS)}`
}

/** Counts alarms. A message has one row for each connection. */
export async function storeAlarms(
  tx: Tx,
  real: Date,
  alarms: readonly (ConnectionAlarm & { connection: string })[],
): Promise<void> {
  // In one order in all processes, so that none waits for a row while another waits for it.
  await tx`
    ${insert(alarmTable, alarms, {})} order by connection, message
    on conflict (connection, message) do update set
      last = greatest(connection_alarms.last, excluded.last), count = connection_alarms.count + excluded.count`
  await tx`delete from connection_alarms where last < ${before(real, ALARM_KEPT_MS)}`
}

/** The share of the calls of the last 15 minutes that were answered, of all processes together, for each connection with calls. */
export async function readAnsweredShares(db: Reader, real: Date): Promise<{ connection: string; share: number }[]> {
  return db<{ connection: string; share: number }[]>`
    select connection, (1 - sum(unanswered)::double precision / sum(calls))::double precision as share from connection_health
    where updated > ${before(real, HEALTH_SPAN_MS)} group by connection having sum(calls) > 0`
}

/**
 * The health of the connections that were used in the last 15 minutes or have alarms, by slug.
 * @param connection only this one
 */
export async function readConnectionHealth(
  db: Reader,
  real: Date,
  connection?: string,
): Promise<Map<string, ConnectionHealth>> {
  const only = connection === undefined ? sql.always : sql`connection = ${connection}`
  const [measured, alarms] = await Promise.all([
    db<(ProcessHealth & { updated: Date })[]>`
      select connection, updated, calls, unanswered, durations, last_call, last_answer, degraded_since
      from connection_health where updated > ${before(real, HEALTH_SPAN_MS)} and ${only}`,
    db<(ConnectionAlarm & { connection: string })[]>`
      select connection, message, first, last, count from connection_alarms
      where last > ${before(real, ALARM_SHOWN_MS)} and ${only} order by last desc, message`,
  ])
  const slugs = [...new Set([...measured, ...alarms].map((row) => row.connection))].sort()
  return new Map(
    slugs.map((slug) => {
      const of_slug = measured.filter((row) => row.connection === slug)
      const shown = alarms.filter((row) => row.connection === slug).map(({ connection: _, ...alarm }) => alarm)
      return [slug, { connection: slug, ...summarize(of_slug, real), alarms: shown }]
    }),
  )
}

function summarize(processes: readonly (ProcessHealth & { updated: Date })[], real: Date) {
  const durations = noLatencies()
  for (const one of processes) mergeLatencies(durations, one.durations)
  const calls = processes.reduce((sum, one) => sum + one.calls, 0)
  const unanswered = processes.reduce((sum, one) => sum + one.unanswered, 0)
  const running = processes.filter(({ updated }) => updated > before(real, PROCESS_LIFE_MS))
  const degraded_since = earliest(running.map((one) => one.degraded_since))
  return {
    state: degraded_since ? ('degraded' as const) : ('healthy' as const),
    degraded_since,
    calls,
    success_rate: calls === 0 ? null : (calls - unanswered) / calls,
    p50_ms: percentile(durations, 0.5),
    p95_ms: percentile(durations, 0.95),
    last_call: latest(processes.map((one) => one.last_call)),
    last_answer: latest(processes.map((one) => one.last_answer)),
  }
}

function earliest(dates: readonly (Date | null)[]): Date | null {
  return dates.reduce((first, date) => (date && (!first || date < first) ? date : first), null)
}

function latest(dates: readonly (Date | null)[]): Date | null {
  return dates.reduce((last, date) => (date && (!last || date > last) ? date : last), null)
}

function before(real: Date, ms: number): Date {
  return new Date(real.getTime() - ms)
}

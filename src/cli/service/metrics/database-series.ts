import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../../app.ts'
import type { Database } from '../../../db/client.ts'
import type { ServiceSeries } from '../../../http/health.ts'
import { databaseFigures, type FigureSource, type Figures } from './database-figures.ts'

/** A scrape waits for figures this long at most. What is read later is there for the next one. */
const WAIT_MS = 3_000
/** Maximum seconds for reading all figures. A longer read costs the service more than it is worth. */
const READ_S = 5
/** The advisory lock under which figures are read: one process of all reads them at a time. */
const READ_LOCK = 7_205_417

/**
 * Metrics whose figures are in the database. A process reads them on request, at most once per
 * METRICS_INTERVAL_SECONDS, in one transaction, one process after the other. Figures that cannot be read are missing,
 * and `kusanya_database_figures_ok` is 0.
 */
export function databaseSeries(
  app: Pick<App, 'db' | 'clock' | 'config' | 'bill_connections' | 'billers'>,
  sources: readonly FigureSource[] = databaseFigures(app),
): ServiceSeries[] {
  const latest = shareReads(app.config.METRICS_INTERVAL_SECONDS * 1_000, () => readFigures(app.db, sources))
  const inTime = () => withinTime(latest(), WAIT_MS)
  const figures = sources.flatMap(({ metrics }) =>
    metrics.map(
      (metric): ServiceSeries => ({ ...metric, read: async () => (await inTime())?.figures[metric.name] ?? [] }),
    ),
  )
  const isRead = async () => ((await inTime().catch(() => null)) ? 1 : 0)
  return [
    ...figures,
    {
      name: 'kusanya_database_figures_ok',
      labels: [],
      aggregator: 'min',
      help: '1 when the figures of the database could be read, otherwise 0: then they are missing.',
      read: async () => [{ labels: {}, figure: await isRead() }],
    },
    {
      name: 'kusanya_database_figures_seconds',
      labels: [],
      help: 'How long the last read of these figures took.',
      read: async () => [{ labels: {}, figure: (await inTime())!.duration_s }],
    },
  ]
}

/** Read all figures with one connection. No statement may scan a table that has an index for it. */
async function readFigures(db: Database, sources: readonly FigureSource[]) {
  const started_ms = performance.now()
  const found = await db.begin('begin read only', async (tx) => {
    await tx.unsafe(
      `set local statement_timeout = '${READ_S}s'; set local lock_timeout = '${READ_S}s'; set local enable_seqscan = off`,
    )
    await tx`select pg_advisory_xact_lock(${READ_LOCK})`
    const results: Awaited<ReturnType<FigureSource['read']>>[] = []
    for (const source of sources) results.push(await source.read(tx))
    return results
  })
  const duration_s = (performance.now() - started_ms) / 1_000
  const figures = await Promise.all(found.map((result) => (typeof result === 'function' ? result() : result)))
  return { figures: Object.assign({}, ...figures) as Figures, duration_s }
}

/** Calls that come while one read runs get its result, and so do those that come soon after it. A failed read is not kept. */
function shareReads<Value>(max_age_ms: number, read: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined
  let kept: { value: Value; read_ms: number } | undefined
  return () => {
    if (running) return running
    if (kept && performance.now() - kept.read_ms < max_age_ms) return Promise.resolve(kept.value)
    running = read()
      .then((value) => {
        kept = { value, read_ms: performance.now() }
        return value
      })
      .finally(() => {
        running = undefined
      })
    return running
  }
}

/** The result, or null after this time; the work goes on. */
async function withinTime<Value>(work: Promise<Value>, wait_ms: number): Promise<Value | null> {
  const timer = new AbortController()
  const late = sleep(wait_ms, null, { signal: timer.signal, ref: false }).catch(() => null)
  return Promise.race([work, late]).finally(() => timer.abort())
}

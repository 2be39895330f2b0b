import { setTimeout as sleep } from 'node:timers/promises'
import type { CommitListener, NotedFact } from '../db/client.ts'
import { type EventLog, logEvent } from '../lib/log-events.ts'
import type { SpanName } from '../lib/tracing/spans.ts'
import { type ActiveSpan, MAX_FLUSH_MS, type Tracing } from '../lib/tracing/tracing.ts'
import type { Fact, FactName } from './facts.ts'
import type { RequestTraces } from './request-traces.ts'

/** A fact with the real time at which it was noted. */
type TimedFact = Fact & Pick<NotedFact, 'at_ms'>
type Times = Parameters<CommitListener['committed']>[1]

/** The span that ends with each fact. Null: the fact is an event within a span. */
const steps: Record<FactName, SpanName | null> = {
  request_created: 'store_request',
  order_created: 'start_request',
  order_answered: 'settle_order',
  payment_recorded: 'match_payment',
  request_changed: null,
  event_recorded: null,
  sms_queued: null,
}

/** Reports the facts of committed transactions to the log and the traces. */
interface FactReporter extends CommitListener {
  /** Waits for reports in progress, for at most `MAX_FLUSH_MS`. */
  settled(): Promise<void>
}

/** Creates the reporter. Facts are logged at the level `debug`. @param traces gives null while traces are off */
export function createFactReporter(
  log: EventLog & { isLevelEnabled(level: string): boolean },
  traces: () => RequestTraces | null,
): FactReporter {
  const running = new Set<Promise<void>>()
  return {
    wants: () => traces() !== null || log.isLevelEnabled('debug'),
    committed(noted, times) {
      const facts = noted.map(({ fact, at_ms }): TimedFact => ({ ...(fact as Fact), at_ms }))
      const of_traces = traces()
      if (!of_traces) return logFacts(log, facts)
      const report = reportTraced(log, of_traces, facts, times)
        // The commit counts, whatever happens to its spans.
        .catch((error: unknown) => logEvent(log, 'traces_not_exported', { spans: facts.length, error }))
        .finally(() => running.delete(report))
      running.add(report)
    },
    async settled() {
      if (running.size > 0) await Promise.race([Promise.all(running), sleep(MAX_FLUSH_MS, undefined, { ref: false })])
    },
  }
}

/** Logs facts, in the order in which they were noted. */
function logFacts(log: EventLog, facts: readonly Fact[], traceIdOf?: (request: number) => string | undefined): void {
  for (const { name, fields } of facts) {
    const request = fields.collection_request
    const trace_id = request === null ? undefined : traceIdOf?.(request)
    logEvent(log, name, trace_id === undefined ? fields : { ...fields, trace_id })
  }
}

/** Does the same as `logFacts`, and makes the spans of the requests whose traces are exported. */
async function reportTraced(
  log: EventLog,
  traces: RequestTraces,
  facts: readonly TimedFact[],
  times: Times,
): Promise<void> {
  for (const { fields, traceparent } of facts)
    if (traceparent !== undefined && fields.collection_request !== null)
      traces.remember(fields.collection_request, traceparent)
  const of_requests = Map.groupBy(facts, ({ fields }) => fields.collection_request)
  of_requests.delete(null)
  const parents = await traces.find([...of_requests.keys()] as number[])
  logFacts(log, facts, (request) => traceIdOf(parents.get(request)))
  const made = [...of_requests].flatMap(([request, of_request]) => {
    const shared = { 'kusanya.collection_request': request, 'kusanya.batch_size': of_requests.size }
    const parent = parents.get(request!)
    return parent === undefined ? [] : startSteps(traces.tracing, of_request, times, { parent, attributes: shared })
  })
  for (const same of Map.groupBy(made, ({ name }) => name).values()) linkAll(same.map(({ span }) => span))
  for (const { span, end_ms } of made) span.end(end_ms)
}

/** The id of the trace of a W3C context. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return traceparent?.split('-')[1]
}

interface Step {
  name: SpanName
  span: ActiveSpan
  end_ms: number
}

/**
 * Starts the spans of a transaction's steps for one request, one after the other. The last one lasts until the commit.
 */
function startSteps(
  tracing: Tracing,
  facts: readonly TimedFact[],
  { began_ms, ended_ms }: Times,
  options: { parent: string; attributes: Record<string, number | null> },
): Step[] {
  const ends = new Map<SpanName, number>()
  for (const { name, at_ms } of facts) if (steps[name]) ends.set(steps[name], at_ms)
  if (ends.size === 0) ends.set('change_request', ended_ms)
  let start_ms = began_ms
  const made = [...ends].map(([name, at_ms], index): Step => {
    const end_ms = index === ends.size - 1 ? ended_ms : at_ms
    const span = tracing.start(name, { ...options, start_ms })
    start_ms = at_ms
    return { name, span, end_ms }
  })
  for (const { name, fields, at_ms } of facts) {
    const within = made.find(({ end_ms }) => at_ms <= end_ms) ?? made.at(-1)!
    const { collection_request: _, ...others } = fields
    within.span.addEvent(name, others, at_ms)
  }
  return made
}

/**
 * Each trace is complete on its own. Its spans name the other requests of their transaction by way of the first one.
 */
function linkAll([first, ...others]: readonly ActiveSpan[]): void {
  for (const other of others) {
    first!.addLink(other)
    other.addLink(first!)
  }
}

import { Counter, Gauge, Histogram, type Metric } from 'prom-client'

/** Class of an answer: by its status, or `no_answer` if there was no complete answer. */
export type AnswerClass = '2xx' | '3xx' | '4xx' | '5xx' | 'no_answer'

/** Outcome of a token renewal. `shared`: another process had fetched the token. */
export type RenewalOutcome = 'fetched' | 'shared' | 'failed'

/** The figures of all connections of this process. */
export interface ConnectionMetrics {
  /** Metrics for the registry that serves them. */
  all: Metric[]
  called(connection: string, verb: string, outcome: AnswerClass, duration_ms: number): void
  tokenRenewed(connection: string, outcome: RenewalOutcome): void
  tokenRefused(connection: string): void
  alarm(connection: string): void
  /** Read the figures of the moment from now on. */
  watch(connection: string, read: ReadMoment): void
}

type ReadMoment = () => { running: number; degraded: boolean }

/** Create the metrics of the connections. They belong to no registry yet. */
export function createConnectionMetrics(): ConnectionMetrics {
  const registers: [] = []
  const watched = new Map<string, ReadMoment>()
  const durations = new Histogram({
    name: 'kusanya_network_call_duration_seconds',
    help: 'Duration of HTTP calls to networks by connection, verb and outcome (2xx, 3xx, 4xx, 5xx, no_answer).',
    labelNames: ['connection', 'verb', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers,
  })
  const renewals = new Counter({
    name: 'kusanya_network_token_renewals_total',
    help: 'New access tokens by connection and outcome: fetched, shared (another process had fetched it), failed.',
    labelNames: ['connection', 'outcome'],
    registers,
  })
  const refusals = new Counter({
    name: 'kusanya_network_token_refusals_total',
    help: 'Access tokens that a network refused before they had expired, by connection.',
    labelNames: ['connection'],
    registers,
  })
  const alarms = new Counter({
    name: 'kusanya_network_alarms_total',
    help: 'How often something was noticed that only the operator can repair, by connection.',
    labelNames: ['connection'],
    registers,
  })
  const operations = new Gauge({
    name: 'kusanya_connection_operations',
    help: 'Operations that run now, by connection.',
    labelNames: ['connection'],
    registers,
    collect() {
      for (const [connection, read] of watched) this.set({ connection }, read().running)
    },
  })
  const degraded = new Gauge({
    name: 'kusanya_connection_degraded',
    help: '1 while the network of a connection does not answer, otherwise 0.',
    labelNames: ['connection'],
    registers,
    aggregator: 'max',
    collect() {
      for (const [connection, read] of watched) this.set({ connection }, read().degraded ? 1 : 0)
    },
  })
  return {
    all: [durations, renewals, refusals, alarms, operations, degraded],
    called: (connection, verb, outcome, duration_ms) =>
      durations.observe({ connection, verb, outcome }, duration_ms / 1_000),
    tokenRenewed: (connection, outcome) => renewals.inc({ connection, outcome }),
    tokenRefused: (connection) => refusals.inc({ connection }),
    alarm: (connection) => alarms.inc({ connection }),
    watch: (connection, read) => void watched.set(connection, read),
  }
}

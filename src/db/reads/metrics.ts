import { Counter, type Metric } from 'prom-client'

/** Reasons why a read runs on the primary although there is a replica, with a text for operators. */
export const detours = {
  behind: 'The replica did not have the position in time',
  conflict: 'The replica cancelled the read, because a change from the primary needed its rows or its table',
  busy: 'No connection to the replica was free within two seconds',
  away: 'The replica does not answer for two seconds, or broke the connection. All reads there run on the primary',
  not_a_replica: 'The server at the address has become a primary, or has never been a replica',
  other_data: 'The replica follows a former primary, or another installation: it does not have the mark of the primary',
  unknown: 'The primary did not tell its position, or has just changed',
  paused: 'The pause after one of these',
} as const
export type Detour = keyof typeof detours

/** Metrics of the reads of this process, by server. */
export interface ReadMetrics {
  /** All metrics, for the registry that serves them. */
  all: Metric[]
  onReplica(): void
  onPrimary(reason: Detour): void
}

/** Creates the metrics of reads. They belong to no registry yet, and have no series without a replica. */
export function createReadMetrics(): ReadMetrics {
  const reads = new Counter({
    name: 'kusanya_replica_reads_total',
    help: 'Reads that may use a replica, by the server on which they ran, and why the primary had to do it.',
    labelNames: ['server', 'reason'],
    registers: [],
  })
  return {
    all: [reads],
    onReplica: () => reads.inc({ server: 'replica', reason: 'current' }),
    onPrimary: (reason) => reads.inc({ server: 'primary', reason }),
  }
}

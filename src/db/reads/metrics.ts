import { Counter, type Metric } from 'prom-client'

/** Why a read ran on the primary although there is a replica. */
export type Detour = 'behind' | 'busy' | 'conflict' | 'away' | 'not_a_replica' | 'other_data' | 'paused' | 'unknown'

/** Where the reads of this process ran. */
export interface ReadMetrics {
  /** For the registry that serves them. */
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

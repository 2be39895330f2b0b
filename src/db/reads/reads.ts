import type { Metric } from 'prom-client'
import type { Database } from '../client.ts'
import type { AnyReader } from '../reader.ts'
import { withSnapshot } from '../snapshot.ts'
import { createReadMetrics } from './metrics.ts'
import { createReplica, type Patience, type ReplicaOptions } from './replica.ts'

/**
 * Reads for pages, lists and exports. With DATABASE_READ_URL they run on a replica that has everything that was
 * committed when they began, and otherwise on the primary (docs/decisions/0046).
 *
 * A replica has no room for writes, and neither has the type: functions that decide about money, access or work take a
 * `Reader`.
 */
export interface Reads {
  /** Runs reads that belong together on one snapshot, so that a page and its count show the same state. They may run twice. */
  snapshot<T>(read: (db: AnyReader) => Promise<T>, patience?: Patience): Promise<T>
  /** Runs one read, or several that may see different states. They may run twice. */
  read<T>(read: (db: AnyReader) => Promise<T>, patience?: Patience): Promise<T>
  /**
   * Reader for exports: each statement is a separate read, with long patience, and sees at least the state that those
   * before it saw.
   */
  readonly exports: AnyReader
  /** Metrics of reads by server, for the registry that serves them. */
  readonly metrics: Metric[]
  close(): Promise<void>
}

/** Opens the reads of a service. @param options the replica; null without one */
export function openReads(primary: Database, options: Omit<ReplicaOptions, 'primary' | 'metrics'> | null): Reads {
  const metrics = createReadMetrics()
  if (!options) return readsOfPrimary(primary, metrics.all)
  const replica = createReplica({ ...options, primary, metrics })
  const read: Reads['read'] = (work, patience = 'brief') => replica.run(work, () => work(primary), patience)
  return {
    snapshot: (work, patience = 'brief') => replica.run(work, () => withSnapshot(primary, work), patience),
    read,
    exports: createStatementReader(read),
    metrics: metrics.all,
    close: () => replica.close(),
  }
}

function readsOfPrimary(primary: Database, metrics: Metric[]): Reads {
  return {
    snapshot: (work) => withSnapshot(primary, work),
    read: (work) => work(primary),
    exports: primary,
    metrics,
    async close() {},
  }
}

/** A reader that runs each statement as a read of its own. */
function createStatementReader(read: Reads['read']): AnyReader {
  return (texts, ...values) => {
    const result = read((db) => db(texts, ...values), 'long') as ReturnType<AnyReader>
    result.catch(() => {})
    return result as never
  }
}

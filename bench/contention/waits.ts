import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/db/client.ts'

/** The application name of the connections that are observed. */
export const OBSERVED = 'contention'

/** Activity of the observed connections, as samples. A sample is one connection at one time. */
export interface Waits {
  samples: number
  observations: number
  /** Samples by cause of the wait: `Lock: transactionid`, `IO: WalSync`, or `running`. */
  waits: Map<string, number>
  /** Samples of connections that waited for the lock of a row or of another object, by their statement. */
  locked: Map<string, number>
  /** Maximum of connections waiting for locks at one time. */
  max_waiting: number
}

/** Subject and interval of the samples. */
export interface WaitSampling {
  application: string
  interval_ms: number
}

const OF_CONTENTION: WaitSampling = { application: OBSERVED, interval_ms: 10 }
/** Characters that identify a statement. */
const TEXT_LENGTH = 70

interface Sample {
  wait: string
  query: string
  waits_for_lock: boolean
}

/** Look at the connections of an application to this database at short intervals, until the result is called. */
export function sampleWaits(
  db: Database,
  { application, interval_ms }: WaitSampling = OF_CONTENTION,
): () => Promise<Waits> {
  const found: Waits = { samples: 0, observations: 0, waits: new Map(), locked: new Map(), max_waiting: 0 }
  let stopped = false
  const sampling = (async () => {
    while (!stopped) {
      const samples = await db<Sample[]>`
        select case when state = 'active' then coalesce(wait_event_type || ': ' || wait_event, 'running')
            else 'waits for the service' end as wait,
          regexp_replace(query, '[[:space:]]+', ' ', 'g') as query, wait_event_type is not distinct from 'Lock' as waits_for_lock
        from pg_stat_activity
        where application_name = ${application} and datname = current_database() and state <> 'idle'`
      const [locks] = await db<{ waiting: number }[]>`select count(*) as waiting from pg_locks where not granted`
      found.max_waiting = Math.max(found.max_waiting, locks!.waiting)
      found.samples += samples.length
      found.observations += 1
      for (const { wait, query, waits_for_lock } of samples) {
        add(found.waits, wait)
        if (waits_for_lock) add(found.locked, query.trim().slice(0, TEXT_LENGTH))
      }
      await sleep(interval_ms)
    }
  })()
  return async () => {
    stopped = true
    await sampling
    return found
  }
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

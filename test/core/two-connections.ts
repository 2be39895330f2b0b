import { begin, connect, type Database, type Tx } from '../../src/db/client.ts'
import { eventually } from '../test-app.ts'

/** Two connections whose transactions want the same rows: a holder, which has changed them, and a waiter, which waits. */
export interface TwoConnections {
  /** Run `work` in a transaction that must wait, while another has run `change` and not ended yet. */
  runWhileHeld<T>(change: (tx: Tx) => Promise<unknown>, work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same for work that begins its transaction itself. */
  runWhileHeldIn<T>(change: (tx: Tx) => Promise<unknown>, work: (waiter: Database) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Settings with which PostgreSQL joins by nested loops, as it does by itself where a table is large and few rows are wanted. */
export const NESTED_LOOPS = 'set enable_hashjoin = off; set enable_mergejoin = off; set enable_seqscan = off'

/**
 * Open both connections. The waiter's joins by nested loops only: with these plans a locking read that does more than
 * look up keys can lose the rows for which it has waited.
 */
export async function openTwoConnections(url: string): Promise<TwoConnections> {
  const holder = connect(url, { connections: 1, application: 'holder' })
  const waiter = connect(url, { connections: 1, application: 'waiter' })
  const watch = connect(url, { connections: 1, application: 'tests' })
  await waiter.unsafe(NESTED_LOOPS)
  const runWhileHeldIn: TwoConnections['runWhileHeldIn'] = async (change, work) => {
    const changed = Promise.withResolvers<void>()
    const waited = Promise.withResolvers<void>()
    const held = begin(holder, async (tx) => {
      await change(tx)
      // Statements that were sent without waiting have run when this one is answered.
      await tx`select 1`
      changed.resolve()
      await waited.promise
    })
    await Promise.race([changed.promise, held])
    const waiting = work(waiter)
    try {
      await Promise.race([untilWaiting(watch), waiting.then(refuseNotWaiting)])
    } finally {
      waited.resolve()
    }
    await held
    return waiting
  }
  return {
    runWhileHeldIn,
    runWhileHeld: (change, work) => runWhileHeldIn(change, (db) => begin(db, work)),
    async close() {
      await Promise.all([holder, waiter, watch].map((db) => db.end({ timeout: 1 })))
    },
  }
}

async function untilWaiting(watch: Database): Promise<void> {
  await eventually('the waiter to wait for a lock', async () => {
    const [row] = await watch<{ waits: boolean }[]>`
      select exists (select from pg_stat_activity where datname = current_database() and application_name = 'waiter'
        and wait_event_type = 'Lock') as waits`
    return row!.waits ? true : undefined
  })
}

function refuseNotWaiting(): never {
  throw new Error('The waiter ended without waiting for the rows that the holder has changed.')
}

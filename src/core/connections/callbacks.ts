import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { type ClaimTimes, claimDue, findNextDue, releaseLeases } from '../leases.ts'

/** A callback as received. An unverified callback proves nothing until the network confirms it. */
export interface NewCallback {
  network: string
  headers: Record<string, string>
  body: string
  verified: boolean
  state: 'waiting' | 'settled' | 'ignored'
  note: string | null
}

export interface CallbackRow extends NewCallback {
  id: number
  received: Date
  attempts: number
}

/** Stores callbacks unchanged. Those with the state `waiting` are due at once. @returns their ids, in order */
export async function storeCallbacks(tx: Tx, now: Date, callbacks: readonly NewCallback[]): Promise<number[]> {
  if (callbacks.length === 0) return []
  const stored = rows(callbacks, {
    network: 'text',
    headers: 'json',
    body: 'text',
    verified: 'boolean',
    state: 'text',
    note: 'text',
    due_at: ['timestamptz', ({ state }) => (state === 'waiting' ? now : null)],
  })
  const inserted = await tx<{ id: number }[]>`
    insert into callbacks (received, ${stored.columns}) select ${now}, ${stored.columns} from ${stored.as('c')}
    returning id`
  return inserted.map(({ id }) => id)
}

/** Claims unverified callbacks to check with the network, under a lease. */
export function claimCallbacks(tx: Tx, times: ClaimTimes, limit: number): Promise<CallbackRow[]> {
  return claimDue<CallbackRow>(tx, {
    ...{ table: 'callbacks', times, limit },
    set: sql`attempts = attempts + 1`,
    returning: sql`id, network, received, headers, body, verified, state, note, attempts`,
  })
}

/** When the next callback that no process has claimed is due, or null. */
export function nextDueCallback(db: Reader, real: Date): Promise<Date | null> {
  return findNextDue(db, 'callbacks', real)
}

/** The result for a claimed callback. `due_at` is when to ask the network again, or null if it need not be asked. */
export interface CallbackResult {
  id: number
  state: NewCallback['state']
  note: string | null
  due_at: Date | null
}

/** Stores the results for claimed callbacks and ends their leases. */
export async function applyCallbackResults(tx: Tx, results: readonly CallbackResult[]): Promise<void> {
  if (results.length === 0) return
  await releaseLeases(
    tx,
    'callbacks',
    rows(results, { id: 'bigint', state: 'text', note: 'text', due_at: 'timestamptz' }),
  )
}

import type { Reader, Tx } from '../../db/client.ts'
import type { ClaimTimes } from '../leases.ts'

/** A callback as it came in. An unverified one is a knock: nothing in it is believed until the network confirms it. */
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

/** Keeps callbacks word for word. Those that wait are due at once. @returns their ids, in order. */
export async function storeCallbacks(tx: Tx, now: Date, callbacks: readonly NewCallback[]): Promise<number[]> {
  if (callbacks.length === 0) return []
  const rows = await tx<{ id: number }[]>`
    insert into callbacks (network, received, headers, body, verified, state, note, due_at)
    select c.network, ${now}, c.headers::json, c.body, c.verified::boolean, c.state, c.note,
      case when c.state = 'waiting' then ${now}::timestamptz end
    from unnest(${callbacks.map((c) => c.network)}::text[], ${callbacks.map((c) => JSON.stringify(c.headers))}::text[],
      ${callbacks.map((c) => c.body)}::text[], ${callbacks.map((c) => String(c.verified))}::text[],
      ${callbacks.map((c) => c.state)}::text[], ${callbacks.map((c) => c.note)}::text[])
      as c(network, headers, body, verified, state, note)
    returning id`
  return rows.map(({ id }) => id)
}

/** Claims callbacks that wait to be read back, under a lease. */
export async function claimCallbacks(tx: Tx, times: ClaimTimes, limit: number): Promise<CallbackRow[]> {
  const rows = await tx<CallbackRow[]>`
    update callbacks set leased_until = ${times.lease_end}, attempts = attempts + 1 where id in (
      select id from callbacks where due_at <= ${times.now} and (leased_until is null or leased_until <= ${times.real})
      order by due_at limit ${limit} for update skip locked)
    returning id, network, received, headers, body, verified, state, note, attempts`
  return [...rows]
}

/** When the next callback falls due that nobody is working on, or null. */
export async function nextDueCallback(db: Reader, real: Date): Promise<Date | null> {
  const [row] = await db<{ due_at: Date | null }[]>`
    select min(due_at) as due_at from callbacks
    where due_at is not null and (leased_until is null or leased_until <= ${real})`
  return row?.due_at ?? null
}

/** What became of a claimed callback; `due_at` is when to ask the network again, or null when that is settled. */
export interface CallbackResult {
  id: number
  state: NewCallback['state']
  note: string | null
  due_at: Date | null
}

/** Writes down what became of claimed callbacks and gives their leases back. */
export async function applyCallbackResults(tx: Tx, verdicts: readonly CallbackResult[]): Promise<void> {
  if (verdicts.length === 0) return
  await tx`
    update callbacks c set state = v.state, note = v.note, due_at = v.due_at::timestamptz, leased_until = null
    from unnest(${verdicts.map((v) => v.id)}::bigint[], ${verdicts.map((v) => v.state)}::text[],
      ${verdicts.map((v) => v.note)}::text[], ${verdicts.map((v) => v.due_at?.toISOString() ?? null)}::text[])
      as v(id, state, note, due_at)
    where c.id = v.id`
}

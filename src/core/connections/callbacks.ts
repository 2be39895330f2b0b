import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { toStorableText } from '../../lib/storable-text.ts'
import { buildCondition, type ConditionBuilders } from '../filters.ts'
import { type ClaimTimes, claimDue, findNextDue } from '../leases.ts'
import { MAX_COUNTED } from '../queues.ts'
import { Invalid, NotFound } from '../refusals.ts'

/**
 * The states of a callback. `waiting`: it is processed when it is due. `failed`: it could not be processed, and a person
 * has to look at it. `settled`: it is done. `ignored`: it changes nothing.
 */
export const callbackStates = ['waiting', 'failed', 'settled', 'ignored'] as const
export type CallbackState = (typeof callbackStates)[number]

/** A callback as it is stored. An unverified callback proves nothing until the network confirms it. */
export interface NewCallback {
  network: string
  /** The slug of the connection. */
  connection: string
  /** Request line: the method, the rest of the path, and the query. Null for callbacks of earlier versions. */
  method?: string | null
  path?: string | null
  query?: string | null
  headers: Record<string, string>
  /** Text that PostgreSQL can store. */
  body: string
  /** The bytes as received, where they are not exactly `body` in UTF-8. */
  bytes?: Uint8Array | null
  verified: boolean
  state: CallbackState
  /** Reason for this state, if it needs words. */
  note: string | null
  /** Number of bytes received, if `body` is only their beginning. */
  size?: number | null
  /** The SHA-256 of the bytes in hexadecimal, where `body` is only their beginning. */
  digest?: string | null
  /** Subject of an unverified callback. The callback is used for nothing else. */
  subject?: 'order' | 'transaction' | null
  /** The reference of the order or the network's id of the transaction. */
  reference?: string | null
  /** The IP address that sent it. */
  address?: string | null
  /** The reference of the order that it names, or whose money it reports. The order may not exist. */
  order_reference?: string | null
}

export interface CallbackRow extends Omit<NewCallback, 'digest' | 'address' | 'order_reference'> {
  address: string | null
  id: number
  received: Date
  attempts: number
}

/**
 * Stores callbacks. No content makes this fail: texts and headers must come from `toStorableText`. Those with the state
 * `waiting` are due at once.
 * @returns their ids, in order
 */
export async function storeCallbacks(tx: Tx, now: Date, callbacks: readonly NewCallback[]): Promise<number[]> {
  if (callbacks.length === 0) return []
  const stored = rows(callbacks, {
    network: 'text',
    connection: 'text',
    method: 'text',
    path: 'text',
    query: 'text',
    headers: 'json',
    body: 'text',
    verified: 'boolean',
    state: 'text',
    note: ['text', ({ note }) => (note === null ? null : toStorableText(note))],
    size: 'integer',
    subject: 'text',
    reference: 'text',
    address: 'text',
    order_reference: ['text', ({ order_reference }) => possibleReference(order_reference)],
    due_at: ['timestamptz', ({ state }) => (state === 'waiting' ? now : null)],
    ended: ['timestamptz', ({ state }) => (isOpen(state) ? null : now)],
  })
  const binary = rows(callbacks, {
    bytes: ['text', ({ bytes }) => (bytes ? Buffer.from(bytes).toString('hex') : null)],
    digest: 'text',
  })
  const inserted = await tx<{ id: number }[]>`
    insert into callbacks (received, ${stored.columns}, bytes, digest)
    select ${now}, ${stored.columns}, decode(b.bytes, 'hex'), decode(b.digest, 'hex')
    from ${stored.as('c', 'position')} join ${binary.as('b', 'index')} on b.index = c.position
    order by c.position
    returning id`
  return inserted.map(({ id }) => id)
}

/** A reference that can be one of ours: anyone can send a callback. */
function possibleReference(reference: string | null | undefined): string | null {
  return reference && REFERENCE.test(reference) ? reference : null
}

/** The forms of order-references.ts. */
const REFERENCE = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z][0-9A-Z]{11}([0-9A-Z]{13})?)$/

/**
 * Claims callbacks that are due, under a lease.
 * @param busy the slugs of connections whose callbacks are left for later
 */
export function claimCallbacks(
  tx: Tx,
  times: ClaimTimes,
  limit: number,
  busy: readonly string[] = [],
): Promise<CallbackRow[]> {
  return claimDue<CallbackRow>(tx, {
    table: OPEN_CALLBACKS,
    times,
    limit,
    where: isNotOf(busy),
    set: sql`attempts = attempts + 1`,
    returning: sql`id, network, connection, received, method, path, query, headers, body, bytes, verified, state, note, attempts, size,
      subject, reference, address`,
  })
}

/** Finds the time when the next unclaimed callback is due, or null. Callbacks of `busy` connections are left out. */
export function nextDueCallback(db: Reader, real: Date, busy: readonly string[] = []): Promise<Date | null> {
  return findNextDue(db, OPEN_CALLBACKS, real, isNotOf(busy))
}

const isNotOf = (connections: readonly string[]) =>
  connections.length === 0 ? sql.always : sql`connection <> all(${[...connections]}::text[])`

/** The partition of the callbacks that wait or have failed. */
export const OPEN_CALLBACKS = 'callbacks_open'

/** The result for a claimed callback. `due_at` is when to process it again, or null if never. */
export interface CallbackResult {
  id: number
  state: CallbackState
  note: string | null
  due_at: Date | null
  /** True if its signature is right; set if this was not known before. */
  verified?: boolean
  /** The reference of the order that it is about, where this was not known before its network was asked. */
  order_reference?: string | null
}

/**
 * Stores the results for claimed callbacks and ends their leases. A callback that is kept for a connection which has come into
 * service meanwhile is due at once.
 */
export async function applyCallbackResults(tx: Tx, now: Date, results: readonly CallbackResult[]): Promise<void> {
  if (results.length === 0) return
  const held = results.filter(({ note }) => note === NOT_IN_SERVICE_NOTE).map(({ id }) => id)
  if (held.length > 0) await keepStates(tx, held)
  const r = rows(results, {
    id: 'bigint',
    state: 'text',
    note: ['text', ({ note }) => (note === null ? null : toStorableText(note))],
    due_at: 'timestamptz',
    verified: 'boolean',
    order_reference: ['text', ({ order_reference }) => possibleReference(order_reference)],
    ended: ['timestamptz', ({ state }) => (isOpen(state) ? null : now)],
  })
  await tx`
    update callbacks c set state = r.state, note = r.note, ended = r.ended, leased_until = null,
      due_at = case
        when r.note = ${NOT_IN_SERVICE_NOTE}
          and exists (select from connections n where n.slug = c.connection and n.state = 'active') then ${now}
        else r.due_at end,
      verified = coalesce(r.verified, c.verified), order_reference = coalesce(r.order_reference, c.order_reference)
    from ${r.as('r')} where c.id = r.id and ${IS_OPEN}`
}

/**
 * Keeps the connections of callbacks in their states. A transaction that puts one into service waits, and then makes
 * these callbacks due.
 */
async function keepStates(tx: Tx, callbacks: readonly number[]): Promise<void> {
  const found = await tx<{ id: number }[]>`
    select n.id from callbacks c join connections n on n.slug = c.connection where c.id = any(${callbacks}::bigint[])`
  await tx`select id from connections where id = any(${found.map(({ id }) => id)}::bigint[]) order by id for share`
}

/** The callback is in the partition `callbacks_open`. PostgreSQL then reads no other. */
const IS_OPEN = sql`c.state in ('waiting', 'failed')`

function isOpen(state: CallbackState): boolean {
  return state === 'waiting' || state === 'failed'
}

/** A callback as lists show it. */
export interface CallbackSummary {
  id: number
  network: string
  received: Date
  verified: boolean
  state: CallbackState
  note: string | null
  attempts: number
  due_at: Date | null
  /** Number of bytes received. */
  size: number
  subject: 'order' | 'transaction' | null
  reference: string | null
  address: string | null
}

/** A callback with all that is stored of it. */
export interface StoredCallback extends CallbackSummary {
  headers: Record<string, string>
  body: string
  /** The bytes in hexadecimal, where they are not exactly the body in UTF-8. */
  bytes: string | null
  /** The SHA-256 of all bytes in hexadecimal, where only the beginning is stored. */
  digest: string | null
}

interface CallbackFilters {
  state?: CallbackState
  network?: string
  verified?: boolean
}

const filterConditions: ConditionBuilders<CallbackFilters> = {
  state: (state) => sql`state = ${state}`,
  network: (network) => sql`network = ${network}`,
  verified: (verified) => sql`verified = ${verified}`,
}

/** The newest callbacks, and how many match in all. */
export async function listCallbacks(
  db: Reader,
  filters: CallbackFilters,
  limit: number,
): Promise<{ rows: CallbackSummary[]; count: number }> {
  const where = buildCondition(filterConditions, filters)
  const [found, [total]] = await Promise.all([
    db<CallbackSummary[]>`select ${SUMMARY} from callbacks where ${where} order by id desc limit ${limit}`,
    db<{ count: number }[]>`select count(*) from callbacks where ${where}`,
  ])
  return { rows: [...found], count: total!.count }
}

/** Reads one callback. @throws NotFound */
export async function getCallback(db: Reader, id: number): Promise<StoredCallback> {
  const [row] = await db<StoredCallback[]>`
    select ${SUMMARY}, headers, body, encode(bytes, 'hex') as bytes, encode(digest, 'hex') as digest
    from callbacks where id = ${id}`
  if (!row) throw new NotFound(getMessage('callbacks.no_callback', { id }))
  return row
}

const SUMMARY = sql`id, network, received, verified, state, note, attempts, due_at, subject, reference, address,
  coalesce(size, octet_length(coalesce(bytes, convert_to(body, 'UTF8')))) as size`

/** The ids of the callbacks that could not be processed, oldest first. */
export async function listFailedCallbacks(db: Reader): Promise<number[]> {
  const failed = await db<{ id: number }[]>`select id from callbacks where state = 'failed' order by id`
  return failed.map(({ id }) => id)
}

/**
 * Makes callbacks due again that have failed, that wait for a later attempt, or that were ignored.
 * @throws NotFound, Invalid when one is settled or its content was erased; then none of them changes
 */
export async function requeueCallbacks(tx: Tx, now: Date, ids: readonly number[]): Promise<void> {
  await requireCallbacks(tx, ids, ({ id, state, note }) => {
    if (state === 'settled') return getMessage('callbacks.callback_already_settled', { id })
    return note === ERASED_NOTE ? getMessage('callbacks.content_callback_erased', { id }) : undefined
  })
  await tx`
    update callbacks set state = 'waiting', due_at = ${now}, ended = null, attempts = 0, leased_until = null
    where id = any(${ids}::bigint[])`
}

/**
 * Ends callbacks that could not be processed, because a person has dealt with them.
 * @throws NotFound, Invalid when one is not open; then none of them changes
 */
export async function dismissCallbacks(tx: Tx, now: Date, ids: readonly number[], note: string): Promise<void> {
  await requireCallbacks(tx, ids, ({ id, state }) =>
    isOpen(state) ? undefined : getMessage('callbacks.callback_already', { id, status: state }),
  )
  await tx`
    update callbacks c set state = 'ignored', note = ${toStorableText(note)}, due_at = null, ended = ${now}, leased_until = null
    where c.id = any(${ids}::bigint[]) and ${IS_OPEN}`
}

/** The note of a callback that is kept because its connection is not in service. */
export const NOT_IN_SERVICE_NOTE = getMessage('callbacks.came_connection_not_service')

/** Makes the callbacks due that were kept while their connection was not in service. */
export async function releaseHeldCallbacks(tx: Tx, now: Date, connection: string): Promise<void> {
  await tx`
    update callbacks c set due_at = ${now}, attempts = 0
    where c.connection = ${connection} and c.state = 'waiting' and c.note = ${NOT_IN_SERVICE_NOTE}`
}

/** The note of a callback whose content was erased with its person. */
export const ERASED_NOTE = 'Erased.'

async function requireCallbacks(
  tx: Tx,
  ids: readonly number[],
  findError: (callback: Pick<CallbackSummary, 'id' | 'state' | 'note'>) => string | undefined,
): Promise<void> {
  const found = await tx<Pick<CallbackSummary, 'id' | 'state' | 'note'>[]>`
    select id, state, note from callbacks where id = any(${ids}::bigint[]) order by id for update`
  const missing = ids.find((id) => !found.some((callback) => callback.id === id))
  if (missing !== undefined) throw new NotFound(getMessage('callbacks.no_callback', { id: missing }))
  const errors = found.flatMap((callback) => findError(callback) ?? [])
  if (errors.length > 0) throw new Invalid({ id: errors })
}

/** Counts the callbacks that could not be processed. */
export async function countFailedCallbacks(db: Reader, max = MAX_COUNTED): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from (select from callbacks_open where state = 'failed' limit ${max}) failed`
  return row!.count
}

/**
 * Returns a sentence for each callback that could not be processed, and for each connection whose callbacks are kept;
 * at most 200 of each.
 */
export async function checkCallbacks(db: Reader): Promise<string[]> {
  const held = await db<{ connection: string; count: number }[]>`
    select connection, count(*) as count from callbacks where state = 'waiting' and note = ${NOT_IN_SERVICE_NOTE}
    group by connection order by connection limit ${MAX_FINDINGS}`
  const failed = await db<Pick<CallbackSummary, 'id' | 'network' | 'note'>[]>`
    select id, network, note from callbacks where state = 'failed' order by id limit ${MAX_FINDINGS}`
  return [
    ...failed.map(
      ({ id, network, note }) =>
        `Callback ${id} of ${network} could not be processed (${note}). \`npx kusanya callbacks show ${id}\` shows it.`,
    ),
    ...held.map(
      ({ connection, count }) =>
        `${count === 1 ? '1 callback is' : `${count} callbacks are`} kept for ${connection}, which is not in service. \`npx kusanya callbacks list --state waiting\` shows them.`,
    ),
  ]
}

const MAX_FINDINGS = 200

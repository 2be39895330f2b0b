import http from 'node:http'
import https from 'node:https'
import { begin, type Database, type Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import type { Job } from '../../lib/loop.ts'
import { chargeBehaviourOf, payoutBehaviourFor } from './behaviours.ts'
import { hasContentFault, type QueuedCallback, toFaulty, withFault } from './callback-faults.ts'
import { readStates } from './door-values.ts'
import { addSeconds } from './ids.ts'
import type { CallbackRequest, Change, DoorState, WorldContext } from './world.ts'

/** Callback that the business has not yet accepted. */
const callbackTable = table('simulator_callbacks', {
  id: column.id(),
  door: column.text(),
  method: column.text<'GET' | 'POST' | 'PUT'>().default('POST').given(),
  url: column.text().nullable(),
  headers: column.json<Record<string, string>>().default({}).given(),
  body: column.text(),
  attempts: column.integer().default(0),
  max_attempts: column.integer().nullable(),
  last_response: column.text().later(),
  due_at: column.timestamptz(),
  leased_until: column.timestamptz().later(),
  about: column.text().nullable(),
  held: column.boolean().default(false).given(),
})
type CallbackRow = Omit<Row<typeof callbackTable>, 'last_response' | 'due_at' | 'leased_until' | 'about' | 'held'>

/** Time limit for the answer of the business. */
const TIMEOUT_MS = 5_000
/** Much longer than the time-out, so another process sends a callback again only after its process was killed. */
const LEASE_MS = 15_000
/** The waits before a callback is repeated. The last one repeats for ever. */
const RETRY_WAITS_S = [1, 2, 5, 10, 30, 60, 300, 900, 1_800, 3_600]

/** Store the callbacks about changes in the same transaction as the changes. */
export async function notifyBusiness(tx: Tx, context: WorldContext, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  const states = await readStates(tx, context, changes.map(doorOf))
  await queueCallbacks(
    tx,
    context.now(),
    changes.flatMap((change) => callbacksAbout(context, change, states.get(doorOf(change))!)),
  )
}

function callbacksAbout(context: WorldContext, change: Change, state: DoorState): QueuedCallback[] {
  const code = doorOf(change)
  const door = context.doors.get(code)
  if (!door) return []
  const about = `${code}/${orderOf(change) ?? ''}`
  const fault = context.faults.takeForCallback(code)
  const reported = fault && hasContentFault(fault) ? toFaulty(change, fault) : change
  const callbacks = door.callbacks(reported, { ...state, forged: fault?.kind === 'forged' })
  const queued = callbacks.map((callback): QueuedCallback => ({ ...callback, door: code, about, held: false }))
  // A requested fault alone decides the number of callbacks.
  if (fault) return withFault(queued, fault)
  return Array.from({ length: countOf(change) }, () => queued).flat()
}

/** Store callbacks. They let those go that were held back until now. */
export async function queueCallbacks(tx: Tx, now: Date, callbacks: readonly QueuedCallback[]): Promise<void> {
  if (callbacks.length === 0) return
  const names = callbacks.map(({ about }) => about)
  await tx`
    update simulator_callbacks set held = false, due_at = ${addSeconds(now, 1)}
    where held and about = any(${names}::text[])`
  await tx`${insert(callbackTable, callbacks, {
    method: ({ method }) => method ?? 'POST',
    headers: ({ headers }) => headers ?? {},
    max_attempts: ({ max_attempts }) => (max_attempts === undefined ? 1 : max_attempts),
    due_at: ({ after_s }) => addSeconds(now, after_s ?? 0),
  })}`
}

function doorOf(change: Change): string {
  if ('payout' in change) return change.payout.door
  return 'payment' in change ? change.payment.door : change.charge.door
}

function orderOf(change: Change): string | null {
  if ('payout' in change) return change.payout.key
  return 'payment' in change ? (change.payment.order ?? change.payment.remote_id) : change.charge.key
}

/** Return the number of callbacks: as the phone number says, or one for an unsolicited payment. */
function countOf(change: Change): number {
  if ('payout' in change) return payoutBehaviourFor(change.payout).callback_count
  if (change.event === 'charge.failed') return 1
  const { phonenumber, order } = change.payment
  return order === null ? 1 : chargeBehaviourOf({ phonenumber }).callback_count
}

/** Create the job that sends callbacks to the business and repeat each one as its network does. */
export function callbacksJob(options: WorldContext & { db: Database }): Job<CallbackRow> {
  return {
    name: 'simulator: callbacks',
    limit: 64,
    concurrency: 2,
    claim: (limit) => begin(options.db, (tx) => claimCallbacks(tx, options.now(), options.real(), limit)),
    async run(callbacks) {
      const errors = await Promise.all(callbacks.map((callback) => send(complete(options, callback))))
      await begin(options.db, (tx) => recordResults(tx, options.now(), callbacks, errors))
    },
    next_due_is_complete: true,
    async nextDue() {
      const [row] = await options.db.polling<{ due_at: Date | null }[]>`
        select min(due_at) as due_at from simulator_callbacks
        where leased_until is null or leased_until <= ${options.real()}`
      return row?.due_at ?? null
    },
  }
}

function complete(context: WorldContext, { door, method, url, headers, body }: CallbackRow): CallbackRequest {
  const callback: CallbackRequest = { method, url, headers, body }
  const now = addSeconds(context.now(), context.faults.clockSkew(door))
  return context.doors.get(door)?.completeCallback?.(callback, now) ?? callback
}

async function claimCallbacks(tx: Tx, now: Date, real: Date, limit: number): Promise<CallbackRow[]> {
  const claimed = await tx<CallbackRow[]>`
    update simulator_callbacks set leased_until = ${addSeconds(real, LEASE_MS / 1_000)} where id = any(array(
      select id from simulator_callbacks where due_at <= ${now} and (leased_until is null or leased_until <= ${real})
      order by due_at, id limit ${limit} for update skip locked))
    returning id, door, method, url, headers, body, attempts, max_attempts`
  return [...claimed].sort((a, b) => a.id - b.id)
}

/**
 * Send one callback. Resolves with the error, or with null when the business has accepted it. Load tests use this path,
 * and an agent of node:http costs a third of the time of fetch.
 */
function send({ url, method = 'POST', headers, body }: CallbackRequest): Promise<string | null> {
  return new Promise((resolve) => {
    if (url === null || !URL.canParse(url)) {
      resolve('has no address')
      return
    }
    const { request, agent } = url.startsWith('https:') ? httpsClient : httpClient
    const length = { 'content-length': Buffer.byteLength(body) }
    const all = method === 'GET' ? headers : { 'content-type': 'application/json', ...headers, ...length }
    const call = request(url, { method, agent, headers: all }, (response) => {
      const status = response.statusCode ?? 0
      // The connection can be reused only after the answer was read to its end.
      response.resume().on('close', () => {
        if (!response.complete) resolve('hung up while answering')
        else resolve(status >= 200 && status < 300 ? null : `answered ${status}`)
      })
    })
    const timer = setTimeout(() => call.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
    call.on('error', (error) => resolve(error.message))
    call.on('close', () => clearTimeout(timer))
    call.end(method === 'GET' ? undefined : body)
  })
}

const httpClient = { request: http.request, agent: new http.Agent({ keepAlive: true, timeout: 60_000 }) }
const httpsClient = { request: https.request, agent: new https.Agent({ keepAlive: true, timeout: 60_000 }) }

async function recordResults(tx: Tx, now: Date, callbacks: CallbackRow[], errors: (string | null)[]): Promise<void> {
  const is_over = ({ attempts, max_attempts }: CallbackRow) => max_attempts !== null && attempts + 1 >= max_attempts
  const over = callbacks.filter((callback, index) => errors[index] === null || is_over(callback))
  const failed = callbacks.flatMap((callback, index) => {
    const { id, attempts } = callback
    const wait_s = RETRY_WAITS_S[Math.min(attempts, RETRY_WAITS_S.length - 1)]!
    if (errors[index] == null || is_over(callback)) return []
    return [{ id, due_at: addSeconds(now, wait_s), last_response: errors[index] }]
  })
  if (over.length > 0)
    await tx`delete from simulator_callbacks where id = any(${over.map((callback) => callback.id)}::bigint[])`
  if (failed.length === 0) return
  const retries = rows(failed, { id: 'bigint', due_at: 'timestamptz', last_response: 'text' })
  await tx`
    update simulator_callbacks c
    set attempts = attempts + 1, leased_until = null, ${retries.assignments('f', 'id')}
    from ${retries.as('f')} where c.id = f.id`
}

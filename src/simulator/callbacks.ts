import http from 'node:http'
import https from 'node:https'
import { begin, type Database, type Tx } from '../db/client.ts'
import { rows } from '../db/rows.ts'
import type { Job } from '../lib/loop.ts'
import { signBody } from './wire.ts'

/** A callback that the business has not yet accepted. */
interface CallbackRow {
  id: number
  body: string
  attempts: number
}

/** How long the business may take to answer. */
const TIMEOUT_MS = 5_000
/** Much longer than the time-out, so another process sends a callback again only after its process was killed. */
const LEASE_MS = 15_000
/** The waits before a callback is repeated. The last one repeats for ever. */
const RETRY_WAITS_S = [1, 2, 5, 10, 30, 60, 300, 900, 1_800, 3_600]

/** Stores callbacks to the business, in the same transaction as the event that they report. */
export async function queueCallbacks(tx: Tx, now: Date, bodies: string[]): Promise<void> {
  if (bodies.length === 0) return
  await tx`insert into simulator_callbacks (body, due_at) select body, ${now} from unnest(${bodies}::text[]) as c(body)`
}

/** Creates the job that sends callbacks to the business and repeats each one until the answer is 2xx. */
export function callbacksJob(options: {
  db: Database
  now(): Date
  real(): Date
  secret: string
  callback_url(): string
}): Job<CallbackRow> {
  return {
    name: 'simulator: callbacks',
    limit: 64,
    concurrency: 2,
    claim: (limit) => begin(options.db, (tx) => claimCallbacks(tx, options.now(), options.real(), limit)),
    async run(callbacks) {
      const errors = await Promise.all(callbacks.map(({ body }) => send(options.callback_url(), options.secret, body)))
      await begin(options.db, (tx) => recordResults(tx, options.now(), callbacks, errors))
    },
    next_due_is_complete: true,
    async nextDue() {
      const [row] = await options.db<{ due_at: Date | null }[]>`
        select min(due_at) as due_at from simulator_callbacks
        where leased_until is null or leased_until <= ${options.real()}`
      return row?.due_at ?? null
    },
  }
}

async function claimCallbacks(tx: Tx, now: Date, real: Date, limit: number): Promise<CallbackRow[]> {
  const rows = await tx<CallbackRow[]>`
    update simulator_callbacks set leased_until = ${new Date(real.getTime() + LEASE_MS)} where id = any(array(
      select id from simulator_callbacks where due_at <= ${now} and (leased_until is null or leased_until <= ${real})
      order by due_at, id limit ${limit} for update skip locked))
    returning id, body, attempts`
  return [...rows]
}

/**
 * Sends one callback. Resolves with the error, or with null when the business has accepted it. Load tests use this
 * path, and an agent of node:http costs a third of the time of fetch.
 */
function send(url: string, secret: string, body: string): Promise<string | null> {
  return new Promise((resolve) => {
    const { request, agent } = url.startsWith('https:') ? httpsClient : httpClient
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-sandbox-signature': signBody(secret, body),
    }
    const call = request(url, { method: 'POST', agent, headers }, (response) => {
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
    call.end(body)
  })
}

const httpClient = { request: http.request, agent: new http.Agent({ keepAlive: true, timeout: 60_000 }) }
const httpsClient = { request: https.request, agent: new https.Agent({ keepAlive: true, timeout: 60_000 }) }

async function recordResults(tx: Tx, now: Date, callbacks: CallbackRow[], errors: (string | null)[]): Promise<void> {
  const delivered = callbacks.filter((_, index) => errors[index] === null)
  const failed = callbacks.flatMap(({ id, attempts }, index) => {
    const wait_s = RETRY_WAITS_S[Math.min(attempts, RETRY_WAITS_S.length - 1)]!
    const due_at = new Date(now.getTime() + wait_s * 1_000)
    return errors[index] == null ? [] : [{ id, due_at, last_response: errors[index] }]
  })
  if (delivered.length > 0)
    await tx`delete from simulator_callbacks where id = any(${delivered.map((callback) => callback.id)}::bigint[])`
  if (failed.length === 0) return
  const retries = rows(failed, { id: 'bigint', due_at: 'timestamptz', last_response: 'text' })
  await tx`
    update simulator_callbacks c
    set attempts = attempts + 1, leased_until = null, ${retries.assignments('f', 'id')}
    from ${retries.as('f')} where c.id = f.id`
}

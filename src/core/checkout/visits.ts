import { createHash } from 'node:crypto'
import type { Reader, Tx } from '../../db/client.ts'
import { lockName } from '../../db/name-locks.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, table } from '../../db/table.ts'
import type { FailureReason } from '../../lib/adapter-types.ts'
import { only } from '../../lib/batches/batch.ts'
import { type CollectionRequest, openStatuses } from '../collections/collection-request.ts'
import { createCollectionRequests, type NewCollectionRequest, requestsById } from '../collections/requests.ts'
import { PAID_STATUSES } from './payment-link.ts'
import { findPaymentLink, isPayable, lockPaymentLink } from './payment-links.ts'
import { type PromptSource, promptLimit } from './prompt-limits.ts'

/**
 * State of the prompt of a checkout visit. `unclear`: its time is over, and the network has not said if it was paid;
 * then nobody must pay again. `ended`: nothing was paid, for certain.
 */
export type VisitState = 'waiting' | 'paid' | 'reversed' | 'unclear' | 'ended'

/** Request that was made on the page of a link. */
export interface Visit {
  link: number
  request: CollectionRequest
  state: VisitState
  /** The slug of the connection that carries the request. */
  connection: string
  /** The network's own id of the money; null until it came. */
  transaction_id: string | null
  /** Reason that the network gives for no payment, if it is the customer's own business. */
  refusal: string | null
}

const visitTable = table('payment_link_visits', {
  id: column.id(),
  link: column.bigint(),
  request: column.bigint(),
  token_digest: column.bytea(),
  form_digest: column.bytea(),
  phone_digest: column.bytea(),
  address_digest: column.bytea(),
  created: column.timestamptz(),
})

/** Reasons of a network that the customer may read. The others concern the shop and its settings. */
const CUSTOMER_REASONS: readonly FailureReason[] = [
  ...(['cancelled', 'wrong_pin', 'insufficient_funds', 'limit_reached', 'payer_not_found'] as const),
  ...(['prompt_expired', 'unreachable'] as const),
]

/** Form data of a customer on the page of a link. */
export interface NewVisit {
  link: number
  single_use: boolean
  /** The token of the form, by which a form that is sent twice is known. */
  form: string
  /** The random part of the address of the visit. It follows from the form. */
  token: string
  /** The visit that this one tries again, if any. */
  previous: string | null
  source: PromptSource
  request: NewCollectionRequest
}

/**
 * Reason why no prompt is sent.
 *
 * - `phone`, `address`, `link`: too many prompts without a payment.
 * - `busy`: an earlier prompt of the same visit, or of a link for one use, may still be paid.
 * - `waiting_money`: money has come that may be for the invoice of the link.
 * - `inactive`: the link takes no payments any more.
 */
export type VisitRefusal = 'phone' | 'address' | 'link' | 'busy' | 'waiting_money' | 'inactive'

/**
 * Makes the collection request of a form, once however often the form is sent, and one at a time for a phone.
 * @returns `repeated` when the form was sent before; its request is left alone
 * @throws Invalid if the request itself is refused, such as for a wallet without funds
 */
export async function startVisit(
  tx: Tx,
  now: Date,
  visit: NewVisit,
): Promise<'started' | 'repeated' | { refused: VisitRefusal }> {
  const form_digest = digest(visit.form)
  await lockName(tx, `payment form ${visit.form}`)
  const [sent] = await tx`select 1 from payment_link_visits where form_digest = ${form_digest}`
  if (sent) return 'repeated'
  // Also against a link that is closed or paid at this moment.
  const link = await lockIfNeeded(tx, now, visit)
  if (!isPayable(link)) return { refused: 'inactive' }
  if (visit.single_use && (await mayLinkBePaid(tx, visit.link))) return { refused: 'busy' }
  if (visit.previous !== null && (await mayStillBePaid(tx, sql`v.token_digest = ${digest(visit.previous)}`)))
    return { refused: 'busy' }
  await lockName(tx, `payment phone ${visit.source.phone.toString('hex')}`)
  const limit = await promptLimit(tx, now, visit.link, visit.source)
  if (limit) return { refused: limit }
  const request = only(await createCollectionRequests(tx, now, [visit.request]))
  await tx`
    ${insert(visitTable, [{ link: visit.link, request: request.id }], {
      token_digest: digest(visit.token),
      form_digest,
      phone_digest: visit.source.phone,
      address_digest: visit.source.address,
      created: now,
    })}`
  return 'started'
}

async function lockIfNeeded(tx: Tx, now: Date, { link, single_use }: NewVisit) {
  if (single_use) return lockPaymentLink(tx, now, link)
  // Customers of one link do not wait for each other; closing it waits for those who pay at the moment.
  await tx`select id from payment_links where id = ${link} for share`
  return (await findPaymentLink(tx, now, link))!
}

/** True if a prompt of a link may still be paid. */
export function mayLinkBePaid(db: Reader, link: number): Promise<boolean> {
  return mayStillBePaid(db, sql`v.link = ${link}`)
}

/** True if a request of these visits is open, or has an order whose end the network has not said. */
async function mayStillBePaid(db: Reader, condition: ReturnType<typeof sql>): Promise<boolean> {
  const [row] = await db`
    select 1 from payment_link_visits v join collection_requests r on r.id = v.request
    where ${condition} and ${mayBePaid()} limit 1`
  return row !== undefined
}

/** SQL: condition that a request `r` is open, or has an order whose end the network has not said. */
export function mayBePaid() {
  return sql`(${isWaiting()} or ${hasOpenOrder()})`
}

function isWaiting() {
  return sql`r.status = any(${[...openStatuses]}::text[])`
}

function hasOpenOrder() {
  return sql`exists (select from network_orders o where o.collection_request = r.id and o.closed is null)`
}

/** The visit at an address, of this link only. */
export async function findVisit(db: Reader, link: number, token: string): Promise<Visit | undefined> {
  const [row] = await db<(Omit<Visit, 'link' | 'request'> & { request: number })[]>`
    select v.request, r.connection, ${visitState()} as state,
      (select remote_transaction_id from collections c where c.id = r.collection) as transaction_id,
      (select o.message from network_orders o
        where o.collection_request = r.id and o.failure_reason = any(${[...CUSTOMER_REASONS]}::text[])
        order by o.attempt desc limit 1) as refusal
    from payment_link_visits v join collection_requests r on r.id = v.request
    where v.token_digest = ${digest(token)} and v.link = ${link}`
  if (!row) return undefined
  const request = (await requestsById(db, [row.request])).get(row.request)!
  return { ...row, link, request }
}

/** Reads only the state, for pages that ask for it every few seconds. */
export async function readVisitState(db: Reader, link: number, token: string): Promise<VisitState | undefined> {
  const [row] = await db<{ state: VisitState }[]>`
    select ${visitState()} as state from payment_link_visits v join collection_requests r on r.id = v.request
    where v.token_digest = ${digest(token)} and v.link = ${link}`
  return row?.state
}

function visitState() {
  return sql`case
    when r.status = 'reversed' then 'reversed'
    when r.status = any(${PAID_STATUSES}::text[]) then 'paid'
    when ${isWaiting()} then 'waiting'
    when ${hasOpenOrder()} then 'unclear'
    else 'ended' end`
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

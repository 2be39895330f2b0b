import type { Reader, Tx } from '../../db/client.ts'
import { only } from '../../lib/batches/batch.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { displayAmount } from '../../lib/money.ts'
import { readKnownPhone } from '../../lib/phone.ts'
import { findPaymentLink, isPayable } from '../checkout/payment-links.ts'
import { mayLinkBePaid } from '../checkout/visits.ts'
import { type CollectionRequest, isOpen, type RequestRow } from '../collections/collection-request.ts'
import { isUnmatched } from '../collections/filters.ts'
import { type ChargeNetwork, toNewCollectionRequest } from '../collections/new-request.ts'
import { lockRequests } from '../collections/orders.ts'
import { createCollectionRequests, type RequestOrigin, requestsById } from '../collections/requests.ts'
import type { NoNetwork } from '../connections/destinations.ts'
import { listOrdersOf } from '../connections/network-orders.ts'
import { findInvoiceOfRequest } from '../invoices/invoices.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { insertRequestAction, readActions } from '../request-actions.ts'
import { type ActionInput, refuse } from './reminders.ts'

/** Asks for the money of a request again. */
interface RetryInput extends ActionInput {
  /** The network that carries the new request, or why there is none. */
  network: ChargeNetwork | NoNetwork
  /** The HTTP request that asks for it, where it was one. */
  origin?: RequestOrigin
}

/**
 * Makes a new request with the contents of one that has failed or expired. It has the same lifetime, starts at once,
 * and does not repeat.
 * @returns the new request
 * @throws NotFound, Invalid, Forbidden with the reason why the money cannot be asked for again
 */
export async function retryRequest(
  tx: Tx,
  now: Date,
  { request: id, author, comment, network, origin }: RetryInput,
): Promise<CollectionRequest> {
  const old = await lockRetryable(tx, now, id)
  const { organization } = old
  const { contact } = (await requestsById(tx, [id])).get(id)!
  const time_ms = old.expiry_date.getTime() - (old.start_date ?? old.created).getTime()
  const body = {
    phonenumber: readKnownPhone(old.phonenumber)!,
    amount: old.amount,
    currency: old.currency,
    account: old.account,
    first_name: contact.first_name,
    last_name: contact.last_name,
    reason: old.reason,
    metadata: old.metadata,
    success_message: old.success_message,
    send_instructions: old.send_instructions,
    instructions: old.instructions ?? undefined,
    max_attempts: old.max_attempts,
    retry_interval_minutes: old.retry_interval_minutes ?? undefined,
    expiry_date: new Date(now.getTime() + Math.max(time_ms, LEAST_TIME_MS)).toISOString(),
  }
  const again = toNewCollectionRequest(body, { now, organization, author, network, origin })
  const made = only(await createCollectionRequests(tx, now, [again]))
  const action = { organization, kind: 'retry' as const, collection_request: id, author, comment }
  await insertRequestAction(tx, now, { ...action, new_request: made.id })
  return made
}

const LEAST_TIME_MS = 60_000

/**
 * Locks a request whose money may be asked for again: it has failed or expired, no order of it may still be paid, and its
 * customer is not asked in another way already.
 * @throws NotFound, Invalid with the reason why it may not
 */
export async function lockRetryable(tx: Tx, now: Date, id: number): Promise<RequestRow> {
  const [request] = await lockRequests(tx, [id])
  if (!request) throw new NotFound(getMessage('requests.none', { id }))
  // Under the lock that each payment over a link for one use takes.
  await requireRetryable(tx, now, request, async (link) => {
    await tx`select id from payment_links where id = ${link} for update`
  })
  return request
}

/**
 * Returns the reason why a request cannot be retried now, for people; null when it can. It takes no locks, so
 * `retryRequest` may still refuse.
 */
export async function whyNotRetryable(db: Reader, now: Date, request: RetriedRequest): Promise<string | null> {
  try {
    await requireRetryable(db, now, request, async () => {})
    return null
  } catch (error) {
    if (error instanceof Invalid) return Object.values(error.fields).flat().join(' ')
    throw error
  }
}

/** Facts about a request that may be tried again. */
type RetriedRequest = Pick<
  RequestRow,
  'id' | 'status' | 'phonenumber' | 'organization' | 'account' | 'amount' | 'currency' | 'created'
>

/** @throws Invalid with the reason why the money of a request may not be asked for again */
async function requireRetryable(
  tx: Reader,
  now: Date,
  request: RetriedRequest,
  lockLink: (link: number) => Promise<void>,
): Promise<void> {
  const { id } = request
  if (isOpen(request)) throw refuse(getMessage('requests.still_open', { id }))
  if (request.status === 'successful' || request.status === 'reversed')
    throw refuse(getMessage('requests.not_retried', { id, status: request.status }))
  if (!readKnownPhone(request.phonenumber)) throw refuse(getMessage('requests.phone_unknown'))
  const invoice = await findInvoiceOfRequest(tx, id)
  if (invoice !== undefined) throw refuse(getMessage('requests.of_invoice', { invoice }))
  await requireUnpaid(tx, request)
  await requireNotAsked(tx, now, request, lockLink)
}

/** @throws Invalid while a prompt may still be paid, and if the customer has paid after the end of the request */
async function requireUnpaid(tx: Reader, request: RetriedRequest): Promise<void> {
  const orders = await listOrdersOf(tx, { collection_request: request.id })
  // An order that waits for one more status query has a due date, although the network said before that it had
  // failed.
  if (orders.some(({ closed, due_at, state }) => closed === null || (due_at !== null && state === 'failed')))
    throw refuse(getMessage('requests.prompt_open'))
  if (orders.some(({ state }) => state === 'successful')) throw refuse(getMessage('requests.customer_paid'))
  const late = await findLateMoney(tx, request)
  if (late !== undefined)
    throw refuse(
      getMessage('requests.arrived_late', {
        amount: `${request.currency} ${displayAmount(request.amount)}`,
        collection: late,
      }),
    )
}

/** Finds money of this customer that came after the request was made, fits it, and that no person has decided about. */
async function findLateMoney(db: Reader, request: RetriedRequest): Promise<number | undefined> {
  const { organization, phonenumber, account, amount, created } = request
  const [found] = await db<{ id: number }[]>`
    select id from collections
    where organization = ${organization} and phonenumber = ${phonenumber} and account = ${account} and amount = ${amount}
      and created >= ${created} and status = 'successful' and ${isUnmatched('collections')} and refunded = 0
    order by id limit 1`
  return found?.id
}

/** @throws Invalid if a new request, or a link that may be paid, asks for the money already */
async function requireNotAsked(
  tx: Reader,
  now: Date,
  { id }: RetriedRequest,
  lockLink: (link: number) => Promise<void>,
): Promise<void> {
  const actions = (await readActions(tx, { request: id })).filter((action) => action.collection_request === id)
  const retry = actions.find(({ kind }) => kind === 'retry')
  if (retry) throw refuse(getMessage('requests.retried', { request: retry.new_request }))
  const [visited] = await tx<{ link: number }[]>`
    select v.link from payment_link_visits v join payment_links l on l.id = v.link
    where v.request = ${id} and l.single_use`
  const links = [...actions.flatMap(({ payment_link }) => payment_link ?? []), ...(visited ? [visited.link] : [])]
  for (const link of links.sort((a, b) => a - b)) {
    await lockLink(link)
    const found = (await findPaymentLink(tx, now, link))!
    if (found.state === 'paid') throw refuse(getMessage('requests.paid_by_link', { link }))
    if (isPayable(found)) throw refuse(getMessage('requests.payable_by_link', { link }))
    if (await mayLinkBePaid(tx, link)) throw refuse(getMessage('requests.paying_by_link', { link }))
  }
}

import type { Reader, Tx } from '../../db/client.ts'
import { type OrderAnswer as ChargeOutcome, retryableReasons } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import type { ConnectionRef, IncomingPaymentReport } from '../connections/destinations.ts'
import {
  createReference,
  drawOrderIds,
  type GivenAnswer,
  insertNetworkOrders,
  isClosed,
  lockOrders,
  type NetworkOrder,
  type NewNetworkOrder,
  type OrderUpdate,
  type ReferenceForm,
  recordOrderAnswers,
  scheduleOrders,
  withdrawOrders,
} from '../connections/network-orders.ts'
import type { ClaimedOrder } from '../connections/order-claims.ts'
import { contactsById } from '../contacts/contacts.ts'
import { reserveEvents } from '../events/events.ts'
import { receiversOf } from '../ledger/accounts.ts'
import { WriteConflict } from '../write-conflict.ts'
import { isOpen, type RequestRow } from './collection-request.ts'
import { ingestIncomingPayments } from './incoming-payments.ts'
import {
  balancesOf,
  type LockedRequest,
  lastOrders,
  lockRequests,
  type RequestOrder,
  type RequestTransition,
  scheduleRequests,
  toChangedEvent,
  transitionRequests,
} from './orders.ts'
import { contactsOfRequests } from './requests.ts'
import { buildInstructions } from './sms.ts'

/** Abilities of a connection for requests. The job, which knows the drivers, provides it. */
export interface ChargeConnection extends ConnectionRef {
  can_prompt: boolean
  can_register_expected_payment: boolean
  /** True if its network supports status queries for orders. */
  can_ask: boolean
  /** The form of our references. */
  reference: ReferenceForm
  /** The network's template for the SMS that tells the customer how to pay. */
  instructions?: string | undefined
}

/** The connections for requests. */
export interface ChargeConnections {
  find(slug: string): ChargeConnection | undefined
  /**
   * The connection for the next order of a request: its own, or another one while that is paused or does not answer.
   * @param slugs the connections on which the account of the request has a receiver number
   */
  choose(request: RequestRow, slugs: ReadonlySet<string>): ChargeConnection | undefined
}

/** Answer of a network about a charge. */
export interface ChargeAnswer extends Omit<GivenAnswer, 'order'> {
  order: NetworkOrder
  network: ConnectionRef & { instructions?: string | undefined }
}

const DEFAULT_RETRY_INTERVAL_MINUTES = 10

/** Wait of an expired request for the answer to the last status query about its order. */
const LAST_STATUS_QUERY_MS = 60_000

/**
 * Returns the end of this process's lease on a new order of a connection, if it can send it at once; undefined if it
 * cannot.
 */
export type OrderLease = (connection: string) => Date | undefined

/**
 * Works on due requests: starts pending ones, begins another attempt where the last one failed, and expires those whose
 * time is over. Orders are only stored here. This process sends those that get a lease as soon as the transaction has
 * ended; the job of the orders sends the others.
 *
 * Before a request expires, or gets another attempt, its last order gets one more status query. A customer who has paid
 * must not be prompted again, and money that was paid in time counts although its callback was lost.
 * @param locked due requests that this transaction has locked
 * @returns the orders with a lease
 */
export async function dispatchDueRequests(
  tx: Tx,
  now: Date,
  locked: readonly LockedRequest[],
  connections: ChargeConnections,
  lease: OrderLease = () => undefined,
): Promise<ClaimedOrder[]> {
  const requests = locked.filter(isOpen)
  const accounts = requests.map((request) => request.account)
  const [orders, balances, numbers, organizations, contacts, order_ids, reserved] = await Promise.all([
    lastOrders(tx, requests),
    balancesOf(tx, accounts),
    receiversOf(tx, accounts),
    readOrganizations(tx, requests),
    contactsById(
      tx,
      requests.map((request) => request.contact),
    ),
    drawOrderIds(tx, requests.length),
    reserveEvents(tx, requests.map(toChangedEvent)),
  ])
  const known = { contacts, organizations }
  const transitions: RequestTransition[] = []
  const schedule: Schedule[] = []
  const begun: NewNetworkOrder[] = []
  const last_questions: number[] = []
  const unwanted: number[] = []
  for (const request of requests) {
    const { name, service_user: author } = organizations.get(request.organization)!
    const order = orders.get(request.id)
    const step = chooseStep(request, order, order && connections.find(order.connection), now)
    if (step === 'expire') {
      transitions.push({ request, to: 'expired', author, due_at: null })
      if (order?.state === 'new') unwanted.push(order.id)
    } else if (step === 'last question') {
      last_questions.push(order!.id)
      const is_over = request.expiry_date <= now
      schedule.push({
        ...request,
        due_at: is_over ? new Date(now.getTime() + LAST_STATUS_QUERY_MS) : request.expiry_date,
      })
    } else {
      const start = step === 'attempt' ? planAttempt(request, connections, numbers, name) : undefined
      const error_message = startError(request, balances.get(request.account), start)
      if (start?.order && !error_message)
        begun.push({ ...start.order, leased_until: lease(start.order.connection) ?? null })
      const due_at = request.expiry_date
      const next = start?.next
      if (request.status !== 'pending') schedule.push({ ...request, ...next, due_at })
      else if (error_message) transitions.push({ request, to: 'failed', author, error_message, due_at: null })
      else transitions.push({ request, to: 'processing_started', author, order: next, due_at })
    }
  }
  withdrawOrders(tx, now, unwanted)
  scheduleOrders(tx, now, last_questions)
  const [changed, orders_begun] = await Promise.all([
    transitionRequests(tx, now, transitions, { ...known, reserved }),
    insertNetworkOrders(tx, now, begun, order_ids),
    scheduleRequests(tx, schedule),
  ])
  const instructed = changed.flatMap((request): RequestTransition[] =>
    instructBySms(request, connections.find(request.connection), organizations.get(request.organization)!, numbers),
  )
  await transitionRequests(tx, now, instructed, known)
  return orders_begun.flatMap(({ leased_until, ...order }) =>
    leased_until ? [{ ...order, leased_until, was: 'new' }] : [],
  )
}

type Schedule = RequestOrder & { id: number; due_at: Date }
type Step = 'expire' | 'last question' | 'attempt' | 'wait'

function chooseStep(
  request: LockedRequest,
  order: NetworkOrder | undefined,
  connection: ChargeConnection | undefined,
  now: Date,
): Step {
  const can_ask = order !== undefined && connection?.can_ask === true
  if (request.expiry_date <= now) {
    // It was due before, and waits for the answer to the last status query since then.
    const was_asked = request.due_at !== null && request.due_at > request.expiry_date
    return can_ask && !was_asked && !isClosed(order) && order.state !== 'new' ? 'last question' : 'expire'
  }
  if (!order || order.state === 'not_sent') return 'attempt'
  if (order.state !== 'failed') return 'wait'
  return can_ask && !hasFailedAgain(request, order) ? 'last question' : 'attempt'
}

/** True if the network has confirmed, after the wait for the next attempt, that the last one has failed. */
function hasFailedAgain(request: RequestRow, { due_at, answered, closed }: NetworkOrder): boolean {
  return due_at === null && answered !== null && closed !== null && answered >= nextAttemptDate(request, closed)
}

/** A person may ask for the next attempt sooner, after the last one has failed (core/follow-ups/reminders.ts). */
function nextAttemptDate({ retry_interval_minutes, prompt_again_at }: RequestRow, failed: Date): Date {
  const planned = new Date(failed.getTime() + (retry_interval_minutes ?? DEFAULT_RETRY_INTERVAL_MINUTES) * 60_000)
  return prompt_again_at !== null && prompt_again_at >= failed ? earlier(prompt_again_at, planned) : planned
}

/** Start of the next order of a request. Without an order, the customer can only pay unprompted. */
interface Start {
  receiver: string | undefined
  order?: NewNetworkOrder
  next?: RequestOrder
}

function planAttempt(
  request: RequestRow,
  connections: ChargeConnections,
  numbers: ReadonlyMap<string, string>,
  organization: string,
): Start {
  const { id, account, phonenumber, amount, currency, send_instructions: prompt } = request
  const slugs = [...numbers.keys()].flatMap((key) =>
    key.endsWith(`:${account}`) ? key.slice(0, key.lastIndexOf(':')) : [],
  )
  const connection = connections.choose(request, new Set(slugs))
  const receiver = numbers.get(`${(connection ?? { slug: request.connection }).slug}:${account}`)
  const can_order = prompt ? connection?.can_prompt : connection?.can_register_expected_payment
  if (!connection || !can_order || receiver === undefined) return { receiver }
  const attempt = request.attempt + 1
  return {
    receiver,
    order: {
      ...{ kind: 'charge', connection: connection.slug, collection_request: id, attempt, receiver, prompt },
      ...{ organization: request.organization, phonenumber, amount, currency },
      reference: createReference(connection.reference),
      reason: request.reason || organization,
    },
    next: { attempt, network: connection.code, connection: connection.slug },
  }
}

/**
 * Stores the networks' answers about charges, changes their requests accordingly, and enters the money into the books.
 * @returns the orders before and after, in the order of the answers
 * @throws WriteConflict when the answers must be applied again, in parts. This is also the case when two answers are
 *   about the same request, because the second one must see the effect of the first.
 */
export async function applyChargeAnswers(tx: Tx, now: Date, answers: readonly ChargeAnswer[]): Promise<OrderUpdate[]> {
  const ids = answers.map(({ order }) => order.collection_request!)
  if (new Set(ids).size < ids.length) throw new WriteConflict()
  const given_orders = answers.map(({ order }) => order)
  // Sent together, and carried out in this order: the requests are locked before their orders.
  const [locked, orders, organizations, contacts, reserved] = await Promise.all([
    lockRequests(tx, ids),
    lockOrders(
      tx,
      given_orders.map(({ id }) => id),
    ),
    readOrganizations(tx, given_orders),
    contactsOfRequests(tx, ids),
    reserveEvents(tx, given_orders.map(toChangedEvent)),
  ])
  const requests = new Map(locked.map((row) => [row.id, row]))
  const isWanted = ({ order }: ChargeAnswer) => {
    const request = requests.get(order.collection_request!)
    return request !== undefined && isOpen(request) && request.attempt === order.attempt
  }
  const updates = await recordOrderAnswers(
    tx,
    now,
    answers.map((given) => ({ ...given, order: given.order.id, is_wanted: isWanted(given) })),
    orders,
  )
  const effects = updates.map((update, index) =>
    // A request that has ended, or has a newer order, is not changed by this answer.
    isWanted(answers[index]!) ? effectOf(requests.get(update.after.collection_request!)!, update, now) : {},
  )
  const transitions = effects.flatMap(({ transition }, index): RequestTransition[] => {
    if (!transition) return []
    const { order, network } = answers[index]!
    const request = requests.get(order.collection_request!)!
    const { name: organization, service_user: author } = organizations.get(request.organization)!
    const details = { organization, receiver: order.receiver, prompt_sent: true, template: network.instructions }
    const instructions = transition.to === 'instructions_sent' ? buildInstructions(request, details) : undefined
    return [{ request, author, ...transition, ...(instructions !== undefined && { instructions }) }]
  })
  scheduleOrders(
    tx,
    now,
    effects.flatMap(({ ask_again }, index) => (ask_again ? [answers[index]!.order.id] : [])),
  )
  const schedule = effects.flatMap(({ due_at }, index) =>
    due_at ? [{ ...requests.get(answers[index]!.order.collection_request!)!, due_at }] : [],
  )
  const paid = updates.flatMap((update, index) => reportPaidOrder(update, answers[index]!.network, now))
  // An answer that reports money has no other effect, so the writes that go together here concern different requests.
  await Promise.all([
    transitionRequests(tx, now, transitions, { contacts, organizations, reserved }),
    scheduleRequests(tx, schedule),
    paid.length > 0 && ingestIncomingPayments(tx, now, paid),
  ])
  return updates
}

/** Effect of an answer about its newest order on an open request. */
interface Effect {
  transition?: Pick<RequestTransition, 'to' | 'error_message' | 'due_at'>
  due_at?: Date
  /** The order gets one more status query now, because the earlier one came too early to be the last. */
  ask_again?: boolean
}

function effectOf(request: LockedRequest, { given, before, after }: OrderUpdate, now: Date): Effect {
  const { answer, asked_at } = given
  const { outcome } = answer
  const { expiry_date, attempt, max_attempts } = request
  // If the money does not fulfil the request, no further status query is needed.
  if (outcome === 'successful' || outcome === 'reversed') return {}
  if (
    outcome === 'failed' &&
    after.state === 'failed' &&
    !(retryableReasons.has(answer.reason) && attempt <= max_attempts)
  )
    return { transition: { to: 'failed', error_message: answer.message, due_at: null } }
  if (expiry_date <= now) {
    if (asked_at === undefined || outcome === 'asked' || outcome === 'not_asked') return {}
    return asked_at < expiry_date ? { ask_again: !isClosed(after) } : { transition: { to: 'expired', due_at: null } }
  }
  if (outcome === 'accepted' && request.send_instructions && request.status === 'processing_started')
    return { transition: { to: 'instructions_sent', due_at: expiry_date } }
  if (after.state !== 'failed') return {}
  if (before.state !== 'failed') return { due_at: earlier(nextAttemptDate(request, now), expiry_date) }
  return hasFailedAgain(request, after) ? { due_at: now } : {}
}

function earlier(one: Date, other: Date): Date {
  return new Date(Math.min(one.getTime(), other.getTime()))
}

/**
 * Turns a paid order into money that names it, and a reversed one into a reversal. Until the network's id of the money
 * is known, our reference stands for it.
 */
function reportPaidOrder({ given, after }: OrderUpdate, network: ConnectionRef, now: Date): IncomingPaymentReport[] {
  const { answer } = given
  if (answer.outcome !== 'successful' && answer.outcome !== 'reversed') return []
  const { receiver, phonenumber, currency, reference } = after
  const paid: Partial<Extract<ChargeOutcome, { outcome: 'successful' }>> = answer.outcome === 'successful' ? answer : {}
  return [
    {
      ...{ network, receiver, phonenumber, currency, reference: null, status: answer.outcome, answered_order: true },
      remote_id: paid.remote_id ?? after.remote_transaction_id ?? reference,
      amount: paid.amount ?? after.amount,
      order_reference: reference,
      paid_at: paid.paid_at ?? now,
      ...(after.fee !== null && { fee: after.fee }),
    },
  ]
}

/**
 * Returns the reason why a pending request cannot start now, or undefined. The wallet of a request with a start date is
 * checked here; the others were checked at their creation. An inactive wallet has no balance here.
 */
function startError(request: RequestRow, balance: Amount | undefined, start: Start | undefined): string | undefined {
  if (request.status !== 'pending') return undefined
  if (request.start_date !== null && balance === undefined) return getMessage('wallets.inactive')
  if (start?.receiver === undefined) return getMessage('wallets.no_receiver')
  if (request.start_date !== null && balance! <= 0n)
    return getMessage('wallets.no_funds', { currency: request.currency })
  return undefined
}

/** Instructs the customer by SMS if the network cannot prompt. */
function instructBySms(
  request: RequestRow,
  connection: ChargeConnection | undefined,
  organization: { name: string; service_user: number },
  numbers: ReadonlyMap<string, string>,
): RequestTransition[] {
  if (request.status !== 'processing_started' || !request.send_instructions) return []
  const receiver = numbers.get(`${request.connection}:${request.account}`)
  if (!connection || connection.can_prompt || receiver === undefined) return []
  const details = { organization: organization.name, receiver, prompt_sent: false, template: connection.instructions }
  const instructions = buildInstructions(request, details)
  if (instructions === undefined) return []
  const { expiry_date: due_at } = request
  return [{ request, to: 'instructions_sent', author: organization.service_user, instructions, due_at }]
}

/** Finds which of these charges are still to be sent: those for open requests without a newer order. */
export async function readWantedCharges(db: Reader, orders: readonly NetworkOrder[]): Promise<Set<number>> {
  const ids = orders.flatMap(({ collection_request }) => collection_request ?? [])
  const requests = await db<Pick<RequestRow, 'id' | 'status' | 'attempt'>[]>`
    select id, status, attempt from collection_requests where id = any(${ids}::bigint[])`
  const open = new Map(requests.filter(isOpen).map(({ id, attempt }) => [id, attempt]))
  return new Set(
    orders.flatMap((order) => (open.get(order.collection_request ?? 0) === order.attempt ? [order.id] : [])),
  )
}

/** The user in whose name the service acts, and the name that a prompt without a reason shows. */
async function readOrganizations(db: Reader, owned: readonly { organization: number }[]) {
  const ids = [...new Set(owned.map(({ organization }) => organization))]
  const organizations = await db<{ id: number; name: string; service_user: number }[]>`
    select id, name, service_user from organizations where id = any(${ids}::bigint[])`
  return new Map(organizations.map((organization) => [organization.id, organization]))
}

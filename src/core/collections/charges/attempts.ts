import type { Reader, Tx } from '../../../db/client.ts'
import { type AnyEffect, type Query, together, type Work, workTogether } from '../../../db/unit-of-work.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import type { Amount } from '../../../lib/money.ts'
import type { ConnectionRef } from '../../connections/destinations.ts'
import {
  createReference,
  dueOrders,
  type NetworkOrder,
  type NewNetworkOrder,
  newOrders,
  orderIds,
  type ReferenceForm,
  toNetworkOrder,
  unwantedOrders,
} from '../../connections/network-orders.ts'
import type { ClaimedOrder } from '../../connections/order-claims.ts'
import { firstStatusQueryAt, type OrderRules } from '../../connections/order-outcomes.ts'
import { eventIds } from '../../events/events.ts'
import { receiversByAccount } from '../../ledger/accounts.ts'
import { isOpen, type RequestRow } from '../collection-request.ts'
import {
  type ActingOrganization,
  applyTransition,
  balancesOf,
  contacts,
  furtherTransitions,
  type LockedRequest,
  lastOrders,
  organizations,
  type RequestOrder,
  requestSchedules,
  requestTransitions,
} from '../orders.ts'
import { buildInstructions } from '../sms.ts'
import { decideDue } from './outcomes.ts'

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

/** Wait of an expired request for the answer to the last status query about its order. */
const LAST_STATUS_QUERY_MS = 60_000

/** Lease of this process on a new order, and the traits of its network. */
export interface OrderLease {
  lease_end: Date
  rules: OrderRules
}

/** Returns the lease on a new order of a connection, if this process can send it at once; undefined if it cannot. */
type LeaseOrder = (connection: string) => OrderLease | undefined

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
  lease: LeaseOrder = () => undefined,
): Promise<ClaimedOrder[]> {
  const orders = await workTogether({ tx, now, effects: dispatchEffects }, locked.filter(isOpen), (work, request) =>
    dispatchRequest(work, request, connections, lease),
  )
  return orders.flatMap((order) =>
    order?.leased_until ? [{ ...order, leased_until: order.leased_until, was: 'new' }] : [],
  )
}

/** Works on a due request. @returns the order that begins, if one does */
async function dispatchRequest(
  work: Work,
  request: LockedRequest,
  connections: ChargeConnections,
  lease: LeaseOrder,
): Promise<NetworkOrder | undefined> {
  const { now } = work
  const { order, balance, numbers, owner, contact, order_id, event_id } = await together({
    order: work.find(newestOrders, request),
    balance: work.find(balances, request.account),
    numbers: work.load(receiversByAccount, request.account),
    owner: work.load(organizations, request.organization),
    contact: work.load(contacts, request.contact),
    order_id: work.load(orderIds, request),
    event_id: work.load(eventIds, request),
  })
  const known = { author: owner.service_user, contact, owner }
  const change = { ...known, request, event_id }
  const { expiry_date: due_at } = request
  const can_ask = order !== undefined && connections.find(order.connection)?.can_ask === true
  const step = decideDue(request, order, can_ask, now)
  switch (step) {
    case 'expire':
      work.add(requestTransitions, { ...change, to: 'expired', due_at: null })
      if (order?.state === 'new') work.add(unwantedOrders, order.id)
      return undefined
    case 'last question': {
      if (order) work.add(dueOrders, order.id)
      const answered_by = new Date(now.getTime() + LAST_STATUS_QUERY_MS)
      work.add(requestSchedules, { ...request, due_at: due_at <= now ? answered_by : due_at })
      return undefined
    }
    case 'wait':
    case 'attempt':
      break
  }
  const is_pending = request.status === 'pending'
  const start = step === 'attempt' ? planAttempt(request, connections, numbers, owner.name) : undefined
  const error_message = is_pending ? startError(request, balance, start) : undefined
  if (error_message !== undefined) {
    work.add(requestTransitions, { ...change, to: 'failed', error_message, due_at: null })
    return undefined
  }
  if (!is_pending) work.add(requestSchedules, { ...request, ...start?.next, due_at })
  else {
    const transition = { ...change, to: 'processing_started' as const, order: start?.next, due_at }
    work.add(requestTransitions, transition)
    const started = applyTransition(transition, now)
    const instructions = instructBySms(started, connections.find(started.connection), owner, numbers)
    if (instructions !== undefined) {
      const further = { ...known, request: started, to: 'instructions_sent' as const, instructions, due_at }
      work.add(furtherTransitions, { ...further, event_id: await work.load(eventIds, started) })
    }
  }
  if (!start?.order) return undefined
  const begun = toNetworkOrder({ ...start.order, ...leaseOf(start.order, lease, now) }, order_id, now)
  work.add(newOrders, begun)
  return begun
}

/**
 * The lease on an order that is sent at once. It is due for its first status query from the start, so that the network's
 * answer need not change the date.
 */
function leaseOf(
  { kind, connection }: NewNetworkOrder,
  lease: LeaseOrder,
  now: Date,
): Pick<NewNetworkOrder, 'leased_until' | 'due_at'> {
  const leased = lease(connection)
  if (!leased) return {}
  return { leased_until: leased.lease_end, due_at: firstStatusQueryAt(kind, leased.rules, now) }
}

/** The newest order of a request that has had an attempt. */
const newestOrders: Query<RequestRow, NetworkOrder> = { read: lastOrders }
/** The balances of active wallets. */
const balances: Query<number, Amount> = { read: balancesOf }

/** The effects of due requests, in the order in which they are written. */
const dispatchEffects: readonly AnyEffect[] = [
  unwantedOrders,
  dueOrders,
  requestTransitions,
  newOrders,
  requestSchedules,
  furtherTransitions,
]

/** Start of the next order of a request. Without an order, the customer can only pay unprompted. */
interface Start {
  receiver: string | undefined
  order?: NewNetworkOrder
  next?: RequestOrder
}

/** @param receivers the receiver numbers of its account, by connection */
function planAttempt(
  request: RequestRow,
  connections: ChargeConnections,
  receivers: ReadonlyMap<string, string>,
  organization: string,
): Start {
  const { id, phonenumber, amount, currency, send_instructions: prompt } = request
  const connection = connections.choose(request, new Set(receivers.keys()))
  const receiver = receivers.get((connection ?? { slug: request.connection }).slug)
  const can_order = prompt ? connection?.can_prompt : connection?.can_register_expected_payment
  if (!connection || !can_order || receiver === undefined) return { receiver }
  const attempt = request.attempt + 1
  return {
    receiver,
    order: {
      kind: 'charge',
      connection: connection.slug,
      collection_request: id,
      attempt,
      receiver,
      prompt,
      organization: request.organization,
      phonenumber,
      amount,
      currency,
      reference: createReference(connection.reference),
      reason: request.reason || organization,
    },
    next: { attempt, network: connection.code, connection: connection.slug },
  }
}

/**
 * Returns the reason why a pending request cannot start now, or undefined. The wallet of a request with a start date is
 * checked here; the others were checked at their creation. An inactive wallet has no balance here.
 */
function startError(request: RequestRow, balance: Amount | undefined, start: Start | undefined): string | undefined {
  const starts_later = request.start_date !== null
  if (starts_later && balance === undefined) return getMessage('wallets.inactive')
  if (start?.receiver === undefined) return getMessage('wallets.no_receiver')
  if (starts_later && balance !== undefined && balance <= 0n)
    return getMessage('wallets.no_funds', { currency: request.currency })
  return undefined
}

/** Returns the text of the SMS that instructs the customer, if the network cannot prompt. */
function instructBySms(
  request: RequestRow,
  connection: ChargeConnection | undefined,
  { name: organization }: ActingOrganization,
  receivers: ReadonlyMap<string, string>,
): string | undefined {
  const receiver = receivers.get(request.connection)
  if (!request.send_instructions || !connection || connection.can_prompt || receiver === undefined) return undefined
  return buildInstructions(request, { organization, receiver, prompt_sent: false, template: connection.instructions })
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

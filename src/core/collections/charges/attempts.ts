import type { Reader, Tx } from '../../../db/client.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import type { Amount } from '../../../lib/money.ts'
import type { ConnectionRef } from '../../connections/destinations.ts'
import {
  createReference,
  drawOrderIds,
  insertNetworkOrders,
  type NetworkOrder,
  type NewNetworkOrder,
  type ReferenceForm,
  scheduleOrders,
  withdrawOrders,
} from '../../connections/network-orders.ts'
import type { ClaimedOrder } from '../../connections/order-claims.ts'
import { contactsById } from '../../contacts/contacts.ts'
import { reserveEvents } from '../../events/events.ts'
import { receiversOf } from '../../ledger/accounts.ts'
import { isOpen, type RequestRow } from '../collection-request.ts'
import {
  balancesOf,
  type LockedRequest,
  lastOrders,
  type RequestOrder,
  type RequestSchedule,
  type RequestTransition,
  scheduleRequests,
  transitionRequests,
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
    readOrganizations(
      tx,
      requests.map(({ organization }) => organization),
    ),
    contactsById(
      tx,
      requests.map((request) => request.contact),
    ),
    drawOrderIds(tx, requests.length),
    reserveEvents(tx, requests.length),
  ])
  const known = { contacts, organizations }
  const transitions: RequestTransition[] = []
  const schedule: RequestSchedule[] = []
  const begun: NewNetworkOrder[] = []
  const last_questions: number[] = []
  const unwanted: number[] = []
  for (const request of requests) {
    const { name, service_user: author } = organizations.get(request.organization)!
    const order = orders.get(request.id)
    const can_ask = order !== undefined && connections.find(order.connection)?.can_ask === true
    const step = decideDue(request, order, can_ask, now)
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

/** An organization with the user in whose name the service acts, and the name that a prompt without a reason shows. */
export interface ActingOrganization {
  id: number
  name: string
  service_user: number
}

/** Reads organizations, by id. */
export async function readOrganizations(db: Reader, ids: readonly number[]): Promise<Map<number, ActingOrganization>> {
  const organizations = await db<ActingOrganization[]>`
    select id, name, service_user from organizations where id = any(${[...new Set(ids)]}::bigint[])`
  return new Map(organizations.map((organization) => [organization.id, organization]))
}

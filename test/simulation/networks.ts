import { createHmac } from 'node:crypto'
import type { Clock } from '../../src/app.ts'
import { type Connection, limitsOf, placeFor } from '../../src/connections/connection.ts'
import type { RawCallback } from '../../src/drivers/raw-callback.ts'
import { type Amount, formatAmount, parseAmount } from '../../src/lib/money.ts'
import type { ParsedCallback } from '../../src/networks/callbacks.ts'
import type { FailureReason, Order, OrderAnswer, OrderCheck, TransactionLookup } from '../../src/networks/contract.ts'
import { type FakeNetwork, fakeConnection } from '../connections/fake-connection.ts'
import type { Random } from './random.ts'

/** An order as the network stores it. */
export interface NetworkOrder extends Order {
  network: string
  request: number
  prompted: boolean
  remote_order_id: string
  state: 'pending' | 'paid' | 'failed'
  failure_reason?: FailureReason
  payment?: Payment
}

/** Money that really moved. This is the truth against which the service is checked at the end. */
export interface Payment {
  network: string
  remote_id: string
  status: 'successful' | 'reversed'
  receiver: string
  phonenumber: string
  amount: Amount
  currency: string
  order_reference: string | null
  reference: string | null
  paid_at: Date
  /** The parts that were taken back, each with whether the service has confirmed a genuine callback that names it. */
  reversals: TakenPart[]
  /** True if the service has confirmed a genuine callback about the payment, and about its reversal. */
  notified: boolean
  reversal_notified: boolean
}

/** A part of a payment that the network has taken back. */
export interface TakenPart {
  remote_id: string
  amount: Amount
  notified: boolean
}

/** Return the rest of a payment after its partial reversals. */
export function remainderOf({
  amount,
  reversals,
}: {
  amount: Amount
  reversals: readonly { amount: Amount }[]
}): Amount {
  return reversals.reduce((left, part) => left - part.amount, amount)
}

/** A callback on its way to us. */
export interface PendingCallback {
  network: string
  headers: Record<string, string>
  body: string
  /** The payment of a genuine callback. A forged one has none. */
  payment?: Payment
  is_reversal?: boolean
  /** A signed callback that no books can hold. */
  is_impossible?: boolean
  /** The parts that it names. */
  parts?: TakenPart[]
}

/** The health of a network: all calls work, some requests or answers are lost, or all are lost. */
export type NetworkHealth = 'healthy' | 'flaky' | 'down'

/** The mobile-money networks of one run, and everything that happens on them. */
export interface SimulatedNetworks {
  networks: Connection[]
  health: Map<string, NetworkHealth>
  orders: Map<string, NetworkOrder>
  payments: Map<string, Payment>
  callbacks: PendingCallback[]
  /** Orders whose call timed out and that still arrive, within the time that the network states for that, or never. */
  late_orders: { network: string; order: Order; prompted: boolean; request: number; until: number }[]
  /** The request of an order of the service. Networks do not see it; they only know random references. */
  requestOf(reference: string): Promise<number>
  /** The rules that the service violated at the networks. */
  violations: string[]
  /** Let an order arrive if it still can. */
  deliverLate(late_order: SimulatedNetworks['late_orders'][number]): void
  pay(order: NetworkOrder, amount?: Amount): Payment
  refuse(order: NetworkOrder, reason: FailureReason): void
  /** An unrequested payment, or one that differs from the request. */
  send(
    payment: Omit<Payment, 'remote_id' | 'status' | 'paid_at' | 'reversals' | 'notified' | 'reversal_notified'>,
  ): Payment
  /** Take back everything that is left. */
  reverse(payment: Payment): void
  /** A signed callback about an amount that no books can hold. */
  reportImpossible(network: string, receiver: string): void
  /** The bodies of such callbacks that the service has confirmed. */
  confirmed_impossible: string[]
  /** Take back a part. The callback names this part, or all parts so far. */
  reversePart(payment: Payment, amount: Amount): void
  /** A callback that no network has sent. */
  forge(payment: Omit<Payment, 'notified' | 'reversal_notified' | 'paid_at' | 'reversals'>): PendingCallback
}

/** Trait of the networks for orders in flight. They follow the sandbox's clock, as its own do. */
const IN_FLIGHT_S = 30

/** The merchant account of the first shop, and the phone that it serves for this shop; for others alpha does. */
export const OWN_CONNECTION = 'delta'
export const OWN_PHONE = '+80010000002'

const SECRET = 'what the networks and we know'
const UNKNOWN_ANSWER = { outcome: 'unknown', message: 'No answer.' } as const

/**
 * `signs`: it signs callbacks. `orders`: it accepts orders; else customers pay to a till. `finds`: it finds payments. `is_own`:
 * it is the first shop's own merchant account; all others are the operator's.
 */
const NETWORK_KINDS = [
  { code: 'alpha', prefix: '+8001', signs: true, orders: true, finds: true },
  { code: 'beta', prefix: '+8002', signs: false, orders: true, finds: true },
  { code: 'gamma', prefix: '+8003', signs: true, orders: false, finds: false },
  { code: OWN_CONNECTION, prefix: OWN_PHONE, signs: true, orders: true, finds: true, is_own: true },
]
type NetworkKind = (typeof NETWORK_KINDS)[number]

/** Build networks with different features, and the merchant accounts of an organization and the operator. */
export function createSimulatedNetworks(random: Random, clock: Clock, owner: number): SimulatedNetworks {
  const { now } = clock
  let transactions = 0
  const outside: SimulatedNetworks = {
    networks: [],
    health: new Map(),
    orders: new Map(),
    payments: new Map(),
    callbacks: [],
    late_orders: [],
    violations: [],
    confirmed_impossible: [],
    requestOf: () => Promise.reject(new Error('The simulation must say where orders are stored.')),
    deliverLate({ network, order, prompted, request, until }) {
      if (until > now().getTime()) register(outside, network, order, prompted, request)
    },
    pay(order, amount = order.amount) {
      const { network, receiver, phonenumber, currency } = order
      order.state = 'paid'
      order.payment = outside.send({
        network,
        receiver,
        phonenumber,
        amount,
        currency,
        order_reference: order.reference,
        reference: null,
      })
      return order.payment
    },
    refuse(order, reason) {
      order.state = 'failed'
      order.failure_reason = reason
      outside.callbacks.push(buildCallback(order.network, { about: 'order', reference: order.reference, reason }))
    },
    send(input) {
      transactions += 1
      const remote_id = `T${String(transactions).padStart(5, '0')}`
      const payment: Payment = {
        ...input,
        remote_id,
        status: 'successful',
        paid_at: now(),
        reversals: [],
        notified: false,
        reversal_notified: false,
      }
      outside.payments.set(`${input.network}:${remote_id}`, payment)
      outside.callbacks.push({ ...buildCallback(input.network, callbackBody(payment)), payment })
      return payment
    },
    reverse(payment) {
      payment.status = 'reversed'
      outside.callbacks.push({ ...buildCallback(payment.network, callbackBody(payment)), payment, is_reversal: true })
    },
    reportImpossible(network, receiver) {
      transactions += 1
      outside.callbacks.push(impossibleCallback(network, receiver, { remote_id: `X${transactions}`, paid_at: now() }))
    },
    reversePart(payment, amount) {
      const remote_id = `${payment.remote_id}R${payment.reversals.length + 1}`
      const part: TakenPart = { remote_id, amount, notified: false }
      payment.reversals.push(part)
      const parts = random.chance(0.5) ? [part] : [...payment.reversals]
      outside.callbacks.push({
        ...buildCallback(payment.network, callbackBody({ ...payment, reversals: parts })),
        payment,
        parts,
      })
    },
    forge(payment) {
      const forged = buildCallback(payment.network, callbackBody({ ...payment, reversals: [], paid_at: now() }))
      return { ...forged, headers: { 'x-signature': random.chance(0.5) ? 'forged' : '' } }
    },
  }
  for (const kind of NETWORK_KINDS) {
    outside.health.set(kind.code, 'healthy')
    const connection = buildNetwork(kind, outside, random, now)
    outside.networks.push(kind.is_own ? { ...connection, organization: owner } : connection)
  }
  return outside
}

function impossibleCallback(
  network: string,
  receiver: string,
  identity: { remote_id: string; paid_at: Date },
): PendingCallback {
  const payment = {
    phonenumber: '+80010000001',
    currency: 'BXC',
    order_reference: null,
    reference: null,
    amount: 10n ** 29n,
  }
  const body = callbackBody({ ...payment, ...identity, network, receiver, status: 'successful', reversals: [] })
  return { ...buildCallback(network, body), is_impossible: true }
}

function buildNetwork(kind: NetworkKind, outside: SimulatedNetworks, random: Random, now: Clock['now']): Connection {
  /** Draw whether a request arrives, and whether its answer arrives. */
  const drawDelivery = () => {
    const health = outside.health.get(kind.code)!
    if (health === 'down') return { request_arrives: false, answer_arrives: false }
    if (health === 'healthy') return { request_arrives: true, answer_arrives: true }
    const request_arrives = random.chance(0.7)
    return { request_arrives, answer_arrives: request_arrives && random.chance(0.6) }
  }
  const ask =
    (prompted: boolean) =>
    async (order: Order): Promise<OrderAnswer> => {
      const request = await outside.requestOf(order.reference)
      const { request_arrives, answer_arrives } = drawDelivery()
      if (!request_arrives) {
        const until = now().getTime() + IN_FLIGHT_S * 1_000
        if (random.chance(0.6)) outside.late_orders.push({ network: kind.code, order, prompted, request, until })
        return UNKNOWN_ANSWER
      }
      const known = register(outside, kind.code, order, prompted, request)
      return answer_arrives ? answerOf(known) : UNKNOWN_ANSWER
    }
  const network: FakeNetwork = {
    code: kind.code,
    name: kind.code.toUpperCase(),
    limits: { decimals: 4, min: 1n, max: 10n ** 15n },
    phones: new RegExp(`^\\${kind.prefix}`),
    currency: 'BXC',
    traits: { in_flight_s: IN_FLIGHT_S },
    readCallback: (callback) => readCallback(kind, callback),
  }
  if (kind.orders) {
    network.charge = ask(true)
    network.registerExpectedPayment = ask(false)
    network.chargeStatus = async (order): Promise<OrderCheck> => {
      if (!drawDelivery().answer_arrives) return UNKNOWN_ANSWER
      const known = outside.orders.get(order.reference)
      return known ? answerOf(known) : { outcome: 'not_found' }
    }
  }
  if (kind.finds)
    network.transaction = async ({ remote_id }): Promise<TransactionLookup> => {
      if (!drawDelivery().answer_arrives) return UNKNOWN_ANSWER
      const payment = outside.payments.get(`${kind.code}:${remote_id}`)
      return payment ? { outcome: 'found', receipt: { ...payment, name: null } } : { outcome: 'not_found' }
    }
  return fakeConnection(network)
}

/** The connection of an organization for a phone in BXC, also one that takes no orders. Its own comes before the operator's. */
export function networkFor(networks: readonly Connection[], phonenumber: string, organization: number) {
  const need = { phonenumber, currency: 'BXC' }
  const serving = networks.filter((one) => placeFor(one, need))
  const own = serving.find((one) => one.organization === organization)
  const connection = own ?? serving.find((one) => one.organization === null)!
  const { slug, code, name } = connection
  return { slug, code, name, limits: limitsOf(placeFor(connection, need)!, 'charge') }
}

/** Register an order. The same reference is the same order. */
function register(
  outside: SimulatedNetworks,
  network: string,
  order: Order,
  prompted: boolean,
  request: number,
): NetworkOrder {
  const known = outside.orders.get(order.reference)
  if (known) return known
  const open = [...outside.orders.values()].find((other) => other.request === request && other.state !== 'failed')
  if (open) outside.violations.push(`${order.reference} came while ${open.reference} was ${open.state}.`)
  const created: NetworkOrder = {
    ...order,
    network,
    request,
    prompted,
    remote_order_id: `O${outside.orders.size + 1}`,
    state: 'pending',
  }
  outside.orders.set(order.reference, created)
  return created
}

function answerOf(order: NetworkOrder): OrderAnswer {
  if (order.state === 'pending') return { outcome: 'accepted', remote_id: order.remote_order_id }
  if (order.state === 'failed')
    return { outcome: 'failed', reason: order.failure_reason!, message: `Failed: ${order.failure_reason}` }
  // A reversed payment still belongs to this order. The callback about the reversal reports the reversal.
  return { outcome: 'successful', remote_id: order.payment!.remote_id, amount: order.payment!.amount }
}

type CallbackBody =
  | { about: 'order'; reference: string; reason: FailureReason }
  | {
      about: 'payment'
      payment: Omit<Payment, 'amount' | 'paid_at' | 'reversals' | 'notified' | 'reversal_notified'> & {
        amount: string
        at: number
        parts: { remote_id: string; amount: string }[]
      }
    }

function callbackBody(payment: Omit<Payment, 'notified' | 'reversal_notified'>): CallbackBody {
  const { network, remote_id, status, receiver, phonenumber, currency, order_reference, reference } = payment
  const amount = formatAmount(payment.amount)
  const rest = { network, remote_id, status, receiver, phonenumber, currency, order_reference, reference }
  const parts = payment.reversals.map((part) => ({ remote_id: part.remote_id, amount: formatAmount(part.amount) }))
  return { about: 'payment', payment: { ...rest, amount, parts, at: payment.paid_at.getTime() } }
}

function buildCallback(network: string, wire: CallbackBody): PendingCallback {
  const body = JSON.stringify(wire)
  const headers: Record<string, string> = NETWORK_KINDS.find(({ code }) => code === network)!.signs
    ? { 'x-signature': signatureOf(body) }
    : {}
  return { network, headers, body }
}

function signatureOf(body: string): string {
  return createHmac('sha256', SECRET).update(body).digest('hex')
}

function readCallback(kind: NetworkKind, { headers, body }: RawCallback): ParsedCallback {
  const wire = JSON.parse(body) as CallbackBody
  const verified = kind.signs && headers['x-signature'] === signatureOf(body)
  if (wire.about === 'order') {
    const answer: OrderAnswer = verified
      ? { outcome: 'failed', reason: wire.reason, message: `Failed: ${wire.reason}` }
      : UNKNOWN_ANSWER
    return { subject: 'order', order: { reference: wire.reference }, verified, answer }
  }
  const { amount, at, parts, ...rest } = wire.payment
  const reversals = parts.map((part) => ({ remote_id: part.remote_id, amount: parseAmount(part.amount)! }))
  const receipt = { ...rest, name: null, amount: parseAmount(amount)!, reversals, paid_at: new Date(at) }
  return { subject: 'transaction', remote_id: rest.remote_id, verified, receipt: verified ? receipt : null }
}

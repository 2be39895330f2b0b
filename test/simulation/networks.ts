import { createHmac } from 'node:crypto'
import { type Amount, formatAmount, parseAmount } from '../../src/lib/money.ts'
import type {
  Answer,
  Check,
  FailureReason,
  Found,
  Knock,
  Network,
  Order,
  RawCallback,
} from '../../src/networks/network.ts'
import type { Random } from './random.ts'

/** An order as the network has it. */
export interface KnownOrder extends Order {
  network: string
  request: number
  prompted: boolean
  remote: string
  state: 'pending' | 'paid' | 'failed'
  why?: FailureReason
  payment?: Payment
}

/** Money that really moved. Whatever the service believes, this is the truth that it is held against at the end. */
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
  /** Whether our callback door has confirmed a true notice of the payment, and of its reversal. */
  told: boolean
  told_reversed: boolean
}

/** A callback on its way to us. */
export interface Notice {
  network: string
  headers: Record<string, string>
  body: string
  /** What a true notice tells of. A forged one has none. */
  payment?: Payment
  tells_reversal?: boolean
}

/** How a network fares: all calls work, some are lost on the way there or back, or nothing gets through. */
export type Mood = 'well' | 'flaky' | 'down'

/** The mobile-money networks of one run, and everything that happens on them. */
export interface Outside {
  networks: Network[]
  moods: Map<string, Mood>
  orders: Map<string, KnownOrder>
  payments: Map<string, Payment>
  notices: Notice[]
  /** Orders that were given up as lost and will still arrive. */
  stragglers: { network: string; order: Order; prompted: boolean }[]
  /** What the networks hold against us. */
  complaints: string[]
  arrive(straggler: Outside['stragglers'][number]): void
  pay(order: KnownOrder, amount?: Amount): Payment
  refuse(order: KnownOrder, reason: FailureReason): void
  /** Money that nobody asked for, or not in this way. */
  send(payment: Omit<Payment, 'remote_id' | 'status' | 'paid_at' | 'told' | 'told_reversed'>): Payment
  takeBack(payment: Payment): void
  /** A notice that no network has sent. */
  forge(payment: Omit<Payment, 'told' | 'told_reversed' | 'paid_at'>): Notice
}

const SECRET = 'what the networks and we know'
const UNKNOWN = { outcome: 'unknown', message: 'No answer.' } as const

/** `signs`: callbacks carry a signature. `orders`: it takes orders; else customers pay to a till. `finds`: reads back. */
const KINDS = [
  { code: 'alpha', prefix: '+8001', signs: true, orders: true, finds: true },
  { code: 'beta', prefix: '+8002', signs: false, orders: true, finds: true },
  { code: 'gamma', prefix: '+8003', signs: true, orders: false, finds: false },
]
type Kind = (typeof KINDS)[number]

/** Builds the outside world: three networks that differ in what they can do. */
export function createOutside(random: Random, now: () => Date): Outside {
  let transactions = 0
  const outside: Outside = {
    networks: [],
    moods: new Map(),
    orders: new Map(),
    payments: new Map(),
    notices: [],
    stragglers: [],
    complaints: [],
    arrive: ({ network, order, prompted }) => void register(outside, network, order, prompted),
    pay(order, amount = order.amount) {
      const { network, receiver, phonenumber, currency } = order
      order.state = 'paid'
      order.payment = outside.send({
        ...{ network, receiver, phonenumber, amount, currency },
        order_reference: order.reference,
        reference: null,
      })
      return order.payment
    },
    refuse(order, reason) {
      order.state = 'failed'
      order.why = reason
      outside.notices.push(notice(order.network, { about: 'order', reference: order.reference, reason }))
    },
    send(input) {
      transactions += 1
      const remote_id = `T${String(transactions).padStart(5, '0')}`
      const payment: Payment = {
        ...input,
        ...{ remote_id, status: 'successful', paid_at: now(), told: false, told_reversed: false },
      }
      outside.payments.set(`${input.network}:${remote_id}`, payment)
      outside.notices.push({ ...notice(input.network, wireOf(payment)), payment })
      return payment
    },
    takeBack(payment) {
      payment.status = 'reversed'
      outside.notices.push({ ...notice(payment.network, wireOf(payment)), payment, tells_reversal: true })
    },
    forge(payment) {
      const forged = notice(payment.network, wireOf({ ...payment, paid_at: now() }))
      return { ...forged, headers: { 'x-signature': random.chance(0.5) ? 'forged' : '' } }
    },
  }
  for (const kind of KINDS) {
    outside.moods.set(kind.code, 'well')
    outside.networks.push(buildNetwork(kind, outside, random))
  }
  return outside
}

function buildNetwork(kind: Kind, outside: Outside, random: Random): Network {
  /** Says whether a call gets there, and whether its answer gets back. */
  const weather = () => {
    const mood = outside.moods.get(kind.code)!
    if (mood === 'down') return { there: false, back: false }
    if (mood === 'well') return { there: true, back: true }
    const there = random.chance(0.7)
    return { there, back: there && random.chance(0.6) }
  }
  const ask =
    (prompted: boolean) =>
    async (order: Order): Promise<Answer> => {
      const { there, back } = weather()
      if (!there) {
        if (random.chance(0.6)) outside.stragglers.push({ network: kind.code, order, prompted })
        return UNKNOWN
      }
      const known = register(outside, kind.code, order, prompted)
      return back ? answerOf(known) : UNKNOWN
    }
  const network: Network = {
    code: kind.code,
    name: kind.code.toUpperCase(),
    limits: { decimals: 4, least: 1n, most: 10n ** 15n },
    serves: (phonenumber, currency) => phonenumber.startsWith(kind.prefix) && currency === 'BXC',
    callbackReply: { content_type: 'application/json', body: '{}' },
    readCallback: (callback) => readCallback(kind, callback),
  }
  if (kind.orders) {
    network.requestMoney = ask(true)
    network.expectMoney = ask(false)
    network.checkOrder = async (order): Promise<Check> => {
      if (!weather().back) return UNKNOWN
      const known = outside.orders.get(order.reference)
      return known ? answerOf(known) : { outcome: 'not_found' }
    }
  }
  if (kind.finds)
    network.findTransaction = async (remote_id): Promise<Found> => {
      if (!weather().back) return UNKNOWN
      const payment = outside.payments.get(`${kind.code}:${remote_id}`)
      return payment ? { outcome: 'found', receipt: { ...payment, name: null } } : { outcome: 'not_found' }
    }
  return network
}

/** Takes an order; the same reference is the same order. */
function register(outside: Outside, network: string, order: Order, prompted: boolean): KnownOrder {
  const known = outside.orders.get(order.reference)
  if (known) return known
  const request = Number(/^KR(\d+)-/.exec(order.reference)?.[1])
  const open = [...outside.orders.values()].find((other) => other.request === request && other.state !== 'failed')
  if (open) outside.complaints.push(`${order.reference} came while ${open.reference} was ${open.state}.`)
  const made: KnownOrder = {
    ...order,
    network,
    request,
    prompted,
    remote: `O${outside.orders.size + 1}`,
    state: 'pending',
  }
  outside.orders.set(order.reference, made)
  return made
}

function answerOf(order: KnownOrder): Answer {
  if (order.state === 'pending') return { outcome: 'accepted', remote_id: order.remote }
  if (order.state === 'failed') return { outcome: 'failed', reason: order.why!, message: `Failed: ${order.why}` }
  // Money that was taken back is still the money of this order; the notice of the reversal says the rest.
  return { outcome: 'successful', remote_id: order.payment!.remote_id, amount: order.payment!.amount }
}

type Wire =
  | { about: 'order'; reference: string; reason: FailureReason }
  | {
      about: 'payment'
      payment: Omit<Payment, 'amount' | 'paid_at' | 'told' | 'told_reversed'> & { amount: string; at: number }
    }

function wireOf(payment: Omit<Payment, 'told' | 'told_reversed'>): Wire {
  const { network, remote_id, status, receiver, phonenumber, currency, order_reference, reference } = payment
  const amount = formatAmount(payment.amount)
  const rest = { network, remote_id, status, receiver, phonenumber, currency, order_reference, reference }
  return { about: 'payment', payment: { ...rest, amount, at: payment.paid_at.getTime() } }
}

function notice(network: string, wire: Wire): Notice {
  const body = JSON.stringify(wire)
  const headers: Record<string, string> = KINDS.find(({ code }) => code === network)!.signs
    ? { 'x-signature': signatureOf(body) }
    : {}
  return { network, headers, body }
}

function signatureOf(body: string): string {
  return createHmac('sha256', SECRET).update(body).digest('hex')
}

function readCallback(kind: Kind, { headers, body }: RawCallback): Knock {
  const wire = JSON.parse(body) as Wire
  const verified = kind.signs && headers['x-signature'] === signatureOf(body)
  if (wire.about === 'order') {
    const answer: Answer = verified
      ? { outcome: 'failed', reason: wire.reason, message: `Failed: ${wire.reason}` }
      : UNKNOWN
    return { about: 'order', order_reference: wire.reference, verified, answer }
  }
  const { amount, at, ...rest } = wire.payment
  const receipt = { ...rest, name: null, amount: parseAmount(amount)!, paid_at: new Date(at) }
  return { about: 'transaction', remote_id: rest.remote_id, verified, receipt: verified ? receipt : null }
}

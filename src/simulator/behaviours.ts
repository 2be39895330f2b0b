import type { Amount } from '../lib/money.ts'

/** Why an order fails, in the simulated network's own words. */
export interface Failure {
  reason: string
  message: string
}

/** What a simulated customer does when asked for money, and what the network does about it. Times are sandbox time. */
export interface Behaviour {
  /** Of its own accord: pays, refuses, does nothing, or misses one prompt and pays after the next. */
  does: 'pay' | 'refuse' | 'nothing' | 'pay_second_prompt'
  /** How long after being asked. */
  after_s: number
  refusal: Failure | null
  /** When a prompt that nobody answered lapses; null is never. */
  prompt_lasts_s: number | null
  pays(asked: Amount): Amount
  /** When the network takes the money back; null is never. */
  taken_back_after_s: number | null
  /** How often the business is told of one event. */
  callbacks: number
  /** How often the network's door answers 503 to a new order before it takes it. */
  turned_away: number
  /** Whether the network takes a new order without ever answering. */
  hangs: boolean
}

const everybody: Behaviour = {
  does: 'pay',
  after_s: 1,
  refusal: null,
  prompt_lasts_s: null,
  pays: (asked) => asked,
  taken_back_after_s: null,
  callbacks: 1,
  turned_away: 0,
  hangs: false,
}

/** By whole phone number, or by its last six digits whatever the country. Anybody else simply pays. */
export const behaviours: Readonly<Record<string, Partial<Behaviour>>> = {
  '+80000000001': { does: 'refuse', refusal: { reason: 'cancelled', message: 'Cancelled By User' } },
  '+80000000009': { does: 'nothing' },
  '000101': { does: 'refuse', refusal: { reason: 'insufficient_funds', message: 'Insufficient Funds' } },
  '000102': { does: 'refuse', refusal: { reason: 'wrong_pin', message: 'Wrong PIN' } },
  '000103': { after_s: 10 },
  // No callback either: that the order was paid is only found out by asking for it.
  '000104': { hangs: true, callbacks: 0 },
  '000105': { turned_away: 2 },
  '000106': { callbacks: 3 },
  '000107': { pays: anotherAmount },
  '000108': { taken_back_after_s: 10 },
  '000109': { does: 'nothing', prompt_lasts_s: 300 },
  '000110': { does: 'pay_second_prompt', prompt_lasts_s: 60 },
}

/** How the customer with this phone number behaves. */
export function behaviourOf(phonenumber: string): Behaviour {
  const special = behaviours[phonenumber] ?? behaviours[phonenumber.slice(-6)]
  return special ? { ...everybody, ...special } : everybody
}

/** What the network does with money that is sent to a phone: it arrives, is refused, or nobody ever hears of it. */
export interface PayoutBehaviour
  extends Pick<Behaviour, 'after_s' | 'taken_back_after_s' | 'callbacks' | 'turned_away' | 'hangs'> {
  does: 'arrive' | 'refuse' | 'nothing'
  refusal: Failure
}

/** How sending to this phone ends. The numbers mean what they mean for collecting, where that makes sense. */
export function payoutBehaviourOf(phonenumber: string): PayoutBehaviour {
  const { does, refusal, ...rest } = behaviourOf(phonenumber)
  if (phonenumber === UNREGISTERED) return { ...rest, does: 'refuse', refusal: unregistered }
  if (refusal) return { ...rest, does: 'refuse', refusal }
  return { ...rest, does: phonenumber === SILENT ? 'nothing' : 'arrive', refusal: unregistered }
}

const UNREGISTERED = '+80000000001'
const SILENT = '+80000000009'
const unregistered: Failure = { reason: 'payee_not_found', message: 'Phone number is not registered' }

/** What becomes of a prompt that nobody answers. */
export const lapsed: Failure = { reason: 'prompt_expired', message: 'Prompt Expired' }

/** What becomes of an order that a person refuses on the phone simulator, or pays with a wrong PIN. */
export const cancelled: Failure = { reason: 'cancelled', message: 'Cancelled By User' }
export const wrongPin: Failure = { reason: 'wrong_pin', message: 'Wrong PIN' }

/** The PIN of every simulated customer. */
export const CUSTOMER_PIN = '1234'

/** The name of every simulated customer, as the network knows it. */
export const CUSTOMER_NAME = 'Sandbox Customer'

/** What the network says about who holds a number; anybody else is CUSTOMER_NAME. By whole number or last six digits. */
const holders: Readonly<Record<string, { name: string | null } | 'nobody' | 'network_down'>> = {
  // Money cannot be sent to this number either.
  '+80000000001': 'nobody',
  '000401': 'nobody',
  '000402': { name: 'AKELLO, Grâce Namukasa' },
  '000403': { name: null },
  '000404': 'network_down',
}

/** Who holds a number, as the network tells those who ask. */
export function holderOf(phonenumber: string): { name: string | null } | 'nobody' | 'network_down' {
  return holders[phonenumber] ?? holders[phonenumber.slice(-6)] ?? { name: CUSTOMER_NAME }
}

const ONE_UNIT = 10_000n

/** One unit less than asked, or one more where nothing would be left. */
function anotherAmount(asked: Amount): Amount {
  return asked > ONE_UNIT ? asked - ONE_UNIT : asked + ONE_UNIT
}

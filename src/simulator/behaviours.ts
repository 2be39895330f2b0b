import type { Amount } from '../lib/money.ts'

/** Why an order fails, in the simulated network's own words. */
export interface Failure {
  reason: string
  message: string
}

/** What a simulated customer does when asked for money, and what the network does about it. Times are sandbox time. */
export interface Behaviour {
  /** Of its own accord: pays, refuses, does nothing, or misses one prompt and pays after the next. */
  action: 'pay' | 'refuse' | 'nothing' | 'pay_second_prompt'
  /** How long after being asked. */
  delay_s: number
  refusal: Failure | null
  /** When a prompt that nobody answered lapses; null is never. */
  prompt_timeout_s: number | null
  paidAmount(asked: Amount): Amount
  /** When the network takes the money back; null is never. */
  reversed_after_s: number | null
  /** How often the business is told of one event. */
  callback_count: number
  /** How often the network's door answers 503 to a new order before it takes it. */
  failures_before_accept: number
  /** Whether the network takes a new order without ever answering. */
  never_answers: boolean
}

const defaultBehaviour: Behaviour = {
  action: 'pay',
  delay_s: 1,
  refusal: null,
  prompt_timeout_s: null,
  paidAmount: (asked) => asked,
  reversed_after_s: null,
  callback_count: 1,
  failures_before_accept: 0,
  never_answers: false,
}

/** By whole phone number, or by its last six digits whatever the country. Anybody else simply pays. */
export const behaviours: Readonly<Record<string, Partial<Behaviour>>> = {
  '+80000000001': { action: 'refuse', refusal: { reason: 'cancelled', message: 'Cancelled By User' } },
  '+80000000009': { action: 'nothing' },
  '000101': { action: 'refuse', refusal: { reason: 'insufficient_funds', message: 'Insufficient Funds' } },
  '000102': { action: 'refuse', refusal: { reason: 'wrong_pin', message: 'Wrong PIN' } },
  '000103': { delay_s: 10 },
  // No callback either: that the order was paid is only found out by asking for it.
  '000104': { never_answers: true, callback_count: 0 },
  '000105': { failures_before_accept: 2 },
  '000106': { callback_count: 3 },
  '000107': { paidAmount: wrongAmount },
  '000108': { reversed_after_s: 10 },
  '000109': { action: 'nothing', prompt_timeout_s: 300 },
  '000110': { action: 'pay_second_prompt', prompt_timeout_s: 60 },
}

/** How the customer with this phone number behaves. */
export function behaviourOf(phonenumber: string): Behaviour {
  const special = behaviours[phonenumber] ?? behaviours[phonenumber.slice(-6)]
  return special ? { ...defaultBehaviour, ...special } : defaultBehaviour
}

/** What the network does with money that is sent to a phone: it arrives, is refused, or nobody ever hears of it. */
export interface PayoutBehaviour
  extends Pick<
    Behaviour,
    'delay_s' | 'reversed_after_s' | 'callback_count' | 'failures_before_accept' | 'never_answers'
  > {
  action: 'arrive' | 'refuse' | 'nothing'
  refusal: Failure
}

/** How sending to this phone ends. The numbers mean what they mean for collecting, where that makes sense. */
export function payoutBehaviourOf(phonenumber: string): PayoutBehaviour {
  const { action: does, refusal, ...rest } = behaviourOf(phonenumber)
  if (phonenumber === UNREGISTERED_NUMBER) return { ...rest, action: 'refuse', refusal: unregisteredFailure }
  if (refusal) return { ...rest, action: 'refuse', refusal }
  return { ...rest, action: phonenumber === SILENT_NUMBER ? 'nothing' : 'arrive', refusal: unregisteredFailure }
}

const UNREGISTERED_NUMBER = '+80000000001'
const SILENT_NUMBER = '+80000000009'
const unregisteredFailure: Failure = { reason: 'payee_not_found', message: 'Phone number is not registered' }

/** What becomes of a prompt that nobody answers. */
export const promptExpiredFailure: Failure = { reason: 'prompt_expired', message: 'Prompt Expired' }

/** What becomes of an order that a person refuses on the phone simulator, or pays with a wrong PIN. */
export const cancelledFailure: Failure = { reason: 'cancelled', message: 'Cancelled By User' }
export const wrongPinFailure: Failure = { reason: 'wrong_pin', message: 'Wrong PIN' }

/** The PIN of every simulated customer. */
export const CUSTOMER_PIN = '1234'

/** The name of every simulated customer, as the network knows it. */
export const CUSTOMER_NAME = 'Sandbox Customer'

/** What the network says about who holds a number; anybody else is CUSTOMER_NAME. By whole number or last six digits. */
const accountHolders: Readonly<Record<string, { name: string | null } | 'nobody' | 'network_down'>> = {
  // Money cannot be sent to this number either.
  '+80000000001': 'nobody',
  '000401': 'nobody',
  '000402': { name: 'AKELLO, Grâce Namukasa' },
  '000403': { name: null },
  '000404': 'network_down',
}

/** Who holds a number, as the network tells those who ask. */
export function accountHolderOf(phonenumber: string): { name: string | null } | 'nobody' | 'network_down' {
  return accountHolders[phonenumber] ?? accountHolders[phonenumber.slice(-6)] ?? { name: CUSTOMER_NAME }
}

const ONE_UNIT = 10_000n

/** One unit less than asked, or one more where nothing would be left. */
function wrongAmount(asked: Amount): Amount {
  return asked > ONE_UNIT ? asked - ONE_UNIT : asked + ONE_UNIT
}

import type { FailureReason } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import type { Holder, Outcome } from './world.ts'

/** Reason for a failed order, in the simulated network's own words. */
export interface Refusal {
  reason: FailureReason
  message: string
  /** The network's own code, if a test number of a door requests it. */
  code?: string
}

/** A part of a payment that the network takes back: when, in seconds after the payment, and how much of it. */
interface ReversedPart {
  after_s: number
  percent: bigint
}

/** Behaviour of a simulated customer who is asked for money, and the network's reaction. Times are sandbox time. */
export interface Behaviour {
  /** The customer pays, refuses, does nothing, or misses one prompt and pays after the next. */
  action: 'pay' | 'refuse' | 'nothing' | 'pay_second_prompt'
  /** Seconds after the request. */
  delay_s: number
  refusal: Refusal | null
  /** Seconds until a prompt without an answer expires; null: after `UNANSWERED_S`. */
  prompt_timeout_s: number | null
  paidAmount(requested: Amount): Amount
  /** The parts of the payment that the network takes back, in order. */
  reversed_parts: readonly ReversedPart[]
  /** Seconds until the network reverses the payment or its rest; null: never. */
  reversed_after_s: number | null
  /** Callbacks for one event. */
  callback_count: number
  /** Number of 503 answers to a new order before the network accepts it. */
  failures_before_accept: number
  /** True if the network accepts a new order but never answers the call. */
  never_answers: boolean
  /** Seconds after the failure until the network reports success after all; null: never. */
  arrives_after_failure_s: number | null
}

/**
 * Seconds until the network gives up an unanswered order: an hour after a request with no other expiry expires. The
 * request then expires like a prompt without end, and status queries end.
 */
export const UNANSWERED_S = 25 * 60 * 60

const defaultBehaviour: Behaviour = {
  action: 'pay',
  delay_s: 1,
  refusal: null,
  prompt_timeout_s: null,
  paidAmount: (requested) => requested,
  reversed_parts: [],
  reversed_after_s: null,
  callback_count: 1,
  failures_before_accept: 0,
  never_answers: false,
  arrives_after_failure_s: null,
}

export const wrongPinFailure: Refusal = { reason: 'wrong_pin', message: getMessage('sandbox.wrong_pin') }

/** By whole phone number, or by its last six digits in any country. Every other customer pays. */
export const behaviours: Readonly<Record<string, Partial<Behaviour>>> = {
  '+80000000001': { action: 'refuse', refusal: { reason: 'cancelled', message: getMessage('sandbox.cancelled') } },
  '+80000000009': { action: 'nothing' },
  '000101': {
    action: 'refuse',
    refusal: { reason: 'insufficient_funds', message: getMessage('sandbox.insufficient_funds') },
  },
  '000102': { action: 'refuse', refusal: wrongPinFailure },
  '000103': { delay_s: 10 },
  // There is no callback either: only a status query shows the payment.
  '000104': { never_answers: true, callback_count: 0 },
  '000105': { failures_before_accept: 2 },
  '000106': { callback_count: 3 },
  '000107': { paidAmount: wrongAmount },
  '000108': { reversed_after_s: 10 },
  '000109': { action: 'nothing', prompt_timeout_s: 300 },
  '000110': { action: 'pay_second_prompt', prompt_timeout_s: 60 },
  '000112': { reversed_parts: [{ after_s: 10, percent: 30n }] },
  '000113': {
    reversed_parts: [
      { after_s: 10, percent: 30n },
      { after_s: 20, percent: 20n },
    ],
    reversed_after_s: 30,
  },
}

/**
 * The next reversal of a payment of which `done` parts were reversed: a part, or everything that is left (`percent` is null).
 * Null when none follows.
 */
export function nextReversal(
  { reversed_parts, reversed_after_s }: Pick<Behaviour, 'reversed_parts' | 'reversed_after_s'>,
  done: number,
): { after_s: number; percent: bigint | null } | null {
  if (reversed_parts[done]) return reversed_parts[done]
  return reversed_after_s === null ? null : { after_s: reversed_after_s, percent: null }
}

/** The behaviour of the customer with this phone number. */
export function behaviourOf(phonenumber: string): Behaviour {
  const special = behaviours[phonenumber] ?? behaviours[phonenumber.slice(-6)]
  return special ? { ...defaultBehaviour, ...special } : defaultBehaviour
}

/** Properties of an order that determine its behaviour. */
interface OrderToPhone {
  phonenumber: string
  outcome?: Outcome | null
}

/** Return the behaviour of a charge. A test number of the door wins over the phone number. */
export function chargeBehaviourOf({ phonenumber, outcome }: OrderToPhone): Behaviour {
  if (!outcome) return behaviourOf(phonenumber)
  if (outcome.ends === 'never') return { ...defaultBehaviour, action: 'nothing' }
  const delay_s = outcome.after_s ?? defaultBehaviour.delay_s
  if (outcome.ends === 'paid')
    return { ...defaultBehaviour, delay_s, reversed_after_s: outcome.reversed_after_s ?? null }
  const arrives_after_failure_s = outcome.paid_after_s ?? null
  return { ...defaultBehaviour, action: 'refuse', delay_s, refusal: refusalOf(outcome), arrives_after_failure_s }
}

function refusalOf({ reason, message, code }: Extract<Outcome, { ends: 'failed' }>): Refusal {
  return { reason, message: message ?? code ?? reason, ...(code !== undefined && { code }) }
}

/** Behaviour of the network with money sent to a phone: it arrives, is refused, or its end is never reported. */
interface PayoutBehaviour extends Omit<Behaviour, 'action' | 'refusal' | 'prompt_timeout_s' | 'paidAmount'> {
  action: 'arrive' | 'refuse' | 'nothing'
  refusal: Refusal
  /** Seconds in which the network answers 503 and does not know the order, although it carries it out. */
  unknown_for_s: number
}

/** The behaviour of a payout to this phone. The numbers have the same meaning as for collections where possible. */
function payoutBehaviourOf(phonenumber: string): PayoutBehaviour {
  const { action: _, refusal, ...rest } = behaviourOf(phonenumber)
  const common = { ...rest, refusal: unregisteredFailure, unknown_for_s: 0 }
  if (phonenumber === UNREGISTERED_NUMBER) return { ...common, action: 'refuse' }
  if (refusal) return { ...common, action: 'refuse', refusal }
  const special = payoutBehaviours[phonenumber.slice(-6)]
  return { ...common, action: phonenumber === SILENT_NUMBER ? 'nothing' : 'arrive', ...special }
}

/** Return the behaviour of a payout or refund. A test number of the door wins over the phone number. */
export function payoutBehaviourFor({ phonenumber, outcome }: OrderToPhone): PayoutBehaviour {
  if (!outcome) return payoutBehaviourOf(phonenumber)
  const { action, refusal, ...rest } = chargeBehaviourOf({ phonenumber, outcome })
  const common = { ...rest, refusal: refusal ?? unregisteredFailure, unknown_for_s: 0 }
  return { ...common, action: action === 'pay' ? 'arrive' : action === 'refuse' ? 'refuse' : 'nothing' }
}

/**
 * Behaviours that only payouts have, by the last six digits in any country. Customers with these numbers pay normally.
 */
const payoutBehaviours: Readonly<Record<string, Partial<PayoutBehaviour>>> = {
  '000111': {
    action: 'refuse',
    refusal: { reason: 'rejected', message: getMessage('sandbox.failed') },
    arrives_after_failure_s: 10,
  },
  '000114': { unknown_for_s: 10, delay_s: 11 },
}

const UNREGISTERED_NUMBER = '+80000000001'
const SILENT_NUMBER = '+80000000009'
const unregisteredFailure: Refusal = { reason: 'payee_not_found', message: getMessage('sandbox.unregistered') }

/** The failure of a prompt without an answer. */
export const promptExpiredFailure: Refusal = { reason: 'prompt_expired', message: getMessage('sandbox.expired') }

/** The failures of an order that a person refuses on the phone simulator, or pays with a wrong PIN. */
export const cancelledFailure: Refusal = { reason: 'cancelled', message: getMessage('sandbox.cancelled') }

/** The PIN of every simulated customer. */
export const CUSTOMER_PIN = '1234'

/** The name of every simulated customer at the network. */
export const CUSTOMER_NAME = 'Sandbox Customer'

/** The account holders that the network reports, by whole number or last six digits. All others are CUSTOMER_NAME. */
const accountHolders: Readonly<Record<string, Holder>> = {
  // A payout to this number fails too.
  '+80000000001': 'not_registered',
  '000401': 'not_registered',
  '000402': { name: 'AKELLO, Grâce Namukasa' },
  '000403': { name: null },
  '000404': 'network_down',
}

/** The account holder of a number, as the network reports it. */
export function accountHolderOf(phonenumber: string): Holder {
  return accountHolders[phonenumber] ?? accountHolders[phonenumber.slice(-6)] ?? { name: CUSTOMER_NAME }
}

const ONE_UNIT = 10_000n

/** Return one unit less than requested, or one more if nothing would be left. */
function wrongAmount(requested: Amount): Amount {
  return requested > ONE_UNIT ? requested - ONE_UNIT : requested + ONE_UNIT
}

/** Common test numbers of all doors, for people. `…` stands for any country code and prefix. */
export const numbersOfAllDoors: readonly { number: string; effect: string }[] = [
  { number: '+80000000001', effect: 'the customer refuses; has no mobile money, so money for it fails' },
  {
    number: '+80000000009',
    effect: 'the customer does nothing, and the prompt ends after 25 hours; money for it stays open',
  },
  { number: '…000101', effect: 'fails: insufficient funds' },
  { number: '…000102', effect: 'fails: wrong PIN' },
  { number: '…000103', effect: 'ends after 10 seconds' },
  { number: '…000104', effect: 'the network takes the order, never answers the call, and sends no callback' },
  { number: '…000105', effect: 'the network is down for the first two calls' },
  { number: '…000106', effect: 'each callback comes three times' },
  { number: '…000107', effect: 'the customer pays another amount' },
  { number: '…000108', effect: 'the money is taken back after 10 seconds' },
  { number: '…000109', effect: 'the prompt waits for you; it expires after 5 minutes, or as the network says' },
  { number: '…000110', effect: 'the customer misses the first prompt, and pays at the second' },
  { number: '…000111', effect: 'money for it fails, and arrives after all 10 seconds later' },
  { number: '…000112', effect: '30 % of the money is taken back after 10 seconds' },
  { number: '…000113', effect: 'the money is taken back in three steps: after 10, 20 and 30 seconds' },
  { number: '…000114', effect: 'money for it: for 10 seconds the network says that it does not know the order' },
  { number: '…000401', effect: 'has no mobile money' },
  { number: '…000402', effect: 'belongs to AKELLO, Grâce Namukasa' },
  { number: '…000403', effect: 'the network does not disclose the name of the holder' },
  { number: '…000404', effect: 'the network is down for questions about the holder' },
]

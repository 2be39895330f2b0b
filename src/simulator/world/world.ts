import type { FailureReason } from '../../lib/adapter-types.ts'
import type { Amount } from '../../lib/money.ts'
import type { CustomerSms, NewSms, ReceivedSms, SimulatedSms, SmsFilter } from './sms-records.ts'

/*
 * The simulated world: customers with phones and PINs, and the money that moves between them and the business. Networks are
 * doors to it. A door speaks HTTP as its network does, and uses `World` for everything that happens.
 */

/** The two clocks of the simulator: sandbox time and real time. */
export interface Clocks {
  now(): Date
  real(): Date
}

/**
 * How an order ends, where a documented test number of a door decides it. Otherwise the phone number decides, with the same
 * numbers at every door (`behaviours.ts`). Times are seconds; 1 unless given.
 */
export type Outcome =
  | { ends: 'paid'; after_s?: number; reversed_after_s?: number }
  | {
      ends: 'failed'
      reason: FailureReason
      message?: string
      /** The network's own code, which the door finds in `failure.code` again. */
      code?: string
      after_s?: number
      /** The network reports success after all, so many seconds after the failure. */
      paid_after_s?: number
    }
  | { ends: 'never' }

/** What a door may say about any order. */
interface NewOrder {
  /**
   * The door's name of the order, unique at this door. The same key is the same order. It is the reference of the business, or
   * an id that the door has just made, where the network has no idempotency.
   */
  key: string
  /** The reference of the business, where it is not the key. */
  reference?: string
  /** The network's own id of the order; made by the world unless given. */
  remote_id?: string
  /** E.164. */
  phonenumber: string
  amount: Amount
  currency: string
  /** What the person reads. */
  reason: string
  /** Where the business wants the callback, if the call said so. */
  callback_url?: string
  /** What the door needs to know about the order later. It can be stored as JSON. */
  details?: Details
  outcome?: Outcome
}

/** A JSON object of the door. */
export type Details = Record<string, unknown>

/** A request for money to a customer's phone. */
export interface NewCharge extends NewOrder {
  /** The till or short code that the money goes to. */
  receiver: string
  /** False: the network only expects the money, and no phone shows a prompt. */
  prompt?: boolean
  /** When a prompt without an answer expires, in seconds; as the phone number says unless given. */
  prompt_s?: number
}

/** Money or airtime for a phone. */
export interface NewPayout extends NewOrder {
  kind?: 'money' | 'airtime'
  /** The till or short code that the money comes from. */
  sender: string
}

/** The return of money that a customer has paid. */
export interface NewRefund extends Omit<NewOrder, 'phonenumber' | 'currency' | 'amount'> {
  /** The network's id of the payment. */
  payment: string
  /** All that is left of the payment unless given. */
  amount?: Amount
  currency?: string
}

/**
 * What became of a call that places an order. `first`: the key is new. `answers`: false where the network takes the order and
 * never answers the call. `not_accepted`: the network is down for this phone, and does not know the order. `conflict`: the key
 * belongs to an order with other details.
 */
export type Placed<Order> =
  | { outcome: 'accepted'; first: boolean; answers: boolean; order: Order }
  | { outcome: 'not_accepted' }
  | { outcome: 'conflict'; order: Order }

/** Why a refund is not possible at all. */
export type RefundRefusal = 'payment_not_found' | 'payment_reversed' | 'amount_too_large' | 'wrong_currency'

export interface Failure {
  reason: FailureReason
  message: string
  code: string | null
}

/** A part of money that the network has taken back. */
export interface Reversal {
  remote_id: string
  amount: Amount
  at: Date
}

/** Money that a customer has paid, for an order or unrequested. */
export interface Payment {
  remote_id: string
  door: string
  /** `reversed`: everything that was left was taken back. */
  status: 'successful' | 'reversed'
  receiver: string
  phonenumber: string
  /** What was paid, before any reversal. */
  amount: Amount
  currency: string
  /** The key of the charge; null for unrequested money. */
  order: string | null
  /** What the customer typed. */
  reference: string | null
  /** The customer's name. */
  name: string
  reversals: readonly Reversal[]
  /** How much of it refunds give back, those included that have not ended. */
  refunded: Amount
  details: Details
  paid_at: Date
}

interface PlacedOrder {
  door: string
  key: string
  /** The reference of the business; the key where it is the same. */
  reference: string
  remote_id: string
  phonenumber: string
  amount: Amount
  currency: string
  reason: string
  failure: Failure | null
  callback_url: string | null
  details: Details
  created: Date
}

export interface Charge extends PlacedOrder {
  receiver: string
  prompt: boolean
  state: 'pending' | 'paid' | 'failed'
  payment: Payment | null
}

export interface Payout extends PlacedOrder {
  kind: 'money' | 'airtime' | 'refund'
  sender: string
  /** `taken_back`: it had arrived, and everything came back. */
  state: 'pending' | 'paid' | 'failed' | 'taken_back'
  /** The network's id of the money; null until it has arrived. */
  transaction: string | null
  /** The payment that a refund gives back. */
  refund_of: string | null
  reversals: readonly Reversal[]
  paid_at: Date | null
}

/** How an order is named. `transaction` is the id of its money. */
export type OrderName = { key: string } | { reference: string } | { remote_id: string } | { transaction: string }

/** Something that a network may report. */
export type Change =
  | { event: 'charge.paid'; charge: Charge; payment: Payment }
  | { event: 'charge.failed'; charge: Charge }
  /** An unsolicited payment. */
  | { event: 'payment.received'; payment: Payment }
  /** A part of a payment, or everything, was taken back. */
  | { event: 'payment.reversed'; payment: Payment; charge: Charge | null }
  /** A payout or a refund (`kind`) has arrived or failed. */
  | { event: 'payout.ended'; payout: Payout }
  /** A part of what had arrived, or everything, was taken back. */
  | { event: 'payout.reversed'; payout: Payout }

/** An HTTP request from the network to the business. */
export interface CallbackRequest {
  /** Null: the address that the business has given to the simulator, which only the sandbox's own door knows. */
  url: string | null
  /** POST unless given. */
  method?: 'GET' | 'POST' | 'PUT'
  /** `content-type: application/json` unless given. */
  headers?: Record<string, string>
  /** The exact text. */
  body: string
  /** How many seconds later it is sent. */
  after_s?: number
  /** How often it is sent at most, with growing waits, while the answer is not 2xx. 1 unless given; null: for ever. */
  max_attempts?: number | null
}

/** The values of a door's switches. */
export type SwitchValues = Readonly<Record<string, string | number | boolean>>

/** What a door knows while it writes callbacks and ids: it cannot read tables there. */
export interface DoorState {
  /** The time as this network tells it. */
  now: Date
  switches: SwitchValues
  /** What the door has remembered (`World.remember`), by name. */
  memory: Readonly<Record<string, unknown>>
  /** The callback must not be genuine: a signature must be wrong. */
  forged: boolean
}

/** The answer of the business to a validation request; null: no readable answer in time. */
export type ValidationReply = { status: number; text: string } | null

/** Unrequested money for which the business is asked first. */
export interface OfferedPayment {
  remote_id: string
  door: string
  receiver: string
  phonenumber: string
  amount: Amount
  currency: string
  reference: string | null
  details: Details
}

/** What the world asks a door. */
export interface DoorHooks {
  code: string
  /** Whether callbacks and validation need switches or memory. Others save a query. */
  has_state: boolean
  /** The values of switches that nobody has set. */
  default_switches: SwitchValues
  /** Makes the id of money, which the customer reads in an SMS. Every id is new. */
  transactionId?(kind: 'payment' | 'payout' | 'refund' | 'reversal', now: Date): string
  /** The callbacks about a change; none where this network does not report it. */
  callbacks(change: Change, state: DoorState): CallbackRequest[]
  /** Completes a stored callback just before it is sent. `now` is the time as this network tells it. */
  completeCallback?(callback: CallbackRequest, now: Date): CallbackRequest
  /** Asks the business before unrequested money is taken; null: it is not asked. */
  validationRequest?(payment: OfferedPayment, state: DoorState): (CallbackRequest & { timeout_s: number }) | null
  /** What the answer means. A door with `validationRequest` has this too. */
  readVerdict?(reply: ValidationReply, payment: OfferedPayment, state: DoorState): 'accept' | 'reject'
  /** The requests by which an SMS provider hands over an SMS that a customer has sent to the business. */
  incomingSms?(sms: CustomerSms, state: DoorState): CallbackRequest[]
  /** Whether the provider keeps SMS of customers, so that they can be fetched (`World.inbox`). */
  keeps_sms?: boolean
}

/** The doors of a world, by their codes. */
export type Doors = ReadonlyMap<string, DoorHooks>

/** A line of a network's statement. Money that left the business has an amount below zero. */
export interface StatementEntry {
  door: string
  remote_id: string
  status: 'successful' | 'reversed'
  receiver: string
  phonenumber: string
  amount: Amount
  currency: string
  /** The key of the order that the money answers. */
  order_reference: string | null
  /** What the customer typed. */
  reference: string | null
  name: string | null
  /** The id of the payment or payout of which this takes back a part. */
  reversal_of: string | null
  paid_at: Date
}

/** Which lines of the statement are wanted; all of them unless limited. `from` is included, `to` is not. */
export interface StatementFilter {
  door?: string
  /** Our till or short code. */
  number?: string
  from?: Date
  to?: Date
}

/** The holder of a phone's account. `name` is null where the network does not disclose it. */
export type Holder = { name: string | null } | 'not_registered' | 'network_down'

export interface UnrequestedPayment {
  phonenumber: string
  amount: Amount
  currency: string
  receiver: string
  /** What the customer types. */
  reference?: string
  details?: Details
  /** False: the network takes the money without asking the business. */
  needs_validation?: boolean
}

/** The world as one door uses it. Every key, number and id is one of this door. */
export interface World {
  /** The time as this network tells it: sandbox time, with the clock skew of a test. */
  now(): Date
  /** Real time, for how long tokens are valid. The clock skew counts here too. */
  real(): Date
  placeCharge(charge: NewCharge): Promise<Placed<Charge>>
  findCharge(name: OrderName): Promise<Charge | undefined>
  placePayout(payout: NewPayout): Promise<Placed<Payout>>
  findPayout(name: OrderName): Promise<Payout | undefined>
  /** Lets a payout fail that has not arrived. @returns false where it is over already, or unknown */
  failPayout(key: string, failure: { reason: FailureReason; message: string; code?: string }): Promise<boolean>
  placeRefund(refund: NewRefund): Promise<Placed<Payout> | { outcome: 'impossible'; reason: RefundRefusal }>
  findRefund(name: OrderName): Promise<Payout | undefined>
  /** A payment of a customer, by the id of the money. */
  findPayment(remote_id: string): Promise<Payment | undefined>
  /** The charges that wait on a phone, oldest first. */
  openPrompts(phonenumber: string): Promise<Charge[]>
  holder(phonenumber: string): Holder
  /** The money under a till or short code. Every number starts with OPENING_BALANCE. */
  balance(number: string, currency: string): Promise<Amount>
  /** Lines in chunks, oldest first. */
  statement(filter: Omit<StatementFilter, 'door'>): AsyncGenerator<StatementEntry[]>
  /** A customer pays without being asked. Returns the id that the money will have. @throws NotPossible */
  pay(payment: UnrequestedPayment): Promise<{ remote_id: string }>
  /**
   * Takes an SMS for a phone, and plans the reports about its end. The phone shows it when it is delivered.
   * @param reportsOf the requests by which the provider reports the end; where `forged`, what makes them genuine must be wrong
   */
  takeSms(sms: NewSms, reportsOf: (sms: SimulatedSms, forged: boolean) => CallbackRequest[]): Promise<SimulatedSms>
  /** An SMS of this door, by the provider's id. */
  findSms(remote_id: string): Promise<SimulatedSms | undefined>
  /** The SMS of this door, newest first. */
  listSms(filter: Omit<SmsFilter, 'door'>): Promise<SimulatedSms[]>
  /** The SMS of customers that this provider keeps, oldest first, after the one with an id; 0 for all. */
  inbox(after: number, limit: number): Promise<ReceivedSms[]>
  /** Sends a callback that no change causes, such as the answer to a status question. */
  sendCallback(callback: CallbackRequest): Promise<void>
  /** The switches, as a person or test has set them. */
  switches(): Promise<SwitchValues>
  /** Keeps a value of the network, such as a registered address. Undefined forgets it. */
  remember(name: string, value: unknown): Promise<void>
  recall(name: string): Promise<unknown>
  /** The values under all names that begin with a text, by their names. */
  recallAll(prefix: string): Promise<unknown[]>
  /**
   * Makes an access token that is valid for so many seconds. `ends_earlier`: earlier tokens of the owner end now.
   * @param owner for whom it is, such as a product; `ownerOfToken` returns it
   */
  issueToken(owner: string, valid_s: number, options?: { token?: string; ends_earlier?: boolean }): Promise<string>
  /** For whom a token is; undefined when it is unknown or has expired. */
  ownerOfToken(token: string): Promise<string | undefined>
}

/** The simulated phone cannot do this now, for example because no prompt waits on it. */
export class NotPossible extends Error {
  override name = 'NotPossible'
}

/** What every number of the business has before anything moves: ten million units. */
export const OPENING_BALANCE: Amount = 100_000_000_000n

/** What may go wrong with the next callback of a door. */
export const callbackTroubles = [
  'never',
  'twice',
  'late',
  'out_of_order',
  'forged',
  'other_amount',
  'other_currency',
  'other_receiver',
  'other_order',
  'put',
  'post',
] as const

export interface CallbackTrouble {
  kind: (typeof callbackTroubles)[number]
  /** For `late`: how many seconds. */
  seconds: number
}

/** What tests and people have asked to go wrong, in this process. */
export interface Troubles {
  /** Takes the trouble of the next callback of this door, if there is one. */
  takeForCallback(door: string): CallbackTrouble | undefined
  /** By how many seconds the clock of this network is ahead. */
  clockSkew(door: string): number
}

/** What the parts of the world work with. */
export interface WorldContext extends Clocks {
  doors: Doors
  troubles: Troubles
}

import type { FailureReason } from '../../lib/adapter-types.ts'
import type { Amount } from '../../lib/money.ts'
import type { CustomerSms, NewSms, ReceivedSms, SimulatedSms, SmsFilter } from './sms-records.ts'

/*
 * The simulated world: customers with phones and PINs, and the money between them and the business. Networks are doors
 * to it. A door speaks HTTP as its network does, and uses `World` for everything that happens.
 */

/** The two clocks of the simulator: sandbox time and real time. */
export interface Clocks {
  now(): Date
  real(): Date
}

/**
 * End of an order that a documented test number of a door decides. Otherwise the phone number decides, alike at every
 * door (`behaviours.ts`). Times are seconds. Default: 1.
 */
export type Outcome =
  | { ends: 'paid'; after_s?: number; reversed_after_s?: number }
  | {
      ends: 'failed'
      reason: FailureReason
      message?: string
      /** The network's own code, which the door reads back from `failure.code`. */
      code?: string
      after_s?: number
      /** The network reports success after all, so many seconds after the failure. */
      paid_after_s?: number
    }
  | { ends: 'never' }

/** Properties that a door may give any order. */
interface NewOrder {
  /**
   * Key of the order, unique at this door. The same key is the same order. It is the reference of the business, or a
   * new id if the network has no idempotency.
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
  /** Text that the person reads. */
  reason: string
  /** Callback address, if the call gave one. */
  callback_url?: string
  /** Data that the door needs later. It can be stored as JSON. */
  details?: Details
  outcome?: Outcome
}

/** JSON object of the door. */
export type Details = Record<string, unknown>

/** A request for money to a customer's phone. */
export interface NewCharge extends NewOrder {
  /** The till or short code that the money goes to. */
  receiver: string
  /** False: the network only expects the money, and no phone shows a prompt. */
  prompt?: boolean
  /** Seconds until a prompt without an answer expires. Default: as the phone number says. */
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
  /** Amount to refund. Default: the rest of the payment. */
  amount?: Amount
  currency?: string
}

/**
 * Result of placing an order. `first`: the key is new. `answers`: false if the network takes the order and never
 * answers the call. `not_accepted`: the network is down for this phone, and does not know the order. `conflict`: the
 * key belongs to a different order.
 */
export type Placed<Order> =
  | { outcome: 'accepted'; first: boolean; answers: boolean; order: Order }
  | { outcome: 'not_accepted' }
  | { outcome: 'conflict'; order: Order }

/** Reason why a refund is impossible. */
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
  /** Paid amount, before any reversal. */
  amount: Amount
  currency: string
  /** The key of the charge; null for unrequested money. */
  order: string | null
  /** Text that the customer typed. */
  reference: string | null
  /** The customer's name. */
  name: string
  reversals: readonly Reversal[]
  /** Sum of its refunds, including open ones. */
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

/** Name of an order. `transaction` is the id of its money. */
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
  /** The network took back a part of the arrived money, or all of it. */
  | { event: 'payout.reversed'; payout: Payout }

/** An HTTP request from the network to the business. */
export interface CallbackRequest {
  /** Callback URL. Null: the address that the business gave the simulator, which only the sandbox's own door knows. */
  url: string | null
  /** POST unless given. */
  method?: 'GET' | 'POST' | 'PUT'
  /** `content-type: application/json` unless given. */
  headers?: Record<string, string>
  /** The exact text. */
  body: string
  /** Seconds until it is sent. */
  after_s?: number
  /** Maximum attempts, with growing waits, until a 2xx answer. Default: 1; null: unlimited. */
  max_attempts?: number | null
}

/** Values of a door's switches. */
export type SwitchValues = Readonly<Record<string, string | number | boolean>>

/** State that a door may use while it writes callbacks and ids: it cannot read tables there. */
export interface DoorState {
  /** Time of this network's clock. */
  now: Date
  switches: SwitchValues
  /** Values that the door remembers (`World.remember`), by name. */
  memory: Readonly<Record<string, unknown>>
  /** The callback must not be genuine: a signature must be wrong. */
  forged: boolean
}

/** The answer of the business to a validation request; null: no readable answer in time. */
export type ValidationReply = { status: number; text: string } | null

/** Unrequested money that the business validates first. */
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

/** Hooks through which the world asks a door. */
export interface DoorHooks {
  code: string
  /** True if callbacks and validation need switches or memory. Other doors save a query. */
  has_state: boolean
  default_switches: SwitchValues
  /** Make the id of money, which the customer reads in an SMS. Every id is new. */
  transactionId?(kind: 'payment' | 'payout' | 'refund' | 'reversal', now: Date): string
  /** The callbacks about a change; none if this network does not report it. */
  callbacks(change: Change, state: DoorState): CallbackRequest[]
  /** Complete a stored callback just before it is sent. `now` is the time of this network's clock. */
  completeCallback?(callback: CallbackRequest, now: Date): CallbackRequest
  /** Ask the business before unrequested money is taken; null: it is not asked. */
  validationRequest?(payment: OfferedPayment, state: DoorState): (CallbackRequest & { timeout_s: number }) | null
  /** Interpret the answer. Required beside `validationRequest`. */
  readVerdict?(reply: ValidationReply, payment: OfferedPayment, state: DoorState): 'accept' | 'reject'
  /** The requests by which an SMS provider hands over an SMS that a customer has sent to the business. */
  incomingSms?(sms: CustomerSms, state: DoorState): CallbackRequest[]
  /** True if the provider keeps inbound SMS for fetching (`World.inbox`). */
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
  /** Text that the customer typed. */
  reference: string | null
  name: string | null
  /** The id of the payment or payout of which this takes back a part. */
  reversal_of: string | null
  paid_at: Date
}

/** Filter for statement lines. Default: all. `from` is included, `to` is not. */
export interface StatementFilter {
  door?: string
  /** Our till or short code. */
  number?: string
  from?: Date
  to?: Date
}

/** The holder of a phone's account. `name` is null if the network does not disclose it. */
export type Holder = { name: string | null } | 'not_registered' | 'network_down'

export interface UnrequestedPayment {
  phonenumber: string
  amount: Amount
  currency: string
  receiver: string
  /** Text that the customer types. */
  reference?: string
  details?: Details
  /** False: the network takes the money without asking the business. */
  needs_validation?: boolean
}

/** World of one door. Every key, number and id belongs to this door. */
export interface World {
  /** Return the time of this network's clock: sandbox time with the clock skew of a test. */
  now(): Date
  /** Real time, for how long tokens are valid. The clock skew counts here too. */
  real(): Date
  placeCharge(charge: NewCharge): Promise<Placed<Charge>>
  findCharge(name: OrderName): Promise<Charge | undefined>
  placePayout(payout: NewPayout): Promise<Placed<Payout>>
  findPayout(name: OrderName): Promise<Payout | undefined>
  /** Let a payout fail that has not arrived. @returns false where it is over already, or unknown */
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
   * Take an SMS for a phone, and plan the reports about its end. The phone shows it on delivery.
   * @param reportsOf makes the requests that report the end; if `forged`, their authentication must be wrong
   */
  takeSms(sms: NewSms, reportsOf: (sms: SimulatedSms, forged: boolean) => CallbackRequest[]): Promise<SimulatedSms>
  /** Find an SMS of this door by the provider's id. */
  findSms(remote_id: string): Promise<SimulatedSms | undefined>
  /** List the SMS of this door, newest first. */
  listSms(filter: Omit<SmsFilter, 'door'>): Promise<SimulatedSms[]>
  /** The SMS of customers that this provider keeps, oldest first, after the one with an id; 0 for all. */
  inbox(after: number, limit: number): Promise<ReceivedSms[]>
  /** Send a callback that no change causes, such as the answer to a status query. */
  sendCallback(callback: CallbackRequest): Promise<void>
  /** The switches, as a person or test has set them. */
  switches(): Promise<SwitchValues>
  /** Keep a value of the network, such as a registered address. Undefined forgets it. */
  remember(name: string, value: unknown): Promise<void>
  recall(name: string): Promise<unknown>
  /** The values under all names that begin with a text, by their names. */
  recallAll(prefix: string): Promise<unknown[]>
  /**
   * Make an access token that is valid for so many seconds. `ends_earlier`: earlier tokens of the owner end now.
   * @param owner for whom it is, such as a product; `ownerOfToken` returns it
   */
  issueToken(owner: string, valid_s: number, options?: { token?: string; ends_earlier?: boolean }): Promise<string>
  /** Return the owner of a token; undefined if it is unknown or has expired. */
  ownerOfToken(token: string): Promise<string | undefined>
}

/** The simulated phone cannot do this now, for example because no prompt waits on it. */
export class NotPossible extends Error {
  override name = 'NotPossible'
}

/** Opening balance of every business number: ten million units. */
export const OPENING_BALANCE: Amount = 100_000_000_000n

/** Faults that may hit the next callback of a door. */
export const callbackFaults = [
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

export interface CallbackFault {
  kind: (typeof callbackFaults)[number]
  /** Seconds of delay, for `late`. */
  seconds: number
}

/** Faults that tests and people have requested in this process. */
export interface Faults {
  /** Take the fault for the next callback of this door, if there is one. */
  takeForCallback(door: string): CallbackFault | undefined
  /** By how many seconds the clock of this network is ahead. */
  clockSkew(door: string): number
}

/** Context of the parts of the world. */
export interface WorldContext extends Clocks {
  doors: Doors
  faults: Faults
}

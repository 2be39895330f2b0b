import type { Amount } from '../lib/money.ts'

/** Why a network refused or gave up. A closed list, so that nobody ever parses a message. */
export const failureReasons = [
  'cancelled',
  'wrong_pin',
  'insufficient_funds',
  'limit_reached',
  'payer_not_found',
  'payee_not_found',
  'not_allowed',
  'prompt_expired',
  'unreachable',
  'rejected',
] as const
export type FailureReason = (typeof failureReasons)[number]

/** The failures after which the same customer may be prompted again: nobody said no. */
export const retryableReasons: ReadonlySet<FailureReason> = new Set(['prompt_expired', 'unreachable'])

/**
 * What the network said about an order. `unknown` is never `failed`: the money may still move. `name` and `paid_at` are the
 * customer's name and the moment of the payment, from networks that say them.
 */
export type OrderAnswer =
  | { outcome: 'accepted'; remote_id: string }
  | { outcome: 'successful'; remote_id: string; amount: Amount; name?: string; paid_at?: Date }
  | { outcome: 'failed'; reason: FailureReason; message: string }
  | { outcome: 'unknown'; message: string }

/** An order as the network knows it; `not_found` means that it certainly never arrived. */
export type OrderCheck = OrderAnswer | { outcome: 'not_found' }

/** What the network said about a payout. `reversed`: it had arrived, and the network has taken it back to give it to us. */
export type PayoutAnswer = OrderAnswer | { outcome: 'reversed'; message: string }
export type PayoutCheck = PayoutAnswer | { outcome: 'not_found' }

/** An answer that also says, for a failure, whether the same customer may be prompted again. */
export function addRetryable(answer: OrderCheck) {
  return answer.outcome === 'failed' ? { ...answer, retryable: retryableReasons.has(answer.reason) } : answer
}

/** Money asked of one phone. `reference` makes it idempotent: the same reference is the same order. */
export interface Order {
  reference: string
  /** The till or short code of ours that the money goes to. */
  receiver: string
  phonenumber: string
  amount: Amount
  currency: string
  /** What the customer reads on the prompt. */
  reason: string
  /** What the network called the order when it accepted it, once known. */
  remote_id: string | null
}

/** Money or airtime sent to one phone. `reference` makes it idempotent, as for an order. */
export interface Payout {
  reference: string
  kind: 'money' | 'airtime'
  /** The till or short code of ours that it comes from. */
  sender: string
  phonenumber: string
  amount: Amount
  currency: string
  /** What the recipient reads. */
  reason: string
  /** What the network called the payout when it accepted it, once known. */
  remote_id: string | null
}

/** Decimals that an amount may have, and the least and most that one order or payout may carry. */
export interface Limits {
  decimals: number
  min: Amount
  max: Amount
}

/** Money that the network says has reached one of our receivers (or has been taken back again). */
export interface NetworkTransaction {
  remote_id: string
  status: 'successful' | 'reversed'
  receiver: string
  phonenumber: string
  amount: Amount
  currency: string
  /** Our own order's reference, when the money answers an order. */
  order_reference: string | null
  /** What the customer typed as the reference, if anything. */
  reference: string | null
  name: string | null
  paid_at: Date
}

export type TransactionLookup =
  | { outcome: 'found'; receipt: NetworkTransaction }
  | { outcome: 'not_found' }
  | { outcome: 'unknown'; message: string }

/** Who holds a number's mobile-money account; `name` is null where the network keeps it to itself. */
export type AccountHolderLookup =
  | { outcome: 'found'; name: string | null }
  | { outcome: 'not_found' }
  | { outcome: 'unknown'; message: string }

/** A request that came in at our callback door, exactly as it was sent. */
export interface RawCallback {
  headers: Record<string, string>
  body: string
}

/** Money that a customer wants to send unasked, and that the network takes for us unless we refuse it. */
export interface ValidationRequest {
  /** The network's own id of the money, under which it will report it. */
  remote_id: string
  receiver: string
  phonenumber: string
  amount: Amount
  currency: string
  /** What the customer typed as the reference, if anything. */
  reference: string | null
}

/**
 * What a callback is about; an order may be a payout too, which its reference tells. `verified` is true only when the
 * network's signature over the raw body held; everything else is a knock, and what is believed is what `checkOrder`,
 * `checkPayout` or `findTransaction` reads back.
 */
export type ParsedCallback =
  | { subject: 'order'; order_reference: string; verified: boolean; answer: PayoutAnswer }
  | { subject: 'transaction'; remote_id: string; verified: boolean; receipt: NetworkTransaction | null }
  | { subject: 'nothing'; message: string }

/**
 * A mobile-money network. Stateless, no database; every verb is optional and idempotent by `order.reference`. Verbs do
 * not throw for what the outside does: a time-out, a refusal and a 5xx are answers.
 */
export interface Network {
  /** Short code used in SQL, settings and the callback path: `/api/callbacks/<code>`. */
  code: string
  name: string
  /** Decimals that an amount may have here, and the least and most that one order may carry. */
  limits: Limits
  /** Whether this network can ask this phone (E.164) for this currency. */
  serves(phonenumber: string, currency: string): boolean
  /** The countries (ISO 3166-1, two letters) that it works in, and what its phone numbers (E.164) look like there. */
  countries?: readonly { iso: string; phone_regex: string }[]
  /** The answer body and type that the network expects from our callback door. */
  callbackReply: { content_type: string; body: string }
  /** The SMS that tells customers how to pay here, with `{amount}`, `{organization}`, `{reason}` and `{receiver}`. */
  instructions?: string
  /** Prompts the customer to pay. */
  requestMoney?(order: Order): Promise<OrderAnswer>
  /** Tells the network to expect a payment without prompting anybody. */
  registerExpectedPayment?(order: Order): Promise<OrderAnswer>
  checkOrder?(order: Order): Promise<OrderCheck>
  /** What one payout may carry in this currency, where that differs from `limits`. */
  payoutLimits?(currency: string): Limits
  /**
   * Sends money or airtime. A network that has this verb has `checkPayout` too: what was sent and not answered is asked
   * about, and sent again under the same reference only when it is `not_found`. `failed` says for certain that nothing
   * was sent, nor ever will be, under this reference.
   */
  sendMoney?(payout: Payout): Promise<PayoutAnswer>
  checkPayout?(payout: Payout): Promise<PayoutCheck>
  findTransaction?(remote_id: string): Promise<TransactionLookup>
  /** Looks up the account of a phone (E.164). `not_found` means that it certainly has no mobile money here. */
  lookUpAccountHolder?(phonenumber: string): Promise<AccountHolderLookup>
  readCallback?(callback: RawCallback): ParsedCallback
  /**
   * Reads the question of a network that asks before it takes unasked money, at `/api/callbacks/<code>/validation`.
   * Undefined when it is no such question, or lacks the signature that this network gives.
   */
  readValidationRequest?(callback: RawCallback): ValidationRequest | undefined
  /** What this network is told about an offer; a network that has `readOffer` has this too. */
  answerValidationRequest?(verdict: 'accept' | 'reject', reason: string | null): { content_type: string; body: string }
}

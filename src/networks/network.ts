import type {
  AccountHolderLookup,
  FailureReason,
  Limits,
  NetworkTransaction,
  Order,
  OrderAnswer,
  OrderCheck,
  Payout,
  PayoutAnswer,
  PayoutCheck,
  UnknownOutcome,
} from '../lib/adapter-types.ts'
import type { Amount } from '../lib/money.ts'
import { toStorableText } from '../lib/storable-text.ts'

export {
  type AccountHolderLookup,
  type FailureReason,
  failureReasons,
  type Limits,
  type NetworkTransaction,
  type Order,
  type OrderAnswer,
  type OrderCheck,
  type PartialReversal,
  type Payout,
  type PayoutAnswer,
  type PayoutCheck,
} from '../lib/adapter-types.ts'

/** The failures after which the same customer may get another prompt: the customer did not refuse. */
export const retryableReasons: ReadonlySet<FailureReason> = new Set(['prompt_expired', 'unreachable'])

/** Adds to a failure whether the same customer may get another prompt. Other answers stay as they are. */
export function addRetryable(answer: OrderCheck) {
  return answer.outcome === 'failed' ? { ...answer, retryable: retryableReasons.has(answer.reason) } : answer
}

export type TransactionLookup =
  | { outcome: 'found'; receipt: NetworkTransaction }
  | { outcome: 'not_found' }
  | UnknownOutcome

/** A request to our callback address. */
export interface RawCallback {
  headers: Record<string, string>
  /** The text, in which U+FFFD replaces null characters and what is not UTF-8. */
  body: string
  /** The bytes as they were sent, where they are not exactly `body` in UTF-8. Signatures are checked on `signedBytes`. */
  bytes?: Uint8Array | null
}

/** Makes a callback of the bytes that were sent. Nothing of them is lost. */
export function toRawCallback(headers: Record<string, string>, sent: Uint8Array): RawCallback {
  const bytes = Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength)
  const body = toStorableText(bytes.toString('utf8'))
  return Buffer.from(body).equals(bytes) ? { headers, body } : { headers, body, bytes }
}

/** The bytes of a callback as they were sent: what its network has signed. */
export function signedBytes({ body, bytes }: RawCallback): Uint8Array {
  return bytes ?? Buffer.from(body)
}

/** The years in which a payment can have been made, and that PostgreSQL and the interface can show. */
const PAYMENT_YEARS = { first: 1970, last: 9999 }

/**
 * A reported transaction whose texts can be stored. A date that cannot be one of a payment becomes `received`, so that
 * the money is not lost because of it.
 */
export function toStorableTransaction(transaction: NetworkTransaction, received: Date): NetworkTransaction {
  const year = transaction.paid_at.getUTCFullYear()
  const is_possible = year >= PAYMENT_YEARS.first && year <= PAYMENT_YEARS.last
  const optional = (text: string | null) => (text === null ? null : toStorableText(text))
  return {
    ...transaction,
    remote_id: toStorableText(transaction.remote_id),
    receiver: toStorableText(transaction.receiver),
    phonenumber: toStorableText(transaction.phonenumber),
    currency: toStorableText(transaction.currency),
    order_reference: optional(transaction.order_reference),
    reference: optional(transaction.reference),
    name: optional(transaction.name),
    paid_at: is_possible ? transaction.paid_at : received,
  }
}

/** An unrequested payment that a network asks us about before it takes the money. */
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
 * The content of a callback. An `order` may be a payout too: its reference shows which. `verified` is true only when
 * the network's signature over the bytes is right, also where the content is not recognized: such a callback is kept for
 * a person. An unverified callback only starts `checkOrder`, `checkPayout` or `findTransaction`, and their answers count.
 */
export type ParsedCallback =
  | { subject: 'order'; order_reference: string; verified: boolean; answer: PayoutAnswer }
  | { subject: 'transaction'; remote_id: string; verified: boolean; receipt: NetworkTransaction | null }
  | { subject: 'unrecognized'; message: string; verified?: boolean }

/**
 * A mobile-money network. It is stateless and has no database. Every method is optional and idempotent by
 * `order.reference`. Methods do not throw for what happens outside: a time-out, a refusal and a 5xx are answers.
 */
export interface Network {
  /** Short code used in SQL, settings and the callback path: `/api/callbacks/<code>`. */
  code: string
  name: string
  /** The limits of one order here. */
  limits: Limits
  /** Whether this network can collect this currency from this phone (E.164). */
  serves(phonenumber: string, currency: string): boolean
  /** The countries (ISO 3166-1, two letters) of this network, and the form of its phone numbers (E.164) there. */
  countries?: readonly { iso: string; phone_regex: string }[]
  /** The body and type that this network expects as our answer to a callback. */
  callbackReply: { content_type: string; body: string }
  /** The SMS with payment instructions, with `{amount}`, `{organization}`, `{reason}` and `{receiver}`. */
  instructions?: string
  /** Prompts the customer to pay. */
  requestMoney?(order: Order): Promise<OrderAnswer>
  /** Tells the network to expect a payment, without a prompt to the customer. */
  registerExpectedPayment?(order: Order): Promise<OrderAnswer>
  checkOrder?(order: Order): Promise<OrderCheck>
  /** The limits of one payout in this currency, where they differ from `limits`. */
  payoutLimits?(currency: string): Limits
  /**
   * Sends money or airtime. A network with this method has `checkPayout` too: a payout without an answer is checked,
   * and sent again under the same reference only when it is `not_found` after the time `in_flight_s`. `failed` means that
   * the network says that nothing was sent, nor ever will be, under this reference. If it says later that it was sent,
   * that counts.
   */
  sendMoney?(payout: Payout): Promise<PayoutAnswer>
  checkPayout?(payout: Payout): Promise<PayoutCheck>
  /**
   * For how many seconds after a call of `sendMoney` the network may not know the payout yet although it has received it:
   * at least the time limit of the call. Earlier, `not_found` counts as unknown; later it proves that the payout never
   * arrived. Without it `not_found` is never certain, and no payout is sent a second time.
   */
  in_flight_s?: number
  findTransaction?(remote_id: string): Promise<TransactionLookup>
  /** Looks up the account of a phone (E.164). `not_found` means that it certainly has no mobile money here. */
  lookUpAccountHolder?(phonenumber: string): Promise<AccountHolderLookup>
  readCallback?(callback: RawCallback): ParsedCallback
  /**
   * Reads a validation request: this network asks before it takes an unrequested payment, at
   * `/api/callbacks/<code>/validation`. Undefined when the text is none, or lacks the network's signature.
   */
  readValidationRequest?(callback: RawCallback): ValidationRequest | undefined
  /** Our answer to a validation request. A network with `readValidationRequest` has this too. */
  answerValidationRequest?(verdict: 'accept' | 'reject', reason: string | null): { content_type: string; body: string }
}

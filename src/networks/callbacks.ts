import type { NetworkTransaction, PayoutAnswer } from '../lib/adapter-types.ts'
import type { Amount } from '../lib/money.ts'
import { toStorableText } from '../lib/storable-text.ts'

/**
 * Name of an order in a callback: our reference (also in the address) or the network's id. Beside our reference,
 * `remote_id` is the id for status queries.
 */
export type OrderName = { reference: string; remote_id?: string } | { remote_id: string }

/** The money that a connection holds at its network. */
export interface ReportedBalance {
  currency: string
  amount: Amount
  /** The network's name of the account, where there are several. */
  name?: string
}

/**
 * Content of a callback. `verified` requires a right signature of the network over the bytes, even if the content is
 * not recognized: such a callback is kept for a person. An unverified callback only causes a status query or
 * `transaction`, and their answers count.
 *
 * `answer`: a verified callback that answers our status query (`answers: 'by-callback'`) or reports an end.
 *
 * `has_ids`: an unverified callback came to an address that only the network knows. Its ids and payment date fill gaps
 * when the network confirms the order.
 *
 * `account_number`: text of the payer, from an unverified callback that came from the network's address. `transaction`
 * gets it.
 */
export type ParsedCallback =
  | {
      subject: 'order'
      order: OrderName
      verified: boolean
      answer: PayoutAnswer | { outcome: 'not_found' }
      has_ids?: boolean
    }
  | {
      subject: 'transaction'
      remote_id: string
      verified: boolean
      receipt: NetworkTransaction | null
      account_number?: string
    }
  | { subject: 'balance'; verified: boolean; balances: readonly ReportedBalance[] }
  | { subject: 'unrecognized'; message: string; verified?: boolean }

/** An unrequested payment that a network asks us about before it takes the money. */
export interface ValidationRequest {
  /** The network's own id of the money, under which it will report it. */
  remote_id: string
  receiver: string
  phonenumber: string
  amount: Amount
  currency: string
  /** Reference that the customer typed, if any. */
  reference: string | null
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

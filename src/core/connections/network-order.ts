import { column, type Row, table } from '../../db/table.ts'
import type { FailureReason, VendFailureReason } from '../../lib/adapter-types.ts'

export const orderKinds = ['charge', 'payout', 'refund', 'vend'] as const
export type OrderKind = (typeof orderKinds)[number]
/** The kinds of orders to networks. A vend goes to a bill provider. */
export type MoneyKind = Exclude<OrderKind, 'vend'>

/** `new`, `sent` and `accepted` are open (order-outcomes.ts). */
export const orderStates = ['new', 'sent', 'accepted', 'successful', 'failed', 'reversed', 'not_sent'] as const
export type OrderState = (typeof orderStates)[number]

/** Source of news about an order: `operator` means two persons. */
export type AnswerSource = 'reply' | 'status' | 'callback' | 'statement' | 'operator'
/** Outcome of an answer that says something about an order. */
export type AnswerOutcome = 'accepted' | 'successful' | 'failed' | 'reversed' | 'unknown' | 'not_found'

/**
 * An answer as the row of its order has it, without the nulls at its end: its members by their places, because names would be
 * most of it. Answers are numbered from 1. Times are milliseconds since 1970. The details are remote_id, amount, code, message
 * and reason.
 */
export type AnswerInRow = [
  number: number,
  at: number,
  source: AnswerSource,
  outcome: AnswerOutcome,
  ...details: (string | null)[],
]

/** A row of the table. */
export const networkOrderTable = table('network_orders', {
  id: column.id(),
  /** Reference of ours, under which the network knows the order. */
  reference: column.text(),
  kind: column.text<OrderKind>(),
  /** The slug of the connection. */
  connection: column.text(),
  organization: column.bigint(),
  collection_request: column.bigint().nullable(),
  payment_recipient: column.bigint().nullable(),
  /** Collection whose money a refund pays back. */
  collection: column.bigint().nullable(),
  attempt: column.integer(),
  /** Number of ours at the network: where a charge goes to, where a payout comes from. */
  receiver: column.text(),
  /** E.164. */
  phonenumber: column.text(),
  amount: column.numeric(),
  currency: column.text(),
  reason: column.text(),
  airtime: column.boolean().default(false).given(),
  prompt: column.boolean().default(true).given(),
  state: column.text<OrderState>(),
  remote_id: column.text().later(),
  remote_transaction_id: column.text().later(),
  failure_reason: column.text<FailureReason | VendFailureReason>().later(),
  code: column.text().later(),
  message: column.text().later(),
  fee: column.numeric().later(),
  network_calls: column.integer().default(0),
  created: column.timestamptz(),
  sent: column.timestamptz().nullable(),
  answered: column.timestamptz().later(),
  closed: column.timestamptz().later(),
  due_at: column.timestamptz().nullable(),
  leased_until: column.timestamptz().nullable(),
  /** Reason why a person must look at the order; null if nobody must. */
  attention: column.text().later(),
  /** Outcome that people have attested and approved (core/manual-settlements), and the amount. */
  attested: column.text<'successful' | 'failed'>().later(),
  attested_amount: column.numeric().later(),
  /** Purchase of which a vend is an attempt. The columns after it are those of vends alone. */
  bill_purchase: column.bigint().nullable(),
  /** Provider's names of what is bought; null if it uses ours. */
  remote_service: column.text().nullable(),
  remote_product: column.text().nullable(),
  /** Cost at the provider, if known. */
  cost: column.numeric().nullable(),
  /** Charge to our float that the provider reports, and its currency; null if it has not said. */
  charged: column.numeric('38,4').later(),
  charged_currency: column.text().later(),
  /** Real time of sending. */
  sent_real: column.timestamptz().later(),
  /** A restore found it unsent. It may have been sent all the same, at an unknown time: it only gets status queries. */
  restored: column.boolean().default(false),
  answers: column.json<readonly AnswerInRow[]>().default([]),
})
export type NetworkOrder = Row<typeof networkOrderTable>
/** An order to a network. */
export type MoneyOrder = NetworkOrder & { kind: MoneyKind }

import { column, type Row, table } from '../../db/table.ts'
import type { FailureReason } from '../../lib/adapter-types.ts'

export const orderKinds = ['charge', 'payout', 'refund'] as const
export type OrderKind = (typeof orderKinds)[number]

/** `new`, `sent` and `accepted` are open (order-outcomes.ts). */
export const orderStates = ['new', 'sent', 'accepted', 'successful', 'failed', 'reversed', 'not_sent'] as const
export type OrderState = (typeof orderStates)[number]

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
  failure_reason: column.text<FailureReason>().later(),
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
  /** Outcome that people have attested and approved (core/attestations), and the amount. */
  attested: column.text<'successful' | 'failed'>().later(),
  attested_amount: column.numeric().later(),
})
export type NetworkOrder = Row<typeof networkOrderTable>

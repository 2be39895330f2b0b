import { type Fragment, sql } from '../../db/sql.ts'
import type { FailureReason } from '../../lib/adapter-types.ts'
import type { Amount } from '../../lib/money.ts'

export const orderKinds = ['charge', 'payout', 'refund'] as const
export type OrderKind = (typeof orderKinds)[number]

/** `new`, `sent` and `accepted` are open (order-outcomes.ts). */
export const orderStates = ['new', 'sent', 'accepted', 'successful', 'failed', 'reversed', 'not_sent'] as const
export type OrderState = (typeof orderStates)[number]

/** A row of the table. */
export interface NetworkOrder {
  id: number
  /** Reference of ours, under which the network knows the order. */
  reference: string
  kind: OrderKind
  /** The slug of the connection. */
  connection: string
  organization: number
  collection_request: number | null
  payment_recipient: number | null
  /** Collection whose money a refund pays back. */
  collection: number | null
  attempt: number
  /** Number of ours at the network: where a charge goes to, where a payout comes from. */
  receiver: string
  /** E.164. */
  phonenumber: string
  amount: Amount
  currency: string
  reason: string
  airtime: boolean
  prompt: boolean
  state: OrderState
  remote_id: string | null
  remote_transaction_id: string | null
  failure_reason: FailureReason | null
  code: string | null
  message: string | null
  fee: Amount | null
  network_calls: number
  created: Date
  sent: Date | null
  answered: Date | null
  closed: Date | null
  due_at: Date | null
  leased_until: Date | null
  /** Reason why a person must look at the order; null if nobody must. */
  attention: string | null
  /** Outcome that people have attested and approved (core/attestations), and the amount. */
  attested: 'successful' | 'failed' | null
  attested_amount: Amount | null
}

const columns = {
  id: true,
  reference: true,
  kind: true,
  connection: true,
  organization: true,
  collection_request: true,
  payment_recipient: true,
  collection: true,
  attempt: true,
  receiver: true,
  phonenumber: true,
  amount: true,
  currency: true,
  reason: true,
  airtime: true,
  prompt: true,
  state: true,
  remote_id: true,
  remote_transaction_id: true,
  failure_reason: true,
  code: true,
  message: true,
  fee: true,
  network_calls: true,
  created: true,
  sent: true,
  answered: true,
  closed: true,
  due_at: true,
  leased_until: true,
  attention: true,
  attested: true,
  attested_amount: true,
} satisfies Record<keyof NetworkOrder, true>

/** The columns of the table by name, so that statements stay prepared when a later version adds one. */
export function networkOrderColumns(alias?: string): Fragment {
  return sql.identifiers(Object.keys(columns).map((column) => (alias === undefined ? column : `${alias}.${column}`)))
}

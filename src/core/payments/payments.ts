import { z } from 'zod'
import type { Reader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { Amount } from '../../lib/money.ts'
import { amount, documented, id, timestamp, updatedBy } from '../fields.ts'
import type { Hold } from '../ledger/holds.ts'
import { findTransactionsByReference, Transaction } from '../ledger/transactions.ts'
import { type PaymentFilters, type PaymentPageOptions, paymentPageQuery } from './filters.ts'

export const paymentTypes = ['money', 'airtime'] as const
export type PaymentType = (typeof paymentTypes)[number]

/** The states of a payment. docs/payments.md shows how one follows the other. */
export const paymentStates = [
  'new',
  'validated',
  'approval_needed',
  'approval_requested',
  'approved',
  'rejected',
  'scheduled',
  'processed',
  'processed_with_errors',
  'cancelled',
] as const
export type PaymentState = (typeof paymentStates)[number]

/** The states of one recipient. */
export const recipientStates = [
  'new',
  'queued',
  'processing',
  'pending_confirmation',
  'complete',
  'error',
  'paused',
  'parked',
  'aborted',
] as const
export type RecipientState = (typeof recipientStates)[number]

/** One phone of a payment, as the wire has it. */
const PaymentPhone = z
  .object({
    phonenumber: documented(z.string(), 'Who gets it, in E.164.', '+80000000003'),
    amount: documented(amount, 'What this recipient gets.'),
    state: documented(z.enum(recipientStates), 'Where this part stands. New values may be added.', 'new'),
    last_error: documented(z.string().nullable(), 'What went wrong.', null, 'Phone number is not registered'),
    contact: documented(id, 'The contact with this number.'),
    batch_id: documented(id.nullable(), 'The payment again, when it has several recipients.', null),
    description: documented(z.string(), 'What it is for.', 'Wages'),
    payment_id: documented(id, 'The payment.'),
    remote_transaction_id: documented(z.string().nullable(), "The network operator's own id.", null, 'TX9'),
    metadata: documented(z.record(z.string(), z.unknown()), 'Your own attributes of this recipient.', {}),
  })
  .meta({ id: 'PaymentPhone' })

const time = documented(timestamp.nullable(), 'When that was.', null)
const user = documented(id.nullable(), 'The user who did it.', null)

/** A payment ("The wider interface"). Events and notifications show it as `core/payments/transitions.ts` says. */
export const Payment = z
  .object({
    id,
    organization: documented(id, 'Your organization.'),
    payment_type: documented(z.enum(paymentTypes), 'What is sent.', 'money'),
    amount: documented(amount, 'What all recipients get together.'),
    currency: documented(z.string(), 'Three-letter code.', 'BXC'),
    account: documented(id, 'The wallet that it is taken from.'),
    description: documented(z.string(), 'What it is for.', 'Wages'),
    phone_nos: documented(z.array(PaymentPhone), 'The recipients.'),
    start_date: documented(timestamp.nullable(), 'When it is sent, if not at once.', null),
    metadata: documented(z.record(z.string(), z.unknown()), 'Your own attributes, as they were given.', { run: 7 }),
    state: documented(z.enum(paymentStates), 'Where the payment stands. New values may be added.', 'new'),
    last_error: documented(z.string().nullable(), 'What went wrong last.', null),
    rejected_reason: documented(z.string().nullable(), 'Why it was not approved.', null),
    rejected_by: user,
    rejected_time: time,
    cancelled_reason: documented(z.string().nullable(), 'Why it was cancelled.', null),
    cancelled_by: user,
    cancelled_time: time,
    created: timestamp,
    author: documented(id, 'The user who initiated it.'),
    modified: timestamp,
    updated_by: documented(updatedBy, 'Who changed it last.', null, '7'),
    remote_transaction_id: documented(
      z.string().nullable(),
      "The network operator's own id, for one recipient.",
      null,
      'TX9',
    ),
    send_sms_message: documented(
      z.boolean(),
      'Whether recipients are told by SMS; kept, and left to the network.',
      false,
    ),
    charged_fee: documented(amount, 'What the service has charged for it.', '0.0000'),
    transactions: documented(z.array(Transaction), 'What it has done to the wallet, oldest first.'),
  })
  .meta({ id: 'Payment' })
export type Payment = z.output<typeof Payment>

/** What a payment is: one of its own, or money that is given back. */
export type PaymentPurpose = 'payment' | 'return' | 'refund'

/** A payment as it lies in the table. */
export interface PaymentRow
  extends Omit<Payment, 'phone_nos' | 'remote_transaction_id' | 'charged_fee' | 'transactions'> {
  purpose: PaymentPurpose
  /** The collection that is given back, unless the purpose is `payment`. */
  collection: number | null
  /** The ledger account that the money is taken from: the wallet or, for money that was never accepted, suspense. */
  source: number
  approved_by: number | null
  approved_time: Date | null
}

/** One recipient as it lies in the table. */
export interface RecipientRow {
  id: number
  payment: number
  organization: number
  contact: number
  network: string
  phonenumber: string
  amount: Amount
  fee: Amount
  description: string
  metadata: Record<string, unknown>
  state: RecipientState
  last_error: string | null
  remote_id: string | null
  remote_transaction_id: string | null
  network_calls: number
  due_at: Date | null
}

/** The payments with these ids, whoever owns them, by id. */
export async function findPaymentsById(db: Reader, ids: readonly number[]): Promise<Map<number, Payment>> {
  const rows = await db<PaymentRow[]>`
    select ${paymentColumns()} from payments where id = any(${[...new Set(ids)]}::bigint[])`
  return new Map((await withRecipients(db, rows)).map((payment) => [payment.id, payment]))
}

/** One page of the organization's payments that match the filters, and the exact count of all of them. */
export async function listPayments(
  db: Reader,
  organization: number,
  filters: PaymentFilters,
  slice: PaymentPageOptions,
): Promise<{ rows: Payment[]; count: number }> {
  const [found] = await db<{ count: number; ids: number[] }[]>`${paymentPageQuery(organization, filters, slice)}`
  const payments = await findPaymentsById(db, found!.ids)
  return { rows: found!.ids.map((id) => payments.get(id)!), count: found!.count }
}

/** Payments with what hangs on them: their recipients, and what they did to their wallets. */
export async function withRecipients(db: Reader, rows: readonly PaymentRow[]): Promise<Payment[]> {
  const recipients = await listRecipients(
    db,
    rows.map((row) => row.id),
  )
  const transactions = await findTransactionsByReference(db, recipients.flatMap(ledgerReferences))
  const byPayment = Map.groupBy(recipients, (recipient) => recipient.payment)
  return rows.map((row) => {
    const mine = byPayment.get(row.id) ?? []
    return toPayment(
      row,
      mine,
      mine.flatMap(ledgerReferences).flatMap((reference) => transactions.get(reference) ?? []),
    )
  })
}

/** The recipients of these payments, in the order in which they were given. */
export async function listRecipients(db: Reader, payments: readonly number[]): Promise<RecipientRow[]> {
  const rows = await db<RecipientRow[]>`
    select ${recipientColumns()} from payment_recipients where payment = any(${payments}::bigint[]) order by id`
  return [...rows]
}

/** What a recipient's money and fee are in the books. */
export function toHold(payment: PaymentRow, recipient: Pick<RecipientRow, 'id' | 'amount' | 'fee'>): Hold {
  const words = { payment: 'Payment', return: 'Return', refund: 'Refund' }[payment.purpose]
  return {
    reference: holdReference(recipient.id),
    kind: payment.payment_type === 'airtime' ? 'airtime_topup' : 'mobile_payment',
    organization: payment.organization,
    account: payment.source,
    currency: payment.currency,
    amount: recipient.amount,
    fee: recipient.fee,
    // The books are kept for ever, so they name nobody (docs/decisions/0011).
    description: `${words} ${payment.id}, recipient ${recipient.id}`,
    author: payment.author,
  }
}

/** The columns that the wire and the jobs read. */
export function paymentColumns() {
  return sql`id, organization, purpose, collection, payment_type, amount, currency, account, source, description, metadata,
    send_sms_message, start_date, state, last_error, approved_by, approved_time, rejected_reason, rejected_by,
    rejected_time, cancelled_reason, cancelled_by, cancelled_time, created, author, modified, updated_by`
}

export function recipientColumns() {
  return sql`id, payment, organization, contact, network, phonenumber, amount, fee, description, metadata, state,
    last_error, remote_id, remote_transaction_id, network_calls, due_at`
}

/** What the money of a recipient is called in the books. */
function holdReference(recipient: number): string {
  return `payment:${recipient}`
}

/** The entries in the books that a recipient may have, those that a wallet sees. */
function ledgerReferences({ id }: RecipientRow): string[] {
  const reference = holdReference(id)
  return [reference, `${reference}:fee`].flatMap((part) => [`hold:${part}`, `end:${part}`, `reversal:${part}`])
}

function toPayment(row: PaymentRow, recipients: readonly RecipientRow[], transactions: Transaction[]): Payment {
  const { purpose, collection, source, approved_by, approved_time, ...shared } = row
  const several = recipients.length > 1
  const complete = recipients.filter((recipient) => recipient.state === 'complete')
  return {
    ...shared,
    phone_nos: recipients.map((recipient) => ({
      ...recipient,
      batch_id: several ? row.id : null,
      payment_id: row.id,
    })),
    remote_transaction_id: several ? null : (recipients[0]?.remote_transaction_id ?? null),
    charged_fee: complete.reduce((sum, { fee }) => sum + fee, 0n),
    transactions: transactions.toSorted((a, b) => a.id - b.id),
  }
}

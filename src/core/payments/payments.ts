import { z } from 'zod'
import type { Reader } from '../../db/client.ts'
import type { Amount } from '../../lib/money.ts'
import { amount, id, shown, timestamp, updatedBy } from '../fields.ts'
import type { Hold } from '../ledger/holds.ts'
import { findPayments, type PaymentFilters, type PaymentSlice } from './filters.ts'
import { Transaction, transactionsByReference } from '../ledger/transactions.ts'

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
    phonenumber: shown(z.string(), 'Who gets it, in E.164.', '+80000000003'),
    amount: shown(amount, 'What this recipient gets.'),
    state: shown(z.enum(recipientStates), 'Where this part stands. New values may be added.', 'new'),
    last_error: shown(z.string().nullable(), 'What went wrong.', null, 'Phone number is not registered'),
    contact: shown(id, 'The contact with this number.'),
    batch_id: shown(id.nullable(), 'The payment again, when it has several recipients.', null),
    description: shown(z.string(), 'What it is for.', 'Wages'),
    payment_id: shown(id, 'The payment.'),
    remote_transaction_id: shown(z.string().nullable(), "The network operator's own id.", null, 'TX9'),
    metadata: shown(z.record(z.string(), z.unknown()), 'Your own attributes of this recipient.', {}),
  })
  .meta({ id: 'PaymentPhone' })

const time = shown(timestamp.nullable(), 'When that was.', null)
const user = shown(id.nullable(), 'The user who did it.', null)

/** A payment ("The wider interface"). Events and notifications show it as `core/payment-moves.ts` says. */
export const Payment = z
  .object({
    id,
    organization: shown(id, 'Your organization.'),
    payment_type: shown(z.enum(paymentTypes), 'What is sent.', 'money'),
    amount: shown(amount, 'What all recipients get together.'),
    currency: shown(z.string(), 'Three-letter code.', 'BXC'),
    account: shown(id, 'The wallet that it is taken from.'),
    description: shown(z.string(), 'What it is for.', 'Wages'),
    phone_nos: shown(z.array(PaymentPhone), 'The recipients.'),
    start_date: shown(timestamp.nullable(), 'When it is sent, if not at once.', null),
    metadata: shown(z.record(z.string(), z.unknown()), 'Your own attributes, as they were given.', { run: 7 }),
    state: shown(z.enum(paymentStates), 'Where the payment stands. New values may be added.', 'new'),
    last_error: shown(z.string().nullable(), 'What went wrong last.', null),
    rejected_reason: shown(z.string().nullable(), 'Why it was not approved.', null),
    rejected_by: user,
    rejected_time: time,
    cancelled_reason: shown(z.string().nullable(), 'Why it was cancelled.', null),
    cancelled_by: user,
    cancelled_time: time,
    created: timestamp,
    author: shown(id, 'The user who initiated it.'),
    modified: timestamp,
    updated_by: shown(updatedBy, 'Who changed it last.', null, '7'),
    remote_transaction_id: shown(
      z.string().nullable(),
      "The network operator's own id, for one recipient.",
      null,
      'TX9',
    ),
    send_sms_message: shown(z.boolean(), 'Whether recipients are told by SMS; kept, and left to the network.', false),
    charged_fee: shown(amount, 'What the service has charged for it.', '0.0000'),
    transactions: shown(z.array(Transaction), 'What it has done to the wallet, oldest first.'),
  })
  .meta({ id: 'Payment' })
export type Payment = z.output<typeof Payment>

/** What a payment is: one of its own, or money that is given back. */
export type Purpose = 'payment' | 'return' | 'refund'

/** A payment as it lies in the table. */
export interface PaymentRow
  extends Omit<Payment, 'phone_nos' | 'remote_transaction_id' | 'charged_fee' | 'transactions'> {
  purpose: Purpose
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
  asked: number
  due_at: Date | null
}

/** The payments with these ids, whoever owns them, by id. */
export async function paymentsById(db: Reader, ids: readonly number[]): Promise<Map<number, Payment>> {
  const rows = await db<PaymentRow[]>`
    select ${paymentColumns(db)} from payments where id = any(${[...new Set(ids)]}::bigint[])`
  return new Map((await withRecipients(db, rows)).map((payment) => [payment.id, payment]))
}

/** One page of the organization's payments that match the filters, and the exact count of all of them. */
export async function listPayments(
  db: Reader,
  organization: number,
  filters: PaymentFilters,
  slice: PaymentSlice,
): Promise<{ rows: Payment[]; count: number }> {
  const [found] = await findPayments(db, organization, filters, slice)
  const payments = await paymentsById(db, found!.ids)
  return { rows: found!.ids.map((id) => payments.get(id)!), count: found!.count }
}

/** Payments with what hangs on them: their recipients, and what they did to their wallets. */
export async function withRecipients(db: Reader, rows: readonly PaymentRow[]): Promise<Payment[]> {
  const recipients = await recipientsOf(
    db,
    rows.map((row) => row.id),
  )
  const transactions = await transactionsByReference(db, recipients.flatMap(bookEntries))
  const byPayment = Map.groupBy(recipients, (recipient) => recipient.payment)
  return rows.map((row) => {
    const mine = byPayment.get(row.id) ?? []
    return assemble(
      row,
      mine,
      mine.flatMap(bookEntries).flatMap((reference) => transactions.get(reference) ?? []),
    )
  })
}

/** The recipients of these payments, in the order in which they were given. */
export async function recipientsOf(db: Reader, payments: readonly number[]): Promise<RecipientRow[]> {
  const rows = await db<RecipientRow[]>`
    select ${recipientColumns(db)} from payment_recipients where payment = any(${payments}::bigint[]) order by id`
  return [...rows]
}

/** What a recipient's money and fee are in the books. */
export function holdOf(payment: PaymentRow, recipient: Pick<RecipientRow, 'id' | 'amount' | 'fee'>): Hold {
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
export function paymentColumns(db: Reader) {
  return db`id, organization, purpose, collection, payment_type, amount, currency, account, source, description, metadata,
    send_sms_message, start_date, state, last_error, approved_by, approved_time, rejected_reason, rejected_by,
    rejected_time, cancelled_reason, cancelled_by, cancelled_time, created, author, modified, updated_by`
}

export function recipientColumns(db: Reader) {
  return db`id, payment, organization, contact, network, phonenumber, amount, fee, description, metadata, state,
    last_error, remote_id, remote_transaction_id, asked, due_at`
}

/** What the money of a recipient is called in the books. */
function holdReference(recipient: number): string {
  return `payment:${recipient}`
}

/** The entries in the books that a recipient may have, those that a wallet sees. */
function bookEntries({ id }: RecipientRow): string[] {
  const reference = holdReference(id)
  return [reference, `${reference}:fee`].flatMap((part) => [`hold:${part}`, `end:${part}`, `reversal:${part}`])
}

function assemble(row: PaymentRow, recipients: readonly RecipientRow[], transactions: Transaction[]): Payment {
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

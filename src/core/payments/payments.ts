import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import { column, type Row, table } from '../../db/table.ts'
import type { PartialReversal } from '../../lib/adapter-types.ts'
import type { Amount } from '../../lib/money.ts'
import { amount, callersObject, documented, id, timestamp, updatedBy } from '../fields.ts'
import { type Hold, walletReferences } from '../ledger/holds.ts'
import { findTransactionsByReference, Transaction } from '../ledger/transactions.ts'
import type { ListPage } from '../list-query.ts'
import { type PaymentFilters, paymentPageQuery } from './filters.ts'

export const paymentTypes = ['money', 'airtime'] as const

/** The states of a payment. docs/payments.md shows the transitions between them. */
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

/** The states of recipients that have not ended. */
export const openStates: readonly RecipientState[] = [
  'new',
  'queued',
  'processing',
  'pending_confirmation',
  'paused',
  'parked',
]

/** The states of recipients that have no order at a network yet. */
export const waitingStates: readonly RecipientState[] = ['new', 'queued', 'paused']

/** Recipient of a payment, as the API shows it. */
const PaymentPhone = z
  .object({
    phonenumber: documented(z.string(), 'Phone number of the recipient, in E.164.', '+80000000003'),
    amount: documented(amount, 'What this recipient gets.'),
    reversed_amount: documented(
      amount,
      'Amount that the network returned to the wallet. If it is the full amount, the state is `error`.',
      '0.0000',
      '300.0000',
    ),
    state: documented(z.enum(recipientStates), 'State of this recipient. New values may be added.', 'new'),
    last_error: documented(z.string().nullable(), 'The last error.', null, 'Phone number is not registered'),
    contact: documented(id, 'The contact with this number.'),
    batch_id: documented(id.nullable(), 'Id of the payment, if it has several recipients.', null),
    description: documented(z.string(), 'Purpose of the payment.', 'Wages'),
    payment_id: documented(id, 'Id of the payment.'),
    remote_transaction_id: documented(
      z.string().nullable(),
      'The id that the network operator gave the transaction.',
      null,
      'TX9',
    ),
    metadata: documented(callersObject, 'Your own attributes of this recipient.', {}),
  })
  .meta({ id: 'PaymentPhone' })

const time = documented(timestamp.nullable(), 'When it happened.', null)
const user = documented(id.nullable(), 'The user who did it.', null)

/** A payment ("The wider interface"). `core/payments/transitions.ts` defines the form that events and notifications have. */
export const Payment = z
  .object({
    id,
    organization: documented(id, 'Your organization.'),
    payment_type: documented(z.enum(paymentTypes), 'What is sent.', 'money'),
    amount: documented(amount, 'The sum of what all recipients get.'),
    currency: documented(z.string(), 'Three-letter code.', 'BXC'),
    account: documented(id, 'The wallet that pays.'),
    description: documented(z.string(), 'Purpose of the payment.', 'Wages'),
    phone_nos: documented(z.array(PaymentPhone), 'The recipients.'),
    start_date: documented(timestamp, 'When the payment is sent. Default: when it was made.'),
    metadata: documented(callersObject, 'Your own attributes, as you sent them.', { run: 7 }),
    state: documented(z.enum(paymentStates), 'State of the payment. New values may be added.', 'new'),
    last_error: documented(z.string().nullable(), 'The last error.', null),
    approvals_required: documented(z.int(), 'Number of approvals needed, besides the initiator; 0: none.', 0),
    approvals: documented(z.int(), 'How many users have approved it.', 0),
    approved_by: documented(id.nullable(), 'The user who gave the last approval that it needed.', null),
    approved_time: documented(timestamp.nullable(), 'When it got its last approval.', null),
    rejected_reason: documented(z.string().nullable(), 'Why it was rejected.', null),
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
      'The id that the network operator gave the transaction, if there is one recipient.',
      null,
      'TX9',
    ),
    send_sms_message: documented(
      z.boolean(),
      'Whether each recipient gets an SMS when the money has arrived. The network may send one of its own.',
      false,
    ),
    charged_fee: documented(amount, 'The fees that the service has charged for it.', '0.0000'),
    transactions: documented(z.array(Transaction), 'The transactions of the wallet for this payment, oldest first.'),
  })
  .meta({ id: 'Payment' })
export type Payment = z.output<typeof Payment>

/** Purpose of a payment: an ordinary payment, the return of unmatched money, or the refund of a collection. */
type PaymentPurpose = 'payment' | 'return' | 'refund'

export const paymentTable = table('payments', {
  id: column.id(),
  organization: column.bigint(),
  purpose: column.text<PaymentPurpose>(),
  /** The collection that is returned or refunded. Null if the purpose is `payment`. */
  collection: column.bigint().nullable(),
  payment_type: column.text<Payment['payment_type']>(),
  amount: column.numeric(),
  currency: column.text(),
  account: column.bigint(),
  /** The ledger account that pays: the wallet, or suspense for money that was never accepted. */
  source: column.bigint(),
  description: column.text(),
  metadata: column.json<Record<string, unknown>>(),
  send_sms_message: column.boolean(),
  /** Null if the payment is sent at once. */
  start_date: column.timestamptz().nullable(),
  state: column.text<Payment['state']>(),
  last_error: column.text().later(),
  approvals_required: column.integer(),
  approvals: column.integer().default(0),
  approved_by: column.bigint().later(),
  approved_time: column.timestamptz().later(),
  rejected_reason: column.text().later(),
  rejected_by: column.bigint().later(),
  rejected_time: column.timestamptz().later(),
  cancelled_reason: column.text().later(),
  cancelled_by: column.bigint().later(),
  cancelled_time: column.timestamptz().later(),
  created: column.timestamptz(),
  author: column.bigint(),
  modified: column.timestamptz(),
  updated_by: column.bigint().later(),
})

export type PaymentRow = Row<typeof paymentTable>

/** The start date that the interface shows (2.8): the given one, else when the payment was made. */
export function shownStartDate({ start_date, created }: Pick<PaymentRow, 'start_date' | 'created'>): Date {
  return start_date ?? created
}

export const recipientTable = table('payment_recipients', {
  id: column.id(),
  payment: column.bigint(),
  organization: column.bigint(),
  contact: column.bigint(),
  network: column.text(),
  /** The slug of the connection. */
  connection: column.text(),
  phonenumber: column.text(),
  amount: column.numeric(),
  fee: column.numeric(),
  description: column.text(),
  metadata: column.json<Record<string, unknown>>(),
  state: column.text<RecipientState>(),
  last_error: column.text().later(),
  remote_id: column.text().later(),
  remote_transaction_id: column.text().later(),
  network_calls: column.integer().default(0),
  /** Time when its order was sent last. Null: not yet, or it certainly never arrived and is sent again. */
  sent_at: column.timestamptz().later(),
  /** Amount that the network has reversed in parts. */
  reversed_in_parts: column.numeric().default(0n),
  /** True if the network has reversed everything. */
  reversed: column.boolean().default(false),
  due_at: column.timestamptz().nullable(),
  national_id: column.text().nullable(),
  national_id_type: column.text().nullable(),
  modified: column.timestamptz(),
  leased_until: column.timestamptz().later(),
})

/** The columns of a recipient that the API and the jobs read. */
export const storedRecipient = recipientTable.omit('national_id', 'national_id_type', 'modified', 'leased_until')
export type RecipientRow = Row<typeof storedRecipient>

/** The payments of any organization with these ids, by id. */
export async function findPaymentsById(db: AnyReader, ids: readonly number[]): Promise<Map<number, Payment>> {
  const rows = await db<PaymentRow[]>`
    select ${paymentTable.columns} from payments where id = any(${[...new Set(ids)]}::bigint[])`
  return new Map((await withRecipients(db, rows)).map((payment) => [payment.id, payment]))
}

/** Lists one page of the organization's payments that match the filters, with the exact count of all matches. */
export async function listPayments(
  db: AnyReader,
  organization: number,
  filters: PaymentFilters,
  page: ListPage,
): Promise<{ rows: Payment[]; count: number }> {
  const [found] = await db<{ count: number; ids: number[] }[]>`${paymentPageQuery(organization, filters, page)}`
  const payments = await findPaymentsById(db, found!.ids)
  return { rows: found!.ids.map((id) => payments.get(id)!), count: found!.count }
}

/** Adds to payments their recipients and the transactions of their wallets. */
async function withRecipients(db: AnyReader, rows: readonly PaymentRow[]): Promise<Payment[]> {
  const recipients = await listRecipients(
    db,
    rows.map((row) => row.id),
  )
  const references = await readLedgerReferences(db, recipients)
  const transactions = await findTransactionsByReference(db, [...references.values()].flat())
  const byPayment = Map.groupBy(recipients, (recipient) => recipient.payment)
  return rows.map((row) => {
    const own_recipients = byPayment.get(row.id) ?? []
    return toPayment(
      row,
      own_recipients,
      own_recipients.flatMap(({ id }) => references.get(id)!).flatMap((reference) => transactions.get(reference) ?? []),
    )
  })
}

/** The recipients of these payments, in the order of the request. */
export async function listRecipients(db: AnyReader, payments: readonly number[]): Promise<RecipientRow[]> {
  const rows = await db<RecipientRow[]>`
    select ${storedRecipient.columns} from payment_recipients where payment = any(${payments}::bigint[]) order by id`
  return [...rows]
}

/** The hold for a recipient's amount and fee. */
export function toHold(
  payment: PaymentRow,
  recipient: Pick<RecipientRow, 'id' | 'amount' | 'fee' | 'connection'>,
): Hold {
  const purpose = { payment: 'Payment', return: 'Return', refund: 'Refund' }[payment.purpose]
  return {
    reference: holdReference(recipient.id),
    kind: payment.payment_type === 'airtime' ? 'airtime_topup' : 'mobile_payment',
    organization: payment.organization,
    account: payment.source,
    connection: recipient.connection,
    currency: payment.currency,
    amount: recipient.amount,
    fee: recipient.fee,
    // The ledger is kept for ever, so it contains no personal data (docs/decisions/0011).
    description: `${purpose} ${payment.id}, recipient ${recipient.id}`,
    author: payment.author,
  }
}

/** The ledger reference of a recipient's money. */
function holdReference(recipient: number): string {
  return `payment:${recipient}`
}

/** The references of all ledger entries that recipients may have in a wallet, by recipient. */
async function readLedgerReferences(
  db: AnyReader,
  recipients: readonly RecipientRow[],
): Promise<Map<number, string[]>> {
  const in_parts = recipients.filter(({ reversed_in_parts }) => reversed_in_parts > 0n).map(({ id }) => id)
  const parts = Map.groupBy(
    in_parts.length === 0 ? [] : await listPayoutReversals(db, in_parts),
    ({ recipient }) => recipient,
  )
  return new Map(
    recipients.map(({ id, fee }) => {
      const remote_ids = (parts.get(id) ?? []).map(({ remote_id }) => remote_id)
      return [id, walletReferences({ reference: holdReference(id), fee }, remote_ids)]
    }),
  )
}

/** Reversed parts of payouts, oldest first. */
export async function listPayoutReversals(
  db: AnyReader,
  recipients: readonly number[],
): Promise<(PartialReversal & { recipient: number })[]> {
  const found = await db<(PartialReversal & { recipient: number })[]>`
    select recipient, remote_id, amount from payout_reversals
    where recipient = any(${recipients}::bigint[]) order by recipient, created, remote_id`
  return [...found]
}

/** Computes the amount of a payout that the network has reversed. */
export function readReversedAmount(recipient: RecipientRow): Amount {
  return isWhollyReversed(recipient) ? recipient.amount : recipient.reversed_in_parts
}

/** True if the network has reversed everything. */
export function isWhollyReversed({ state, reversed }: RecipientRow): boolean {
  return state === 'error' && reversed
}

function toPayment(row: PaymentRow, recipients: readonly RecipientRow[], transactions: Transaction[]): Payment {
  const { purpose, collection, source, ...shared } = row
  const several = recipients.length > 1
  const complete = recipients.filter((recipient) => recipient.state === 'complete')
  return {
    ...shared,
    start_date: shownStartDate(row),
    phone_nos: recipients.map((recipient) => {
      const { sent_at, reversed_in_parts, reversed, ...shown } = recipient
      return {
        ...shown,
        reversed_amount: readReversedAmount(recipient),
        batch_id: several ? row.id : null,
        payment_id: row.id,
      }
    }),
    remote_transaction_id: several ? null : (recipients[0]?.remote_transaction_id ?? null),
    charged_fee: complete.reduce((sum, { fee }) => sum + fee, 0n),
    transactions: transactions.toSorted((a, b) => a.id - b.id),
  }
}

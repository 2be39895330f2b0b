import { z } from 'zod'
import { amount, id, timestamp } from '../../fields.ts'
import { columns } from './columns.ts'

/** Reason why a row cannot be paid: a sentence, and its column. */
export const Problem = z.object({ column: z.enum(columns), message: z.string() })
export type Problem = z.output<typeof Problem>

/**
 * Reason why a row may be paid twice. `rows`: other rows of the file with its number. `payments`: those of the last
 * days.
 */
export const Warning = z.object({
  code: z.enum(['twice_in_file', 'paid_recently']),
  rows: z.array(z.int()).optional(),
  payments: z.array(id).optional(),
  /** Other files that were started and have the same number and amount. */
  bulk_payments: z.array(id).optional(),
})
export type Warning = z.output<typeof Warning>

/** Decision of a person about a row: to pay it although it may be paid twice, or to leave it out. */
export const decisions = ['pay', 'skip'] as const
export type RowDecision = (typeof decisions)[number]

/** State of a row. `open`: it is not a payment yet; `refused`: it could not become one. */
export const rowStates = ['open', 'left_out', 'refused', 'waiting', 'paid', 'failed'] as const
export type RowState = (typeof rowStates)[number]

/** Result of the network about the name: `pending` while it is asked; `not_registered`: it does not know the number. */
export const nameStates = ['pending', 'matches', 'differs', 'not_registered', 'unknown'] as const
export type NameState = (typeof nameStates)[number]

/** A row of a file, as the console shows it. */
export const BulkRow = z.object({
  /** Number of the row, for lists. */
  id: z.int(),
  phonenumber: z.string(),
  name: z.string(),
  amount: amount.nullable(),
  /** Text of the file for it, when it is no amount. */
  amount_text: z.string(),
  currency: z.string().nullable(),
  account: id.nullable(),
  description: z.string(),
  network: z.string().nullable(),
  fee: amount.nullable(),
  problems: z.array(Problem),
  warnings: z.array(Warning),
  decision: z.enum(decisions).nullable(),
  name_on_network: z.string(),
  /** Null while no person has asked for the names. */
  name_state: z.enum(nameStates).nullable(),
  state: z.enum(rowStates),
  payment: id.nullable(),
  /** Message of the network about a failed payment. */
  last_error: z.string().nullable(),
})
export type BulkRow = z.output<typeof BulkRow>

const bulkStates = ['draft', 'creating', 'stopped', 'created'] as const
export type BulkState = (typeof bulkStates)[number]

/** State of a file as its payments say. `awaiting_approval`: some of them wait for a second person. */
const bulkProgress = [
  'draft',
  'creating',
  'stopped',
  'awaiting_approval',
  'sending',
  'paid',
  'partly_paid',
  'failed',
  'rejected',
  'cancelled',
] as const
export type BulkProgress = (typeof bulkProgress)[number]

const progressFields = {
  progress: z.enum(bulkProgress),
  paid_rows: z.int(),
  /** Rows that got no money and wait for none: failed, cancelled, or impossible to pay. */
  failed_rows: z.int(),
  /** Sums in each currency, without skipped rows. */
  sums: z.array(z.object({ currency: z.string(), amount, paid: amount, failed: amount })),
}
export type FileProgress = z.output<z.ZodObject<typeof progressFields>>

/** A file of payments. */
export const BulkPayment = z.object({
  id,
  organization: id,
  file_name: z.string(),
  description: z.string(),
  account: id.nullable(),
  send_sms_message: z.boolean(),
  ignored_columns: z.array(z.string()),
  /** Notes for a person before the payments start, in sentences, such as which hidden rows were left out. */
  notes: z.array(z.string()),
  state: z.enum(bulkStates),
  problem: z.string().nullable(),
  retry_of: id.nullable(),
  names_requested: timestamp.nullable(),
  created: timestamp,
  author: id,
  author_name: z.string(),
  started: timestamp.nullable(),
  started_by_name: z.string().nullable(),
  rows: z.int(),
  ...progressFields,
})
export type BulkPayment = z.output<typeof BulkPayment>

/** Total paid from one wallet through one network. */
const Total = z.object({
  account: id,
  account_name: z.string(),
  currency: z.string(),
  network: z.string(),
  rows: z.int(),
  amount,
  fee: amount,
})

/** Balance of a wallet, and the needs of the file. */
const Funds = z.object({ account: id, account_name: z.string(), currency: z.string(), balance: amount, needed: amount })

/** A file of payments with its sums. Rows that are left out count in none of these. */
export const BulkPaymentDetail = BulkPayment.extend({
  /** Earlier files with the same content. */
  same_file: z.array(id),
  /** Files with those of its rows that failed. */
  retries: z.array(id),
  with_problems: z.int(),
  /** Rows with a warning that no person has decided about. */
  undecided: z.int(),
  with_warnings: z.int(),
  states: z.record(z.enum(rowStates), z.int()),
  /** Null while no person has asked for the names. */
  names: z.record(z.enum(nameStates), z.int()).nullable(),
  totals: z.array(Total),
  /** Funds for the rows that are no payments yet. */
  funds: z.array(Funds),
  /** The payments that wait for an approval. */
  awaiting_approval: z.array(id),
})
export type BulkPaymentDetail = z.output<typeof BulkPaymentDetail>

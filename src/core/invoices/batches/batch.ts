import { z } from 'zod'
import { InvoiceBatch } from '../../batches/batch.ts'
import type { PlannedCustomer } from '../../batches/customers.ts'
import { amount, documented, id } from '../../fields.ts'
import { RefusedRows } from '../../files/refused-rows.ts'
import type { Draft } from '../new-invoice.ts'
import { columns } from './columns.ts'

/** An invoice that a batch is to make. */
export interface PlannedInvoice {
  /** The number of its first row in the file, or the id of its customer. A batch makes them in this order. */
  row: number
  customer: PlannedCustomer
  draft: Draft
  /** An earlier invoice of the same batch has the same customer, text and amount. */
  is_repeated: boolean
}

/** Reason why a row is refused: a sentence, and its column. */
const Problem = z.object({ column: z.enum(columns), message: z.string() })
export type Problem = z.output<typeof Problem>

/**
 * Decision that a person has to make. `twice_in_file`: this row has the same. `same_invoice`: the customer has this
 * invoice with the same.
 */
const Warning = z.discriminatedUnion('code', [
  z.object({ code: z.literal('twice_in_file'), row: z.int() }),
  z.object({ code: z.literal('same_invoice'), invoice: id, number: z.string().nullable() }),
])
export type Warning = z.output<typeof Warning>

/** A row of a file of invoices, checked. */
export const BatchRow = z.object({
  /** Number of the row in the file, where the first line is 1. */
  number: z.int(),
  customer_number: z.string(),
  /** Phone in E.164, or the text of the file if that is no phone number. */
  phone_number: z.string(),
  /** Name of the customer; from the file for a new one. */
  name: z.string(),
  /** The customer; null for a new one. */
  contact: id.nullable(),
  text: z.string(),
  /** Amount that the row adds to its invoice, without tax. */
  amount: amount.nullable(),
  currency: z.string(),
  due_date: z.string().nullable(),
  /** Rows with the same text here are one invoice. */
  invoice: z.string(),
  state: z.enum(['ready', 'refused']),
  problems: z.array(Problem),
  warnings: z.array(Warning),
})
export type BatchRow = z.output<typeof BatchRow>

/** Number and total of the invoices in a currency. */
export const BatchSum = z
  .object({
    currency: documented(z.string(), 'Three-letter code.', 'UGX'),
    invoices: documented(z.int(), 'How many.', 117),
    total: documented(amount, 'Their totals together.', '99450000.0000'),
  })
  .meta({ id: 'InvoiceBatchSum' })
export type BatchSum = z.output<typeof BatchSum>

/** A checked file. Nothing of it is stored. */
export const CheckedFile = z.object({
  rows: z.array(BatchRow),
  /** All invoices that can be made, by currency. */
  all: z.array(BatchSum),
  /** Without those that the file has twice, or the customer has already. */
  without_duplicates: z.array(BatchSum),
  refused: RefusedRows,
  ignored_columns: z.array(z.string()),
  notes: z.array(z.string()),
  /** Earlier batches of a file with the same content, the newest first. */
  same_file: z.array(InvoiceBatch),
})

/** The sums of planned invoices by currency, in the order in which the currencies come. */
export function addUpPlanned(planned: readonly { currency: string; total: bigint }[]): BatchSum[] {
  return [...Map.groupBy(planned, ({ currency }) => currency)].map(([currency, some]) => ({
    currency,
    invoices: some.length,
    total: some.reduce((sum, { total }) => sum + total, 0n),
  }))
}

import { z } from 'zod'
import { documented, id, timestamp } from '../fields.ts'

/** Treatment of rows whose customer has the same already. */
export const duplicateChoices = ['skip', 'create'] as const
export type DuplicateChoice = (typeof duplicateChoices)[number]

export const batchSources = ['file', 'tag'] as const

/** Kind of objects that a batch creates. */
export type BatchKind = 'invoices' | 'requests'

const titles = { invoices: 'Invoices', requests: 'Requests' } as const
const same = {
  invoices: 'an invoice with the same text and amount, unless it is paid and due',
  requests: 'an open or recent request for the same amount and reason',
} as const

/** The fields of a batch. @param more the fields that only this kind has */
function batchFields<More extends z.ZodRawShape>(kind: BatchKind, more: More) {
  const noun = titles[kind]
  return {
    id,
    source: documented(z.enum(batchSources), '`file`: from a file. `tag`: for all customers with a tag.', 'tag'),
    name: documented(z.string(), 'The name of the file, or the tag.', 'P5'),
    duplicates: documented(z.enum(duplicateChoices), `Treatment of customers with ${same[kind]}.`, 'skip'),
    ...more,
    rows: documented(z.int(), 'Rows of the file, or customers with the tag.', 120),
    refused: documented(z.int(), 'Rows of the file that were refused.', 0),
    skipped: documented(z.int(), `${noun} skipped, because the customer already has the same.`, 3),
    made: documented(z.int(), `${noun} created.`, 117),
    created: timestamp,
    author: documented(id, 'The user who made it.'),
    author_name: documented(z.string(), 'The name of this user.', 'Jane Doe'),
    finished: documented(
      timestamp.nullable(),
      `When its last ${kind === 'invoices' ? 'invoice' : 'request'} was created. Null while it runs, and after an interruption: the same call continues it.`,
    ),
  }
}

/** Requests that were made together. */
export const RequestBatch = z.object(batchFields('requests', {})).meta({ id: 'RequestBatch' })
export type RequestBatch = z.output<typeof RequestBatch>

/** Invoices that were made together. */
export const InvoiceBatch = z
  .object(
    batchFields('invoices', {
      issue: documented(z.boolean(), 'Whether its invoices were issued at once; otherwise they are drafts.', true),
    }),
  )
  .meta({ id: 'InvoiceBatch' })
export type InvoiceBatch = z.output<typeof InvoiceBatch>

/** A batch as it is read, by kind. */
export interface Batches {
  invoices: InvoiceBatch
  requests: RequestBatch
}

import { z } from 'zod'
import { RequestBatch } from '../batches/batch.ts'
import type { NewCollectionRequest } from '../collections/requests.ts'
import { amount, documented, id } from '../fields.ts'
import { RefusedRows } from '../files/refused-rows.ts'
import { columns } from './columns.ts'

/** A request that a batch is to make. */
export interface PlannedRequest {
  /** The number of its row in the file, or the id of its customer. A batch makes them in this order. */
  row: number
  /** The number of its customer; empty for one who is known by phone only. */
  customer_number: string
  request: NewCollectionRequest
  /** An earlier request of the same batch has the same phone, amount and reason. */
  is_repeated: boolean
}

/** Reason why a row is refused: a sentence, and its column. */
const Problem = z
  .object({
    column: documented(z.enum(columns), 'The column with the problem.', 'amount'),
    message: documented(z.string(), 'The reason.', 'This customer has no phone number.'),
  })
  .meta({ id: 'RequestBatchProblem' })
export type Problem = z.output<typeof Problem>

/**
 * Decision that a person has to make. `twice`: this row has the same. `asked_already`: so has this open or recent
 * request.
 */
const Warning = z.discriminatedUnion('code', [
  z.object({ code: z.literal('twice'), row: z.int() }),
  z.object({ code: z.literal('asked_already'), request: id }),
])
export type Warning = z.output<typeof Warning>

/** A row of a file of requests, or a customer with a tag, checked. */
export const RequestRow = z
  .object({
    number: documented(
      z.int(),
      'Number of the row in the file, where the first line is 1; or the id of the customer.',
      2,
    ),
    customer_number: documented(z.string(), 'The number of the customer; empty if the row has none.', 'P5-017'),
    phone_number: documented(
      z.string(),
      'Phone number in E.164, or the text of the file if it is not a phone number.',
      '+256772123456',
    ),
    name: documented(z.string(), 'The name of the customer.', 'Jane Doe'),
    reason: documented(z.string(), 'What the money is for.', 'Term 1'),
    amount: documented(amount.nullable(), 'Null if the row has no readable amount.', '850000.0000'),
    currency: documented(z.string(), 'ISO 4217.', 'UGX'),
    network: documented(
      z.string().nullable(),
      'The network that prompts the customer; null for a refused row.',
      'MTN Uganda',
    ),
    expiry_date: documented(z.string().nullable(), 'ISO 8601; null for the default of 24 hours.', null),
    state: documented(z.enum(['ready', 'refused']), '`refused`: no request can be made; see `problems`.', 'ready'),
    problems: documented(z.array(Problem), 'Why the row is refused, with the column.', []),
    warnings: documented(
      z.array(Warning),
      '`twice`: another row has the same phone, amount and reason. `asked_already`: an open or recent request has them.',
      [],
    ),
  })
  .meta({ id: 'RequestBatchRow' })
export type RequestRow = z.output<typeof RequestRow>

/** Number and total of the requests in a currency through a network. */
export const RequestSum = z
  .object({
    currency: documented(z.string(), 'Three-letter code.', 'UGX'),
    network: documented(z.string(), 'The network that prompts the customers.', 'MTN Uganda'),
    requests: documented(z.int(), 'How many.', 117),
    total: documented(amount, 'Their amounts together.', '99450000.0000'),
  })
  .meta({ id: 'RequestBatchSum' })
export type RequestSum = z.output<typeof RequestSum>

const checkedFields = {
  rows: documented(z.array(RequestRow), 'Each row of the file, or each customer with the tag.'),
  all: documented(z.array(RequestSum), 'Sums of all requests that can be made.'),
  without_duplicates: documented(z.array(RequestSum), 'Sums without duplicates in the file and requests made earlier.'),
}

/** Requests to all customers with a tag, checked. Nothing of them is stored. */
export const RequestBatchPreview = z.object(checkedFields).meta({ id: 'RequestBatchPreview' })

/** Requests of a file, checked. Nothing of them is stored. */
export const CheckedRequests = z.object({
  ...checkedFields,
  refused: RefusedRows,
  ignored_columns: z.array(z.string()),
  notes: z.array(z.string()),
  /** Earlier batches of a file with the same content, the newest first. */
  same_file: z.array(RequestBatch),
})

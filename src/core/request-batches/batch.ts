import { z } from 'zod'
import { RequestBatch } from '../batches/batch.ts'
import type { NewCollectionRequest } from '../collections/requests.ts'
import { amount, id } from '../fields.ts'
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

/** Why a row is refused: a sentence, and the column that it is about. */
const Problem = z.object({ column: z.enum(columns), message: z.string() })
export type Problem = z.output<typeof Problem>

/** What a person has to decide. `twice`: this row has the same. `asked_already`: so has this open or recent request. */
const Warning = z.discriminatedUnion('code', [
  z.object({ code: z.literal('twice'), row: z.int() }),
  z.object({ code: z.literal('asked_already'), request: id }),
])
export type Warning = z.output<typeof Warning>

/** A row of a file of requests, or a customer with a tag, checked. */
export const RequestRow = z.object({
  /** Its number in the file, where the first line is 1; or the id of the customer. */
  number: z.int(),
  customer_number: z.string(),
  /** The phone that is asked, in E.164, or what the file has if that is no phone number. */
  phone_number: z.string(),
  name: z.string(),
  reason: z.string(),
  amount: amount.nullable(),
  currency: z.string(),
  network: z.string().nullable(),
  /** ISO 8601; null for the usual one. */
  expiry_date: z.string().nullable(),
  state: z.enum(['ready', 'refused']),
  problems: z.array(Problem),
  warnings: z.array(Warning),
})
export type RequestRow = z.output<typeof RequestRow>

/** How many requests there are and what they come to, in a currency through a network. */
export const RequestSum = z.object({ currency: z.string(), network: z.string(), requests: z.int(), total: amount })
export type RequestSum = z.output<typeof RequestSum>

/** Requests that were checked. Nothing of them is stored. */
export const CheckedRequests = z.object({
  rows: z.array(RequestRow),
  /** All requests that can be made. */
  all: z.array(RequestSum),
  /** Without those that are there twice, or were asked for already. */
  without_duplicates: z.array(RequestSum),
  ignored_columns: z.array(z.string()),
  notes: z.array(z.string()),
  /** Earlier batches of a file with the same content, the newest first. */
  same_file: z.array(RequestBatch),
})

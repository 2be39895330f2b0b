import { z } from 'zod'
import { column, type Row, table } from '../../db/table.ts'
import { parseObject } from '../../lib/structured-input.ts'
import { formatExpiry } from '../../lib/time.ts'
import { Contact } from '../contacts/contacts.ts'
import { amount, callersObject, documented, id, timestamp, updatedBy } from '../fields.ts'

/** The states of a request (interface section 3). */
export const requestStatuses = [
  'pending',
  'processing_started',
  'instructions_sent',
  'successful',
  'failed',
  'expired',
  'reversed',
] as const

export type RequestStatus = (typeof requestStatuses)[number]

/** States in which a request can still be fulfilled. */
export const openStatuses: readonly RequestStatus[] = ['pending', 'processing_started', 'instructions_sent']

/**
 * True if a request can still be fulfilled. Use it for rows that were read by id: with a condition on the status in the
 * statement, PostgreSQL may search for them among all open requests.
 */
export function isOpen({ status }: { status: RequestStatus }): boolean {
  return openStatuses.includes(status)
}

const expiryTimestamp = z
  .codec(z.string().nullable(), z.date().nullable(), {
    decode: (wire) => (wire === null ? null : new Date(wire)),
    encode: (date) => (date === null ? null : formatExpiry(date)),
  })
  .meta({ examples: ['2030-01-31 12:00:00.000000+00:00'] })

/**
 * The wire form of `subscription_settings`: a JSON text, or null (interface 2.5). The table has them as they were given: an
 * object, a JSON text of one, or a Python literal.
 */
const jsonText = z.codec(z.string().nullable(), z.unknown(), {
  decode: (wire): unknown => wire,
  encode: (settings) => {
    const object = parseObject(settings)
    return object ? JSON.stringify(object) : null
  },
})

/** Interface 2.5. */
export const CollectionRequest = z
  .object({
    id,
    organization: documented(id, 'Your organization.'),
    amount: documented(amount, 'The amount that the customer is asked to pay.'),
    currency: documented(z.string(), 'Three-letter code.', 'BXC'),
    account: documented(id.nullable(), 'The wallet that receives the money.'),
    phonenumber: documented(z.string(), 'The phone number of the customer, in E.164.', '+80000000000'),
    contact: Contact,
    reason: documented(z.string(), 'The reason; empty when none was given.', 'Order 7'),
    metadata: documented(callersObject, 'Your own attributes, as you gave them.', { order: 7 }),
    created: timestamp,
    author: documented(id, 'The user whose key made the request.'),
    modified: timestamp,
    updated_by: documented(updatedBy, 'The user who changed it last.', null, '7'),
    collection: documented(id.nullable(), 'The collection that fulfilled the request.', null, 12),
    success_message: documented(
      z.string(),
      'Text of the SMS on success. Empty: the default text with `send_instructions`, else no SMS.',
      'Thank you, {customer}!',
    ),
    send_instructions: documented(z.boolean(), 'Whether the customer gets a prompt or instructions.', true),
    instructions: documented(
      z.string().nullable(),
      'Text that replaces the usual instructions; `skip` for no SMS.',
      null,
    ),
    status: documented(z.enum(requestStatuses), 'The state of the request. New values may be added.', 'pending'),
    error_message: documented(z.string().nullable(), 'Why the request failed.', null, 'Cancelled By User'),
    expiry_date: documented(expiryTimestamp, 'When the request expires if it has not been paid.'),
    start_date: documented(expiryTimestamp, 'When the request starts; null if it starts at once.', null),
    retry_interval_minutes: documented(z.int().nullable(), 'Minutes between prompts.', null, 10),
    max_attempts: documented(z.int(), 'The maximum number of further prompts.', 3),
    subscription_settings: documented(
      jsonText,
      'The recurrence, as a JSON text of an object; null for a single request.',
      null,
      '{"end_date":"31/12/2030 08:00:00","frequency":"monthly"}',
    ),
  })
  .meta({ id: 'CollectionRequest' })

export type CollectionRequest = z.output<typeof CollectionRequest>

export const requestTable = table('collection_requests', {
  id: column.id(),
  organization: column.bigint(),
  amount: column.numeric(),
  currency: column.text(),
  account: column.bigint(),
  phonenumber: column.text(),
  contact: column.bigint(),
  network: column.text(),
  /** The slug of the connection. */
  connection: column.text(),
  reason: column.text(),
  metadata: column.json<Record<string, unknown>>(),
  success_message: column.text(),
  send_instructions: column.boolean(),
  instructions: column.text().nullable(),
  status: column.text<RequestStatus>(),
  error_message: column.text().later(),
  collection: column.bigint().later(),
  expiry_date: column.timestamptz(),
  start_date: column.timestamptz().nullable(),
  retry_interval_minutes: column.integer().nullable(),
  max_attempts: column.integer(),
  /** An object, or a JSON text of one, as it was given. */
  subscription_settings: column.json<unknown>().nullable(),
  created: column.timestamptz(),
  author: column.bigint(),
  modified: column.timestamptz(),
  updated_by: column.bigint().later(),
  /** Number of orders begun for it. */
  attempt: column.integer().default(0),
  /** Time when a person asked for the next prompt, after the last one had failed; null if that did not happen. */
  prompt_again_at: column.timestamptz().later(),
  archived: column.bigint().later(),
  traceparent: column.text().nullable(),
  /** Changes of its status. */
  history: column.text().default(''),
  unsuccessful: column.text<RequestStatus>().nullable().generated(),
})

/** The columns of a request that its jobs and its readers use. */
export const storedRequest = requestTable.omit('archived', 'traceparent', 'history', 'unsuccessful')
export type RequestRow = Row<typeof storedRequest>

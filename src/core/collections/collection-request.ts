import { z } from 'zod'
import { sql } from '../../db/sql.ts'
import { formatExpiry } from '../../lib/time.ts'
import { Contact } from '../contacts/contacts.ts'
import { amount, documented, id, timestamp, updatedBy } from '../fields.ts'

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
 * Whether a request can still be fulfilled. Asked here of rows that were found by their ids: a condition on the status
 * would tempt PostgreSQL to look for them among all that are open.
 */
export function isOpen({ status }: { status: RequestStatus }): boolean {
  return openStatuses.includes(status)
}

export const expiryTimestamp = z
  .codec(z.string().nullable(), z.date().nullable(), {
    decode: (wire) => (wire === null ? null : new Date(wire)),
    encode: (date) => (date === null ? null : formatExpiry(date)),
  })
  .meta({ examples: ['2030-01-31 12:00:00.000000+00:00'] })

/** Interface 2.5. */
export const CollectionRequest = z
  .object({
    id,
    organization: documented(id, 'Your organization.'),
    amount: documented(amount, 'What the customer is asked for.'),
    currency: documented(z.string(), 'Three-letter code.', 'BXC'),
    account: documented(id.nullable(), 'The wallet that receives the money.'),
    phonenumber: documented(z.string(), 'Who is asked, in E.164.', '+80000000000'),
    contact: Contact,
    reason: documented(z.string(), 'What it is for; empty when none was given.', 'Order 7'),
    metadata: documented(z.record(z.string(), z.unknown()), 'Your own attributes, as they were given.', { order: 7 }),
    created: timestamp,
    author: documented(id, 'The user whose key made the request.'),
    modified: timestamp,
    updated_by: documented(updatedBy, 'Who changed it last.', null, '7'),
    collection: documented(id.nullable(), 'The collection that fulfilled the request.', null, 12),
    success_message: documented(
      z.string(),
      'Text to the customer on success; empty: a default text.',
      'Thank you, {customer}!',
    ),
    send_instructions: documented(z.boolean(), 'Whether the customer is prompted and told how to pay.', true),
    instructions: documented(z.string().nullable(), 'Instead of the usual instructions; `skip`: no texts.', null),
    status: documented(z.enum(requestStatuses), 'Where the request stands. New values may be added.', 'pending'),
    error_message: documented(z.string().nullable(), 'Why it failed.', null, 'Cancelled By User'),
    expiry_date: documented(expiryTimestamp, 'When it expires unless money has come.'),
    start_date: documented(expiryTimestamp, 'When it starts, if not at once.', null),
    retry_interval_minutes: documented(z.int().nullable(), 'Minutes between prompts.', null, 10),
    max_attempts: documented(z.int(), 'How many further prompts there may be.', 3),
    subscription_settings: documented(
      z.unknown(),
      'The recurrence, in the form it was given; null for a single request.',
      null,
    ),
  })
  .meta({ id: 'CollectionRequest' })

export type CollectionRequest = z.output<typeof CollectionRequest>

/** A request as it lies in the table: the contact by its id, and what the jobs need to know. */
export type RequestRow = Omit<CollectionRequest, 'contact' | 'account' | 'expiry_date'> & {
  contact: number
  account: number
  expiry_date: Date
  network: string
  attempt: number
  status_queries: number
}

/** The columns that the wire and the jobs read. */
export function requestColumns() {
  return sql`id, organization, amount, currency, account, phonenumber, contact, network, reason, metadata,
    success_message, send_instructions, instructions, status, error_message, collection, expiry_date, start_date,
    retry_interval_minutes, max_attempts, subscription_settings, created, author, modified, updated_by, attempt, status_queries`
}

import { z } from 'zod'
import { column, type Row, table } from '../../db/table.ts'
import { amount, documented, id, timestamp } from '../fields.ts'
import type { StoredProvider } from './providers.ts'

/**
 * States of an SMS.
 *
 * - `waiting`: it is to be sent.
 * - `sent`: a provider has it.
 * - `delivered`: it reached the phone.
 * - `failed`: it did not.
 * - `unknown`: no provider confirmed that it has it, and it is not sent any more.
 */
export const smsStates = ['waiting', 'sent', 'delivered', 'failed', 'unknown'] as const
export type SmsState = (typeof smsStates)[number]

/**
 * Purpose of an SMS. `reminder` and `payment_link`: a person asked the customer to pay, again. `message`: a person
 * wrote it. `reply`: the answer to a word such as STOP.
 */
export const smsPurposes = ['instructions', 'reminder', 'payment_link', 'success', 'goods', 'message', 'reply'] as const
export type SmsPurpose = (typeof smsPurposes)[number]

export const smsTable = table('sms_messages', {
  id: column.id(),
  organization: column.bigint(),
  collection_request: column.bigint().nullable(),
  bill_purchase: column.bigint().nullable(),
  /** Recipient of a payment whom it tells about the money. */
  payment_recipient: column.bigint().nullable(),
  purpose: column.text<SmsPurpose>(),
  phonenumber: column.text(),
  country: column.text().nullable(),
  transactional: column.boolean().default(true).given(),
  body: column.text(),
  state: column.text<SmsState>(),
  /** The slug of the connection of the last attempt. */
  sender: column.text().later(),
  sender_id: column.text().later(),
  remote_id: column.text().later(),
  attempts: column.integer().default(0),
  /** Reason why it did not arrive: one of `smsFailureReasons`, or of `ownReasons`. */
  reason: column.text().later(),
  /** The provider's own code. */
  code: column.text().later(),
  last_error: column.text().later(),
  encoding: column.text<'gsm' | 'ucs-2'>().later(),
  parts: column.integer().later(),
  cost: column.numeric().later(),
  currency: column.text().later(),
  created: column.timestamptz(),
  sent_at: column.timestamptz().later(),
  delivered_at: column.timestamptz().later(),
  due_at: column.timestamptz().later(),
  /** Connection in whose turn it is due. */
  queue: column.text().default(''),
  /** The end of the text, from its first route on. */
  suffix: column.text().later(),
  leased_until: column.timestamptz().later(),
  valid_until: column.timestamptz().nullable(),
  connection: column.text().default(''),
  route_attempt: column.smallint().default(0),
  attempt: column.smallint().default(0),
  status_queries: column.integer().default(0),
  /** Number among the SMS of one purpose for one request. */
  number: column.smallint().default(0).given(),
  /** Parts that usage has by the row: of an SMS that its process sends at once. */
  stored_parts: column.smallint().later(),
  providers: column.json<StoredProvider[]>().default([]),
  /** Words of `providerId`. */
  provider_ids: column.texts().later(),
})

/** An SMS to a customer. `body` is the complete text, suffix included, as it is sent. */
export interface SmsMessage
  extends Omit<
    Row<typeof smsTable>,
    | 'payment_recipient'
    | 'suffix'
    | 'connection'
    | 'route_attempt'
    | 'attempt'
    | 'number'
    | 'status_queries'
    | 'valid_until'
    | 'stored_parts'
    | 'leased_until'
    | 'providers'
    | 'provider_ids'
  > {
  /** The payment whose recipient it tells about the money. */
  payment: number | null
}

/** Reasons why the service itself did not send an SMS. */
export const ownReasons = ['limit_reached', 'request_ended', 'no_consent'] as const

/** An SMS as organizations see it. */
export const SmsView = z
  .object({
    id,
    collection_request: documented(id.nullable(), 'The collection request that caused it, or null.', 17),
    bill_purchase: documented(id.nullable(), 'The bill purchase that caused it, or null.', null),
    payment: documented(id.nullable(), 'The payment that it announces to the recipient, or null.', null),
    purpose: documented(
      z.enum(smsPurposes),
      '`instructions`: how to pay. `reminder`: the same again. `payment_link`: the address of a page to pay on. `success`: the money has arrived. `goods`: what was bought. `message`: a person wrote it. `reply`: the answer to a word such as STOP.',
      'instructions',
    ),
    phonenumber: documented(z.string(), 'E.164.', '+256772000001'),
    body: documented(z.string(), 'The whole text, as it is sent.', 'Your payment of UGX 1,500 has arrived.'),
    state: documented(
      z.enum(smsStates),
      '`waiting`, then `sent` (a provider has it), then `delivered` or `failed`. `unknown`: no provider said whether it has it.',
      'delivered',
    ),
    reason: documented(z.string().nullable(), 'Reason for the failure, in one word, such as `unreachable`.', null),
    last_error: documented(z.string().nullable(), 'The last error, for people.', null),
    sender_id: documented(
      z.string().nullable(),
      'Sender that the phone shows; null for the provider’s own.',
      'DemoShop',
    ),
    parts: documented(z.int().nullable(), 'Number of SMS parts; null before it is sent.', 1),
    encoding: documented(z.enum(['gsm', 'ucs-2']).nullable(), 'Encoding: GSM fits twice as much text.', 'gsm'),
    cost: documented(amount.nullable(), 'Cost, if the provider reported it.', '35.0000'),
    currency: documented(z.string().nullable(), 'The currency of the cost.', 'UGX'),
    created: timestamp,
    sent_at: timestamp.nullable(),
    delivered_at: timestamp.nullable(),
  })
  .meta({ id: 'Sms' })
export type SmsView = z.output<typeof SmsView>

/** The end of every SMS (interface 4.3.1, "a fixed attribution suffix naming the service provider"). */
export function smsSuffix(service_name: string): string {
  return ` -Powered by ${service_name}`
}

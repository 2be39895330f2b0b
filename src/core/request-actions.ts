import { z } from 'zod'
import type { AnyReader, Tx } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import { column, insert, type Row, table } from '../db/table.ts'
import { documented, id, timestamp } from './fields.ts'

/** Actions that people take on a request or its money. */
const requestActionKinds = ['reminder', 'retry', 'payment_link', 'refund'] as const
type RequestActionKind = (typeof requestActionKinds)[number]

/** Reasons for refunds. `other` needs a comment. */
export const refundReasons = [
  'customer_request',
  'duplicate',
  'wrong_amount',
  'not_delivered',
  'fraud',
  'other',
] as const
export type RefundReason = (typeof refundReasons)[number]

/** An action as the API shows it. Each kind fills in the field of the object that it made. */
export const RequestAction = z
  .object({
    id,
    kind: documented(
      z.enum(requestActionKinds),
      '`reminder`: the customer was asked again. `retry`: a new request asks for the same money. `payment_link`: a link was sent. `refund`: the money was sent back. New values may be added.',
      'reminder',
    ),
    collection_request: documented(
      id.nullable(),
      'The request that it was done about; null for an unsolicited payment.',
      17,
    ),
    created: timestamp,
    author: documented(id, 'The user who did it.'),
    author_name: documented(z.string(), 'The name of that user.', 'Jane Doe'),
    reason: documented(z.enum(refundReasons).nullable(), 'Why the money was refunded.', null, 'duplicate'),
    comment: documented(z.string(), 'Comment of the user.', 'The customer asked on the phone.'),
    sms: documented(id.nullable(), 'The SMS that was sent.', 31),
    prompt: documented(z.boolean(), 'Whether the next prompt was brought forward.', false),
    new_request: documented(id.nullable(), 'The request that asks for the same money again.', null),
    payment_link: documented(id.nullable(), 'The payment link that was sent.', null),
    payment: documented(id.nullable(), 'The payment that refunds the money.', null),
  })
  .meta({ id: 'RequestAction' })
export type RequestAction = z.output<typeof RequestAction>

const actionTable = table('request_actions', {
  id: column.id(),
  organization: column.bigint(),
  kind: column.text<RequestActionKind>(),
  collection_request: column.bigint().nullable(),
  author: column.bigint(),
  comment: column.text(),
  sms_message: column.bigint().nullable(),
  prompt: column.boolean().default(false).given(),
  new_request: column.bigint().nullable(),
  payment_link: column.bigint().nullable(),
  payment: column.bigint().nullable(),
  reason: column.text<RefundReason>().nullable(),
  created: column.timestamptz(),
})

/** A new action. The transaction has locked the request or the collection. */
export type NewRequestAction = Pick<
  Row<typeof actionTable>,
  'organization' | 'kind' | 'collection_request' | 'author' | 'comment'
> &
  Partial<
    Pick<Row<typeof actionTable>, 'sms_message' | 'prompt' | 'new_request' | 'payment_link' | 'payment' | 'reason'>
  >

/** Stores an action. @returns it, as the API shows it */
export async function insertRequestAction(tx: Tx, now: Date, action: NewRequestAction): Promise<RequestAction> {
  const [row] = await tx<{ id: number }[]>`
    ${insert(actionTable, [action], { prompt: ({ prompt }) => prompt ?? false, created: now })} returning id`
  const [made] = await readActions(tx, { id: row!.id })
  return made!
}

/** Selects the actions of a request, including the one that made it; or the action that made a payment. */
type Wanted = { id: number } | { request: number } | { payment: number }

/** Actions, the oldest first. */
export function readActions(db: AnyReader, wanted: Wanted): Promise<RequestAction[]> {
  const condition =
    'request' in wanted
      ? sql`a.collection_request = ${wanted.request} or a.new_request = ${wanted.request}`
      : 'payment' in wanted
        ? sql`a.payment = ${wanted.payment}`
        : sql`a.id = ${wanted.id}`
  return db<RequestAction[]>`
    select a.id, a.kind, a.collection_request, a.created, a.author, u.name as author_name, a.reason, a.comment,
      a.sms_message as sms, a.prompt, a.new_request, a.payment_link, a.payment
    from request_actions a join users u on u.id = a.author
    where ${condition} order by a.id`
}

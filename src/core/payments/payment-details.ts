import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import { approvalObstacles, type QueueOf } from '../approvals/waiting.ts'
import { amount, id, timestamp } from '../fields.ts'
import { isDoubtful, readObstacle } from './approval-queue.ts'
import type { Payment } from './payments.ts'
import { RecipientSum, sumRecipients } from './recipients.ts'

const Person = z.object({ user: id, name: z.string(), at: timestamp })

/** Details of a payment for people who decide about it: names of the persons concerned, beside the API's data. */
export const PaymentDetails = z.object({
  author_name: z.string(),
  account_name: z.string(),
  /** Reason why this user cannot approve it; null if the user can, or if it waits for no approval. */
  obstacle: z.enum(approvalObstacles).nullable(),
  /** The file that it belongs to: its payments are approved together. Null for a payment of no file. */
  bulk_payment: z.object({ id, file_name: z.string() }).nullable(),
  approvals: z.array(Person),
  rejected_by_name: z.string().nullable(),
  cancelled_by_name: z.string().nullable(),
  /** Fee if all of it arrives. */
  fee: amount,
  /** True while nothing was sent, so that the payment can be cancelled. */
  is_untouched: z.boolean(),
  sums: z.array(RecipientSum),
  /** Number of recipients who have another name on the network, or no account there. */
  doubtful_recipients: z.int(),
})
export type PaymentDetails = z.output<typeof PaymentDetails>

/** Fields of a payment that its details depend on. */
type DetailedPayment = Pick<
  Payment,
  'id' | 'organization' | 'account' | 'state' | 'author' | 'approved_by' | 'rejected_by' | 'cancelled_by'
>

/** Reads the names and checks of a payment, for a user of its organization. */
export async function readPaymentDetails(
  db: AnyReader,
  now: Date,
  payment: DetailedPayment,
  queue: QueueOf,
): Promise<PaymentDetails> {
  const [names, [account], figures, approvals, obstacle, sums, [file]] = await Promise.all([
    readNames(db, [payment.author, payment.approved_by, payment.rejected_by, payment.cancelled_by]),
    db<{ name: string }[]>`select name from accounts where id = ${payment.account}`,
    readFigures(db, payment),
    readApprovals(db, payment.id),
    readObstacle(db, now, queue, payment.id),
    sumRecipients(db, payment),
    db<{ id: number; file_name: string }[]>`
      select b.id, b.file_name from bulk_payment_rows r join bulk_payments b on b.id = r.bulk_payment and b.organization = r.organization
      where r.organization = ${payment.organization} and r.payment = ${payment.id} limit 1`,
  ])
  const name = (user: number | null) => (user === null ? null : (names.get(user) ?? String(user)))
  return {
    author_name: name(payment.author)!,
    account_name: account?.name ?? String(payment.account),
    obstacle: obstacle ?? null,
    bulk_payment: file ?? null,
    approvals,
    rejected_by_name: name(payment.rejected_by),
    cancelled_by_name: name(payment.cancelled_by),
    ...figures,
    is_untouched: figures.is_untouched && payment.state !== 'validated',
    sums,
  }
}

/** The names of users, by id. */
export async function readNames(db: AnyReader, users: readonly (number | null)[]): Promise<Map<number, string>> {
  const ids = [...new Set(users.filter((user) => user !== null))]
  const found = await db<{ id: number; name: string }[]>`select id, name from users where id = any(${ids}::bigint[])`
  return new Map(found.map((user) => [user.id, user.name]))
}

/** The approvals of a payment, oldest first. */
export async function readApprovals(db: AnyReader, payment: number): Promise<z.output<typeof Person>[]> {
  const rows = await db<z.output<typeof Person>[]>`
    select a."user", u.name, a.approved as at from payment_approvals a join users u on u.id = a."user"
    where a.payment = ${payment} order by a.approved, a."user"`
  return [...rows]
}

type Figures = Pick<PaymentDetails, 'fee' | 'is_untouched' | 'doubtful_recipients'>

async function readFigures(db: AnyReader, { organization, id }: DetailedPayment): Promise<Figures> {
  const [figures] = await db<Figures[]>`
    select coalesce(sum(r.fee), 0)::numeric(19,4) as fee, coalesce(bool_and(r.state = 'new'), false) as is_untouched,
      count(*) filter (where ${isDoubtful()}) as doubtful_recipients
    from payment_recipients r join contacts c on c.id = r.contact and c.organization = r.organization
    where r.payment = ${id} and r.organization = ${organization}`
  return figures!
}

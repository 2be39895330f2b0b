import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import { amount, id, timestamp } from '../fields.ts'
import { approvalObstacles, type QueueOf } from '../spending/waiting.ts'
import { readObstacle, SAME_NAME_SCORE } from './approval-queue.ts'
import type { Payment } from './payments.ts'

/** Results of comparing the network's name of a recipient with the organization's. */
export const nameChecks = ['same', 'different', 'not_compared', 'not_known', 'not_registered'] as const
export type NameCheck = (typeof nameChecks)[number]

const Recipient = z.object({
  contact: id,
  phonenumber: z.string(),
  /** The name that the organization knows. */
  name: z.string(),
  name_on_network: z.string(),
  /** `not_compared`: the organization knows no name. `not_known`: the network has not said it, or does not tell names. */
  check: z.enum(nameChecks),
  /** The fee that is charged if the money arrives. */
  fee: amount,
})

const Person = z.object({ user: id, name: z.string(), at: timestamp })

/** Details of a payment for people who decide about it: names of the persons concerned, beside the API's data. */
export const PaymentDetails = z.object({
  author_name: z.string(),
  account_name: z.string(),
  /** Reason why this user cannot approve it; null if the user can, or if it waits for no approval. */
  obstacle: z.enum(approvalObstacles).nullable(),
  approvals: z.array(Person),
  rejected_by_name: z.string().nullable(),
  cancelled_by_name: z.string().nullable(),
  /** Fee if all of it arrives. */
  fee: amount,
  recipients: z.array(Recipient),
})
export type PaymentDetails = z.output<typeof PaymentDetails>

/** Reads the names and checks of a payment, for a user of its organization. */
export async function readPaymentDetails(
  db: AnyReader,
  now: Date,
  payment: Payment,
  queue: QueueOf,
): Promise<PaymentDetails> {
  const [names, [account], recipients, approvals, obstacle] = await Promise.all([
    readNames(db, [payment.author, payment.approved_by, payment.rejected_by, payment.cancelled_by]),
    db<{ name: string }[]>`select name from accounts where id = ${payment.account}`,
    readRecipients(db, payment.id),
    readApprovals(db, payment.id),
    readObstacle(db, now, queue, payment.id),
  ])
  const name = (user: number | null) => (user === null ? null : (names.get(user) ?? String(user)))
  return {
    author_name: name(payment.author)!,
    account_name: account?.name ?? String(payment.account),
    obstacle: obstacle ?? null,
    approvals,
    rejected_by_name: name(payment.rejected_by),
    cancelled_by_name: name(payment.cancelled_by),
    fee: recipients.reduce((sum, { fee }) => sum + fee, 0n),
    recipients,
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

async function readRecipients(db: AnyReader, payment: number): Promise<z.output<typeof Recipient>[]> {
  const rows = await db<z.output<typeof Recipient>[]>`
    select r.contact, r.phonenumber, c.first_name || ' ' || c.last_name as name, c.name_on_network, r.fee,
      case
        when c.phone_is_mm_registered = 'no' then 'not_registered'
        when c.name_on_network = '' then 'not_known'
        when c.name_matches_network_status <> 'checked' then 'not_compared'
        when c.name_matches_network_score < ${SAME_NAME_SCORE} then 'different'
        else 'same' end as check
    from payment_recipients r join contacts c on c.id = r.contact and c.organization = r.organization
    where r.payment = ${payment} order by r.id`
  return [...rows]
}

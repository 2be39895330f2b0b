import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, table } from '../../db/table.ts'
import type { Effect } from '../../db/unit-of-work.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { amount, id, timestamp } from '../fields.ts'
import { MAX_COUNTED } from '../queues.ts'
import { NotFound } from '../refusals.ts'
import type { RecipientRow } from './payments.ts'

/**
 * A payout that a network reported as sent after it had reported a failure (docs/decisions/0019). Meanwhile somebody may have
 * paid the recipient in another way, so a person has to look into it.
 */
export const LatePayout = z.object({
  /** The recipient of the payment. */
  id,
  payment: id,
  organization: id,
  phonenumber: z.string(),
  currency: z.string(),
  /** Amount that the network says it sent. */
  amount,
  /** True if it was taken from the wallet again. False if it is not the ordered amount. */
  booked: z.boolean(),
  detected: timestamp,
  /** Time and author of a person's review that settled the matter. */
  reviewed: timestamp.nullable(),
  reviewed_by: z.string().nullable(),
})
export type LatePayout = z.output<typeof LatePayout>

const latePayoutTable = table('late_payouts', {
  recipient: column.bigint().key(),
  payment: column.bigint(),
  organization: column.bigint(),
  amount: column.numeric(),
  booked: column.boolean(),
  detected: column.timestamptz(),
  reviewed: column.timestamptz().later(),
  reviewed_by: column.text().later(),
})

/** Late payouts. Of several about one recipient the last one counts, and a person must look into it again. */
export const latePayouts: Effect<{ recipient: RecipientRow; amount: Amount; booked: boolean }> = {
  write(tx, now, found) {
    tx.send`
      ${insert(latePayoutTable, found, {
        recipient: ({ recipient }) => recipient.id,
        payment: ({ recipient }) => recipient.payment,
        organization: ({ recipient }) => recipient.organization,
        detected: truncateToSecond(now),
      })}
      on conflict (recipient) do update set amount = excluded.amount, booked = excluded.booked, detected = excluded.detected,
        reviewed = null, reviewed_by = null`
  },
}

/** Filters of the list of late payouts. `open`: those that no person has looked into yet. */
interface LatePayoutFilters {
  organization?: number
  payment?: number
  ids?: readonly number[]
  open?: boolean
}

/** Late payouts, the newest first, at most `limit`. */
export async function listLatePayouts(
  db: Reader,
  { organization, payment, ids, open = false }: LatePayoutFilters,
  limit = 1_000,
): Promise<LatePayout[]> {
  const conditions = [
    organization === undefined ? sql.always : sql`l.organization = ${organization}`,
    payment === undefined ? sql.always : sql`l.payment = ${payment}`,
    ids === undefined ? sql.always : sql`l.recipient = any(${ids}::bigint[])`,
    open ? sql`l.reviewed is null` : sql.always,
  ]
  const found = await db<LatePayout[]>`
    select l.recipient as id, l.payment, l.organization, r.phonenumber, p.currency, l.amount, l.booked, l.detected, l.reviewed,
      l.reviewed_by
    from late_payouts l join payment_recipients r on r.id = l.recipient join payments p on p.id = l.payment
    where ${sql.join(conditions, ' and ')} order by l.recipient desc limit ${limit}`
  return [...found]
}

/**
 * Records that a person has looked into the late payouts of a payment: they need no attention any more. It moves no money.
 * @throws NotFound if the payment has none that waits
 */
export async function reviewLatePayouts(
  tx: Tx,
  now: Date,
  { payment, by }: { payment: number; by: string },
): Promise<LatePayout[]> {
  const reviewed = await tx<{ recipient: number }[]>`
    update late_payouts set reviewed = ${truncateToSecond(now)}, reviewed_by = ${by}
    where payment = ${payment} and reviewed is null returning recipient`
  if (reviewed.length === 0) throw new NotFound(getMessage('payments.no_late_payout', { payment }))
  return listLatePayouts(tx, { ids: reviewed.map(({ recipient }) => recipient) })
}

/** The late payouts that wait for a person, in sentences, for `doctor` and the nightly check. */
export async function checkLatePayouts(db: Reader): Promise<string[]> {
  const open = await listLatePayouts(db, { open: true }, MAX_FINDINGS)
  return open.map(
    ({ id, payment, currency, amount, booked }) =>
      `The network sent ${currency} ${displayAmount(amount)} of payment ${payment} (recipient ${id}) after it had reported a failure. ${
        booked
          ? 'It was taken from the account again.'
          : 'That is not the amount that was ordered, so it is not booked.'
      } Look into it, then run \`npx kusanya payments review ${payment}\`.`,
  )
}

/** Maximum number of findings: enough for a person to see the fault. */
const MAX_FINDINGS = 200

/** Counts the late payouts that wait for a person's review, at most `max`. */
export async function countLatePayouts(db: Reader, max = MAX_COUNTED): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from (select from late_payouts where reviewed is null limit ${max}) waiting`
  return row!.count
}

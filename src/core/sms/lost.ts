import type { Reader, Tx } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { IS_SENT_AT_ONCE, isFree } from '../leases.ts'

/*
 * SMS that a process has stored under its lease, to send them at once (direct.ts), have no due date and no index finds them. All
 * SMS up to the one in `sms_requeued` were sent or are due, so only later ones have to be looked at.
 */

/** The newest SMS at some time, and the first transaction that had not begun to write then. */
export interface Horizon {
  newest: number
  next_transaction: bigint
}

/** Number of SMS that are looked at when nothing is known about earlier ones. */
const FIRST_LOOK = 10_000

/**
 * Makes SMS due whose process has ended after it stored them, or has lost the answer of the database or of the provider. Their
 * leases are over. Another process that does the same is left alone.
 * @param horizon what the last call has returned: earlier SMS are looked at no more once all transactions of that time are over
 */
export async function requeueLostSms(
  tx: Tx,
  times: { now: Date; real: Date },
  horizon: Horizon | undefined,
): Promise<Horizon | undefined> {
  const [mark] = await tx<{ up_to: number }[]>`select up_to from sms_requeued for update skip locked`
  if (!mark) {
    await tx`
      insert into sms_requeued (up_to)
      values (coalesce((select id from sms_messages order by id desc offset ${FIRST_LOOK} limit 1), 0)) on conflict do nothing`
    return undefined
  }
  await tx`
    update sms_messages set ${dueAgain(times.now)}, leased_until = null where id = any(array(
      select id from sms_messages where id > ${mark.up_to} and ${IS_SENT_AT_ONCE} and ${isFree(times.real)}
      order by id for update skip locked))`
  const [newest] = await tx<{ id: number }[]>`select id from sms_messages order by id desc limit 1`
  // After the newest one was read: whoever writes an earlier one has a number by now.
  const [state] = await tx<{ oldest: number | null; running: string; next: string }[]>`
    select (select id from sms_messages where id > ${mark.up_to} and ${IS_SENT_AT_ONCE} order by id limit 1) as oldest,
      pg_snapshot_xmin(pg_current_snapshot())::text as running, pg_snapshot_xmax(pg_current_snapshot())::text as next`
  const next = { newest: newest?.id ?? 0, next_transaction: BigInt(state!.next) }
  if (!horizon) return next
  if (BigInt(state!.running) < horizon.next_transaction) return horizon
  const up_to = Math.min(horizon.newest, (state!.oldest ?? Number.POSITIVE_INFINITY) - 1)
  if (up_to > mark.up_to) await tx`update sms_requeued set up_to = ${up_to}`
  return next
}

/** True if SMS were stored after those that are known to be sent or due. */
export async function mayHaveLostSms(db: Reader): Promise<boolean> {
  const [row] = await db<{ newest: number | null; up_to: number | null }[]>`
    select (select id from sms_messages order by id desc limit 1) as newest, (select up_to from sms_requeued) as up_to`
  const { newest, up_to } = row!
  return up_to === null || (newest !== null && newest > up_to)
}

/** Makes all SMS of an organization due that their processes would send at once. Their leases stay. */
export async function requeueSmsOf(tx: Tx, organization: number): Promise<void> {
  await tx`
    update sms_messages set ${dueAgain(sql`created`)} where organization = ${organization} and ${IS_SENT_AT_ONCE}`
}

/** SQL: an SMS is due in the turn of its connection. */
function dueAgain(due_at: Date | Fragment): Fragment {
  return sql`due_at = ${due_at}, queue = connection`
}

import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { recordAudit } from '../access/audit.ts'
import { holdSending, releaseSending } from '../sending.ts'

/*
 * Data from a backup is older than the world: orders that were unsent in the backup may have been sent since. They are
 * never sent again by themselves (docs/operating/backup.md).
 */

/** Number of ids left out, so that no id given out after the backup is reused. */
const SKIPPED_IDS = 10_000_000

const MAY_BE_SENT = 'The data was restored from a backup, and this may have been sent before.'

/** Result of a restore. */
export interface RestoredData {
  /** Orders to networks that were unsent in the backup, and get a status query before anything is sent. */
  asked_orders: number
  /** Bill purchases that were not sent in the backup; their billers are asked. */
  asked_purchases: number
}

/**
 * Prepares data of a backup for a service: holds sending until a person releases it, treats unsent orders as perhaps
 * sent, and leaves out ids. It needs the rights of the owner.
 * @param now on the clock of the service
 * @param real the real time
 */
export async function prepareRestoredData(
  tx: Tx,
  times: { now: Date; real: Date },
  backup: { created: string },
): Promise<RestoredData> {
  const { now, real } = times
  const reason = `The data was restored from the backup of ${backup.created}.`
  // A hold that was in the backup has another reason.
  await releaseSending(tx)
  await holdSending(tx, now, { by: 'an operator', reason })
  const orders = await tx`
    update network_orders set state = 'sent', sent = ${now}, due_at = ${now}, leased_until = null, message = ${MAY_BE_SENT}
    where state = 'new' and kind <> 'vend' returning id`
  // A vend is usually sent as soon as its attempt begins; one that waited for an approval may have got it since.
  const vends = await tx<{ bill_purchase: number }[]>`
    update network_orders set state = 'sent', sent = created, sent_real = ${real}, restored = true, due_at = ${now}, leased_until = null
    where state = 'new' and kind = 'vend' returning bill_purchase`
  const purchases = vends.map(({ bill_purchase }) => bill_purchase)
  await tx`
    update bill_purchases set approvals = greatest(approvals, approvals_required) where id = any(${purchases}::bigint[])`
  await tx`
    select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, start_value) + ${SKIPPED_IDS})
    from pg_sequences where schemaname = 'public' and max_value > 9000000000000000`
  const result = { asked_orders: orders.length, asked_purchases: purchases.length }
  const details = { by: 'an operator', backup_of: backup.created, ...result }
  await recordAudit(tx, now, { organization: null, user: null, action: 'restore backup', details })
  return result
}

/** Every id must be below the next one that its sequence gives out. @returns sentences about those that are not */
export async function checkSequences(db: Reader): Promise<string[]> {
  const columns = await db<{ table: string; column: string; last: number | null }[]>`
    select t.relname as table, a.attname as column, s.last_value as last
    from pg_sequences s
    join pg_class q on q.relname = s.sequencename and q.relnamespace = s.schemaname::regnamespace
    join pg_depend d on d.objid = q.oid and d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass
      and d.deptype in ('a', 'i')
    join pg_class t on t.oid = d.refobjid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where s.schemaname = 'public' order by 1`
  const findings: string[] = []
  for (const { table, column, last } of columns) {
    const [row] = await db<{ newest: number | null }[]>`
      select max(${sql.identifier(column)}) as newest from ${sql.identifier(table)}`
    if ((row?.newest ?? 0) > (last ?? 0))
      findings.push(
        `The next ${column} of ${table} is taken: the newest is ${row!.newest}, and the sequence is at ${last}.`,
      )
  }
  return findings
}

/** Order, purchase or payment that had no end when the backup was made, so its end may be missing in the data. */
export interface OpenWork {
  kind: 'charge' | 'payout' | 'refund' | 'bill' | 'payment'
  /** The reference of an order or purchase, or the id of a payment. */
  reference: string
  state: string
  currency: string
  amount: string
  created: Date
}

/** Lists orders, bill purchases and payments to people without an end, the oldest first. */
export async function listOpenWork(db: Reader, limit: number): Promise<{ rows: OpenWork[]; count: number }> {
  const work = sql`
    select case o.kind when 'vend' then 'bill' else o.kind end as kind, o.reference, coalesce(p.status, o.state) as state,
      o.currency, o.amount::text as amount, coalesce(p.created, o.created) as created
    from network_orders o left join bill_purchases p on p.id = o.bill_purchase where o.closed is null
    union all
    select 'payment', p.id::text, r.state, p.currency, r.amount::text, p.created
    from payment_recipients r join payments p on p.id = r.payment
    where r.state not in ('complete', 'error', 'aborted')
      and not exists (select 1 from network_orders o where o.payment_recipient = r.id and o.closed is null)`
  const [rows, [total]] = await Promise.all([
    db<OpenWork[]>`select * from (${work}) w order by created, reference limit ${limit}`,
    db<{ count: number }[]>`select count(*) from (${work}) w`,
  ])
  return { rows: [...rows], count: total!.count }
}

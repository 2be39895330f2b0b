import type { Reader, Tx } from '../../db/client.ts'
import { selectDrawnIds } from '../../db/drawn-ids.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { monthTable, type UsageChange, usageByMonth } from './usage.ts'

/*
 * An SMS that its process sends as soon as it is stored has `stored_parts`, and counts in its month by its row. A job adds such
 * rows to `sms_months` up to a position, and `count_new_sms` adds those after it in the snapshot of its reader. The parts of a row
 * never change: a correction is written to `sms_months` at once.
 *
 * No open transaction can still write such a row up to the position (see drawn-ids.ts). Position and counts of rows change only
 * under one lock, in one transaction.
 */

const positionTable = table('sms_month_position', { id: column.integer().key(), sms_message: column.bigint() })

/** Key of an advisory lock: arbitrary, and different from those of drawn ids. */
const USAGE_LOCK = 1_802_464_888

/** Adds the rows that have become final to the counts. Transactions that delete SMS call it first. The sums stay the same. */
export async function updateSmsUsage(tx: Tx): Promise<void> {
  await lockUsage(tx)
  await moveUsage(tx)
}

/** Does the same as `updateSmsUsage`, unless another transaction is doing it. */
export async function tryUpdateSmsUsage(tx: Tx): Promise<void> {
  const [lock] = await tx<{ acquired: boolean }[]>`select pg_try_advisory_xact_lock(${USAGE_LOCK}) as acquired`
  if (lock!.acquired) await moveUsage(tx)
}

async function lockUsage(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${USAGE_LOCK})`
}

async function moveUsage(tx: Tx): Promise<void> {
  const [found] = await tx<{ position: number; committed: number }[]>`
    select ${position} as position, m.committed from (${selectDrawnIds('sms_messages')}) m`
  const { position: counted, committed } = found!
  if (committed <= counted) return
  await tx`
    insert into sms_months (organization, month, messages, parts)
    select organization, date_trunc('month', created at time zone 'UTC')::date as month, count(*), sum(stored_parts)
    from sms_messages where id > ${counted} and id <= ${committed} and stored_parts is not null
    group by month, organization order by month, organization
    on conflict (organization, month) do update set messages = sms_months.messages + excluded.messages,
      parts = sms_months.parts + excluded.parts`
  await setPosition(tx, committed)
}

const position = sql`coalesce((select sms_message from sms_month_position), 0)`

async function setPosition(tx: Tx, sms_message: number): Promise<void> {
  await tx`${insert(positionTable, [{ id: 1, sms_message }], {})} ${positionTable.replace(['sms_message'])}`
}

/** Reads the sums of an organization by month; exact for the snapshot of the transaction. */
export async function readSmsMonths(tx: Reader, organization: number): Promise<UsageChange[]> {
  return tx<UsageChange[]>`
    select organization, month::text as month, sum(messages)::bigint as messages, sum(parts)::bigint as parts
    from (${usageByMonth}) m where organization = ${organization} group by organization, month`
}

/** Writes the sums of an organization whose SMS came with their ids from a cell with lower ones. */
export async function insertSmsMonths(tx: Tx, organization: number, months: readonly UsageChange[]): Promise<void> {
  await lockUsage(tx)
  // A new cell has counted up to 0, and must not count what came.
  const [row] = await tx<Pick<Row<typeof positionTable>, 'sms_message'>[]>`
    select greatest(${position}, (select max(id) from sms_messages where organization = ${organization})) as sms_message`
  await setPosition(tx, row!.sms_message)
  await tx`${insert(monthTable, months, {})}`
}

/** Deletes the sums of an organization whose SMS are deleted. */
export async function deleteSmsMonths(tx: Tx, organization: number): Promise<void> {
  await lockUsage(tx)
  await tx`delete from sms_months where organization = ${organization}`
}

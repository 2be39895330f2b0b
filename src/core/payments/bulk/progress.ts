import type { AnyReader } from '../../../db/client.ts'
import type { Amount } from '../../../lib/money.ts'
import type { PaymentState } from '../payments.ts'
import type { BulkProgress, BulkState, FileProgress } from './row.ts'

/* State of a file of payments and its sums, as its rows and payments say. */

/** Rows of a file that have one currency, and one payment or none. */
interface RowGroup {
  bulk_payment: number
  payment: number | null
  currency: string | null
  /** True for rows that cannot be paid. */
  is_wrong: boolean
  rows: number
  amount: Amount
}

/** Recipients of a payment in one state. */
interface RecipientGroup {
  payment: number
  state: 'waiting' | 'paid' | 'failed'
  count: number
  amount: Amount
}

interface FileState {
  id: number
  state: BulkState
}

/** Reads the progress of files of an organization, by the id of the file. */
export async function readProgress(
  db: AnyReader,
  organization: number,
  files: readonly FileState[],
): Promise<Map<number, FileProgress>> {
  const groups = await readRowGroups(db, organization, files)
  const ids = groups.flatMap(({ payment }) => payment ?? [])
  const states = await readPaymentStates(db, organization, ids)
  const recipients = Map.groupBy(await readRecipientGroups(db, organization, ids), ({ payment }) => payment)
  const byFile = Map.groupBy(groups, ({ bulk_payment }) => bulk_payment)
  return new Map(files.map((file) => [file.id, progressOf(file, byFile.get(file.id) ?? [], { states, recipients })]))
}

async function readRowGroups(
  db: AnyReader,
  organization: number,
  files: readonly FileState[],
): Promise<readonly RowGroup[]> {
  return db<RowGroup[]>`
    select bulk_payment, payment, currency, payment is null and problems <> '[]' as is_wrong, count(*) as rows,
      coalesce(sum(amount), 0)::numeric(38,4) as amount
    from bulk_payment_rows
    where organization = ${organization} and bulk_payment = any(${files.map(({ id }) => id)}::bigint[])
      and decision is distinct from 'skip'
    group by 1, 2, 3, 4 order by currency, payment`
}

async function readPaymentStates(db: AnyReader, organization: number, ids: readonly number[]) {
  const found = await db<{ id: number; state: PaymentState }[]>`
    select id, state from payments where organization = ${organization} and id = any(${ids}::bigint[])`
  return new Map(found.map(({ id, state }) => [id, state]))
}

async function readRecipientGroups(
  db: AnyReader,
  organization: number,
  ids: readonly number[],
): Promise<readonly RecipientGroup[]> {
  return db<RecipientGroup[]>`
    select payment, case when state = 'complete' then 'paid' when state in ('error', 'aborted') then 'failed' else 'waiting' end as state,
      count(*), sum(amount)::numeric(38,4) as amount
    from payment_recipients where organization = ${organization} and payment = any(${ids}::bigint[]) group by 1, 2`
}

interface KnownPayments {
  states: ReadonlyMap<number, PaymentState>
  recipients: ReadonlyMap<number, readonly RecipientGroup[]>
}

function progressOf({ state }: FileState, groups: readonly RowGroup[], known: KnownPayments): FileProgress {
  const started = state !== 'draft'
  const sums = new Map<string, FileProgress['sums'][number]>()
  const counts = { waiting: 0, paid: 0, failed: 0 }
  for (const { payment, currency, is_wrong, rows, amount } of groups) {
    const sum = currency === null ? undefined : (sums.get(currency) ?? { currency, amount: 0n, paid: 0n, failed: 0n })
    if (currency !== null && sum) sums.set(currency, sum)
    if (is_wrong && !started) continue
    if (sum) sum.amount += amount
    if (is_wrong) {
      counts.failed += rows
      if (sum) sum.failed += amount
    }
    for (const group of known.recipients.get(payment ?? 0) ?? []) {
      counts[group.state] += group.count
      if (sum && group.state !== 'waiting') sum[group.state] += group.amount
    }
  }
  const states = groups.flatMap(({ payment }) => known.states.get(payment ?? 0) ?? [])
  return {
    sums: [...sums.values()],
    paid_rows: counts.paid,
    failed_rows: counts.failed,
    progress: state === 'created' ? endOf(states, counts) : state,
  }
}

/** State of a file whose payments were created. */
function endOf(
  states: readonly PaymentState[],
  { waiting, paid, failed }: Record<'waiting' | 'paid' | 'failed', number>,
): BulkProgress {
  if (states.some((state) => state === 'approval_needed' || state === 'approval_requested')) return 'awaiting_approval'
  if (waiting > 0) return 'sending'
  if (paid > 0) return failed > 0 ? 'partly_paid' : 'paid'
  for (const end of ['rejected', 'cancelled'] as const)
    if (states.length > 0 && states.every((state) => state === end)) return end
  return 'failed'
}

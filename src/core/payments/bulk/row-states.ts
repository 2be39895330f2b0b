import type { AnyReader } from '../../../db/client.ts'
import type { RecipientState } from '../payments.ts'
import type { BulkPayment, RowDecision, RowState } from './row.ts'

/** Facts that the state of a row depends on, besides its recipient. */
export interface RowOfState {
  decision: RowDecision | null
  is_wrong: boolean
  recipient: number | null
  bulk_state: BulkPayment['state']
}

/** Recipients of payments, by id. */
export type RecipientsById = ReadonlyMap<number, { state: RecipientState; last_error: string | null }>

/** Computes the state of a row. */
export function rowStateOf({ decision, is_wrong, recipient, bulk_state }: RowOfState, known: RecipientsById): RowState {
  if (decision === 'skip') return 'left_out'
  const paid_to = recipient === null ? undefined : known.get(recipient)
  if (paid_to?.state === 'complete') return 'paid'
  if (paid_to?.state === 'error' || paid_to?.state === 'aborted') return 'failed'
  if (paid_to) return 'waiting'
  return is_wrong && (bulk_state === 'creating' || bulk_state === 'created') ? 'refused' : 'open'
}

/**
 * Reads the recipients of rows, in one scan. In a join with the rows of a file, PostgreSQL could read all recipients
 * for each row, if its statistics or its cached plan are older than the rows.
 */
export async function readRecipientsOf(
  db: AnyReader,
  organization: number,
  rows: readonly { recipient: number | null }[],
): Promise<RecipientsById> {
  const ids = rows.flatMap(({ recipient }) => recipient ?? [])
  if (ids.length === 0) return new Map()
  const found = await db<{ id: number; state: RecipientState; last_error: string | null }[]>`
    select id, state, last_error from payment_recipients
    where organization = ${organization} and id = any(${ids}::bigint[])`
  return new Map(found.map(({ id, ...recipient }) => [id, recipient]))
}

/** The states of all rows of a file, by the number of the row. */
export async function readRowStates(
  db: AnyReader,
  { organization, id }: { organization: number; id: number },
): Promise<Map<number, RowState>> {
  const rows = await db<(RowOfState & { number: number })[]>`
    select r.number, r.decision, r.problems <> '[]' as is_wrong, r.recipient, (
      select b.state from bulk_payments b where b.id = ${id} and b.organization = ${organization}) as bulk_state
    from bulk_payment_rows r where r.organization = ${organization} and r.bulk_payment = ${id}`
  const recipients = await readRecipientsOf(db, organization, rows)
  return new Map(rows.map((row) => [row.number, rowStateOf(row, recipients)]))
}

/** Counts the rows of a file by their states, in the database. Payments of a file have no other recipients than its rows. */
export async function countRowStates(
  db: AnyReader,
  { organization, id }: { organization: number; id: number },
): Promise<Record<RowState, number>> {
  const groups = await db<{ state: RowState | 'sent'; count: number; payments: number[] }[]>`
    select case
        when r.decision = 'skip' then 'left_out'
        when r.recipient is not null then 'sent'
        when r.problems <> '[]' and (
          select b.state from bulk_payments b where b.id = ${id} and b.organization = ${organization}) in ('creating', 'created') then 'refused'
        else 'open' end as state,
      count(*), coalesce(array_agg(distinct r.payment) filter (where r.payment is not null), '{}') as payments
    from bulk_payment_rows r where r.organization = ${organization} and r.bulk_payment = ${id} group by 1`
  const payments = groups.flatMap((group) => group.payments)
  const sent = await db<{ state: RowState; count: number }[]>`
    select case when state = 'complete' then 'paid' when state in ('error', 'aborted') then 'failed' else 'waiting' end as state, count(*)
    from payment_recipients where organization = ${organization} and payment = any(${payments}::bigint[]) group by 1`
  const counts = { open: 0, left_out: 0, refused: 0, waiting: 0, paid: 0, failed: 0 }
  for (const { state, count } of [...groups, ...sent]) if (state !== 'sent') counts[state] += count
  return counts
}

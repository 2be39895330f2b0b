import { z } from 'zod'
import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { column, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import type { StatementLine } from '../../lib/statements/statement-line.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { isWithoutUse } from '../collections/filters.ts'
import { amount, id, timestamp } from '../fields.ts'
import { type ClaimTimes, claimDue, findNextDue, releaseLeases } from '../leases.ts'
import { type BookEntry, type Finding, type FindingKind, findingKinds } from '../ledger/reconciliation.ts'
import { Invalid, NotFound } from '../refusals.ts'

/** `entered`: a person has entered its money, and a second person has to approve it. */
export const findingStates = ['open', 'asked', 'entered', 'resolved', 'explained'] as const
export type FindingState = (typeof findingStates)[number]

/** Difference between a statement and the ledger, and the action of people on it. */
export const KeptFinding = z.object({
  id,
  kind: z.enum(findingKinds),
  remote_id: z.string(),
  /** Part of the line that cannot be read; empty for a line that was compared. */
  problem: z.string(),
  /** The line of the file; null where the statement does not list it. */
  line: z.int().nullable(),
  stated_status: z.string().nullable(),
  stated_amount: amount.nullable(),
  stated_currency: z.string().nullable(),
  stated_sent: z.boolean().nullable(),
  stated_fee: amount.nullable(),
  stated_at: timestamp.nullable(),
  /** The other side as the statement names it. */
  stated_phone: z.string().nullable(),
  stated_name: z.string().nullable(),
  /** Kind of the ledger entry when they were compared; null for none. */
  booked_what: z.enum(['collection', 'payment', 'reversal']).nullable(),
  booked_status: z.string().nullable(),
  booked_amount: amount.nullable(),
  booked_currency: z.string().nullable(),
  booked_fee: amount.nullable(),
  booked_at: timestamp.nullable(),
  state: z.enum(findingStates),
  /** Reason why nothing was recorded when the network was asked last; empty otherwise. */
  answer: z.string(),
  note: z.string(),
  decided_by_name: z.string().nullable(),
  decided: timestamp.nullable(),
  /** The collection or the payment with this id of the network, as it is now. */
  collection: id.nullable(),
  payment: id.nullable(),
  /** True if the collection matches no request. */
  unmatched: z.boolean(),
  /** True if the money waits for a wallet. */
  unassigned: z.boolean(),
  /** Reference of the payment's order; `is_open`: true if its end is open, so that it can be attested. */
  order: z.string().nullable(),
  order_is_open: z.boolean(),
  /** True if it is received money that two persons may enter. */
  can_enter: z.boolean(),
  entry_account: id.nullable(),
  entry_phone: z.string().nullable(),
  entry_note: z.string().nullable(),
  entered_by: id.nullable(),
  entered_by_name: z.string().nullable(),
  /** True if the network can be asked about it, and the ledger follow its answer. */
  can_ask: z.boolean(),
})
export type KeptFinding = z.output<typeof KeptFinding>

export const findingTable = table('reconciliation_findings', {
  id: column.id(),
  run: column.bigint(),
  kind: column.text<FindingKind>(),
  remote_id: column.text(),
  problem: column.text().default('').given(),
  line: column.integer().nullable(),
  stated_phone: column.text().nullable(),
  stated_name: column.text().nullable(),
  stated_status: column.text().nullable(),
  stated_amount: column.numeric().nullable(),
  stated_currency: column.text().nullable(),
  stated_sent: column.boolean().nullable(),
  stated_fee: column.numeric().nullable(),
  stated_reversal_of: column.text().nullable(),
  stated_at: column.timestamptz().nullable(),
  booked_what: column.text<BookEntry['what']>().nullable(),
  booked_id: column.bigint().nullable(),
  booked_status: column.text().nullable(),
  booked_amount: column.numeric().nullable(),
  booked_currency: column.text().nullable(),
  booked_fee: column.numeric().nullable(),
  booked_at: column.timestamptz().nullable(),
  state: column.text<FindingState>(),
  answer: column.text().default(''),
  note: column.text().default(''),
  decided_by: column.bigint().later(),
  decided_by_name: column.text().later(),
  decided: column.timestamptz().later(),
  due_at: column.timestamptz().later(),
  leased_until: column.timestamptz().later(),
  entry_account: column.bigint().later(),
  entry_phone: column.text().later(),
  entry_note: column.text().later(),
  entered_by: column.bigint().later(),
  entered_by_name: column.text().later(),
  entered: column.timestamptz().later(),
})
const shownFinding = findingTable.omit('run', 'booked_id', 'decided_by', 'due_at', 'leased_until', 'entered')

/** SQL: condition that the network can settle a difference: missing in the ledger, a reversal, or an unbooked fee. */
function canAsk(): Fragment {
  return sql`(f.kind = 'missing_in_books' and (f.stated_sent is not true or f.stated_reversal_of is not null)
    or f.kind = 'status_differs' and f.stated_status = 'reversed' and f.booked_what in ('collection', 'payment')
    or f.kind = 'fee_differs' and f.booked_fee is null)`
}

/** Lists one page of the findings of a run in the order in which they were found, with the count of all that match. */
export async function listFindings(
  db: AnyReader,
  run: { id: number; connection: string },
  filters: { kind?: FindingKind | undefined; state?: FindingState | undefined },
  page: { limit: number; offset: number },
): Promise<{ rows: KeptFinding[]; count: number }> {
  const matches = sql`f.run = ${run.id}
    and ${filters.kind === undefined ? sql.always : sql`f.kind = ${filters.kind}`}
    and ${filters.state === undefined ? sql.always : sql`f.state = ${filters.state}`}`
  const [total] = await db<{ count: number }[]>`select count(*) from reconciliation_findings f where ${matches}`
  const found = await db<KeptFinding[]>`
    select ${shownFinding.columnsOf('f')}, c.id as collection, p.payment,
      coalesce(${isWithoutUse('c')}, false) as unmatched,
      exists (select from unassigned_payments u where u.connection = ${run.connection}
        and u.remote_transaction_id = f.remote_id and u.state = 'unassigned') as unassigned,
      o.reference as "order", coalesce(o.state in ('sent', 'accepted'), false) as order_is_open, ${canAsk()} as can_ask,
      (f.kind = 'missing_in_books' and f.stated_sent is false and f.stated_reversal_of is null
        and f.stated_status = 'successful' and f.stated_at is not null) as can_enter
    from reconciliation_findings f
    left join collections c on c.connection = ${run.connection}
      and c.remote_transaction_id = coalesce(f.stated_reversal_of, f.remote_id)
    left join lateral (select r.id, r.payment from payment_recipients r where r.connection = ${run.connection}
      and r.remote_transaction_id = coalesce(f.stated_reversal_of, f.remote_id) order by r.id desc limit 1) p on true
    left join lateral (select n.reference, n.state from network_orders n where n.payment_recipient = p.id
      order by n.id desc limit 1) o on true
    where ${matches} order by f.id limit ${page.limit} offset ${page.offset}`
  return { rows: [...found], count: total!.count }
}

/** The person who acts on a finding. */
interface Actor {
  user: number
  name: string
}

/** Writes down why a finding differs; it needs nothing else then. @throws NotFound, Invalid when it is not open */
export async function explainFinding(
  tx: Tx,
  now: Date,
  input: { run: number; finding: number; note: string; by: Actor },
): Promise<void> {
  const { by, finding, note } = input
  await lockOpen(tx, input.run, finding)
  await tx`
    update reconciliation_findings set state = 'explained', note = ${note}, decided_by = ${by.user},
      decided_by_name = ${by.name}, decided = ${truncateToSecond(now)} where id = ${finding}`
}

/**
 * Schedules the question to the network about a finding.
 * @throws NotFound, Invalid when it is not open, or the network settles no such difference
 */
export async function askAboutFinding(
  tx: Tx,
  now: Date,
  input: { run: number; finding: number; by: Actor },
): Promise<void> {
  const { by, finding } = input
  await lockOpen(tx, input.run, finding)
  const asked = await tx`
    update reconciliation_findings f set state = 'asked', answer = '', decided_by = ${by.user}, decided_by_name = ${by.name},
      decided = ${truncateToSecond(now)}, due_at = ${now}
    where f.id = ${finding} and ${canAsk()} returning f.id`
  if (asked.length === 0) throw new Invalid({ finding: [getMessage('reconciliation.network_cannot_settle')] })
}

/** Locks a finding of a run. @throws NotFound, Invalid when it is not open */
export async function lockOpen(tx: Tx, run: number, finding: number): Promise<void> {
  const [row] = await tx<{ run: number; state: FindingState }[]>`
    select run, state from reconciliation_findings where id = ${finding} for update`
  if (row?.run !== run) throw new NotFound(getMessage('reconciliation.no_difference', { finding }))
  if (row.state !== 'open')
    throw new Invalid({ finding: [getMessage('reconciliation.difference_already', { state: row.state })] })
}

/** A finding about which the network is to be asked. */
export interface AskedFinding {
  id: number
  /** The slug of the connection. */
  connection: string
  finding: Finding
}

type FindingRow = Pick<Finding, 'kind' | 'remote_id'> & {
  id: number
  connection: string
  line: number | null
  stated_status: StatementLine['status'] | null
  stated_amount: Amount | null
  stated_currency: string | null
  stated_sent: boolean | null
  stated_fee: Amount | null
  stated_reversal_of: string | null
  stated_at: Date | null
  booked_what: BookEntry['what'] | null
  booked_id: number | null
  booked_status: string | null
  booked_amount: Amount | null
  booked_currency: string | null
  booked_fee: Amount | null
  booked_at: Date | null
}

/** Claims findings about which the networks are to be asked. */
export async function claimAskedFindings(tx: Tx, times: ClaimTimes, limit: number): Promise<AskedFinding[]> {
  const claimed = await claimDue<{ id: number }>(tx, { table: 'reconciliation_findings', times, limit })
  const ids = claimed.map(({ id: finding }) => finding)
  if (ids.length === 0) return []
  const found = await tx<FindingRow[]>`
    select f.id, r.connection, f.kind, f.remote_id, f.line, f.stated_status, f.stated_amount, f.stated_currency, f.stated_sent,
      f.stated_fee, f.stated_reversal_of, f.stated_at, f.booked_what, f.booked_id, f.booked_status, f.booked_amount,
      f.booked_currency, f.booked_fee, f.booked_at
    from reconciliation_findings f join reconciliation_runs r on r.id = f.run where f.id = any(${ids}::bigint[]) order by f.id`
  return found.map((row) => ({ id: row.id, connection: row.connection, finding: toFinding(row) }))
}

function toFinding(row: FindingRow): Finding {
  const { kind, remote_id, line, booked_what, booked_id } = row
  return {
    kind,
    remote_id,
    statement:
      line === null || row.stated_status === null
        ? null
        : {
            line,
            remote_id,
            amount: row.stated_amount!,
            sent: row.stated_sent!,
            status: row.stated_status,
            currency: row.stated_currency,
            paid_at: row.stated_at,
            reversal_of: row.stated_reversal_of,
            fee: row.stated_fee,
          },
    books:
      booked_what === null
        ? null
        : {
            id: booked_id!,
            what: booked_what,
            remote_id,
            status: row.booked_status!,
            amount: row.booked_amount!,
            currency: row.booked_currency!,
            paid_at: row.booked_at,
            network_fee: row.booked_fee,
          },
  }
}

/** Finds the time when the next network is to be asked, or null. */
export function nextAskedFinding(db: Reader, real: Date): Promise<Date | null> {
  return findNextDue(db, 'reconciliation_findings', real)
}

/** Ends the claims: a finding that was recorded is resolved, another is open again with the reason. */
export async function finishAskedFindings(
  tx: Tx,
  answers: readonly { id: number; refused: string | null }[],
): Promise<void> {
  const results = rows(answers, {
    id: 'bigint',
    state: ['text', ({ refused }) => (refused === null ? 'resolved' : 'open')],
    answer: ['text', ({ refused }) => refused ?? ''],
    due_at: ['timestamptz', () => null],
  })
  releaseLeases(tx, 'reconciliation_findings', results)
}

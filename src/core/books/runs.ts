import { z } from 'zod'
import type { AnyReader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { id, timestamp } from '../fields.ts'
import type { Finding } from '../ledger/reconciliation.ts'
import { NotFound } from '../refusals.ts'
import { type Comparison, countDifferences } from './compare.ts'
import { ComparedSum } from './sums.ts'

/** A comparison of a statement with the ledger, as it is kept. */
export const ReconciliationRun = z.object({
  id,
  /** The slug of the connection, and the code of its network. */
  connection: z.string(),
  network: z.string(),
  file_name: z.string(),
  /** The file is not kept: its SHA-256 says which one it was. */
  file_sha256: z.string(),
  period_from: timestamp,
  period_to: timestamp,
  lines: z.int(),
  agreeing: z.int(),
  /** True if payments were compared too. */
  sent: z.boolean(),
  differences: z.int(),
  /** The time zone of times that name none in the file; null for a statement that the network gave itself. */
  zone: z.string().nullable(),
  /** Notes on how the file was read, in sentences. */
  notes: z.array(z.string()),
  sums: z.array(ComparedSum),
  /** Number of open ones: not resolved and not explained. */
  open: z.int(),
  author: id,
  author_name: z.string(),
  created: timestamp,
})
export type ReconciliationRun = z.output<typeof ReconciliationRun>

/**
 * Maximum number of differences kept of a run. A statement with more belongs to another account, or to another period.
 */
export const MAX_KEPT_FINDINGS = 10_000

export interface NewRun {
  organization: number
  file_name: string
  file_sha256: string
  comparison: Comparison
  /** Notes on how the file was read. */
  notes: readonly string[]
  /** The first `MAX_KEPT_FINDINGS` of them. */
  findings: readonly Finding[]
  author: { user: number; name: string }
}

/** Keeps a complete comparison. @returns its id */
export async function insertRun(tx: Tx, now: Date, run: NewRun): Promise<number> {
  const { organization, file_name, file_sha256, comparison, notes, author } = run
  const { connection, network, from, to, lines, agreeing, sent, zone, sums } = comparison
  const [made] = await tx<{ id: number }[]>`
    insert into reconciliation_runs (organization, connection, network, file_name, file_sha256, period_from, period_to, lines,
      agreeing, sent, differences, zone, notes, sums, author, author_name, created)
    values (${organization}, ${connection}, ${network}, ${file_name}, ${file_sha256}, ${from!}, ${to!}, ${lines}, ${agreeing},
      ${sent}, ${countDifferences(comparison)}, ${zone}, ${notes}::text[], ${sql.json(sums.toJSON())}, ${author.user}, ${author.name}, ${truncateToSecond(now)})
    returning id`
  const r = rows(run.findings.slice(0, MAX_KEPT_FINDINGS), {
    kind: 'text',
    remote_id: 'text',
    line: ['integer', ({ statement, unreadable }) => statement?.line ?? unreadable?.line],
    problem: ['text', ({ unreadable }) => unreadable?.problem ?? ''],
    stated_phone: ['text', ({ statement }) => statement?.phonenumber],
    stated_name: ['text', ({ statement }) => statement?.name],
    stated_status: ['text', ({ statement }) => statement?.status],
    stated_amount: ['numeric', ({ statement }) => statement?.amount],
    stated_currency: ['text', ({ statement }) => statement?.currency],
    stated_sent: ['boolean', ({ statement }) => statement?.sent],
    stated_fee: ['numeric', ({ statement }) => statement?.fee],
    stated_reversal_of: ['text', ({ statement }) => statement?.reversal_of],
    stated_at: ['timestamptz', ({ statement }) => statement?.paid_at],
    booked_what: ['text', ({ books }) => books?.what],
    booked_id: ['bigint', ({ books }) => books?.id],
    booked_status: ['text', ({ books }) => books?.status],
    booked_amount: ['numeric', ({ books }) => books?.amount],
    booked_currency: ['text', ({ books }) => books?.currency],
    booked_fee: ['numeric', ({ books }) => books?.network_fee],
    booked_at: ['timestamptz', ({ books }) => books?.paid_at],
  })
  await tx`
    insert into reconciliation_findings (run, state, ${r.columns})
    select ${made!.id}, 'open', ${r.columns} from ${r.as('r')}`
  return made!.id
}

/** Lists one page of the runs of an organization, newest first, with the count of all. */
export async function listRuns(
  db: AnyReader,
  organization: number,
  page: { limit: number; offset: number },
): Promise<{ rows: ReconciliationRun[]; count: number }> {
  const [total] = await db<{ count: number }[]>`
    select count(*) from reconciliation_runs where organization = ${organization}`
  const found = await db<ReconciliationRun[]>`
    select ${runColumns()} from reconciliation_runs r where r.organization = ${organization}
    order by r.id desc limit ${page.limit} offset ${page.offset}`
  return { rows: [...found], count: total!.count }
}

/** The run with this id. @throws NotFound, also when it is of another organization */
export async function getRun(db: AnyReader, organization: number, run: number): Promise<ReconciliationRun> {
  const [found] = await db<ReconciliationRun[]>`
    select ${runColumns()} from reconciliation_runs r where r.id = ${run} and r.organization = ${organization}`
  if (!found) throw new NotFound(getMessage('reconciliation.no_run', { run }))
  return found
}

function runColumns() {
  return sql`r.id, r.connection, r.network, r.file_name, r.file_sha256, r.period_from, r.period_to, r.lines, r.agreeing, r.sent,
    r.differences, r.zone, r.notes, r.sums, r.author, r.author_name, r.created,
    (select count(*) from reconciliation_findings f where f.run = r.id and f.state in ('open', 'asked', 'entered')) as open`
}

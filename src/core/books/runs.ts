import { z } from 'zod'
import type { AnyReader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { id, timestamp } from '../fields.ts'
import type { Finding } from '../ledger/reconciliation.ts'
import { NotFound } from '../refusals.ts'
import { type Comparison, countDifferences } from './compare.ts'
import { findingTable } from './findings.ts'
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

const runTable = table('reconciliation_runs', {
  id: column.id(),
  organization: column.bigint(),
  connection: column.text(),
  network: column.text(),
  file_name: column.text(),
  file_sha256: column.text(),
  period_from: column.timestamptz(),
  period_to: column.timestamptz(),
  lines: column.integer(),
  agreeing: column.integer(),
  sent: column.boolean(),
  differences: column.integer(),
  zone: column.text().nullable(),
  notes: column.texts().default([]).given(),
  sums: column.jsonb<ComparedSum[]>().default([]).given(),
  author: column.bigint(),
  author_name: column.text(),
  created: column.timestamptz(),
})
const shownRun = runTable.omit('organization')

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
  const { comparison, author } = run
  const [made] = await tx<{ id: number }[]>`
    ${insert(runTable, [{ ...comparison, ...run }], {
      period_from: comparison.from!,
      period_to: comparison.to!,
      differences: countDifferences(comparison),
      sums: comparison.sums.toJSON(),
      author: author.user,
      author_name: author.name,
      created: truncateToSecond(now),
    })}
    returning id`
  await tx`${insert(findingTable, run.findings.slice(0, MAX_KEPT_FINDINGS), {
    run: made!.id,
    line: ({ statement, unreadable }) => statement?.line ?? unreadable?.line,
    problem: ({ unreadable }) => unreadable?.problem ?? '',
    stated_phone: ({ statement }) => statement?.phonenumber,
    stated_name: ({ statement }) => statement?.name,
    stated_status: ({ statement }) => statement?.status,
    stated_amount: ({ statement }) => statement?.amount,
    stated_currency: ({ statement }) => statement?.currency,
    stated_sent: ({ statement }) => statement?.sent,
    stated_fee: ({ statement }) => statement?.fee,
    stated_reversal_of: ({ statement }) => statement?.reversal_of,
    stated_at: ({ statement }) => statement?.paid_at,
    booked_what: ({ books }) => books?.what,
    booked_id: ({ books }) => books?.id,
    booked_status: ({ books }) => books?.status,
    booked_amount: ({ books }) => books?.amount,
    booked_currency: ({ books }) => books?.currency,
    booked_fee: ({ books }) => books?.network_fee,
    booked_at: ({ books }) => books?.paid_at,
    state: 'open',
  })}`
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
  return sql`${shownRun.columnsOf('r')},
    (select count(*) from reconciliation_findings f where f.run = r.id and f.state in ('open', 'asked', 'entered')) as open`
}

import type { AnyReader } from '../../../db/client.ts'
import { type Fragment, sql } from '../../../db/sql.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { matchesPerson } from '../../contacts/people-search.ts'
import { cellText, type RefusedRows, refusedFile } from '../../files/refused-rows.ts'
import { NotFound } from '../../refusals.ts'
import { type PaymentCells, columns as paymentColumns, titles } from './columns.ts'
import { readFunds } from './funds.ts'
import { countNames, knownName, type NamesByPhone, nameStateOf, readNameStates, readNames } from './names.ts'
import { readProgress } from './progress.ts'
import type { BulkPayment, BulkPaymentDetail, BulkRow, FileProgress } from './row.ts'
import {
  countRowStates,
  type RecipientsById,
  type RowOfState,
  readRecipientsOf,
  readRowStates,
  rowStateOf,
} from './row-states.ts'

/** Lists one page of the files of an organization, with the count of all. */
export async function listBulkPayments(
  db: AnyReader,
  organization: number,
  page: { limit: number; offset: number; descending: boolean },
): Promise<{ rows: BulkPayment[]; count: number }> {
  const [rows, [total]] = await Promise.all([
    db<StoredFile[]>`
      select ${columns} from ${tables} where b.organization = ${organization}
      order by b.id ${page.descending ? sql`desc` : sql`asc`} limit ${page.limit} offset ${page.offset}`,
    db<{ count: number }[]>`select count(*) from bulk_payments where organization = ${organization}`,
  ])
  const progress = await readProgress(db, organization, rows)
  return { rows: rows.map((row) => ({ ...row, ...progress.get(row.id)! })), count: total!.count }
}

/** A file without the fields that are computed of its rows. */
type StoredFile = Omit<BulkPayment, keyof FileProgress>

const columns = sql`b.id, b.organization, b.file_name, b.description, b.account, b.send_sms_message, b.ignored_columns, b.notes, b.state,
  b.problem, b.retry_of, b.names_requested, b.created, b.author, u.name as author_name, b.started,
  s.name as started_by_name,
  (select count(*) from bulk_payment_rows r where r.organization = b.organization and r.bulk_payment = b.id) as rows`
const tables = sql`bulk_payments b join users u on u.id = b.author left join users s on s.id = b.started_by`

/** A file of the organization with its sums. @throws NotFound */
export async function readBulkPayment(db: AnyReader, organization: number, id: number): Promise<BulkPaymentDetail> {
  const [found] = await db<(StoredFile & { digest: string })[]>`
    select ${columns}, b.digest from ${tables} where b.id = ${id} and b.organization = ${organization}`
  if (!found) throw new NotFound(getMessage('bulk.none', { id }))
  const { digest, ...bulk } = found
  const ref = { organization, id }
  const [counts] = await db<Pick<BulkPaymentDetail, 'with_problems' | 'undecided' | 'with_warnings'>[]>`
    select count(*) filter (where problems <> '[]') as with_problems,
      count(*) filter (where warnings <> '[]' and problems = '[]') as with_warnings,
      count(*) filter (where warnings <> '[]' and problems = '[]' and decision is null) as undecided
    from bulk_payment_rows
    where organization = ${organization} and bulk_payment = ${id} and recipient is null and decision is distinct from 'skip'`
  const progress = await readProgress(db, organization, [bulk])
  return {
    ...bulk,
    ...progress.get(id)!,
    ...counts!,
    ...(await readRelated(db, { ...ref, digest })),
    states: await countRowStates(db, ref),
    names: bulk.names_requested ? countNames((await readNameStates(db, ref)).values()) : null,
    totals: await readTotals(db, ref),
    funds: [...(await readFunds(db, ref))],
  }
}

async function readRelated(
  db: AnyReader,
  { organization, id, digest }: { organization: number; id: number; digest: string },
): Promise<Pick<BulkPaymentDetail, 'same_file' | 'retries' | 'awaiting_approval'>> {
  const [related] = await db<Pick<BulkPaymentDetail, 'same_file' | 'retries' | 'awaiting_approval'>[]>`
    select
      array(select b.id from bulk_payments b where b.organization = ${organization} and b.digest = ${digest} and b.id <> ${id}
        and b.retry_of is null order by b.id desc limit 5) as same_file,
      array(select b.id from bulk_payments b where b.organization = ${organization} and b.retry_of = ${id} order by b.id) as retries,
      array(select p.id from payments p where p.organization = ${organization} and p.state in ('approval_needed', 'approval_requested')
        and p.id in (select r.payment from bulk_payment_rows r where r.organization = ${organization} and r.bulk_payment = ${id})
        order by p.id) as awaiting_approval`
  return related!
}

interface BulkPaymentRef {
  organization: number
  id: number
}

async function readTotals(db: AnyReader, { organization, id }: BulkPaymentRef): Promise<BulkPaymentDetail['totals']> {
  const totals = await db<BulkPaymentDetail['totals']>`
    select a.id as account, a.name as account_name, r.currency, r.network, count(*) as rows,
      sum(r.amount)::numeric(38,4) as amount, sum(r.fee)::numeric(38,4) as fee
    from bulk_payment_rows r join accounts a on a.id = r.account and a.organization = ${organization}
    where r.organization = ${organization} and r.bulk_payment = ${id} and r.problems = '[]' and r.decision is distinct from 'skip'
    group by a.id, a.name, r.currency, r.network order by r.currency, a.id, r.network`
  return [...totals]
}

/** Filters of the rows on a page. */
export const rowFilters = ['problems', 'warnings', 'names', 'left_out', 'refused', 'waiting', 'paid', 'failed'] as const
type RowFilter = (typeof rowFilters)[number]

type StoredRow = Omit<
  BulkRow,
  'amount_text' | 'name_state' | 'phonenumber' | 'name_on_network' | 'state' | 'last_error'
> & {
  phonenumber: string | null
  cells: PaymentCells
  names_requested: Date | null
} & RowOfState

/** Lists one page of the rows of a file in the order of the file, with the count of all that match. */
export async function listRows(
  db: AnyReader,
  ref: BulkPaymentRef,
  { show, search }: { show?: RowFilter | undefined; search?: string | undefined },
  page: { limit: number; offset: number },
): Promise<{ rows: BulkRow[]; count: number }> {
  const { organization, id } = ref
  const person = { name: sql`r.name`, phone: sql`coalesce(r.phonenumber, '')` }
  const where = sql`r.organization = ${organization} and r.bulk_payment = ${id}
    and ${matchesPerson(search, person)} and ${await conditionOf(db, ref, show)}`
  const rows = await db<StoredRow[]>`
    select r.number as id, r.cells, r.phonenumber, r.name, r.amount, r.currency, r.account, r.description, r.network, r.fee,
      r.problems, r.warnings, r.decision, r.payment, r.recipient, r.problems <> '[]' as is_wrong, b.state as bulk_state,
      b.names_requested
    from bulk_payment_rows r join bulk_payments b on b.id = r.bulk_payment and b.organization = ${organization}
    where ${where} order by r.number limit ${page.limit} offset ${page.offset}`
  const [total] = await db<{ count: number }[]>`select count(*) from bulk_payment_rows r where ${where}`
  const phonenumbers = rows.map(({ phonenumber }) => phonenumber)
  const names = await readNames(db, organization, phonenumbers)
  const recipients = await readRecipientsOf(db, organization, rows)
  return { rows: rows.map((row) => toView(row, names, recipients)), count: total!.count }
}

/** Reads the rows with problems that are no payments, as the file has them, for correction and another upload. */
export async function readRefusedPayments(db: AnyReader, { organization, id }: BulkPaymentRef): Promise<RefusedRows> {
  const found = await db<{ number: number; cells: PaymentCells; problems: BulkRow['problems'] }[]>`
    select number, cells, problems from bulk_payment_rows
    where organization = ${organization} and bulk_payment = ${id} and recipient is null and problems <> '[]' and cells <> '{}'
    order by number`
  return refusedFile(
    paymentColumns.map((column) => titles[column]),
    found.map(({ cells, ...row }) => ({ ...row, cells: paymentColumns.map((column) => cellText(cells[column])) })),
  )
}

async function conditionOf(db: AnyReader, ref: BulkPaymentRef, filter: RowFilter | undefined): Promise<Fragment> {
  if (filter === undefined) return sql.always
  if (filter === 'problems') return sql`r.problems <> '[]'`
  if (filter === 'warnings') return sql`r.warnings <> '[]'`
  if (filter !== 'names') return isOneOf(await readRowStates(db, ref), [filter])
  return isOneOf(await readNameStates(db, ref), ['differs', 'not_registered'])
}

/** The condition that a row `r` has one of these states. */
function isOneOf<State>(states: ReadonlyMap<number, State>, wanted: readonly State[]): Fragment {
  const numbers = [...states].flatMap(([number, state]) => (wanted.includes(state) ? [number] : []))
  return sql`r.number = any(${numbers}::integer[])`
}

function toView(stored: StoredRow, names: NamesByPhone, recipients: RecipientsById): BulkRow {
  const { cells, names_requested, recipient, is_wrong, bulk_state, ...row } = stored
  const known = knownName(row, names)
  // The names of people who are paid are looked up without a request for it.
  const is_asked = names_requested !== null || recipient !== null
  return {
    ...row,
    state: rowStateOf(stored, recipients),
    last_error: recipient === null ? null : (recipients.get(recipient)?.last_error ?? null),
    phonenumber: row.phonenumber ?? cells.phone_number?.text ?? '',
    amount_text: cells.amount?.text ?? '',
    name_on_network: (is_asked && known.name_on_network) || '',
    name_state: is_asked && row.network !== null ? nameStateOf(known) : null,
  }
}

import type { Reader, Tx } from '../../../db/client.ts'
import { rows } from '../../../db/rows.ts'
import { column, insert, type Row, table } from '../../../db/table.ts'
import { zip } from '../../../lib/batches/zip.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { truncateToSecond } from '../../../lib/time.ts'
import { findAccount } from '../../ledger/accounts.ts'
import { Invalid, NotFound } from '../../refusals.ts'
import { type CheckedRow, type ChoosePayoutNetwork, checkRows } from './check.ts'
import type { PaymentCells, PaymentRows } from './columns.ts'
import type { RowDecision, Warning } from './row.ts'
import { readRowStates } from './row-states.ts'

const bulkTable = table('bulk_payments', {
  id: column.id(),
  organization: column.bigint(),
  file_name: column.text(),
  digest: column.text(),
  ignored_columns: column.texts().default([]).given(),
  notes: column.texts().default([]).given(),
  description: column.text(),
  account: column.bigint().nullable(),
  send_sms_message: column.boolean(),
  state: column.text<'draft' | 'creating' | 'stopped' | 'created'>(),
  problem: column.text().later(),
  names_requested: column.timestamptz().later(),
  retry_of: column.bigint().nullable(),
  created: column.timestamptz(),
  author: column.bigint(),
  started: column.timestamptz().later(),
  started_by: column.bigint().later(),
  modified: column.timestamptz(),
  due_at: column.timestamptz().later(),
  leased_until: column.timestamptz().later(),
})
export type BulkPaymentRow = Row<typeof bulkTable>

const rowTable = table('bulk_payment_rows', {
  bulk_payment: column.bigint().key(),
  number: column.integer().key(),
  organization: column.bigint(),
  cells: column.jsonb<PaymentCells>(),
  phonenumber: column.text().nullable(),
  name: column.text(),
  amount: column.numeric().nullable(),
  currency: column.text().nullable(),
  account: column.bigint().nullable(),
  description: column.text(),
  network: column.text().nullable(),
  fee: column.numeric().nullable(),
  problems: column.jsonb<CheckedRow['problems']>(),
  warnings: column.jsonb<Warning[]>(),
  decision: column.text<RowDecision>().later(),
  payment: column.bigint().later(),
  recipient: column.bigint().later(),
})

/** A file of payments that is to be stored as a draft. */
interface NewBulkPayment {
  organization: number
  author: number
  description: string
  account: number | null
  send_sms_message: boolean
  file: PaymentRows
  retry_of?: number
}

/**
 * Stores a file as a draft, with the problems of its rows. No money moves.
 * @returns its id
 * @throws Invalid for the account
 */
export async function createDraft(
  tx: Tx,
  now: Date,
  draft: NewBulkPayment,
  chooseNetwork: ChoosePayoutNetwork,
): Promise<number> {
  const { organization, account, file } = draft
  if (account !== null && (await findAccount(tx, account))?.organization !== organization)
    throw new Invalid({ account: [getMessage('fields.no_object', { id: account })] })
  const checked = await checkRows(tx, file.rows, { now, organization, account, chooseNetwork })
  const created = truncateToSecond(now)
  const [made] = await tx<{ id: number }[]>`
    ${insert(bulkTable, [draft], {
      file_name: file.name,
      digest: file.digest,
      ignored_columns: file.ignored_columns,
      notes: file.notes,
      state: 'draft',
      created,
      modified: created,
    })}
    returning id`
  await tx`${insert(rowTable, checked, { bulk_payment: made!.id, organization })}`
  return made!.id
}

/** The columns that a check writes. */
const checkedColumns = {
  phonenumber: 'text',
  name: 'text',
  amount: 'numeric',
  currency: 'text',
  account: 'bigint',
  description: 'text',
  network: 'text',
  fee: 'numeric',
  problems: 'jsonb',
  warnings: 'jsonb',
} as const

type StoredRow = Pick<Row<typeof rowTable>, 'number' | 'cells' | 'warnings' | 'decision'>

/**
 * Checks the rows of a file again that are no payments yet: connections, limits and recent payments may have changed. A
 * decision stays unless the row has another warning than before, or its person was paid once more.
 * The file must be locked.
 */
export async function recheckDraft(
  tx: Tx,
  now: Date,
  draft: BulkPaymentRow,
  chooseNetwork: ChoosePayoutNetwork,
): Promise<void> {
  const { id, organization, account } = draft
  const stored = await tx<StoredRow[]>`
    select number, cells, warnings, decision from bulk_payment_rows
    where organization = ${organization} and bulk_payment = ${id} and recipient is null and cells <> '{}' order by number`
  const checked = await checkRows(tx, stored, { now, organization, account, chooseNetwork, bulk_payment: id })
  const files = await readFilesOf(tx, organization, checked)
  const changed = zip(stored, checked).map(([before, row]) => ({ ...row, decision: decisionAfter(before, row, files) }))
  const updates = rows(changed, { number: 'integer', decision: 'text', ...checkedColumns })
  await tx`
    update bulk_payment_rows t set ${updates.assignments('u', 'number')} from ${updates.as('u')}
    where t.organization = ${organization} and t.bulk_payment = ${id} and t.number = u.number`
}

function decisionAfter(
  { decision, warnings }: StoredRow,
  row: CheckedRow,
  files: ReadonlyMap<number, number>,
): RowDecision | null {
  if (decision !== 'pay') return decision
  return row.warnings.every((now) => warnings.some((before) => saysNoMore(before, now, files))) ? decision : null
}

/** True if a warning names no payment beyond the one that was decided about. The rows of a named file become payments. */
function saysNoMore(before: Warning, now: Warning, files: ReadonlyMap<number, number>): boolean {
  const { payments = [], bulk_payments = [] } = before
  const isKnown = (payment: number) =>
    payments.includes(payment) || bulk_payments.includes(files.get(payment) ?? Number.NaN)
  return (
    now.code === before.code &&
    (now.payments ?? []).every(isKnown) &&
    (now.bulk_payments ?? []).every((file) => bulk_payments.includes(file))
  )
}

/** Reads the file of each payment that the warnings of rows name, if it has one. */
async function readFilesOf(
  tx: Tx,
  organization: number,
  checked: readonly CheckedRow[],
): Promise<ReadonlyMap<number, number>> {
  const payments = new Set(checked.flatMap(({ warnings }) => warnings.flatMap((one) => one.payments ?? [])))
  if (payments.size === 0) return new Map()
  const found = await tx<{ payment: number; bulk_payment: number }[]>`
    select distinct payment, bulk_payment from bulk_payment_rows
    where organization = ${organization} and payment = any(${[...payments]}::bigint[])`
  return new Map(found.map(({ payment, bulk_payment }) => [payment, bulk_payment]))
}

/** Locks a file of the organization. @throws NotFound */
export async function lockBulkPayment(tx: Tx, organization: number, id: number): Promise<BulkPaymentRow> {
  const [row] = await tx<BulkPaymentRow[]>`
    select ${bulkTable.columns} from bulk_payments where id = ${id} for update`
  if (row?.organization !== organization) throw new NotFound(getMessage('bulk.none', { id }))
  return row
}

/** Decisions of people about several rows at once. */
interface RowDecisions {
  /** The numbers of the rows; `warned`: all with a warning and no problem; `wrong`: all with a problem. */
  rows: readonly number[] | 'warned' | 'wrong'
  /** Null takes a decision back. */
  decision: RowDecision | null
}

/**
 * Notes a person's decisions about rows that are no payments yet. The row of an erased person stays left out: it has no
 * number to pay.
 * @returns the number of rows
 * @throws Invalid while payments are created
 */
export async function decideRows(
  tx: Tx,
  draft: BulkPaymentRow,
  { rows: which, decision }: RowDecisions,
): Promise<number> {
  requireEditable(draft)
  const { organization, id } = draft
  const changed = await tx`
    update bulk_payment_rows set decision = ${decision}
    where organization = ${organization} and bulk_payment = ${id} and recipient is null and cells <> '{}' and (
      ${typeof which === 'string' ? null : [...which]}::integer[] is not null
        and number = any(${typeof which === 'string' ? [] : [...which]}::integer[])
      or ${which === 'warned'} and warnings <> '[]' and problems = '[]' and decision is null
      or ${which === 'wrong'} and problems <> '[]')`
  return changed.count
}

/** Deletes a draft with its rows. @throws Invalid for a started file: its payments exist */
export async function deleteDraft(tx: Tx, draft: BulkPaymentRow): Promise<void> {
  if (draft.state !== 'draft') throw new Invalid({ state: [getMessage('bulk.only_draft')] })
  await tx`delete from bulk_payments where id = ${draft.id}`
}

/** @throws Invalid while payments are created, and afterwards */
export function requireEditable({ state }: Pick<BulkPaymentRow, 'state'>): void {
  if (state === 'creating') throw new Invalid({ state: [getMessage('bulk.being_created')] })
  if (state === 'created') throw new Invalid({ state: [getMessage('bulk.created')] })
}

/**
 * The rows that failed, as a file of their own with their old numbers. Rows that such a file has paid, or is paying, have
 * not failed.
 * @throws Invalid if there are none
 */
export async function readFailedRows(db: Reader, source: BulkPaymentRow): Promise<PaymentRows> {
  const states = await readRowStates(db, source)
  const not_paid = [...states].flatMap(([number, state]) => (state === 'failed' ? [number] : []))
  const failed = await db<{ number: number; cells: PaymentCells }[]>`
    select number, cells from bulk_payment_rows
    where organization = ${source.organization} and bulk_payment = ${source.id} and cells <> '{}'
      and (number = any(${not_paid}::integer[]) or recipient is null and problems <> '[]' and decision is distinct from 'skip')
      and number <> all(${await readRetriedNumbers(db, source)}::integer[])
    order by number`
  if (failed.length === 0) throw new Invalid({ state: [getMessage('bulk.none_failed')] })
  return { name: source.file_name, digest: source.digest, ignored_columns: [], notes: [], rows: [...failed] }
}

/** Reads the numbers of rows that a retry of a file, or a retry of that retry, pays or has paid. */
async function readRetriedNumbers(db: Reader, { organization, id }: BulkPaymentRow): Promise<number[]> {
  const retries = await db<{ id: number }[]>`
    with recursive retries as (
      select id from bulk_payments where organization = ${organization} and retry_of = ${id}
      union all
      select b.id from bulk_payments b join retries on b.retry_of = retries.id where b.organization = ${organization})
    select id from retries`
  const numbers: number[] = []
  for (const retry of retries)
    for (const [number, state] of await readRowStates(db, { organization, id: retry.id }))
      if (state === 'paid' || state === 'waiting') numbers.push(number)
  return numbers
}

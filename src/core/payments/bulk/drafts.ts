import type { Reader, Tx } from '../../../db/client.ts'
import { rows } from '../../../db/rows.ts'
import { zip } from '../../../lib/batches/zip.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { truncateToSecond } from '../../../lib/time.ts'
import { findAccount } from '../../ledger/accounts.ts'
import { Invalid, NotFound } from '../../refusals.ts'
import { type CheckedRow, type ChoosePayoutNetwork, checkRows } from './check.ts'
import type { PaymentCells, PaymentRows } from './columns.ts'
import type { RowDecision, Warning } from './row.ts'
import { readRowStates } from './row-states.ts'

/** A row of `bulk_payments`. */
export interface BulkPaymentRow {
  id: number
  organization: number
  file_name: string
  digest: string
  description: string
  account: number | null
  send_sms_message: boolean
  state: 'draft' | 'creating' | 'stopped' | 'created'
  names_requested: Date | null
  author: number
  started_by: number | null
}

/** A file of payments that is to be stored as a draft. */
export interface NewBulkPayment {
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
    insert into bulk_payments (organization, file_name, digest, ignored_columns, notes, description, account, send_sms_message,
      retry_of, state, created, author, modified)
    values (${organization}, ${file.name}, ${file.digest}, ${file.ignored_columns}, ${file.notes}, ${draft.description},
      ${account}, ${draft.send_sms_message}, ${draft.retry_of ?? null}, 'draft', ${created}, ${draft.author}, ${created})
    returning id`
  const lines = rows(checked, { number: 'integer', cells: 'jsonb', ...checkedColumns })
  await tx`
    insert into bulk_payment_rows (bulk_payment, organization, ${lines.columns})
    select ${made!.id}, ${organization}, ${lines.columns} from ${lines.as('r')}`
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

interface StoredRow {
  number: number
  cells: PaymentCells
  warnings: Warning[]
  decision: RowDecision | null
}

/**
 * Checks the rows of a file again that are no payments yet: connections, limits and recent payments may have changed. A
 * decision stays unless the row has another warning than the one that was decided about. The file must be locked.
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
  const changed = zip(stored, checked).map(([before, row]) => ({ ...row, decision: decisionAfter(before, row) }))
  const updates = rows(changed, { number: 'integer', decision: 'text', ...checkedColumns })
  await tx`
    update bulk_payment_rows t set ${updates.assignments('u', 'number')} from ${updates.as('u')}
    where t.organization = ${organization} and t.bulk_payment = ${id} and t.number = u.number`
}

function decisionAfter({ decision, warnings }: StoredRow, row: CheckedRow): RowDecision | null {
  if (decision !== 'pay') return decision
  const before = warnings.map(({ code }) => code)
  return row.warnings.every(({ code }) => before.includes(code)) ? decision : null
}

/** Locks a file of the organization. @throws NotFound */
export async function lockBulkPayment(tx: Tx, organization: number, id: number): Promise<BulkPaymentRow> {
  const [row] = await tx<BulkPaymentRow[]>`
    select id, organization, file_name, digest, description, account, send_sms_message, state, names_requested, author, started_by
    from bulk_payments where id = ${id} for update`
  if (row?.organization !== organization) throw new NotFound(getMessage('bulk.none', { id }))
  return row
}

/** Decisions of people about several rows at once. */
export interface RowDecisions {
  /** The numbers of the rows; `warned`: all with a warning and no problem; `wrong`: all with a problem. */
  rows: readonly number[] | 'warned' | 'wrong'
  /** Null takes a decision back. */
  decision: RowDecision | null
}

/**
 * Notes a person's decisions about rows that are no payments yet.
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
    where organization = ${organization} and bulk_payment = ${id} and recipient is null and (
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

/** The rows that failed, as a file of their own with their old numbers. @throws Invalid if there are none */
export async function readFailedRows(db: Reader, source: BulkPaymentRow): Promise<PaymentRows> {
  const states = await readRowStates(db, source)
  const not_paid = [...states].flatMap(([number, state]) => (state === 'failed' ? [number] : []))
  const failed = await db<{ number: number; cells: PaymentCells }[]>`
    select number, cells from bulk_payment_rows
    where organization = ${source.organization} and bulk_payment = ${source.id} and cells <> '{}'
      and (number = any(${not_paid}::integer[]) or recipient is null and problems <> '[]' and decision is distinct from 'skip')
    order by number`
  if (failed.length === 0) throw new Invalid({ state: [getMessage('bulk.none_failed')] })
  return { name: source.file_name, digest: source.digest, ignored_columns: [], notes: [], rows: [...failed] }
}

import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { Reader } from '../../../db/client.ts'
import { groupsOf, type Some } from '../../../lib/batches/groups.ts'
import { zip } from '../../../lib/batches/zip.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { endOfDayIn } from '../../../lib/text/time-zones.ts'
import { readPlaceOf } from '../../access/places.ts'
import { addCustomers, type Customer } from '../../batches/customers.ts'
import { formatNumber } from '../../documents/series.ts'
import { optional, requiredText } from '../../fields.ts'
import { listActiveWallets } from '../../ledger/accounts.ts'
import { Invalid } from '../../refusals.ts'
import type { ReadAt } from '../due-days.ts'
import {
  checkDraft,
  currencyField,
  type Draft,
  type DraftSettings,
  invoiceSettings,
  toSettings,
} from '../new-invoice.ts'
import { computeTotals, type Totals } from '../totals.ts'
import { addUpPlanned, type BatchRow, type BatchSum, type PlannedInvoice } from './batch.ts'
import type { Column, InvoiceCells } from './columns.ts'
import { findRepeatable, sameKey } from './duplicates.ts'
import { type ReadRow, readRow } from './read-row.ts'

/**
 * Returns the fields of a body with the choices for all rows of a file. A row may say something else.
 * @param currencies those that may be collected
 */
export function fileChoiceFields(currencies: readonly string[]) {
  return { currency: currencyField(currencies), text: optional(requiredText(200)), ...invoiceSettings }
}
type FileChoiceBody = z.output<z.ZodObject<ReturnType<typeof fileChoiceFields>>>

/** Reads the choices for all rows of a file. @throws Invalid */
export function readFileChoices(body: FileChoiceBody, currencies: readonly string[], at: ReadAt): FileChoices {
  const { text, ...settings } = body
  return { text: text?.trim() ?? '', settings: toSettings(settings, at), currencies }
}

/** Choices for all rows of a file. A row may say something else. */
interface FileChoices {
  /** Text of the lines; empty if the rows say it. */
  text: string
  settings: DraftSettings
  currencies: readonly string[]
}

/** A checked file: its rows for people, and the invoices that they become. */
export interface CheckedInvoices {
  rows: BatchRow[]
  planned: PlannedInvoice[]
  /** All that may be made, by currency. */
  all: BatchSum[]
  /** Without those that the file or the customer has already. */
  without_duplicates: BatchSum[]
}

/** Number of rows in each turn of the event loop, so that other requests are answered meanwhile. */
const ROWS_PER_TURN = 100
/** Maximum number of lines of an invoice. */
const MAX_LINES = 100

type FileRow = { number: number; cells: InvoiceCells }

type KnownRow = ReadRow & { customer: Customer | null }
type Group = { rows: Some<KnownRow>; draft: Draft; totals: Totals; customer: Customer }

/** Checks the rows of a file of invoices: each cell, the customers, and their existing invoices. It changes nothing. */
export async function checkInvoiceRows(
  db: Reader,
  organization: number,
  file_rows: readonly FileRow[],
  choices: FileChoices,
  now: Date,
): Promise<CheckedInvoices> {
  const { country, time_zone } = await readPlaceOf(db, organization)
  const context = { now, time_zone, country, ...choices, currency: choices.settings.currency }
  const read: ReadRow[] = []
  for (const [index, row] of file_rows.entries()) {
    if (index % ROWS_PER_TURN === 0) await setImmediate()
    read.push(readRow(row, context))
  }
  const rows = await addCustomers(db, organization, read)
  await addWallets(db, organization, rows, choices.settings)
  const groups = joinRows(rows, choices.settings, (day) => endOfDayIn(day, time_zone) > now)
  const warnings = await findWarnings(db, now, groups)
  return toChecked(rows, groups, warnings)
}

async function addWallets(
  db: Reader,
  organization: number,
  rows: readonly KnownRow[],
  { account, currency }: DraftSettings,
): Promise<void> {
  const wallets = await listActiveWallets(db, [organization])
  for (const row of rows)
    if (account !== null && row.currency !== currency)
      row.problems.push({ column: 'currency', message: getMessage('wallets.chosen_currency', { currency }) })
    else if (
      !wallets.some(
        (one) => one.currency === row.currency && (account === null ? one.kind === 'local' : one.id === account),
      )
    )
      row.problems.push({ column: 'currency', message: getMessage('wallets.none_in', { currency: row.currency }) })
}

/** Joins rows of a customer with the same text in the column "Invoice" to one invoice. The others are one each. */
function joinRows(rows: readonly KnownRow[], chosen: DraftSettings, isToCome: (day: string) => boolean): Group[] {
  const named = groupsOf(rows, ({ invoice, customer, number }) =>
    invoice === '' || !customer ? `row ${number}` : JSON.stringify([customer.key, invoice.toLowerCase()]),
  )
  const groups: Group[] = []
  for (const some of named) {
    const draft = toDraft(some, chosen)
    checkTogether(some, draft, isToCome)
    const faulty = some.find(({ problems }) => problems.length > 0)
    if (!faulty) {
      groups.push({ rows: some, draft, totals: checkDraft(draft), customer: some[0].customer! })
      continue
    }
    for (const row of some)
      if (row.problems.length === 0)
        row.problems.push({ column: 'invoice', message: getMessage('invoices.refused_row', { row: faulty.number }) })
  }
  return groups
}

/**
 * Builds the draft of an invoice from its rows. For a field of the whole invoice, the first row with a value decides.
 */
function toDraft(rows: Some<KnownRow>, chosen: DraftSettings): Draft {
  const lines = rows.flatMap(({ line }) => line ?? [])
  const { currency } = rows[0]
  const total = computeTotals(currency, lines).total
  const said = rows.find(({ min_part }) => min_part !== undefined)?.min_part
  // The minimum part for the whole file may be more than a small invoice.
  const least = chosen.min_part !== null && chosen.min_part <= total ? chosen.min_part : null
  return {
    ...chosen,
    currency,
    lines,
    due_date: rows.find(({ due_date }) => due_date !== undefined)?.due_date ?? chosen.due_date,
    notes: rows.find(({ notes }) => notes !== '')?.notes ?? chosen.notes,
    language: rows.find(({ language }) => language !== undefined)?.language ?? chosen.language,
    min_part: said ?? least,
  }
}

/** Checks rows together as an invoice, and reports each fault on its row. */
function checkTogether(rows: Some<KnownRow>, draft: Draft, isToCome: (day: string) => boolean): void {
  const [first] = rows
  for (const row of rows) {
    if (row.due_date !== undefined && row.due_date !== draft.due_date)
      row.problems.push({
        column: 'due_date',
        message: getMessage('invoices.other_due_date', { row: first.number }),
      })
    if (row.currency !== draft.currency)
      row.problems.push({
        column: 'currency',
        message: getMessage('invoices.other_currency', { row: first.number }),
      })
  }
  if (!isToCome(draft.due_date) && first.problems.every(({ column }) => column !== 'due_date'))
    first.problems.push({ column: 'due_date', message: getMessage('invoices.due_passed') })
  if (rows.length > MAX_LINES)
    first.problems.push({ column: 'invoice', message: getMessage('invoices.many_lines', { max: MAX_LINES }) })
  if (rows.some(({ line }) => line === null)) return
  try {
    checkDraft(draft)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    for (const [field, messages] of Object.entries(error.fields))
      for (const message of messages) first.problems.push({ column: COLUMNS[field] ?? 'amount', message })
  }
}

const COLUMNS: Readonly<Record<string, Column>> = { min_part: 'min_part' }

interface Warned {
  same_row: number | undefined
  same: { id: number; number: number | null } | undefined
}

async function findWarnings(db: Reader, now: Date, groups: readonly Group[]): Promise<Warned[]> {
  const repeatable = await findRepeatable(
    db,
    now,
    groups.flatMap(({ customer }) => customer.contact ?? []),
  )
  const first = new Map<string, number>()
  return groups.map(({ customer, draft, totals, rows }) => {
    const key = sameKey(customer.contact ?? customer.key, draft.currency, totals)
    const same_row = first.get(key)
    if (same_row === undefined) first.set(key, rows[0].number)
    return { same_row, same: repeatable.get(key) }
  })
}

function toChecked(rows: readonly KnownRow[], groups: readonly Group[], warned: readonly Warned[]): CheckedInvoices {
  const warnings = new Map<number, BatchRow['warnings']>(
    zip(groups, warned).map(([group, warning]) => [group.rows[0].number, toWarnings(warning)]),
  )
  const due_days = new Map(
    groups.flatMap(({ rows: some, draft }) => some.map(({ number }) => [number, draft.due_date])),
  )
  const sums = zip(groups, warned).map(([{ draft, totals }, { same, same_row }]) => ({
    currency: draft.currency,
    total: totals.total,
    is_new: !same && same_row === undefined,
  }))
  return {
    rows: rows.map((row) => toBatchRow(row, due_days, warnings.get(row.number) ?? [])),
    planned: zip(groups, warned).map(
      ([
        {
          rows: [first],
          draft,
          customer,
        },
        { same_row },
      ]) => ({
        row: first!.number,
        customer: customer.planned,
        draft,
        is_repeated: same_row !== undefined,
      }),
    ),
    all: addUpPlanned(sums),
    without_duplicates: addUpPlanned(sums.filter(({ is_new }) => is_new)),
  }
}

function toBatchRow(row: KnownRow, due_days: ReadonlyMap<number, string>, warnings: BatchRow['warnings']): BatchRow {
  const { number, customer_number, phone_text, name, customer, line, text, currency, invoice, problems } = row
  return {
    number,
    customer_number,
    text,
    currency,
    invoice,
    problems,
    warnings,
    phone_number: phone_text,
    name: customer?.name || name,
    contact: customer?.contact ?? null,
    amount: line ? computeTotals(currency, [line]).subtotal : null,
    due_date: due_days.get(number) ?? row.due_date ?? null,
    state: problems.length > 0 ? 'refused' : 'ready',
  }
}

function toWarnings({ same_row, same }: Warned): BatchRow['warnings'] {
  return [
    ...(same_row === undefined ? [] : [{ code: 'twice_in_file' as const, row: same_row }]),
    ...(same
      ? [
          {
            code: 'same_invoice' as const,
            invoice: same.id,
            number: same.number === null ? null : formatNumber('invoice', same.number),
          },
        ]
      : []),
  ]
}

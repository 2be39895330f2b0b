import type { Command } from 'commander'
import { z } from 'zod'
import { makeInvoices } from '../../../actions/invoice-batches.ts'
import { invoiceBatchList } from '../../../actions/lists/batches.ts'
import { customerSumList } from '../../../actions/lists/invoices.ts'
import type { InvoiceBatch } from '../../../core/batches/batch.ts'
import { digestOf } from '../../../core/batches/batches.ts'
import type { BatchRow, BatchSum } from '../../../core/invoices/batches/batch.ts'
import { checkInvoiceRows, fileChoiceFields, readFileChoices } from '../../../core/invoices/batches/check.ts'
import { readInvoiceFile } from '../../../core/invoices/batches/columns.ts'
import { planTagged, previewTagged, taggedBody, toTaggedDraft } from '../../../core/invoices/batches/tagged.ts'
import { sumByTag } from '../../../core/invoices/customer-sums.ts'
import { collectionCurrencies } from '../../../core/ledger/currencies.ts'
import { displayAmount } from '../../../lib/money.ts'
import { parseFields, toAmountText } from '../../arguments.ts'
import { BATCH, duplicatesOf, readNamedFile, TAGGED } from '../../batch-commands.ts'
import { addCommand, type Told } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { addList, addListCommand } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'

/** Words about the invoices, whose customers are in a file or have a tag. */
const SETTINGS = {
  ...BATCH,
  text: typed('--text <text>', 'what is sold'),
  due_date: typed('--due <day>', 'the last day to pay: 2030-02-28, 28/02/2030, "28 February" or "14 days"'),
  min_part: typed('--min-part <amount>', 'the smallest part payment that the page of an invoice accepts', toAmountText),
  language: typed('--language <code>', 'the language of the customers: en, sw or fr'),
  reminder_days: typed('--reminders <days>', 'days after the due date, negative before it: --reminders=-3,0,7'),
  duplicates: duplicatesOf('for a customer who has one with the same text and amount, unless it is paid and due'),
  issue: typed('--issue', 'issue them at once; otherwise they stay drafts'),
}

/** Add the commands that make many invoices, and that add them up by customer and by tag. */
export function addBatches(invoices: Command, terminal: Terminal): void {
  addCreateMany(invoices, terminal)
  addFile(invoices, terminal)
  addListCommand(invoices, terminal, invoiceBatchList)
  addTagList(invoices, terminal)
  addListCommand(invoices, terminal, customerSumList)
}

function addCreateMany(invoices: Command, terminal: Terminal): void {
  addCommand(invoices, terminal, {
    name: 'create-many',
    description: 'create an invoice for each customer with a tag',
    typed: { ...TAGGED, ...SETTINGS },
    organization: 'one',
    async run(app, { tag, amount, preview: is_preview, duplicates, issue = false, ...settings }, { owner, actor }) {
      const fields = { tag, amount, ...settings }
      const body = parseFields(taggedBody(collectionCurrencies(app.config)), fields)
      const draft = toTaggedDraft(body, { now: app.clock.now(), time_zone: owner.time_zone })
      if (is_preview) {
        const preview = await previewTagged(app.db, app.clock.now(), owner.id, tag, draft)
        const { customers, all, without_duplicates } = preview
        const counted = duplicates === 'skip' ? without_duplicates : all
        const text = [`${customers} customers have the tag ${tag}.`, ...describeSums(counted, draft.due_date)]
        return { shown: preview, text }
      }
      const planned = await planTagged(app.db, owner.id, tag, draft)
      const given = { source: 'tag', name: tag, digest: null, rows: planned.length, refused: 0 } as const
      const asked = digestOf({ tag, draft, duplicates, issue })
      return tellBatch(await makeInvoices(app, actor, { ...given, asked, duplicates, issue }, planned))
    },
  })
}

function addFile(invoices: Command, terminal: Terminal): void {
  addCommand(invoices, terminal, {
    name: 'import',
    description: 'create invoices from a CSV or Excel file; the console has a template',
    typed: {
      path: typed('<file>', 'the file'),
      sheet: typed('--sheet <name>', 'the sheet of a workbook with several'),
      ...SETTINGS,
    },
    organization: 'one',
    async run(app, { path, sheet, preview, duplicates, issue = false, ...settings }, { owner, actor, json }) {
      const now = app.clock.now()
      const currencies = collectionCurrencies(app.config)
      const body = parseFields(z.object(fileChoiceFields(currencies)), settings)
      const choices = readFileChoices(body, currencies, { now, time_zone: owner.time_zone })
      const file = await readInvoiceFile({ ...(await readNamedFile(path)), sheet })
      const checked = await checkInvoiceRows(app.db, owner.id, file.rows, choices, now)
      const { rows, planned, all, without_duplicates } = checked
      if (!json) for (const line of describeRows(rows)) terminal.print(line)
      const due = planned.length > 0 ? choices.settings.due_date : undefined
      if (preview) {
        const text = describeSums(duplicates === 'skip' ? without_duplicates : all, due)
        return { shown: { rows, all, without_duplicates }, text }
      }
      if (planned.length === 0) throw new CommandError('No row of this file can become an invoice.')
      const asked = digestOf({ file: file.digest, ...choices, duplicates, issue })
      const counts = { rows: rows.length, refused: rows.filter(({ state }) => state === 'refused').length }
      const given = { source: 'file', name: file.name, digest: file.digest, asked, duplicates, issue } as const
      return tellBatch(await makeInvoices(app, actor, { ...given, ...counts }, planned))
    },
  })
}

function tellBatch(batch: InvoiceBatch): Told {
  const { id, made, skipped, refused, issue } = batch
  const parts = [
    `Batch ${id}: ${made} invoices were ${issue ? 'issued' : 'made as drafts'}.`,
    ...(skipped > 0 ? [`${skipped} were skipped: the customer already has the same.`] : []),
    ...(refused > 0 ? [`${refused} rows were refused.`] : []),
  ]
  return { shown: batch, text: parts.join(' ') }
}

function describeSums(sums: readonly BatchSum[], due: string | undefined): string[] {
  if (sums.length === 0) return ['Nothing would be created.']
  return sums.map(({ currency, invoices, total }) => {
    const what = `${invoices} invoices would be created: ${currency} ${displayAmount(total)}`
    return due === undefined ? `${what}.` : `${what}, due ${due}.`
  })
}

/** The refused rows, and the others with a warning. */
function describeRows(rows: readonly BatchRow[]): string[] {
  return rows.flatMap(({ number, problems, warnings }) => [
    ...problems.map(({ message }) => `Row ${number} is refused: ${message}`),
    ...warnings.map((warning) =>
      warning.code === 'twice_in_file'
        ? `Row ${number} has the same customer, text and amount as row ${warning.row}.`
        : `Row ${number}: the customer has invoice ${warning.number ?? warning.invoice} with the same text and amount.`,
    ),
  ])
}

const money = (currency: string | null, amount: bigint) => (currency ? `${currency} ${displayAmount(amount)}` : '')

function addTagList(invoices: Command, terminal: Terminal): void {
  addList(invoices, terminal, {
    name: 'tags',
    description: 'show invoiced, paid and open amounts by customer tag',
    typed: { tag: typed('--tag <tag>', 'only this tag') },
    organization: 'one',
    read: (app, { tag }, { id }) => sumByTag(app.db, id, { ...NO_FILTERS, tag }, app.clock.now()),
    none: 'There are no invoices.',
    columns: {
      tag: ({ tag }) => tag ?? '(none)',
      invoiced: ({ currency, invoiced }) => money(currency, invoiced),
      paid: ({ currency, paid }) => money(currency, paid),
      open: ({ currency, open }) => money(currency, open),
      invoices: 'invoices',
      unpaid: 'unpaid_invoices',
      part: 'part_invoices',
      paid_up: 'paid_invoices',
      overdue: 'overdue_invoices',
      drafts: 'drafts',
    },
  })
}

const NO_FILTERS = {
  tag: undefined,
  currency: undefined,
  batch: undefined,
  due_after: undefined,
  due_before: undefined,
}

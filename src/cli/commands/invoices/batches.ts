import { type Command, Option } from 'commander'
import { z } from 'zod'
import { makeInvoices } from '../../../actions/invoice-batches.ts'
import { invoiceBatchList } from '../../../actions/lists/batches.ts'
import { customerSumList } from '../../../actions/lists/invoices.ts'
import { operator } from '../../../actions/run.ts'
import type { DuplicateChoice, InvoiceBatch } from '../../../core/batches/batch.ts'
import { digestOf } from '../../../core/batches/batches.ts'
import type { BatchRow, BatchSum } from '../../../core/invoices/batches/batch.ts'
import { checkInvoiceRows, fileChoiceFields, readFileChoices } from '../../../core/invoices/batches/check.ts'
import { readInvoiceFile } from '../../../core/invoices/batches/columns.ts'
import { planTagged, previewTagged, taggedBody, toTaggedDraft } from '../../../core/invoices/batches/tagged.ts'
import { sumByTag, type TagSum } from '../../../core/invoices/customer-sums.ts'
import { collectionCurrencies } from '../../../core/ledger/currencies.ts'
import { displayAmount } from '../../../lib/money.ts'
import { chooseOrganization, organizationOption, parseFields } from '../../arguments.ts'
import { addBatchOptions, duplicatesOption, readNamedFile } from '../../batch-commands.ts'
import { CommandError } from '../../errors.ts'
import { addList, addListCommand, filter, ofOne } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

interface BatchOptions {
  organization?: number
  tag?: string
  currency: string
  text?: string
  amount?: string
  due?: string
  minPart?: string
  language?: string
  reminders?: string
  duplicates: DuplicateChoice
  issue?: boolean
  preview?: boolean
  json?: boolean
}

/** Add the commands that make many invoices, and that add them up by customer and by tag. */
export function addBatches(invoices: Command, terminal: Terminal): void {
  addCreateMany(invoices, terminal)
  addFile(invoices, terminal)
  addListCommand(invoices, terminal, invoiceBatchList)
  addTagList(invoices, terminal)
  addListCommand(invoices, terminal, customerSumList)
}

function addSettings(command: Command): Command {
  return addBatchOptions(command, [
    new Option('--text <text>', 'what is sold'),
    new Option('--due <day>', 'the last day to pay: 2030-02-28, 28/02/2030, "28 February" or "14 days"'),
    new Option('--min-part <amount>', 'the smallest part payment that the page of an invoice accepts'),
    new Option('--language <code>', 'the language of the customers: en, sw or fr'),
    new Option('--reminders <days>', 'days after the due date, negative before it: --reminders=-3,0,7'),
    duplicatesOption('for a customer who has an open one with the same text and amount'),
    new Option('--issue', 'issue them at once; otherwise they stay drafts'),
  ])
}

function settingsOf({ currency, text, due, minPart, language, reminders }: BatchOptions) {
  return { currency, text, due_date: due, min_part: minPart, language, reminder_days: reminders }
}

function addCreateMany(invoices: Command, terminal: Terminal): void {
  addSettings(
    invoices
      .command('create-many')
      .description('create an invoice for each customer with a tag')
      .requiredOption('--tag <tag>', 'the tag of the customers, such as a class')
      .requiredOption('--amount <amount>', 'what it costs'),
  ).action((options: BatchOptions) =>
    withApp(terminal, async (app) => {
      const organization = await chooseOrganization(app.db, options.organization)
      const { tag = '', amount, duplicates, issue = false } = options
      const plain = amount?.replaceAll(',', '')
      const body = parseFields(taggedBody(collectionCurrencies(app.config)), {
        tag,
        amount: plain,
        ...settingsOf(options),
      })
      const draft = toTaggedDraft(body, { now: app.clock.now(), time_zone: organization.time_zone })
      if (options.preview) {
        const preview = await previewTagged(app.db, organization.id, tag, draft)
        const { customers, all, without_duplicates } = preview
        const chosen = duplicates === 'skip' ? without_duplicates : all
        const text = [`${customers} customers have the tag ${tag}.`, ...describeSums(chosen, draft.due_date)]
        return printResult(terminal, preview, { ...options, text: text.join('\n') })
      }
      const planned = await planTagged(app.db, organization.id, tag, draft)
      const given = {
        source: 'tag' as const,
        name: tag,
        digest: null,
        rows: planned.length,
        refused: 0,
        duplicates,
        issue,
      }
      const asked = digestOf({ tag, draft, duplicates, issue })
      return printBatch(
        terminal,
        await makeInvoices(app, operator(organization.id), { ...given, asked }, planned),
        options,
      )
    }),
  )
}

function addFile(invoices: Command, terminal: Terminal): void {
  addSettings(
    invoices
      .command('import')
      .description('create invoices from a CSV or Excel file; the console has a template')
      .argument('<file>', 'the file')
      .option('--sheet <name>', 'the sheet of a workbook with several'),
  ).action((path: string, options: BatchOptions & { sheet?: string }) =>
    withApp(terminal, async (app) => {
      const organization = await chooseOrganization(app.db, options.organization)
      const { duplicates, issue = false, sheet } = options
      const now = app.clock.now()
      const currencies = collectionCurrencies(app.config)
      const body = parseFields(z.object(fileChoiceFields(currencies)), settingsOf(options))
      const choices = readFileChoices(body, currencies, { now, time_zone: organization.time_zone })
      const file = await readInvoiceFile({ ...(await readNamedFile(path)), sheet })
      const checked = await checkInvoiceRows(app.db, organization.id, file.rows, choices, now)
      const { planned, all, without_duplicates } = checked
      if (!options.json) for (const line of describeRows(checked.rows)) terminal.print(line)
      const due = planned.length > 0 ? choices.settings.due_date : undefined
      if (options.preview) {
        const text = describeSums(duplicates === 'skip' ? without_duplicates : all, due).join('\n')
        return printResult(terminal, { rows: checked.rows, all, without_duplicates }, { ...options, text })
      }
      if (planned.length === 0) throw new CommandError('No row of this file can become an invoice.')
      const refused = checked.rows.filter(({ state }) => state === 'refused').length
      const asked = digestOf({ file: file.digest, ...choices, duplicates, issue })
      const counts = { rows: checked.rows.length, refused }
      const given = {
        source: 'file' as const,
        name: file.name,
        digest: file.digest,
        asked,
        ...counts,
        duplicates,
        issue,
      }
      return printBatch(terminal, await makeInvoices(app, operator(organization.id), given, planned), options)
    }),
  )
}

function printBatch(terminal: Terminal, batch: InvoiceBatch, options: { json?: boolean }): void {
  const { id, made, skipped, refused, issue } = batch
  const parts = [
    `Batch ${id}: ${made} invoices were ${issue ? 'issued' : 'made as drafts'}.`,
    ...(skipped > 0 ? [`${skipped} were skipped: the customer already has the same.`] : []),
    ...(refused > 0 ? [`${refused} rows were refused.`] : []),
  ]
  printResult(terminal, batch, { ...options, text: parts.join(' ') })
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
  addList<TagSum, { organization?: number; tag?: string }>(invoices, terminal, {
    name: 'tags',
    description: 'show invoiced, paid and open amounts by customer tag',
    filters: [organizationOption(), filter('--tag <tag>', 'only this tag')],
    read: ofOne((app, organization, { tag }) =>
      sumByTag(app.db, organization, { ...NO_FILTERS, tag }, app.clock.now()),
    ),
    none: 'There are no invoices.',
    columns: {
      tag: ({ tag }) => tag ?? '(none)',
      invoiced: ({ currency, invoiced }) => money(currency, invoiced),
      paid: ({ currency, paid }) => money(currency, paid),
      open: ({ currency, open }) => money(currency, open),
      ...({
        invoices: 'invoices',
        unpaid: 'unpaid_invoices',
        part: 'part_invoices',
        paid_up: 'paid_invoices',
      } as const),
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

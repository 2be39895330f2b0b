import type { Command } from 'commander'
import type { z } from 'zod'
import { operator, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import type { Action, InputOf } from '../../../core/access/action.ts'
import { issueInvoiceAction, sendInvoiceAction, voidInvoiceAction } from '../../../core/invoices/actions.ts'
import type { Invoice } from '../../../core/invoices/invoice.ts'
import { listInvoices } from '../../../core/invoices/invoices.ts'
import type { NewSendBody } from '../../../core/sms/document-sends.ts'
import { displayAmount } from '../../../lib/money.ts'
import { jsonOption, toCount } from '../../arguments.ts'
import { addList, filter, type LimitOption, newest, ofEach } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { toTypedPhone } from '../../typed-phones.ts'
import { addBatches } from './batches.ts'
import {
  actOnSelection,
  addRemind,
  collectCount,
  filtersOf,
  isOne,
  type SelectionOptions,
  selectionOptions,
} from './many.ts'
import { readOptions } from './reading.ts'

interface ListOptions extends LimitOption {
  organization?: number
  number?: string
  state?: string
  overdue?: boolean
  phonenumber?: string
  tag?: string
  customer?: string
  batch?: number
}

/** The commands for invoices. Single drafts are written in the console or with the API. */
export function addInvoices(program: Command, terminal: Terminal): void {
  const invoices = program.command('invoices').description('invoices: create, issue, send, remind and void them')

  addList<Invoice, ListOptions>(invoices, terminal, {
    description: 'list the newest invoices',
    filters: [
      ...selectionOptions(),
      filter('--number <number>', 'only this one, such as INV-000012'),
      filter('--overdue', 'only those that are overdue'),
      filter('--phonenumber <number>', 'only those of this customer').argParser(toTypedPhone),
    ],
    limit: 'how many for each organization',
    read: ofEach((app, organization, { number, overdue, phonenumber, limit, ...options }) =>
      listInvoices(
        app.db,
        organization,
        { number, phonenumber, overdue: overdue ? 'true' : undefined, ...filtersOf(options) },
        newest(limit),
        readOptions(app),
      ),
    ),
    none: 'There are no such invoices. The console and the API make them.',
    columns: {
      id: 'id',
      number: ({ number }) => number ?? 'draft',
      state: ({ state, overdue }) => (overdue ? `${state}, overdue` : state),
      total: ({ total, currency }) => `${currency} ${displayAmount(total)}`,
      open: ({ amount_open, currency }) => `${currency} ${displayAmount(amount_open)}`,
      due: 'due_date',
      customer: ({ customer_number }) => customer_number ?? '',
      tags: ({ tags }) => tags.join(', '),
      phonenumber: 'phonenumber',
      url: ({ url }) => url ?? '',
    },
  })
  addIssue(invoices, terminal)
  addVoid(invoices, terminal)
  addSend(invoices, terminal)
  addRemind(invoices, terminal)
  addBatches(invoices, terminal)
}

/** Act upon an invoice as the operator. @returns how it is afterwards */
async function act<Fields extends z.ZodRawShape>(
  app: App,
  action: Action<Fields, Awaited<ReturnType<typeof issueInvoiceAction.run>>>,
  input: InputOf<Fields>,
) {
  const { id, number, state, url } = (await runAction(app, operator(null), action, input)).invoice
  return { id, number, state, url }
}

function addIssue(invoices: Command, terminal: Terminal): void {
  const command = invoices
    .command('issue')
    .description('issue drafts; they get their numbers and can no longer be changed')
    .argument('[ids...]', 'as `invoices list` shows them; or choose with options', collectCount)
  for (const option of selectionOptions()) command.addOption(option)
  command.addOption(jsonOption()).action(async (ids: number[] = [], options: SelectionOptions) => {
    if (!isOne(ids, options)) return actOnSelection(terminal, 'issue', ids, options)
    const [id] = ids as [number]
    return withApp(terminal, async (app) => {
      const issued = await act(app, issueInvoiceAction, { id })
      printResult(terminal, issued, { ...options, text: `Invoice ${issued.number}: ${issued.url}` })
    })
  })
}

function addVoid(invoices: Command, terminal: Terminal): void {
  const command = invoices
    .command('void')
    .description('void issued invoices; they keep their numbers')
    .argument('[ids...]', 'as `invoices list` shows them; or choose with options', collectCount)
    .option('--reason <text>', 'why', '')
  for (const option of selectionOptions()) command.addOption(option)
  command.addOption(jsonOption()).action(async (ids: number[] = [], options: SelectionOptions & { reason: string }) => {
    if (!isOne(ids, options)) return actOnSelection(terminal, 'void', ids, options)
    const [id] = ids as [number]
    return withApp(terminal, async (app) => {
      const voided = await act(app, voidInvoiceAction, { id, reason: options.reason })
      printResult(terminal, voided, { ...options, text: `Invoice ${voided.number} is void.` })
    })
  })
}

function addSend(invoices: Command, terminal: Terminal): void {
  invoices
    .command('send')
    .description('send an issued invoice to the phone of the customer, or by e-mail')
    .argument('<id>', 'as `invoices list` shows it', toCount)
    .option('--email [address]', 'by e-mail, to this address or to the address of the contact')
    .addOption(jsonOption())
    .action((id: number, options: { email?: string | true; json?: boolean }) =>
      withApp(terminal, async (app) => {
        const { email } = options
        const body: NewSendBody = {
          channel: email === undefined ? 'sms' : 'email',
          email: typeof email === 'string' ? email : undefined,
        }
        const sent = await act(app, sendInvoiceAction, { id, ...body })
        const text = `Invoice ${sent.number} is on its way. The running service sends it.`
        printResult(terminal, sent, { ...options, text })
      }),
    )
}

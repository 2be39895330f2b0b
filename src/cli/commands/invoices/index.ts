import { type Command, Option } from 'commander'
import { issueInvoiceAction, sendInvoiceAction, voidInvoiceAction } from '../../../core/invoices/actions.ts'
import type { Invoice } from '../../../core/invoices/invoice.ts'
import { listInvoices } from '../../../core/invoices/invoices.ts'
import { displayAmount } from '../../../lib/money.ts'
import { addActionCommand } from '../../action-command.ts'
import { bySmsOrMail } from '../../arguments.ts'
import { addList, filter, type LimitOption, newest, ofEach } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { toTypedPhone } from '../../typed-phones.ts'
import { addBatches } from './batches.ts'
import { addMany, filtersOf, selectionOptions } from './many.ts'
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
  addMany(invoices, terminal, 'issue', {
    description: 'issue drafts; they get their numbers and can no longer be changed',
    one: { action: issueInvoiceAction, text: ({ number, url }) => `Invoice ${number}: ${url}` },
  })
  addMany(invoices, terminal, 'void', {
    description: 'void issued invoices; they keep their numbers',
    options: [new Option('--reason <text>', 'why').default('')],
    one: { action: voidInvoiceAction, text: ({ number }) => `Invoice ${number} is void.` },
  })
  addActionCommand(invoices, terminal, sendInvoiceAction, bySmsOrMail)
  addMany(invoices, terminal, 'remind', {
    description: 'remind customers of issued invoices now, each at most once a day; the running service sends the SMS',
  })
  addBatches(invoices, terminal)
}

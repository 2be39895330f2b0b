import type { Command } from 'commander'
import { invoiceList } from '../../../actions/lists/invoices.ts'
import { issueInvoiceAction, sendInvoiceAction, voidInvoiceAction } from '../../../core/invoices/actions.ts'
import { addActionCommand } from '../../action-command.ts'
import { bySmsOrMail } from '../../arguments.ts'
import { addListCommand } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { addBatches } from './batches.ts'
import { addMany } from './many.ts'

/** The commands for invoices. Single drafts are written in the console or with the API. */
export function addInvoices(program: Command, terminal: Terminal): void {
  const invoices = program.command('invoices').description('invoices: create, issue, send, remind and void them')

  addListCommand(invoices, terminal, invoiceList)
  addMany(invoices, terminal, 'issue', {
    description: 'issue drafts; they get their numbers and can no longer be changed',
    one: { action: issueInvoiceAction, text: ({ number, url }) => `Invoice ${number}: ${url}` },
  })
  addMany(invoices, terminal, 'void', {
    description: 'void issued invoices; they keep their numbers',
    takes_reason: true,
    one: { action: voidInvoiceAction, text: ({ number }) => `Invoice ${number} is void.` },
  })
  addActionCommand(invoices, terminal, sendInvoiceAction, bySmsOrMail)
  addMany(invoices, terminal, 'remind', {
    description: 'remind customers of issued invoices now, each at most once a day; the running service sends the SMS',
  })
  addBatches(invoices, terminal)
}

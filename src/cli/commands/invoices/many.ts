import type { Command } from 'commander'
import { actOnMany } from '../../../actions/many-invoices.ts'
import { operator, runAction } from '../../../actions/run.ts'
import type { Action } from '../../../core/access/action.ts'
import type { issueInvoiceAction } from '../../../core/invoices/actions.ts'
import { type Invoice, invoiceStates } from '../../../core/invoices/invoice.ts'
import type { ManyAction } from '../../../core/invoices/many.ts'
import { chooseOrganization, collectIds, toCount } from '../../arguments.ts'
import { addCommand } from '../../command.ts'
import type { Terminal } from '../../terminal.ts'
import { chosen, preset, typed } from '../../typed.ts'

/** The filters of many invoices, which `list` has too. */
const SELECTION = {
  tag: typed('--tag <tag>', 'only for customers with this tag, such as a class'),
  customer_number: typed('--customer <number>', 'only for the customer with this number'),
  batch: typed('--batch <id>', 'only of this batch, as `invoices batches` shows it', toCount),
  state: chosen('--state <state>', 'only in this state', [...invoiceStates, 'part', 'unpaid']),
}

/** Action on one invoice, and the sentence about its result. */
interface OneAction {
  action: Action<typeof issueInvoiceAction.input.shape, Awaited<ReturnType<typeof issueInvoiceAction.run>>>
  text(invoice: Pick<Invoice, 'number' | 'url'>): string
}

const DONE: Readonly<Record<ManyAction, string>> = { issue: 'issued', remind: 'due for a reminder', void: 'void' }

/** Add a command for invoices by id or by filter. @param parts.one acts where the command names exactly one */
export function addMany(
  invoices: Command,
  terminal: Terminal,
  action: ManyAction,
  { description, takes_reason, one }: { description: string; takes_reason?: true; one?: OneAction },
): void {
  addCommand(invoices, terminal, {
    name: action,
    description,
    typed: {
      ids: typed('[ids...]', 'as `invoices list` shows them; or choose with options', collectIds),
      ...(takes_reason && { reason: preset(typed('--reason <text>', 'why'), '') }),
      ...SELECTION,
    },
    organization: 'or_all',
    async run(app, { ids = [], reason, ...filter }, { owner }) {
      if (one && ids.length === 1 && Object.values(filter).every((value) => value === undefined)) {
        const input = { id: ids[0]!, reason }
        const { id, number, state, url } = (await runAction(app, operator(null), one.action, input)).invoice
        return { shown: { id, number, state, url }, text: one.text({ number, url }) }
      }
      const { id: organization } = owner ?? (await chooseOrganization(app.db, undefined))
      const invoices = ids.length > 0 ? ids : undefined
      const result = await actOnMany(app, operator(organization), action, { invoices, filter }, reason)
      const left = result.left_out.map(
        ({ invoice, number, message }) => `${number ?? `Draft ${invoice}`} was skipped: ${message}`,
      )
      return { shown: result, text: [`${result.done} invoices are ${DONE[action]}.`, ...left] }
    },
  })
}

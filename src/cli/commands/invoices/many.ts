import { type Command, Option } from 'commander'
import { actOnMany } from '../../../actions/many-invoices.ts'
import { operator, runAction } from '../../../actions/run.ts'
import type { Action } from '../../../core/access/action.ts'
import type { issueInvoiceAction } from '../../../core/invoices/actions.ts'
import { type Invoice, invoiceStates } from '../../../core/invoices/invoice.ts'
import type { ManyAction } from '../../../core/invoices/many.ts'
import { chooseOrganization, collectIds, jsonOption, organizationOption, toCount } from '../../arguments.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

/** The options that choose invoices: a filter in place of ids. */
export interface SelectionOptions {
  organization?: number
  tag?: string
  customer?: string
  batch?: number
  state?: string
  json?: boolean
}

/** The filters of many invoices, which `list` has too. */
export function selectionOptions(): Option[] {
  return [
    organizationOption(),
    new Option('--tag <tag>', 'only those of customers with this tag, such as a class'),
    new Option('--customer <number>', 'only those of the customer with this number'),
    new Option('--batch <id>', 'only those of this batch, as `invoices batches` shows it').argParser(toCount),
    new Option('--state <state>', 'only those in this state').choices([...invoiceStates, 'part', 'unpaid']),
  ]
}

/** The filters of core that options mean. */
export function filtersOf({ tag, customer: customer_number, batch, state }: SelectionOptions) {
  return { tag, customer_number, batch, state }
}

/** Action on one invoice, and the sentence about its result. */
interface OneAction {
  action: Action<typeof issueInvoiceAction.input.shape, Awaited<ReturnType<typeof issueInvoiceAction.run>>>
  text(invoice: Pick<Invoice, 'number' | 'url'>): string
}

/** Return true if a command names exactly one invoice. */
function isOne(ids: readonly number[], options: SelectionOptions): boolean {
  return ids.length === 1 && Object.values(filtersOf(options)).every((value) => value === undefined)
}

const DONE: Readonly<Record<ManyAction, string>> = { issue: 'issued', remind: 'due for a reminder', void: 'void' }

/** Add a command for invoices by id or by filter. @param parts.one acts where the command names exactly one */
export function addMany(
  invoices: Command,
  terminal: Terminal,
  action: ManyAction,
  parts: { description: string; options?: readonly Option[]; one?: OneAction },
): void {
  const { description, options: own = [], one } = parts
  const command = invoices
    .command(action)
    .description(description)
    .argument('[ids...]', 'as `invoices list` shows them; or choose with options', collectIds)
  for (const option of [...own, ...selectionOptions(), jsonOption()]) command.addOption(option)
  command.action((ids: number[] = [], options: SelectionOptions & { reason?: string }) =>
    withApp(terminal, async (app) => {
      const { reason } = options
      if (one && isOne(ids, options)) {
        const input = { id: ids[0]!, reason }
        const { id, number, state, url } = (await runAction(app, operator(null), one.action, input)).invoice
        return printResult(terminal, { id, number, state, url }, { ...options, text: one.text({ number, url }) })
      }
      const { id: organization } = await chooseOrganization(app.db, options.organization)
      const chosen = { invoices: ids.length > 0 ? ids : undefined, filter: filtersOf(options) }
      const result = await actOnMany(app, operator(organization), action, chosen, reason)
      const left = result.left_out.map(
        ({ invoice, number, message }) => `${number ?? `Draft ${invoice}`} was skipped: ${message}`,
      )
      const text = [`${result.done} invoices are ${DONE[action]}.`, ...left].join('\n')
      printResult(terminal, result, { ...options, text })
    }),
  )
}

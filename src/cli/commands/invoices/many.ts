import { type Command, Option } from 'commander'
import { actOnMany } from '../../../actions/many-invoices.ts'
import { operator } from '../../../actions/run.ts'
import { invoiceStates } from '../../../core/invoices/invoice.ts'
import type { ManyAction } from '../../../core/invoices/many.ts'
import { chooseOrganization, organizationOption, toCount } from '../../arguments.ts'
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

/** Return true if a command names exactly one invoice. */
export function isOne(ids: readonly number[], options: SelectionOptions): boolean {
  return ids.length === 1 && Object.values(filtersOf(options)).every((value) => value === undefined)
}

const DONE: Readonly<Record<ManyAction, string>> = { issue: 'issued', remind: 'due for a reminder', void: 'void' }

/** Act on many invoices as the operator, and print the results. */
export function actOnSelection(
  terminal: Terminal,
  action: ManyAction,
  ids: readonly number[],
  options: SelectionOptions & { reason?: string },
): Promise<void> {
  return withApp(terminal, async (app) => {
    const { id: organization } = await chooseOrganization(app.db, options.organization)
    const chosen = { invoices: ids.length > 0 ? [...ids] : undefined, filter: filtersOf(options) }
    const result = await actOnMany(app, operator(organization), action, chosen, options.reason)
    const left = result.left_out.map(
      ({ invoice, number, message }) => `${number ?? `Draft ${invoice}`} was skipped: ${message}`,
    )
    const text = [`${result.done} invoices are ${DONE[action]}.`, ...left].join('\n')
    printResult(terminal, result, { ...options, text })
  })
}

export function addRemind(invoices: Command, terminal: Terminal): void {
  const command = invoices
    .command('remind')
    .description('remind customers of issued invoices now, each at most once a day; the running service sends the SMS')
    .argument('[ids...]', 'as `invoices list` shows them; or choose with options', collectCount)
  for (const option of selectionOptions()) command.addOption(option)
  command
    .option('--json', 'print JSON')
    .action((ids: number[] | undefined, options: SelectionOptions) =>
      actOnSelection(terminal, 'remind', ids ?? [], options),
    )
}

/** Parse an id after those before it. */
export function collectCount(text: string, earlier: number[] | undefined): number[] {
  return [...(earlier ?? []), toCount(text)]
}

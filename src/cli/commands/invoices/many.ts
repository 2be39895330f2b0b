import { type Command, Option } from 'commander'
import type { App } from '../../../app.ts'
import { invoiceStates } from '../../../core/invoices/invoice.ts'
import { actOnInvoices, type ManyAction, type ManyResult, selectInvoices } from '../../../core/invoices/many.ts'
import { begin } from '../../../db/client.ts'
import { chooseOrganization, organizationOption, toCount } from '../../arguments.ts'
import { recordOperatorAction } from '../../operator-audit.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { readOptions } from './reading.ts'

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
export function actOnMany(
  terminal: Terminal,
  action: ManyAction,
  ids: readonly number[],
  options: SelectionOptions & { reason?: string },
): Promise<void> {
  return withApp(terminal, async (app) => {
    const result = await act(app, action, ids, options)
    const left = result.left_out.map(
      ({ invoice, number, message }) => `${number ?? `Draft ${invoice}`} was skipped: ${message}`,
    )
    const text = [`${result.done} invoices are ${DONE[action]}.`, ...left].join('\n')
    printResult(terminal, result, { ...options, text })
  })
}

async function act(
  app: App,
  action: ManyAction,
  ids: readonly number[],
  { reason = '', ...options }: SelectionOptions & { reason?: string },
): Promise<ManyResult> {
  const { id: organization } = await chooseOrganization(app.db, options.organization)
  const chosen = { invoices: ids.length > 0 ? [...ids] : undefined, filter: filtersOf(options) }
  const groups = await selectInvoices(app.db, organization, chosen, { action, now: app.clock.now() })
  const result: ManyResult = { done: 0, left_out: [] }
  for (const group of groups) {
    const left_out = await begin(app.db, async (tx) => {
      const left = await actOnInvoices(tx, action, group, { ...readOptions(app), user: null, reason })
      const details = { count: group.length - left.length, first: group[0]!, last: group.at(-1)! }
      await recordOperatorAction(tx, app, organization, { action: `${action} invoices`, details })
      return left
    })
    result.done += group.length - left_out.length
    result.left_out.push(...left_out)
  }
  return result
}

export function addRemind(invoices: Command, terminal: Terminal): void {
  const command = invoices
    .command('remind')
    .description('remind customers of issued invoices now, each at most once a day; the running service sends the SMS')
    .argument('[ids...]', 'as `invoices list` shows them; or choose with options', collectCount)
  for (const option of selectionOptions()) command.addOption(option)
  command
    .option('--json', 'print JSON')
    .action((ids: number[] | undefined, options: SelectionOptions) => actOnMany(terminal, 'remind', ids ?? [], options))
}

/** Parse an id after those before it. */
export function collectCount(text: string, earlier: number[] | undefined): number[] {
  return [...(earlier ?? []), toCount(text)]
}

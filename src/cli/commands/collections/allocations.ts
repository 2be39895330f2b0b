import { type Command, Option } from 'commander'
import type { z } from 'zod'
import { operator, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import type { Action, InputOf } from '../../../core/access/action.ts'
import { type Allocation, freeAmount, readAllocations, type Target } from '../../../core/allocations/allocations.ts'
import { type CollectionRow, findCollectionRow } from '../../../core/collections/collections.ts'
import { allocateCollectionAction } from '../../../core/control/change-actions.ts'
import type { ChangeResult } from '../../../core/control/changes.ts'
import type { RequestedPart } from '../../../core/control/matching-kinds.ts'
import { parseNumber } from '../../../core/documents/series.ts'
import { type Suggestion, suggestMatches } from '../../../core/matching/suggestions.ts'
import { NotFound } from '../../../core/refusals.ts'
import type { Reader } from '../../../db/client.ts'
import { type Amount, displayAmount, formatAmount } from '../../../lib/money.ts'
import { byOption, findActor, jsonOption, toAmount, toCount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

interface Options {
  by?: string
  note?: string
  insteadOf?: number
  json?: boolean
}

/** An invoice number, or the id of a customer or link, with the amount that it gets. */
interface GivenPart {
  kind: 'invoice' | 'contact' | 'payment_link'
  name: string
  amount: Amount | undefined
}

/** Add the commands that allocate unmatched money. */
export function addAllocations(collections: Command, terminal: Terminal): void {
  addSuggest(collections, terminal)
  addAllocate(collections, terminal)
  addUnallocate(collections, terminal)
}

function addSuggest(collections: Command, terminal: Terminal): void {
  collections
    .command('suggest')
    .description('suggest matches for unmatched money')
    .argument('<id>', 'as `collections list --unmatched` shows it', toCount)
    .addOption(jsonOption())
    .action((id: number, options: Options) =>
      withApp(terminal, async (app) => {
        const collection = await readCollection(app, id)
        const suggestions = await suggestMatches(app.db, collection)
        const text = suggestions.map((one) => describeSuggestion(one, collection.currency)).join('\n')
        printResult(terminal, { suggestions }, { ...options, text: text || 'There are no suggestions for this money.' })
      }),
    )
}

function addAllocate(collections: Command, terminal: Terminal): void {
  const parts: GivenPart[] = []
  const part = (flags: string, kind: GivenPart['kind'], description: string) =>
    new Option(flags, `${description}; more than one splits the money`).argParser((text: string) => {
      parts.push(readPart(kind, text))
      return parts
    })
  collections
    .command('allocate')
    .description('allocate unmatched money to invoices, customers and payment links')
    .argument('<id>', 'as `collections list --unmatched` shows it', toCount)
    .addOption(part('--invoice <number=amount>', 'invoice', 'an issued invoice, such as INV-2 or INV-2=85000'))
    .addOption(part('--contact <id=amount>', 'contact', 'a customer, who gets credit'))
    .addOption(part('--link <id=amount>', 'payment_link', 'a payment link'))
    .option('--instead-of <allocation>', 'an allocation to reverse first, so that its money moves', toCount)
    .option('--note <text>', 'the reason, kept on record')
    .addOption(byOption())
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((id: number, options: Options) =>
      withApp(terminal, async (app) => {
        if (parts.length === 0) throw new CommandError('Give --invoice, --contact or --link.')
        const { note, insteadOf: instead_of } = options
        const { organization } = await readCollection(app, id)
        const chosen: RequestedPart[] = []
        for (const { amount, ...one } of parts)
          chosen.push({
            target: await findTarget(app.db, organization, one),
            ...(amount !== undefined && { amount: formatAmount(amount) }),
          })
        const input = { collection: id, parts: chosen, instead_of, note }
        await matchByHand(terminal, app, allocateCollectionAction, input, options)
        await printUse(terminal, app, id, options)
      }),
    )
}

function addUnallocate(collections: Command, terminal: Terminal): void {
  collections
    .command('unallocate')
    .description('reverse an allocation; its money becomes unmatched')
    .argument('<id>', 'as `collections list` shows it', toCount)
    .argument('<allocation>', 'as `collections allocate` shows it', toCount)
    .addOption(byOption())
    .addOption(jsonOption())
    .action((collection: number, allocation: number, options: Options) =>
      withApp(terminal, async (app) => {
        const input = { collection, parts: [], instead_of: allocation }
        await matchByHand(terminal, app, allocateCollectionAction, input, options)
        await printUse(terminal, app, collection, options)
      }),
    )
}

/** Match money for the user of `--by`, or for an operator. @returns whether it waits for a second manager */
export async function matchByHand<Fields extends z.ZodRawShape>(
  terminal: Terminal,
  app: App,
  action: Action<Fields, ChangeResult>,
  input: InputOf<Fields> & { collection: number },
  { by }: { by?: string },
): Promise<boolean> {
  const { organization } = await readCollection(app, input.collection)
  const { is_pending } = await runAction(app, operator(organization, await findActor(app.db, by)), action, input)
  if (is_pending) terminal.warn('The sum is large: it waits for a second manager, see `organizations changes list`.')
  return is_pending
}

/** @throws NotFound */
async function readCollection(app: App, id: number): Promise<CollectionRow> {
  const row = await findCollectionRow(app.db, id)
  if (!row) throw new NotFound(`There is no collection ${id}.`)
  return row
}

/** `INV-2=85000` or `INV-2`. */
function readPart(kind: GivenPart['kind'], text: string): GivenPart {
  const [name = '', amount] = text.split('=')
  return { kind, name, amount: amount === undefined ? undefined : toAmount(amount) }
}

/** @throws CommandError when the organization has no invoice with this number */
async function findTarget(
  db: Reader,
  organization: number,
  { kind, name }: Pick<GivenPart, 'kind' | 'name'>,
): Promise<Target> {
  if (kind === 'contact') return { contact: toCount(name) }
  if (kind === 'payment_link') return { payment_link: toCount(name) }
  const number = parseNumber('invoice', name) ?? 0
  const [invoice] = await db<{ id: number }[]>`
    select id from invoices where organization = ${organization} and number = ${number}`
  if (!invoice) throw new CommandError(`There is no invoice ${name}.`)
  return { invoice: invoice.id }
}

/** Print the allocations of a collection and its unmatched rest. */
async function printUse(terminal: Terminal, app: App, id: number, options: Options): Promise<void> {
  const collection = await readCollection(app, id)
  const { currency } = collection
  const allocations = (await readAllocations(app.db, [id])).get(id) ?? []
  const amount_unmatched = freeAmount(collection)
  const text = [
    ...allocations.map((one) => describeAllocation(one, currency)),
    `${currency} ${displayAmount(amount_unmatched)} of collection ${id} is not matched.`,
  ].join('\n')
  printResult(terminal, { allocations, amount_unmatched }, { ...options, text })
}

function describeAllocation(allocation: Allocation, currency: string): string {
  const { id, invoice, payment_link, contact, amount, reason } = allocation
  const object =
    invoice !== null
      ? `invoice ${invoice}`
      : payment_link !== null
        ? `payment link ${payment_link}`
        : `contact ${contact}`
  return `Allocation ${id}: ${currency} ${displayAmount(amount)} for ${object} (${reason})`
}

function describeSuggestion({ reason, parts }: Suggestion, currency: string): string {
  const described = parts.map(
    ({ invoice, contact, collection_request, number, name, customer_number, amount, asked }) => {
      const object =
        invoice !== null
          ? `invoice ${number}`
          : collection_request !== null
            ? `request ${collection_request}`
            : `contact ${contact}`
      const total = asked === null ? '' : ` of ${displayAmount(asked)}`
      const who = [name, customer_number].filter(Boolean).join(', ')
      return `${object} (${who}), ${currency} ${displayAmount(amount)}${total}`
    },
  )
  return `${reason}: ${described.join('; ')}`
}

const EXAMPLES = `
Examples:
  $ npx kusanya collections allocate 12 --invoice INV-2 --by grace@example.com
  $ npx kusanya collections allocate 12 --invoice INV-2=85000 --contact 3=15000 --note "Betty called."
  $ npx kusanya collections allocate 12 --instead-of 7 --invoice INV-3`

import type { Command } from 'commander'
import type { z } from 'zod'
import { runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import type { Action, InputOf } from '../../../core/access/action.ts'
import { type Allocation, freeAmount, readAllocations, type Target } from '../../../core/allocations/allocations.ts'
import { allocateCollectionAction } from '../../../core/approvals/changes/actions.ts'
import type { ChangeResult } from '../../../core/approvals/changes/changes.ts'
import type { RequestedPart } from '../../../core/approvals/changes/matching-kinds.ts'
import { type CollectionRow, findCollectionRow } from '../../../core/collections/collections.ts'
import { parseNumber } from '../../../core/documents/series.ts'
import { type Suggestion, suggestMatches } from '../../../core/matching/suggestions.ts'
import { NotFound } from '../../../core/refusals.ts'
import type { Reader } from '../../../db/client.ts'
import { type Amount, displayAmount, formatAmount } from '../../../lib/money.ts'
import { toAmount, toCount } from '../../arguments.ts'
import { addCommand, type Call, type Told } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'

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

const COLLECTION = typed('<id>', 'as `collections list --unmatched` shows it', toCount)

function addSuggest(collections: Command, terminal: Terminal): void {
  addCommand(collections, terminal, {
    name: 'suggest',
    description: 'suggest matches for unmatched money',
    typed: { id: COLLECTION },
    async run(app, { id }) {
      const collection = await readCollection(app, id)
      const suggestions = await suggestMatches(app.db, collection)
      const text = suggestions.map((one) => describeSuggestion(one, collection.currency))
      return { shown: { suggestions }, text: text.length > 0 ? text : 'There are no suggestions for this money.' }
    },
  })
}

function addAllocate(collections: Command, terminal: Terminal): void {
  // In the order in which they are typed, whatever their kind.
  const parts: GivenPart[] = []
  const part = (flags: string, kind: GivenPart['kind'], text: string) =>
    typed(flags, `${text}; more than one splits the money`, (word) => parts.push(readPart(kind, word)))
  addCommand(collections, terminal, {
    name: 'allocate',
    description: 'allocate unmatched money to invoices, customers and payment links',
    typed: {
      id: COLLECTION,
      invoice: part('--invoice <number=amount>', 'invoice', 'an issued invoice, such as INV-2 or INV-2=85000'),
      contact: part('--contact <id=amount>', 'contact', 'a customer, who gets credit'),
      link: part('--link <id=amount>', 'payment_link', 'a payment link'),
      instead_of: typed(
        '--instead-of <allocation>',
        'an allocation to reverse first, so that its money moves',
        toCount,
      ),
      note: typed('--note <text>', 'the reason, kept on record'),
    },
    by: true,
    help: EXAMPLES,
    async run(app, { id, instead_of, note }, call) {
      if (parts.length === 0) throw new CommandError('Give --invoice, --contact or --link.')
      const { organization } = await readCollection(app, id)
      const chosen: RequestedPart[] = []
      for (const { amount, ...one } of parts)
        chosen.push({
          target: await findTarget(app.db, organization, one),
          ...(amount !== undefined && { amount: formatAmount(amount) }),
        })
      await matchByHand(app, allocateCollectionAction, { collection: id, parts: chosen, instead_of, note }, call)
      return tellUse(app, id)
    },
  })
}

function addUnallocate(collections: Command, terminal: Terminal): void {
  addCommand(collections, terminal, {
    name: 'unallocate',
    description: 'reverse an allocation; its money becomes unmatched',
    typed: {
      collection: typed('<id>', 'as `collections list` shows it', toCount),
      instead_of: typed('<allocation>', 'as `collections allocate` shows it', toCount),
    },
    by: true,
    async run(app, { collection, instead_of }, call) {
      await matchByHand(app, allocateCollectionAction, { collection, parts: [], instead_of }, call)
      return tellUse(app, collection)
    },
  })
}

/** Match money for the person who acts. @returns whether it waits for a second manager */
export async function matchByHand<Fields extends z.ZodRawShape>(
  app: App,
  action: Action<Fields, ChangeResult>,
  input: InputOf<Fields> & { collection: number },
  { actor, terminal }: Call<unknown>,
): Promise<boolean> {
  const { organization } = await readCollection(app, input.collection)
  const { is_pending } = await runAction(app, { ...actor, organization }, action, input)
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

/** Tell the allocations of a collection and its unmatched rest. */
async function tellUse(app: App, id: number): Promise<Told> {
  const collection = await readCollection(app, id)
  const { currency } = collection
  const allocations = (await readAllocations(app.db, [id])).get(id) ?? []
  const amount_unmatched = freeAmount(collection)
  const text = [
    ...allocations.map((one) => describeAllocation(one, currency)),
    `${currency} ${displayAmount(amount_unmatched)} of collection ${id} is not matched.`,
  ]
  return { shown: { allocations, amount_unmatched }, text }
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

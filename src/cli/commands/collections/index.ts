import type { Command } from 'commander'
import { unassignedList } from '../../../actions/lists/books.ts'
import { collectionList } from '../../../actions/lists/collections.ts'
import { matchCollectionAction } from '../../../core/approvals/changes/actions.ts'
import { type AcceptanceCheck, listAcceptanceChecks } from '../../../core/collections/acceptance-checks.ts'
import { assignPaymentAction } from '../../../core/collections/actions.ts'
import { type Collection, collectionsById } from '../../../core/collections/collections.ts'
import { NotFound } from '../../../core/refusals.ts'
import { displayAmount } from '../../../lib/money.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { addActionCommand } from '../../action-command.ts'
import { toCount } from '../../arguments.ts'
import { addCommand, addShow } from '../../command.ts'
import { addListCommand } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'
import { addAllocations, matchByHand } from './allocations.ts'
import { addCollectionsRefunds } from './refunds.ts'

export function addCollections(program: Command, terminal: Terminal): void {
  const collections = program
    .command('collections')
    .description('incoming money, and actions for unsolicited payments')
    .addHelpText('after', EXAMPLES)

  addListCommand(collections, terminal, collectionList)

  addShow(
    collections,
    terminal,
    'show a collection, its request and the answer of its organization',
    async (app, id) => {
      const collection = (await collectionsById(app.db, [id])).get(id)
      if (!collection) throw new NotFound(`There is no collection ${id}.`)
      const [check] = await listAcceptanceChecks(app.db, { collection: id }, 1)
      const text = [...describe(collection), ...(check ? [describeAcceptanceCheck(check)] : [])]
      return { shown: { ...collection, question: check ?? null }, text }
    },
  )
  addCommand(collections, terminal, {
    name: 'match',
    description: 'fulfil an open request with an unmatched collection',
    typed: {
      collection: typed('<collection>', 'as `collections list --unmatched` shows it', toCount),
      collection_request: typed('<request>', 'as `requests list` shows it', toCount),
    },
    by: true,
    async run(app, input, call) {
      const is_pending = await matchByHand(app, matchCollectionAction, input, call)
      const matched = (await collectionsById(app.db, [input.collection])).get(input.collection)!
      const requested = matched.collection_request?.amount ?? matched.amount
      const difference = requested === matched.amount ? '' : ` The request was for ${displayAmount(requested)}.`
      const from = `${formatMoney(matched)} from ${matched.phonenumber}`
      const request = `request ${input.collection_request}`
      const text = is_pending
        ? `${from} has not fulfilled ${request} yet.`
        : `${from} has fulfilled ${request}.${difference}`
      return { shown: matched, text }
    },
  })
  addAllocations(collections, terminal)
  addListCommand(collections, terminal, unassignedList)
  addActionCommand(collections, terminal, assignPaymentAction)
  addCollectionsRefunds(collections, terminal)
}

function formatMoney(collection: Collection): string {
  return `${collection.currency} ${displayAmount(collection.amount)}`
}

function describe(collection: Collection): string[] {
  const { contact, collection_request: request } = collection
  return [
    `Collection ${collection.id}: ${formatMoney(collection)} from ${collection.phonenumber} (${contact.first_name} ${contact.last_name}), ${collection.status}`,
    `  paid ${formatTimestamp(collection.payment_date)}, recorded ${formatTimestamp(collection.created)} as ${collection.remote_transaction_id}`,
    `  to account ${collection.account} of organization ${collection.organization}${collection.reference === null ? '' : `, reference ${JSON.stringify(collection.reference)}`}`,
    request ? `  fulfilled request ${request.id} (${request.status})` : '  no request',
    ...(collection.reversed_amount > 0n
      ? [`  the network has taken back ${collection.currency} ${displayAmount(collection.reversed_amount)}`]
      : []),
  ]
}

function describeAcceptanceCheck(check: AcceptanceCheck): string {
  const { verdict, reason, unreachable, last_error, deadline } = check
  if (verdict === null) return `  the organization may answer until ${formatTimestamp(deadline)}`
  const explanation = unreachable ? `no answer came (${last_error})` : (reason ?? '')
  return `  the organization's answer: ${verdict}${explanation && `, ${explanation}`}`
}

const EXAMPLES = `
Examples:
  $ npx kusanya collections list --unmatched
  $ npx kusanya collections match 12 340 --by grace@example.com
  $ npx kusanya collections suggest 12
  $ npx kusanya collections allocate 12 --invoice INV-2`

import type { Command } from 'commander'
import { collectionList } from '../../../actions/lists/collections.ts'
import { type AcceptanceCheck, listAcceptanceChecks } from '../../../core/collections/acceptance-checks.ts'
import { type Collection, collectionsById } from '../../../core/collections/collections.ts'
import { matchCollectionAction } from '../../../core/control/change-actions.ts'
import { NotFound } from '../../../core/refusals.ts'
import { displayAmount } from '../../../lib/money.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { byOption, jsonOption, toCount } from '../../arguments.ts'
import { addListCommand } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { addAllocations, matchByHand } from './allocations.ts'
import { addCollectionsRefunds } from './refunds.ts'
import { addUnassignedPayments } from './unassigned.ts'

export function addCollections(program: Command, terminal: Terminal): void {
  const collections = program
    .command('collections')
    .description('incoming money, and actions for unsolicited payments')
    .addHelpText('after', EXAMPLES)

  addListCommand(collections, terminal, collectionList)

  collections
    .command('show')
    .description('show a collection, its request and the answer of its organization')
    .argument('<id>', 'as `collections list` shows it', toCount)
    .addOption(jsonOption())
    .action((id: number, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const collection = (await collectionsById(app.db, [id])).get(id)
        if (!collection) throw new NotFound(`There is no collection ${id}.`)
        const [check] = await listAcceptanceChecks(app.db, { collection: id }, 1)
        const text = [...describe(collection), ...(check ? [describeAcceptanceCheck(check)] : [])].join('\n')
        printResult(terminal, { ...collection, question: check ?? null }, { ...options, text })
      }),
    )

  collections
    .command('match')
    .description('fulfil an open request with an unmatched collection')
    .argument('<collection>', 'as `collections list --unmatched` shows it', toCount)
    .argument('<request>', 'as `requests list` shows it', toCount)
    .addOption(byOption())
    .addOption(jsonOption())
    .action((collection: number, request: number, options: { by?: string; json?: boolean }) =>
      withApp(terminal, async (app) => {
        const input = { collection, collection_request: request }
        const is_pending = await matchByHand(terminal, app, matchCollectionAction, input, options)
        const matched = (await collectionsById(app.db, [collection])).get(collection)!
        const requested = matched.collection_request?.amount ?? matched.amount
        const difference = requested === matched.amount ? '' : ` The request was for ${displayAmount(requested)}.`
        const text = is_pending
          ? `${formatMoney(matched)} from ${matched.phonenumber} has not fulfilled request ${request} yet.`
          : `${formatMoney(matched)} from ${matched.phonenumber} has fulfilled request ${request}.${difference}`
        printResult(terminal, matched, { ...options, text })
      }),
    )

  addAllocations(collections, terminal)
  addUnassignedPayments(collections, terminal)
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

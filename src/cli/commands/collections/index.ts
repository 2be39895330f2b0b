import type { Command } from 'commander'
import { type AcceptanceCheck, listAcceptanceChecks } from '../../../core/collections/acceptance-checks.ts'
import {
  type Collection,
  collectionStatuses,
  collectionsById,
  listCollections,
} from '../../../core/collections/collections.ts'
import { matchCollectionAction } from '../../../core/control/change-actions.ts'
import { NotFound } from '../../../core/refusals.ts'
import { displayAmount } from '../../../lib/money.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { byOption, jsonOption, organizationOption, toCount } from '../../arguments.ts'
import { addList, filter, type LimitOption, newest, ofOne } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { toTypedPhone } from '../../typed-phones.ts'
import { addAllocations, matchByHand } from './allocations.ts'
import { addCollectionsRefunds } from './refunds.ts'
import { addUnassignedPayments } from './unassigned.ts'

export function addCollections(program: Command, terminal: Terminal): void {
  const collections = program
    .command('collections')
    .description('incoming money, and actions for unsolicited payments')
    .addHelpText('after', EXAMPLES)

  addCollectionList(collections, terminal)

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

function addCollectionList(collections: Command, terminal: Terminal): void {
  addList<Collection, CollectionFilterOptions>(collections, terminal, {
    description: 'list the newest collections',
    filters: [
      organizationOption(),
      filter('--unmatched', 'those that fulfilled no request, were not claimed and were not returned'),
      filter('--status <status>', 'those in one status').choices(collectionStatuses),
      filter('--phone <number>', 'those of one customer', toTypedPhone),
      filter('--currency <code>', 'those in one currency'),
      filter('--reference <text>', 'those whose customer typed this reference'),
      filter('--remote <id>', 'the one that has this id at the network'),
      filter('--network <code>', 'those that came through one network'),
    ],
    limit: 'how many',
    read: ofOne(async (app, organization, { limit, phone, remote, ...rest }) => {
      const { unmatched, status, currency, reference, network } = rest
      const named = { phonenumber: phone, remote_transaction_id: remote }
      const filters = { unmatched, status, currency, reference, network, ...named }
      return listCollections(app.db, organization, filters, newest(limit))
    }),
    none: 'There are no collections.',
    columns: {
      id: 'id',
      'paid (UTC)': 'payment_date',
      phone: 'phonenumber',
      currency: 'currency',
      amount: 'amount',
      status: 'status',
      request: (row) => row.collection_request?.id,
      reference: 'reference',
      "network's id": 'remote_transaction_id',
    },
  })
}

interface CollectionFilterOptions extends LimitOption {
  unmatched?: true
  status?: string
  phone?: string
  currency?: string
  reference?: string
  remote?: string
  network?: string
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

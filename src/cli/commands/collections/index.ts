import { type Command, Option } from 'commander'
import type { App } from '../../../app.ts'
import { type AcceptanceCheck, listAcceptanceChecks } from '../../../core/collections/acceptance-checks.ts'
import {
  type Collection,
  collectionStatuses,
  collectionsById,
  listCollections,
} from '../../../core/collections/collections.ts'
import { matchManually } from '../../../core/collections/manual-actions.ts'
import { NotFound } from '../../../core/refusals.ts'
import { begin } from '../../../db/client.ts'
import { displayAmount } from '../../../lib/money.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import {
  byOption,
  chooseOrganization,
  findActor,
  jsonOption,
  organizationOption,
  toCount,
  toPhone,
} from '../../arguments.ts'
import { formatShortTime, printResult, printRows } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { addCollectionsRefunds } from './refunds.ts'

export function addCollections(program: Command, terminal: Terminal): void {
  const collections = program
    .command('collections')
    .description('money that came in, and what to do with what no request asked for')
    .addHelpText('after', EXAMPLES)

  collections
    .command('list')
    .description('list the newest collections')
    .addOption(organizationOption())
    .option('--unmatched', 'those that fulfilled no request, were claimed by nobody and not given back')
    .addOption(new Option('--status <status>', 'those in one status').choices(collectionStatuses))
    .option('--phone <number>', 'those of one customer', toPhone)
    .option('--currency <code>', 'those in one currency')
    .option('--reference <text>', 'those with which a customer typed this')
    .option('--remote <id>', "the one with this id of the network's")
    .option('--network <code>', 'those that came through one network')
    .option('--limit <count>', 'how many', toCount, 50)
    .addOption(jsonOption())
    .action((options: ListOptions) => withApp(terminal, (app) => list(terminal, app, options)))

  collections
    .command('show')
    .description('show a collection, its request and what its organization said about it')
    .argument('<id>', 'as `collections list` shows it', toCount)
    .addOption(jsonOption())
    .action((id: number, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const collection = (await collectionsById(app.db, [id])).get(id)
        if (!collection) throw new NotFound(`There is no collection ${id}.`)
        const [question] = await listAcceptanceChecks(app.db, { collection: id }, 1)
        const text = [...describe(collection), ...(question ? [describeAcceptanceCheck(question)] : [])].join('\n')
        printResult(terminal, { ...collection, question: question ?? null }, { ...options, text })
      }),
    )

  collections
    .command('match')
    .description('let an unmatched collection fulfil an open request')
    .argument('<collection>', 'as `collections list --unmatched` shows it', toCount)
    .argument('<request>', 'as `requests list` shows it', toCount)
    .addOption(byOption())
    .addOption(jsonOption())
    .action((collection: number, request: number, options: { by?: string; json?: boolean }) =>
      withApp(terminal, async (app) => {
        const by = await findActor(app.db, options.by)
        const made = await begin(app.db, (tx) => matchManually(tx, app.clock.now(), { collection, request, by }))
        app.wake()
        const asked = made.collection_request!.amount
        const differs = asked === made.amount ? '' : ` It had asked for ${displayAmount(asked)}.`
        const text = `${formatMoney(made)} from ${made.phonenumber} has fulfilled request ${request}.${differs}`
        printResult(terminal, made, { ...options, text })
      }),
    )

  addCollectionsRefunds(collections, terminal)
}

interface ListOptions {
  organization?: number
  unmatched?: true
  status?: string
  phone?: string
  currency?: string
  reference?: string
  remote?: string
  network?: string
  limit: number
  json?: boolean
}

async function list(terminal: Terminal, app: App, options: ListOptions): Promise<void> {
  const { unmatched, status, phone: phonenumber, currency, reference, remote, network, limit } = options
  const organization = await chooseOrganization(app.db, options.organization)
  const filters = { unmatched, status, phonenumber, currency, reference, remote_transaction_id: remote, network }
  const slice = { limit, offset: 0, field: 'id' as const, descending: true }
  const { rows, count } = await listCollections(app.db, organization.id, filters, slice)
  printRows(terminal, rows, {
    ...options,
    none: 'There is none.',
    columns: [
      { title: 'id', value: (row) => row.id },
      { title: 'paid (UTC)', value: (row) => formatShortTime(row.payment_date) },
      { title: 'phone', value: (row) => row.phonenumber },
      { title: 'currency', value: (row) => row.currency },
      { title: 'amount', value: (row) => displayAmount(row.amount) },
      { title: 'status', value: (row) => row.status },
      { title: 'request', value: (row) => row.collection_request?.id ?? null },
      { title: 'reference', value: (row) => row.reference },
      { title: "network's id", value: (row) => row.remote_transaction_id },
    ],
  })
  if (!options.json && count > rows.length) terminal.print(`${count - rows.length} more; --limit shows them.`)
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
  ]
}

function describeAcceptanceCheck(question: AcceptanceCheck): string {
  const { verdict, reason, unreachable, last_error, deadline } = question
  if (verdict === null) return `  the organization is asked about it until ${formatTimestamp(deadline)}`
  const why = unreachable ? `nobody answered (${last_error})` : (reason ?? '')
  return `  the organization's answer: ${verdict}${why && `, ${why}`}`
}

const EXAMPLES = `
Examples:
  $ npx kusanya collections list --unmatched
  $ npx kusanya collections match 12 340 --by grace@example.com`

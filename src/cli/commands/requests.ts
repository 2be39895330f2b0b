import { type Command, Option } from 'commander'
import type { App } from '../../app.ts'
import { type CollectionRequest, requestStatuses } from '../../core/collections/collection-request.ts'
import { cancelRequest } from '../../core/collections/manual-actions.ts'
import { readRequestHistory } from '../../core/collections/request-history.ts'
import { listCollectionRequests, requestsById } from '../../core/collections/requests.ts'
import { NotFound } from '../../core/refusals.ts'
import { begin } from '../../db/client.ts'
import { withSnapshot } from '../../db/snapshot.ts'
import { displayAmount } from '../../lib/money.ts'
import { formatTimestamp } from '../../lib/time.ts'
import {
  byOption,
  chooseOrganization,
  findActor,
  jsonOption,
  organizationOption,
  toCount,
  toPhone,
} from '../arguments.ts'
import { formatShortTime, printResult, printRows } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addRequests(program: Command, terminal: Terminal): void {
  const requests = program
    .command('requests')
    .description('collection requests: what customers were asked for')
    .addHelpText('after', EXAMPLES)

  requests
    .command('list')
    .description('list the newest requests')
    .addOption(organizationOption())
    .addOption(new Option('--status <status>', 'those in one status').choices(requestStatuses))
    .option('--phone <number>', 'those to one customer', toPhone)
    .option('--currency <code>', 'those in one currency')
    .option('--reason <text>', 'those with exactly this reason')
    .option('--network <code>', 'those through one network')
    .option('--limit <count>', 'how many', toCount, 50)
    .addOption(jsonOption())
    .action((options: ListOptions) => withApp(terminal, (app) => list(terminal, app, options)))

  requests
    .command('show')
    .description('show a request, what became of it, and what the networks were sent')
    .argument('<id>', 'as `requests list` shows it', toCount)
    .addOption(jsonOption())
    .action((id: number, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const request = (await requestsById(app.db, [id])).get(id)
        if (!request) throw new NotFound(`There is no request ${id}.`)
        const history = await readRequestHistory(app.db, id)
        const text = [
          ...describe(request),
          ...history.moves.map(
            ({ at, to_status, note }) => `  ${formatTimestamp(at)}  ${to_status}${note ? `: ${note}` : ''}`,
          ),
          ...history.orders.map(
            ({ sent, reference, network, outcome, message }) =>
              `  ${formatTimestamp(sent)}  order ${reference} on ${network}: ${outcome ?? 'no answer yet'}${message ? `, ${message}` : ''}`,
          ),
        ].join('\n')
        printResult(terminal, { ...request, ...history }, { ...options, text })
      }),
    )

  requests
    .command('cancel')
    .description('cancel an open request; what is paid all the same becomes an unmatched collection')
    .argument('<id>', 'as `requests list` shows it', toCount)
    .addOption(byOption())
    .addOption(jsonOption())
    .action((id: number, options: { by?: string; json?: boolean }) =>
      withApp(terminal, async (app) => {
        const by = await findActor(app.db, options.by)
        const cancelled = await begin(app.db, (tx) => cancelRequest(tx, app.clock.now(), { request: id, by }))
        app.wake()
        printResult(terminal, cancelled, { ...options, text: `Request ${id} is cancelled.` })
      }),
    )
}

interface ListOptions {
  organization?: number
  status?: string
  phone?: string
  currency?: string
  reason?: string
  network?: string
  limit: number
  json?: boolean
}

async function list(terminal: Terminal, app: App, options: ListOptions): Promise<void> {
  const { status, phone: phonenumber, currency, reason, network, limit } = options
  const organization = await chooseOrganization(app.db, options.organization)
  const filters = { status, phonenumber, currency, reason, network }
  const slice = { limit, offset: 0, field: 'id' as const, descending: true }
  const [found] = await withSnapshot(app.db, (tx) =>
    listCollectionRequests(tx, [{ organization: organization.id, filters, slice }]),
  )
  const { rows, count } = found!
  printRows(terminal, rows, {
    ...options,
    none: 'There is none.',
    columns: [
      { title: 'id', value: (row) => row.id },
      { title: 'created (UTC)', value: (row) => formatShortTime(row.created) },
      { title: 'phone', value: (row) => row.phonenumber },
      { title: 'currency', value: (row) => row.currency },
      { title: 'amount', value: (row) => displayAmount(row.amount) },
      { title: 'status', value: (row) => row.status },
      { title: 'reason', value: (row) => row.reason },
      { title: 'error', value: (row) => row.error_message },
    ],
  })
  if (!options.json && count > rows.length) terminal.print(`${count - rows.length} more; --limit shows them.`)
}

function describe(request: CollectionRequest): string[] {
  const { contact, expiry_date } = request
  return [
    `Request ${request.id}: ${request.currency} ${displayAmount(request.amount)} from ${request.phonenumber} (${contact.first_name} ${contact.last_name}), ${request.status}`,
    `  account ${request.account} of organization ${request.organization}${request.reason && `, for ${request.reason}`}`,
    ...(expiry_date ? [`  expires ${formatTimestamp(expiry_date)}`] : []),
    ...(request.collection === null ? [] : [`  fulfilled by collection ${request.collection}`]),
    `  ${formatTimestamp(request.created)}  created`,
  ]
}

const EXAMPLES = `
Examples:
  $ npx kusanya requests list --status failed
  $ npx kusanya requests cancel 340 --by grace@example.com`

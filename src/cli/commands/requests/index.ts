import type { Command } from 'commander'
import { requestList } from '../../../actions/lists/collections.ts'
import { listSegments } from '../../../core/archive/segments.ts'
import { cancelRequestAction } from '../../../core/collections/actions.ts'
import type { CollectionRequest } from '../../../core/collections/collection-request.ts'
import { requestsById } from '../../../core/collections/requests.ts'
import { type OrderHistory, readArchived, readRequestHistory } from '../../../core/collections/timelines.ts'
import { remindCustomerAction, retryRequestAction, sendPaymentLinkAction } from '../../../core/follow-ups/actions.ts'
import { NotFound } from '../../../core/refusals.ts'
import { type RequestAction, readActions } from '../../../core/request-actions.ts'
import type { Reader } from '../../../db/client.ts'
import { displayAmount } from '../../../lib/money.ts'
import { formatTimestamp } from '../../../lib/time.ts'
import { addActionCommand } from '../../action-command.ts'
import { addShow } from '../../command.ts'
import { addListCommand } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { addRequestBatches } from './batches.ts'

export function addRequests(program: Command, terminal: Terminal): void {
  const requests = program
    .command('requests')
    .description('collection requests: money that customers are asked to pay')
    .addHelpText('after', EXAMPLES)

  addListCommand(requests, terminal, requestList)
  addActionCommand(requests, terminal, remindCustomerAction)
  addActionCommand(requests, terminal, retryRequestAction)
  addActionCommand(requests, terminal, sendPaymentLinkAction)
  addRequestBatches(requests, terminal)

  addShow(requests, terminal, 'show a request, its history and its orders to the networks', async (app, id) => {
    const request = (await requestsById(app.db, [id])).get(id)
    if (!request) throw new NotFound(`There is no request ${id}.${await hintAtArchive(app.db, id)}`)
    const history = await readRequestHistory(app.db, id)
    const actions = await readActions(app.db, { request: id })
    const archived = await readArchived(app.db, id)
    const text = [
      ...describe(request),
      ...history.moves.map(
        ({ at, to_status, note }) => `  ${formatTimestamp(at)}  ${to_status}${note ? `: ${note}` : ''}`,
      ),
      ...history.orders.flatMap(describeOrder),
      ...actions.map(describeAction),
      ...archived.map(
        ({ segment }) => `  its history is in segment ${segment} of the archive: npx kusanya archive show ${id}`,
      ),
    ]
    return { shown: { ...request, ...history, actions }, text }
  })

  addActionCommand(requests, terminal, cancelRequestAction)
}

/** Return a hint at the archive if the request may be there. */
async function hintAtArchive(db: Reader, id: number): Promise<string> {
  const segments = await listSegments(db, { kind: 'requests', id })
  return segments.length === 0 ? '' : ` Look into the archive: \`npx kusanya archive show ${id}\`.`
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
  $ npx kusanya requests remind 340
  $ npx kusanya requests retry 341 --comment 'She has money now'
  $ npx kusanya requests import fees.csv --currency UGX --reason 'Term 1' --preview
  $ npx kusanya requests cancel 340 --by grace@example.com`

/** Describe an action: the person's step, the reason, and the result. */
function describeAction(action: RequestAction): string {
  const { created, kind, author_name, reason, comment, collection_request, new_request, payment_link, payment } = action
  const made = [
    new_request && `request ${new_request} for request ${collection_request}`,
    payment_link && `payment link ${payment_link}`,
    payment && `payment ${payment}`,
  ]
  const facts = [`by ${author_name}`, ...made, reason, comment].filter(Boolean)
  return `  ${formatTimestamp(created)}  ${kind} ${facts.join(', ')}`
}

/** Describe an order with each change in its network's answers. */
function describeOrder({ sent, reference, network, state, attention, answers }: OrderHistory): string[] {
  const when = sent ? formatTimestamp(sent) : 'not sent yet'
  const said = answers.map(
    ({ at, outcome, message }) => `    ${formatTimestamp(at)}  ${outcome}${message ? `: ${message}` : ''}`,
  )
  return [`  ${when}  order ${reference} on ${network}: ${state}`, ...said, ...(attention ? [`    ${attention}`] : [])]
}

import type { Reader, Tx } from '../../db/client.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { recordAudit } from '../access/audit.ts'
import { getOrganization } from '../access/organizations.ts'
import type { ConnectionRef } from '../connections/destinations.ts'
import { toReport } from '../connections/unassigned-money.ts'
import { lockUnassignedById, setAssignedBy } from '../connections/unassigned-payments.ts'
import { findAccount } from '../ledger/accounts.ts'
import { Invalid, NotFound } from '../refusals.ts'
import type { CollectionRequest, RequestRow } from './collection-request.ts'
import { type Collection, type CollectionRow, collectionColumns, collectionsById } from './collections.ts'
import { ingestIncomingPayments } from './incoming-payments.ts'
import { lockOpenRequests, transitionRequests } from './orders.ts'
import { requestsById } from './requests.ts'

/** Author of a manual action. */
export interface Actor {
  /** Null for an operator at the command line, who is not a user. */
  user: number | null
  name: string
}

/**
 * Cancels an open request: it becomes `failed`, with the error `Cancelled by <name>`. The customer's phone may still show
 * a prompt. If the customer pays then, the money becomes an unmatched collection.
 * @throws NotFound, Invalid when the request has ended
 */
export async function cancelRequest(
  tx: Tx,
  now: Date,
  input: { request: number; by: Actor },
): Promise<CollectionRequest> {
  const request = await lockOpenRequest(tx, input.request)
  const { by } = input
  const author = by.user ?? (await getOrganization(tx, request.organization)).service_user
  const error_message = `Cancelled by ${by.name}`
  await transitionRequests(tx, now, [{ request, to: 'failed', author, error_message, due_at: null }])
  await recordAudit(tx, now, {
    organization: request.organization,
    user: by.user,
    action: 'cancel request',
    object_type: 'collectionrequest',
    object: request.id,
    details: { by: by.name },
  })
  return (await requestsById(tx, [request.id])).get(request.id)!
}

/**
 * Fulfils an open request with an unmatched collection of the same organization and currency. Phone, amount and account
 * may differ; the person decides if they fit. The money stays in its wallet, and its own event was recorded when it
 * arrived. Only the request changes and gets an event.
 * @throws NotFound, Invalid with the reason why the two cannot be matched
 */
export async function matchManually(
  tx: Tx,
  now: Date,
  input: { collection: number; request: number; by: Actor },
): Promise<Collection> {
  // Requests are locked before collections, as for incoming payments, so that transactions do not wait in a circle.
  const request = await lockOpenRequest(tx, input.request)
  const [collection] = await tx<
    CollectionRow[]
  >`select ${collectionColumns()} from collections where id = ${input.collection} for update`
  if (!collection) throw new NotFound(`There is no collection ${input.collection}.`)
  const error = matchError(collection, request)
  if (error) throw new Invalid({ collection: [error] })
  const { by } = input
  const author = by.user ?? (await getOrganization(tx, request.organization)).service_user
  await tx`
    update collections set collection_request = ${request.id}, match_reason = 'person', modified = ${truncateToSecond(now)}, updated_by = ${author}
    where id = ${collection.id}`
  const note = `Matched by ${by.name}`
  await transitionRequests(tx, now, [
    { request, to: 'successful', author, collection: collection.id, note, due_at: null },
  ])
  return (await collectionsById(tx, [collection.id])).get(collection.id)!
}

/**
 * Assigns unassigned money to an account that a person has chosen. From then on it is like any other incoming payment:
 * it is matched, credited and announced, once.
 * @param connections the connections of this installation, for the name that a new contact gets
 * @returns its collection
 * @throws NotFound, Invalid with the reason why it cannot be assigned to this account
 */
export async function assignPayment(
  tx: Tx,
  now: Date,
  connections: readonly ConnectionRef[],
  input: { payment: number; account: number; by: Actor },
): Promise<Collection> {
  const payment = await lockUnassignedById(tx, input.payment)
  if (!payment) throw new NotFound(`There is no unassigned payment ${input.payment}.`)
  if (payment.state === 'assigned')
    throw new Invalid({ payment: [`It is already assigned: it is collection ${payment.collection}.`] })
  if (payment.state === 'reversed') throw new Invalid({ payment: ['The network has taken this money back.'] })
  const account = await findAccount(tx, input.account)
  if (!account) throw new NotFound(`There is no account ${input.account}.`)
  if (account.currency !== payment.currency)
    throw new Invalid({
      account: [`Account ${account.id} is in ${account.currency}, and the payment is in ${payment.currency}.`],
    })
  await requireOwnAccount(tx, payment, account)
  const [result] = await ingestIncomingPayments(tx, now, [{ ...toReport(payment, connections), account: account.id }])
  const { collection: id } = (await lockUnassignedById(tx, payment.id))!
  // Its receiver got an account meanwhile, and the network has repeated its report.
  if (result !== 'recorded' && result !== 'reversed')
    throw new Invalid({ payment: [`It is already in the books: it is collection ${id}.`] })
  const { by } = input
  await setAssignedBy(tx, payment.id, by.name)
  await recordAudit(tx, now, {
    organization: account.organization,
    user: by.user,
    action: 'assign payment',
    object_type: 'collection',
    object: id!,
    details: { by: by.name, account: account.id, receiver: payment.receiver },
  })
  return (await collectionsById(tx, [id!])).get(id!)!
}

/**
 * Requires that money over a merchant account of one organization never goes to another (docs/decisions/0074).
 * @throws Invalid
 */
async function requireOwnAccount(
  db: Reader,
  { connection }: { connection: string },
  account: { id: number; organization: number },
): Promise<void> {
  const [foreign] = await db`
    select 1 from connections where slug = ${connection} and organization <> ${account.organization}`
  if (foreign)
    throw new Invalid({
      account: [`Account ${account.id} belongs to another organization than the connection ${connection}.`],
    })
}

/** Returns the reason why this collection cannot fulfil this request, or undefined. */
function matchError(collection: CollectionRow, request: RequestRow): string | undefined {
  const name = `Collection ${collection.id}`
  if (collection.organization !== request.organization)
    return `${name} and request ${request.id} have different owners.`
  if (collection.currency !== request.currency)
    return `${name} is in ${collection.currency}, request ${request.id} in ${request.currency}.`
  if (collection.collection_request !== null) return `${name} has fulfilled request ${collection.collection_request}.`
  if (collection.status !== 'successful') return `${name} is ${collection.status}.`
  if (collection.claimed_by !== null) return `${name} was claimed by user ${collection.claimed_by}.`
  if (collection.allocated > 0n) return `${name} is for something else already, or a part of it.`
  if (collection.refunded > 0n) return `${name} has been returned, or a part of it.`
  if (collection.reversed_in_parts > 0n) return `The network has taken back a part of ${name.toLowerCase()}.`
  return undefined
}

/** Locks a request that must be open. @throws NotFound, Invalid when it has ended */
async function lockOpenRequest(tx: Tx, id: number): Promise<RequestRow> {
  const [open] = await lockOpenRequests(tx, [id])
  if (open) return open
  const request = (await requestsById(tx, [id])).get(id)
  if (!request) throw new NotFound(`There is no request ${id}.`)
  throw new Invalid({ collection_request: [`Request ${id} is ${request.status} already.`] })
}

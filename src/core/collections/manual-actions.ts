import type { Tx } from '../../db/client.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { recordAudit } from '../access/audit.ts'
import { getOrganization } from '../access/organizations.ts'
import { Invalid, NotFound } from '../refusals.ts'
import type { CollectionRequest, RequestRow } from './collection-request.ts'
import { type Collection, type CollectionRow, collectionsById } from './collections.ts'
import { lockOpenRequests, transitionRequests } from './orders.ts'
import { requestsById } from './requests.ts'

/** Somebody who does by hand what the service does not do by itself. */
export interface Actor {
  /** Null for an operator at the command line, who is no user. */
  user: number | null
  name: string
}

/**
 * Cancels an open request: `failed`, with `Cancelled by <name>` as its error. A prompt may still
 * stand on the customer's phone; money that is paid all the same becomes an unmatched collection.
 * @throws NotFound, Invalid when the request has ended.
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
 * Lets a collection that was left unmatched fulfil an open request of the same organization and currency, once. Phone,
 * amount and account may differ: that is what people look at. The money stays in the wallet where it is, and was
 * announced when it came; what changes, and is announced, is the request.
 * @throws NotFound, Invalid naming why the two cannot be matched.
 */
export async function matchManually(
  tx: Tx,
  now: Date,
  input: { collection: number; request: number; by: Actor },
): Promise<Collection> {
  // Requests before collections, as where money comes in, so that nobody waits in a circle.
  const request = await lockOpenRequest(tx, input.request)
  const [collection] = await tx<CollectionRow[]>`select * from collections where id = ${input.collection} for update`
  if (!collection) throw new NotFound(`There is no collection ${input.collection}.`)
  const fault = matchError(collection, request)
  if (fault) throw new Invalid({ collection: [fault] })
  const { by } = input
  const author = by.user ?? (await getOrganization(tx, request.organization)).service_user
  await tx`
    update collections set collection_request = ${request.id}, modified = ${truncateToSecond(now)}, updated_by = ${author}
    where id = ${collection.id}`
  const note = `Matched by ${by.name}`
  await transitionRequests(tx, now, [
    { request, to: 'successful', author, collection: collection.id, note, due_at: null },
  ])
  await recordAudit(tx, now, {
    organization: request.organization,
    user: by.user,
    action: 'match collection',
    object_type: 'collection',
    object: collection.id,
    details: { by: by.name, collection_request: request.id },
  })
  return (await collectionsById(tx, [collection.id])).get(collection.id)!
}

/** Why this money cannot fulfil this request. */
function matchError(collection: CollectionRow, request: RequestRow): string | undefined {
  const it = `Collection ${collection.id}`
  if (collection.organization !== request.organization) return `${it} and request ${request.id} have different owners.`
  if (collection.currency !== request.currency)
    return `${it} is in ${collection.currency}, request ${request.id} in ${request.currency}.`
  if (collection.collection_request !== null) return `${it} has fulfilled request ${collection.collection_request}.`
  if (collection.status !== 'successful') return `${it} is ${collection.status}.`
  if (collection.claimed_by !== null) return `${it} was claimed by user ${collection.claimed_by}.`
  if (collection.refunded > 0n) return `${it} has been returned, or a part of it.`
  return undefined
}

/** Locks a request that must be open. @throws NotFound, Invalid */
async function lockOpenRequest(tx: Tx, id: number): Promise<RequestRow> {
  const [open] = await lockOpenRequests(tx, [id])
  if (open) return open
  const request = (await requestsById(tx, [id])).get(id)
  if (!request) throw new NotFound(`There is no request ${id}.`)
  throw new Invalid({ collection_request: [`Request ${id} is ${request.status} already.`] })
}

import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { displayAmount } from '../../lib/money.ts'
import { action, authorOf, manyAction, organizationOf, requireOwn, userOf } from '../access/action.ts'
import { getOrganization, requireOwned } from '../access/organizations.ts'
import type { ConnectionRef } from '../connections/destinations.ts'
import { toReport } from '../connections/unassigned-money.ts'
import { lockUnassignedById, setAssignedBy } from '../connections/unassigned-payments.ts'
import { integer } from '../fields.ts'
import { findAccount } from '../ledger/accounts.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { CollectionRequest, type RequestRow } from './collection-request.ts'
import {
  Collection,
  type CollectionRow,
  claimCollection,
  collectionsById,
  collectionTable,
  findCollectionRow,
} from './collections.ts'
import type { CollectionFilters } from './filters.ts'
import { ingestIncomingPayments } from './incoming-payments.ts'
import { lockOpenRequests, transitionAlone } from './orders.ts'
import { fulfilRequest } from './paid-requests.ts'
import { createCollectionRequests, type NewCollectionRequest, requestsById } from './requests.ts'

declare module '../access/action.ts' {
  interface ActionService {
    /** Return the connections of this installation. */
    connections(): readonly ConnectionRef[]
  }
}

/** Request money from a customer. */
export const createRequestAction = manyAction({
  name: 'create collection request',
  events: ['contact.created'],
  object_type: 'collectionrequest',
  permission: 'initiate_collections',
  /** The request with its network, which the door has chosen. */
  input: z.object({ request: z.custom<NewCollectionRequest>() }),
  runMany: (tx, now, calls) =>
    createCollectionRequests(
      tx,
      now,
      calls.map(({ context: { claim }, input: { request } }) => ({ ...request, claim })),
    ),
  frequent: true,
  audit: ({ id: object }) => ({ object }),
  wakes: 'request_created',
  creates: { type: 'collectionrequest', id: ({ id }) => id },
})

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
  const error_message = getMessage('requests.cancelled_by', { name: by.name })
  await transitionAlone(tx, now, { request, to: 'failed', author, error_message, due_at: null })
  return (await requestsById(tx, [request.id])).get(request.id)!
}

/** Cancel an open request. Money that still arrives becomes an unmatched collection. */
export const cancelRequestAction = action({
  name: 'cancel request',
  events: ['collectionrequest.status.changed'],
  object_type: 'collectionrequest',
  permission: 'initiate_collections',
  input: z.object({ id: integer() }),
  async run(tx, context, { id }) {
    const { now, actor } = context
    requireOwn(context, (await requestsById(tx, [id])).get(id), getMessage('requests.none', { id }))
    return cancelRequest(tx, now, { request: id, by: { user: authorOf(context), name: actor.name } })
  },
  audit: ({ id, organization }) => ({ object: id, organization }),
  wakes: true,
  console: { method: 'POST', path: '/collectionrequests/:id/cancel', answer: CollectionRequest },
  cli: {
    path: 'requests cancel',
    description: 'cancel an open request; money that still arrives becomes an unmatched collection',
    typed: { id: ['<id>', 'as `requests list` shows it'] },
    by: true,
    text: ({ id }) => `Request ${id} is cancelled.`,
  },
})

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
  >`select ${collectionTable.columns} from collections where id = ${input.collection} for update`
  if (!collection) throw new NotFound(getMessage('collections.none', { id: input.collection }))
  const error = matchError(collection, request)
  if (error) throw new Invalid({ collection: [error] })
  const { by } = input
  const author = by.user ?? (await getOrganization(tx, request.organization)).service_user
  await fulfilRequest(tx, now, { request, collection, reason: 'person', author, note: `Matched by ${by.name}` })
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
  input: { payment: number; account: number; by: Pick<Actor, 'name'> },
): Promise<Collection> {
  const payment = await lockUnassignedById(tx, input.payment)
  if (!payment) throw new NotFound(getMessage('collections.no_payment', { payment: input.payment }))
  if (payment.state === 'assigned')
    throw new Invalid({ payment: [getMessage('collections.assigned', { collection: payment.collection })] })
  if (payment.state === 'reversed') throw new Invalid({ payment: [getMessage('collections.taken_back')] })
  const account = await findAccount(tx, input.account)
  if (!account) throw new NotFound(getMessage('wallets.none', { account: input.account }))
  if (account.currency !== payment.currency)
    throw new Invalid({
      account: [
        getMessage('collections.wallet_currency', {
          account: account.id,
          currency: account.currency,
          other: payment.currency,
        }),
      ],
    })
  await requireOwnAccount(tx, payment, account)
  await ingestIncomingPayments(tx, now, [{ ...toReport(payment, connections), account: account.id }])
  const { collection: id } = (await lockUnassignedById(tx, payment.id))!
  const entered = id === null ? undefined : await findCollectionRow(tx, id)
  // It may be in the books already: as the money of an order of this organization, or else for another one.
  if (entered?.organization !== account.organization)
    throw new Invalid({ payment: [getMessage('collections.in_books', { id })] })
  await setAssignedBy(tx, payment.id, input.by.name)
  return (await collectionsById(tx, [entered.id])).get(entered.id)!
}

/** Assign money without an account to an account, which puts it into the books. */
/** Claim the single unmatched collection that the filters describe, for the user who asks. */
export const claimCollectionAction = action({
  name: 'claim collection',
  object_type: 'collection',
  permission: 'initiate_collections',
  input: z.object({ filters: z.custom<CollectionFilters>() }),
  run: (tx, context, { filters }) =>
    claimCollection(tx, context.now, { organization: organizationOf(context), user: userOf(context) }, filters),
  audit: (claimed) => claimed.map(({ id: object }) => ({ object })),
})

export const assignPaymentAction = action({
  name: 'assign payment',
  events: ['collection.received', 'contact.created'],
  object_type: 'collection',
  permission: 'manage_organization',
  is_operators: true,
  input: z.object({ id: integer(), account: integer() }),
  async run(tx, { now, actor, service }, { id: payment, account }) {
    if (actor.organization !== null) requireOwned(actor.organization, await findAccount(tx, account))
    const collection = await assignPayment(tx, now, service.connections(), { payment, account, by: actor })
    return { collection, receiver: (await lockUnassignedById(tx, payment))!.receiver }
  },
  audit: ({ collection: { id, organization }, receiver }, { account }) => ({
    object: id,
    organization,
    details: { account, receiver },
  }),
  wakes: true,
  console: {
    method: 'POST',
    path: '/unassigned/:id/assign',
    answer: Collection,
    view: ({ collection }) => collection,
  },
  cli: {
    path: 'collections assign',
    description: 'assign unassigned money to an account of its currency',
    typed: {
      id: ['<payment>', 'as `collections unassigned` shows it'],
      account: ['<account>', 'as `accounts list` shows it'],
    },
    by: true,
    text({ collection: { id, account, currency, amount, collection_request: request } }) {
      const effect = request ? ` It fulfilled request ${request.id}.` : ''
      return `${currency} ${displayAmount(amount)} is in account ${account} now, as collection ${id}.${effect}`
    },
    view: ({ collection }) => collection,
  },
})

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
      account: [getMessage('collections.foreign_wallet', { account: account.id, connection })],
    })
}

/** Returns the reason why this collection cannot fulfil this request, or undefined. */
function matchError(collection: CollectionRow, request: RequestRow): string | undefined {
  const { id, currency, status, collection_request, claimed_by } = collection
  if (collection.organization !== request.organization)
    return getMessage('matching.other_owners', { id, request: request.id })
  if (currency !== request.currency)
    return getMessage('matching.other_currencies', { id, currency, request: request.id, other: request.currency })
  if (collection_request !== null) return getMessage('matching.fulfilled', { id, request: collection_request })
  if (status !== 'successful') return getMessage('matching.status', { id, status })
  if (claimed_by !== null) return getMessage('matching.claimed', { id, user: claimed_by })
  if (collection.allocated > 0n) return getMessage('matching.used', { id })
  if (collection.refunded > 0n) return getMessage('matching.returned', { id })
  if (collection.reversed_in_parts > 0n) return getMessage('matching.part_taken_back', { id })
  return undefined
}

/** Locks a request that must be open. @throws NotFound, Invalid when it has ended */
async function lockOpenRequest(tx: Tx, id: number): Promise<RequestRow> {
  const [open] = await lockOpenRequests(tx, [id])
  if (open) return open
  const request = (await requestsById(tx, [id])).get(id)
  if (!request) throw new NotFound(getMessage('requests.none', { id }))
  throw new Invalid({ collection_request: [getMessage('requests.already', { id, status: request.status })] })
}

import { z } from 'zod'
import { nameOfNetwork } from '../../connections/registry.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { CollectionRequest, requestStatuses } from '../../core/collections/collection-request.ts'
import {
  Collection,
  collectionStatuses,
  Disposition,
  listCollections,
  readDispositions,
} from '../../core/collections/collections.ts'
import { collectionFilters } from '../../core/collections/filters.ts'
import { findPlan } from '../../core/collections/plans.ts'
import { listOwnPlans, planFilters, readPlans } from '../../core/collections/recurring/plan-list.ts'
import { describeRecurrence, PlanView } from '../../core/collections/recurring/plan-view.ts'
import { requestFilters } from '../../core/collections/request-filters.ts'
import { listCollectionRequests, requestsById } from '../../core/collections/requests.ts'
import { requestStatement } from '../../core/collections/statements.ts'
import { booleanField } from '../../core/fields.ts'
import { RequestAction, readActions } from '../../core/request-actions.ts'
import { typedSearch } from '../../core/typed-search/list-text.ts'
import type { AnyReader } from '../../db/client.ts'
import { byColumns } from '../../http/lists.ts'
import { type ListRequest, list, ownerOf, sliceOf } from './list.ts'

const people = { search: typedSearch }

export const requestList = list({
  name: 'collection requests',
  permission: 'view',
  filters: requestFilters,
  people,
  searched: 'collection_requests',
  order: byColumns,
  view: CollectionRequest,
  async read(db, asked) {
    const [found] = await listCollectionRequests(db, [{ ...asked, organization: ownerOf(asked) }])
    return found!
  },
  one: { find: async (db, { id }) => (await requestsById(db, [id])).get(id) },
  api: {
    path: '/collectionrequests',
    tag: 'Collection requests',
    operation: 'listCollectionRequests',
    summary: 'List collection requests, or export them as CSV',
    description: 'Returns your requests; as CSV all that match the filters in one file.',
    csv: requestStatement,
    is_own: true,
  },
  console: { path: '/requests' },
}).withCommand({
  path: 'requests list',
  description: 'list the newest requests',
  organization: 'one',
  typed: {
    status: ['--status <status>', 'those in one status'],
    phonenumber: ['--phone <number>', 'those to one customer'],
    currency: ['--currency <code>', 'those in one currency'],
    reason: ['--reason <text>', 'those with exactly this reason'],
    network: ['--network <code>', 'those through one network'],
  },
  choices: { status: requestStatuses },
  limit: 'how many',
  none: 'There are no requests.',
  columns: {
    id: 'id',
    'created (UTC)': 'created',
    phone: 'phonenumber',
    currency: 'currency',
    amount: 'amount',
    status: 'status',
    reason: 'reason',
    error: 'error_message',
  },
})

/** Collection with its disposition, so that people can decide its use. */
export const Incoming = Collection.extend({ standing: Disposition.extend({ network_name: z.string() }) }).meta({
  id: 'Incoming',
})

export const collectionList = list({
  name: 'collections',
  permission: 'view',
  filters: collectionFilters,
  people: { unmatched: booleanField.optional(), ...people },
  searched: 'collections',
  order: byColumns,
  view: Collection,
  read: listOwnCollections,
  api: {
    path: '/collections',
    tag: 'Collections',
    operation: 'listCollections',
    summary: 'List collections, or claim one',
    description:
      'Returns the payments from customers. `claim=true` claims the single unmatched collection that the filters describe, and returns only it.',
    is_own: true,
  },
  console: {
    path: '/incoming',
    view: Incoming,
    async read(db, asked) {
      const { rows, count } = await listOwnCollections(db, asked)
      return { rows: await addDispositions(asked, db, rows), count }
    },
  },
}).withCommand({
  path: 'collections list',
  description: 'list the newest collections',
  organization: 'one',
  typed: {
    unmatched: ['--unmatched', 'those that fulfilled no request, were not claimed and were not returned'],
    status: ['--status <status>', 'those in one status'],
    phonenumber: ['--phone <number>', 'only one customer'],
    currency: ['--currency <code>', 'those in one currency'],
    reference: ['--reference <text>', 'those whose customer typed this reference'],
    remote_transaction_id: ['--remote <id>', 'the one that has this id at the network'],
    network: ['--network <code>', 'those that came through one network'],
  },
  choices: { status: collectionStatuses },
  limit: 'how many',
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

type CollectionFields = z.output<z.ZodObject<typeof collectionFilters>> & { unmatched?: boolean; search?: string }

function listOwnCollections(db: AnyReader, asked: ListRequest<CollectionFields>) {
  const { unmatched, ...filters } = asked.filters
  return listCollections(db, ownerOf(asked), { ...filters, ...(unmatched && { unmatched }) }, asked.page)
}

/** Add to collections what a person needs to decide their use. */
export async function addDispositions(
  { app }: Pick<ListRequest<unknown>, 'app'>,
  db: AnyReader,
  collections: readonly Collection[],
) {
  const dispositions = await readDispositions(
    db,
    collections.map((collection) => collection.id),
  )
  return collections.map((collection) => {
    const standing = dispositions.get(collection.id)!
    return { ...collection, standing: { ...standing, network_name: nameOfNetwork(app.connections, standing.network) } }
  })
}

export const planList = list({
  name: 'plans',
  permission: 'view',
  filters: planFilters,
  view: PlanView,
  read: (db, asked) => listOwnPlans(db, ownerOf(asked), asked.filters, asked.page),
  one: {
    async find(db, asked) {
      requireOwned(ownerOf(asked), await findPlan(db, asked.id))
      return (await readPlans(db, ownerOf(asked), [asked.id])).get(asked.id)
    },
    operation: 'getPlan',
    summary: 'Get one plan',
    description: 'Returns the plan with its dates and sums.',
  },
  api: {
    path: '/plans',
    tag: 'Plans',
    operation: 'listPlans',
    summary: 'List plans',
    description: 'Returns your recurring collection requests, with their dates and sums.',
  },
}).withCommand({
  path: 'plans list',
  description: 'list the newest plans',
  organization: 'each',
  limit: 'how many of each organization',
  none: 'There are no plans. A collection request with subscription_settings starts a plan.',
  columns: {
    id: 'id',
    request: 'collection_request',
    phone: 'phonenumber',
    currency: 'currency',
    amount: 'amount',
    recurs: describeRecurrence,
    requests: 'occurrence_count',
    'next (UTC)': (row) => row.next_date ?? row.state,
  },
})

export const requestActionList = list({
  name: 'actions on a request',
  permission: 'view',
  filters: {},
  view: RequestAction,
  async read(db, asked) {
    requireOwned(ownerOf(asked), (await requestsById(db, [asked.id])).get(asked.id))
    const all = await readActions(db, { request: asked.id })
    return sliceOf(asked.page.descending ? all.reverse() : all, asked.page)
  },
  api: {
    path: '/collectionrequests/:id/actions',
    tag: 'Collection requests',
    operation: 'listRequestActions',
    summary: 'List the actions on a request',
    description: 'Returns reminders, retries, payment links and refunds of a request, with user and comment.',
  },
})

import { requestList } from '../actions/lists/collections.ts'
import { addApiList } from '../actions/lists/routes.ts'
import type { App } from '../app.ts'
import { chargeNetworks } from '../connections/request-actions.ts'
import { requireOwned } from '../core/access/organizations.ts'
import { CollectionRequest } from '../core/collections/collection-request.ts'
import {
  type NewCollectionRequestBody,
  newCollectionRequestBody,
  toNewCollectionRequest,
} from '../core/collections/new-request.ts'
import type { RequestFilters } from '../core/collections/request-filters.ts'
import {
  createCollectionRequests,
  listCollectionRequests,
  type NewCollectionRequest,
  type RequestListQuery,
  requestsById,
} from '../core/collections/requests.ts'
import { createDuplicateKeyClaim } from '../core/idempotency.ts'
import { collectionCurrencies } from '../core/ledger/currencies.ts'
import { beginFrequent } from '../db/client.ts'
import { answerPage, idParams, orderings } from '../http/lists.ts'
import { type PageQuery, readPage } from '../http/pages.ts'
import { originOf } from '../http/request-traces.ts'
import type { Server } from '../http/server.ts'
import { createAuditedWrite, createBatchedRead } from './batched-calls.ts'
import { writeHeaders } from './headers.ts'

/** Add the collection requests (interface 4.3). */
export function addCollectionRequests(server: Server, app: App): void {
  addCreate(server, app)
  addList(server, app)
  addGet(server, app)
}

function addCreate(server: Server, app: App): void {
  const create = createAuditedWrite(app, {
    action: { action: 'create collection request', object_type: 'collectionrequest' },
    create: (tx, items: NewCollectionRequest[]) => createCollectionRequests(tx, app.clock.now(), items),
    begins: beginFrequent,
  })

  server.post('/api/collectionrequests', {
    config: { permission: 'initiate_collections' },
    schema: {
      tags: ['Collection requests'],
      operationId: 'createCollectionRequest',
      summary: 'Request money from a customer',
      description:
        'Stores the request; a prompt or an SMS then asks the customer to pay. The answer does not wait for that: read the status later, or use a webhook. `subscription_settings` starts a plan.',
      headers: writeHeaders,
      body: newCollectionRequestBody(collectionCurrencies(app.config)),
      response: { 201: CollectionRequest },
    },
    handler: async (request, reply) => {
      const { caller, body } = request
      const key = request.headers['duplicate-check-key']
      const input = toNewCollectionRequest(body, {
        now: app.clock.now(),
        organization: caller.organization,
        time_zone: caller.time_zone,
        author: caller.user,
        network: await findNetwork(app, caller.organization, body),
        claim: key ? createDuplicateKeyClaim(caller.organization, key) : undefined,
        origin: originOf(request),
      })
      const created = await create(request, input)
      request.made_request = created.id
      app.wake('request_created')
      return reply.code(201).send(created)
    },
  })
}

async function findNetwork(app: App, organization: number, body: NewCollectionRequestBody) {
  const { number: phonenumber } = body.phonenumber
  const { currency, amount, account, send_instructions = false } = body
  const networkFor = await chargeNetworks(app.connections.list())(app.db, organization, [phonenumber])
  return networkFor({ phonenumber, currency, amount, account, send_instructions })
}

function addList(server: Server, app: App): void {
  // Dashboards request the same page often and at the same time. Such a page is read once for all of them.
  const list = createBatchedRead(
    app,
    async (lists: (RequestListQuery & { query: string })[]) => {
      const distinct = new Map(lists.map((list) => [`${list.organization}?${list.query}`, list]))
      const pages = await app.reads.snapshot((tx) => listCollectionRequests(tx, [...distinct.values()]))
      const pagesByKey = new Map([...distinct.keys()].map((key, index) => [key, pages[index]!]))
      return lists.map((list) => pagesByKey.get(`${list.organization}?${list.query}`)!)
    },
    MAX_LISTS_PER_READ,
  )

  addApiList(server, app, requestList, async (request) => {
    const query = request.query as RequestFilters & PageQuery
    const page = readPage(query, orderings)
    const sorted = { limit: page.limit, offset: page.offset, ...page.ordering }
    const { organization } = request.caller
    const found = await list({ organization, filters: query, page: sorted, query: request.url.split('?')[1] ?? '' })
    return answerPage(app, request, page, found)
  })
}

/** A small number, because lists that share a statement all wait for the slowest. */
const MAX_LISTS_PER_READ = 16

function addGet(server: Server, app: App): void {
  const find = createBatchedRead(app, async (ids: number[]) => {
    const requests = await app.reads.read((db) => requestsById(db, ids))
    return ids.map((id) => requests.get(id))
  })

  server.get('/api/collectionrequests/:id', {
    config: { permission: 'view' },
    schema: {
      tags: ['Collection requests'],
      operationId: 'getCollectionRequest',
      summary: 'Get one collection request',
      description: 'Returns the request. Use it when a webhook has not arrived.',
      params: idParams,
      response: { 200: CollectionRequest },
    },
    handler: async (request) => requireOwned(request.caller.organization, await find(request.params.id)),
  })
}

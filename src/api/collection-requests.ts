import { createBatchedRead } from '../actions/batched-calls.ts'
import { requestList } from '../actions/lists/collections.ts'
import { addApiList } from '../actions/lists/routes.ts'
import { addObject } from '../actions/lists/views.ts'
import { performAction } from '../actions/routes.ts'
import type { App } from '../app.ts'
import { chargeNetworks } from '../connections/request-actions.ts'
import { createRequestAction } from '../core/collections/actions.ts'
import { CollectionRequest } from '../core/collections/collection-request.ts'
import {
  type NewCollectionRequestBody,
  newCollectionRequestBody,
  toNewCollectionRequest,
} from '../core/collections/new-request.ts'
import type { RequestFilters } from '../core/collections/request-filters.ts'
import { listCollectionRequests, type RequestListQuery, requestsById } from '../core/collections/requests.ts'
import { collectionCurrencies } from '../core/ledger/currencies.ts'
import { writeHeaders } from '../http/headers.ts'
import { answerPage, orderings } from '../http/lists.ts'
import { type PageQuery, readPage } from '../http/pages.ts'
import { originOf } from '../http/request-traces.ts'
import type { Server } from '../http/server.ts'

/** Add the collection requests (interface 4.3). */
export function addCollectionRequests(server: Server, app: App): void {
  addCreate(server, app)
  addList(server, app)
  addGet(server, app)
}

function addCreate(server: Server, app: App): void {
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
      const made = toNewCollectionRequest(body, {
        now: app.clock.now(),
        organization: caller.organization,
        time_zone: caller.time_zone,
        author: caller.user,
        network: await findNetwork(app, caller.organization, body),
        origin: originOf(request),
      })
      const created = await performAction(app, request, createRequestAction, { input: { request: made } })
      request.made_request = created.id
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
  const words = {
    tag: 'Collection requests',
    operation: 'getCollectionRequest',
    summary: 'Get one collection request',
    description: 'Returns the request. Use it when a webhook has not arrived.',
  }
  const route = { url: '/api/collectionrequests/:id', permission: 'view', words, answer: CollectionRequest } as const
  addObject(server, app, route, requestsById)
}

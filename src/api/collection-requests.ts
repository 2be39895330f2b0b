import type { App } from '../app.ts'
import { requestFilters } from '../core/collections/request-filters.ts'
import {
  CollectionRequest,
  createCollectionRequests,
  listCollectionRequests,
  type NewCollectionRequest,
  type RequestList,
  requestsById,
} from '../core/collections/requests.ts'
import { TEST_CURRENCY } from '../core/ledger/currencies.ts'
import { claimOf } from '../core/idempotency.ts'
import { newCollectionRequestBody, planRequest } from '../core/collections/new-request.ts'
import { owned } from '../core/access/organizations.ts'
import { requestStatement } from '../core/collections/statements.ts'
import { begin } from '../db/client.ts'
import { snapshot } from '../db/snapshot.ts'
import { CSV, csvQuery, sendCsv, wantsCsv } from '../http/csv.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../http/lists.ts'
import { readPage } from '../http/pages.ts'
import { closeAddress } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import { networkFor } from '../networks/index.ts'
import { createRead, createWrite } from './batched-calls.ts'
import { writeHeaders } from './headers.ts'

/** Interface 4.3. */
export function addCollectionRequests(server: Server, app: App): void {
  addCreate(server, app)
  addList(server, app)
  closeAddress(server, '/api/collectionrequests', ['GET', 'POST'])
  addGet(server, app)
  closeAddress(server, '/api/collectionrequests/:id', ['GET'])
}

function addCreate(server: Server, app: App): void {
  const create = createWrite(app, (items: NewCollectionRequest[]) =>
    begin(app.db, (tx) => createCollectionRequests(tx, app.clock.now(), items)),
  )

  // The test currency exists only where the networks are simulated.
  const currencies = app.config.COLLECTION_CURRENCIES.filter(
    (code) => app.config.MODE === 'sandbox' || code !== TEST_CURRENCY,
  )

  server.post('/api/collectionrequests', {
    config: { permission: 'initiate_collections', allow: 'GET, POST, HEAD, OPTIONS' },
    schema: {
      tags: ['Collection requests'],
      operationId: 'createCollectionRequest',
      summary: 'Ask a customer for money',
      headers: writeHeaders,
      body: newCollectionRequestBody(currencies),
      response: { 201: CollectionRequest },
    },
    handler: async (request, reply) => {
      const { caller, body } = request
      const key = request.headers['duplicate-check-key']
      const planned = planRequest(body, {
        now: app.clock.now(),
        organization: caller.organization,
        author: caller.user,
        network: networkFor(app.networks, body.phonenumber.number, body.currency),
        claim: key ? claimOf(caller.organization, key) : undefined,
      })
      const made = await create(planned)
      app.wake()
      return reply.code(201).send(made)
    },
  })
}

function addList(server: Server, app: App): void {
  // Dashboards ask for the same page again and again, often at the same moment: that page is then read once.
  const list = createRead(
    app,
    async (lists: (RequestList & { query: string })[]) => {
      const asked = new Map(lists.map((one) => [`${one.organization}?${one.query}`, one]))
      const pages = await snapshot(app.db, (tx) => listCollectionRequests(tx, [...asked.values()]))
      const answers = new Map([...asked.keys()].map((key, index) => [key, pages[index]!]))
      return lists.map((one) => answers.get(`${one.organization}?${one.query}`)!)
    },
    MOST_LISTS,
  )

  server.get('/api/collectionrequests', {
    config: { permission: 'view', allow: 'GET, POST, HEAD, OPTIONS', also_produces: CSV },
    schema: {
      tags: ['Collection requests'],
      operationId: 'listCollectionRequests',
      summary: 'List collection requests, or get all of them as CSV',
      produces: ['application/json', CSV],
      querystring: listQuery({ ...requestFilters, ...csvQuery }),
      response: { 200: listOf(CollectionRequest) },
    },
    handler: async (request, reply) => {
      const { query } = request
      if (wantsCsv(request))
        return sendCsv(request, reply, requestStatement(app.db, request.caller.organization, query))
      const page = readPage(query, orderings)
      const slice = { limit: page.limit, offset: page.offset, ...page.ordering }
      const { organization } = request.caller
      const found = await list({ organization, filters: query, slice, query: request.url.split('?')[1] ?? '' })
      return answerPage(app, request, page, found)
    },
  })
}

/** Few, because those that travel together wait for the slowest among them. */
const MOST_LISTS = 16

function addGet(server: Server, app: App): void {
  const find = createRead(app, async (ids: number[]) => {
    const requests = await requestsById(app.db, ids)
    return ids.map((id) => requests.get(id))
  })

  server.get('/api/collectionrequests/:id', {
    config: { permission: 'view', allow: 'GET, HEAD, OPTIONS' },
    schema: {
      tags: ['Collection requests'],
      operationId: 'getCollectionRequest',
      summary: 'Get one collection request',
      params: idParams,
      response: { 200: CollectionRequest },
    },
    handler: async (request) => owned(request.caller.organization, await find(request.params.id)),
  })
}

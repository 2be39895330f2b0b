import { performAction } from '../actions/routes.ts'
import type { App } from '../app.ts'
import { requireOwned } from '../core/access/organizations.ts'
import { Collection, collectionsById, listCollections } from '../core/collections/collections.ts'
import { collectionFilters } from '../core/collections/filters.ts'
import { claimCollectionAction } from '../core/collections/manual-actions.ts'
import { booleanField } from '../core/fields.ts'
import { Forbidden } from '../core/refusals.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../http/lists.ts'
import { readPage } from '../http/pages.ts'
import type { Server } from '../http/server.ts'
import { getMessage } from '../lib/messages/message.ts'
import { authorize } from './authenticate.ts'
import { createBatchedRead } from './batched-calls.ts'

/** Add the list of collections, with the claim of an unmatched one, and single collections. */
export function addCollections(server: Server, app: App): void {
  addList(server, app)
  addGet(server, app)
}

const claim = booleanField.optional().meta({
  type: 'boolean',
  description:
    'Claims the single unmatched collection with the given amount, remote_transaction_id and phonenumber. Needs `initiate_collections`, and no read-only key.',
  examples: [false],
})

function addList(server: Server, app: App): void {
  server.get('/api/collections', {
    config: { permission: 'view', allow: 'GET, HEAD, OPTIONS' },
    schema: {
      tags: ['Collections'],
      operationId: 'listCollections',
      summary: 'List collections, or claim one',
      description:
        'Returns the payments from customers. `claim=true` claims the single unmatched collection that the filters describe, and returns only it.',
      querystring: listQuery({ ...collectionFilters, claim }),
      response: { 200: listOf(Collection) },
    },
    handler: async (request) => {
      const { caller } = request
      const { claim, ...query } = request.query
      const page = readPage(query, orderings)
      // HEAD must not change anything, so it reads the list.
      if (claim && request.method === 'GET') {
        // Another site can make a browser send a GET with its cookie, but no API key.
        if (caller.key === 0) throw new Forbidden(getMessage('collections.collection_claimed_api'))
        authorize(caller, 'initiate_collections', 'POST')
        const rows = await performAction(app, request, claimCollectionAction, { input: { filters: query } })
        return answerPage(app, request, { ...page, offset: 0 }, { rows, count: rows.length })
      }
      const slice = { limit: page.limit, offset: page.offset, ...page.ordering }
      const list = await app.reads.snapshot((tx) => listCollections(tx, caller.organization, query, slice))
      return answerPage(app, request, page, list)
    },
  })
}

function addGet(server: Server, app: App): void {
  const find = createBatchedRead(app, async (ids: number[]) => {
    const collections = await app.reads.read((db) => collectionsById(db, ids))
    return ids.map((id) => collections.get(id))
  })

  server.get('/api/collections/:id', {
    config: { permission: 'view', allow: 'GET, HEAD, OPTIONS' },
    schema: {
      tags: ['Collections'],
      operationId: 'getCollection',
      summary: 'Get one collection',
      description: 'Returns the collection with its contact, request and crediting transaction.',
      params: idParams,
      response: { 200: Collection },
    },
    handler: async (request) => requireOwned(request.caller.organization, await find(request.params.id)),
  })
}

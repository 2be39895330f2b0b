import { collectionList } from '../actions/lists/collections.ts'
import { addApiList } from '../actions/lists/routes.ts'
import { addObject } from '../actions/lists/views.ts'
import { performAction } from '../actions/routes.ts'
import type { App } from '../app.ts'
import { claimCollectionAction } from '../core/collections/actions.ts'
import { Collection, collectionsById } from '../core/collections/collections.ts'
import type { CollectionFilters } from '../core/collections/filters.ts'
import { booleanField } from '../core/fields.ts'
import { Forbidden } from '../core/refusals.ts'
import { answerPage, orderings } from '../http/lists.ts'
import { type PageQuery, readPage } from '../http/pages.ts'
import type { Server } from '../http/server.ts'
import { getMessage } from '../lib/messages/message.ts'
import { authorize } from './authenticate.ts'

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
  addApiList(
    server,
    app,
    collectionList,
    async (request, _reply, answer) => {
      const { caller } = request
      const { claim, ...query } = request.query as CollectionFilters & PageQuery & { claim?: boolean }
      // HEAD must not change anything, so it reads the list.
      if (!claim || request.method !== 'GET') return answer()
      const page = readPage(query, orderings)
      // Another site can make a browser send a GET with its cookie, but no API key.
      if (caller.key === 0) throw new Forbidden(getMessage('collections.collection_claimed_api'))
      authorize(caller, 'initiate_collections', 'POST')
      const rows = await performAction(app, request, claimCollectionAction, { input: { filters: query } })
      return answerPage(app, request, { ...page, offset: 0 }, { rows, count: rows.length })
    },
    { claim },
  )
}

function addGet(server: Server, app: App): void {
  const words = {
    tag: 'Collections',
    operation: 'getCollection',
    summary: 'Get one collection',
    description: 'Returns the collection with its contact, request and crediting transaction.',
  }
  addObject(
    server,
    app,
    { url: '/api/collections/:id', permission: 'view', words, answer: Collection },
    collectionsById,
  )
}

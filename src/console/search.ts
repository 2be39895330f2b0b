import { z } from 'zod'
import type { App } from '../app.ts'
import { search } from '../core/search/search.ts'
import { SearchResults } from '../core/search/search-results.ts'
import { MAX_SEARCH_LENGTH } from '../core/typed-search/terms.ts'
import type { Server } from '../http/server.ts'

/** The route of the search over everything that the user may read in the organization. */
export function addSearch(server: Server, app: App): void {
  server.get('/console/api/search', {
    config: { permission: 'view' },
    schema: {
      querystring: z.object({ q: z.string().max(MAX_SEARCH_LENGTH) }),
      response: { 200: SearchResults },
    },
    handler: async ({ caller, query }) => {
      const { organization, permissions } = caller
      const searcher = { organization, may_see_purchases: permissions.has('pay_bills'), now: app.clock.now() }
      return { groups: await app.reads.read((db) => search(db, query.q, searcher)) }
    },
  })
}

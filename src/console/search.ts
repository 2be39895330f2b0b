import { z } from 'zod'
import { addView } from '../actions/lists/views.ts'
import type { App } from '../app.ts'
import { search } from '../core/search/search.ts'
import { SearchResults } from '../core/search/search-results.ts'
import { MAX_SEARCH_LENGTH } from '../core/typed-search/terms.ts'
import type { Server } from '../http/server.ts'

/** The route of the search over everything that the user may read in the organization. */
export function addSearch(server: Server, app: App): void {
  addView(server, app, {
    url: '/console/api/search',
    permission: 'view',
    query: z.object({ q: z.string().max(MAX_SEARCH_LENGTH) }),
    answer: SearchResults,
    source: 'statement',
    async read(db, { organization, permissions, query, now }) {
      const searcher = { organization, may_see_purchases: permissions.has('pay_bills'), now }
      return { groups: await search(db, query.q, searcher) }
    },
  })
}

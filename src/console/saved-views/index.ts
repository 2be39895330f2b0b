import { z } from 'zod'
import { addView } from '../../actions/lists/views.ts'
import type { App } from '../../app.ts'
import { ListPath, listViews, SavedView } from '../../core/access/saved-views.ts'
import type { Server } from '../../http/server.ts'

/** Add the list of the views that a user has stored. */
export function addSavedViews(server: Server, app: App): void {
  addView(server, app, {
    url: '/console/api/views',
    permission: 'view',
    query: z.object({ list: ListPath }),
    answer: z.object({ results: z.array(SavedView) }),
    source: 'statements',
    read: async (db, { organization, user, query }) => ({
      results: await listViews(db, { organization, user }, query.list),
    }),
  })
}

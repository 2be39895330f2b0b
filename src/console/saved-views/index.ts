import { z } from 'zod'
import type { App } from '../../app.ts'
import { ListPath, listViews, SavedView, type ViewOwner } from '../../core/access/saved-views.ts'
import type { Server } from '../../http/server.ts'

const permission = 'view'

/** Add the list of the views that a user has stored. */
export function addSavedViews(server: Server, app: App): void {
  const path = '/console/api/views'

  server.get(path, {
    config: { permission },
    schema: {
      querystring: z.object({ list: ListPath }),
      response: { 200: z.object({ results: z.array(SavedView) }) },
    },
    handler: async ({ caller, query }) => ({ results: await listViews(app.db, ownerOf(caller), query.list) }),
  })
}

function ownerOf({ organization, user }: ViewOwner): ViewOwner {
  return { organization, user }
}

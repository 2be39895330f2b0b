import { z } from 'zod'
import type { App } from '../../app.ts'
import {
  changeView,
  createView,
  deleteView,
  ListPath,
  listViews,
  NewView,
  SavedView,
  ViewChanges,
  type ViewOwner,
} from '../../core/access/saved-views.ts'
import { begin } from '../../db/client.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'

const permission = 'view'

/** The routes of the views that a user has stored. Nothing of the organization changes, so the audit log has no entries. */
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

  server.post(path, {
    config: { permission },
    schema: { body: NewView, response: { 201: SavedView } },
    handler: async ({ caller, body }, reply) => {
      reply.code(201)
      return begin(app.db, (tx) => createView(tx, app.clock.real(), ownerOf(caller), body))
    },
  })

  server.put(`${path}/:id`, {
    config: { permission },
    schema: { params: idParams, body: ViewChanges, response: { 200: SavedView } },
    handler: ({ caller, params, body }) =>
      begin(app.db, (tx) => changeView(tx, app.clock.real(), ownerOf(caller), { ...body, id: params.id })),
  })

  server.delete(`${path}/:id`, {
    config: { permission },
    schema: { params: idParams },
    handler: async ({ caller, params }, reply) => {
      await begin(app.db, (tx) => deleteView(tx, ownerOf(caller), params.id))
      return reply.code(204).send()
    },
  })
}

function ownerOf({ organization, user }: ViewOwner): ViewOwner {
  return { organization, user }
}

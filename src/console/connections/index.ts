import { z } from 'zod'
import type { App } from '../../app.ts'
import { openChecklist } from '../../connections/go-live.ts'
import { isOnlyOrganization } from '../../core/access/organizations.ts'
import { withSnapshot } from '../../db/snapshot.ts'
import { answerPage, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'
import { addSettingRoutes } from './settings.ts'
import { addTestRoutes } from './tests.ts'
import {
  ChecklistView,
  ConsoleConnection,
  ConsoleConnectionDetail,
  listForOrganization,
  NetworkDriverView,
  readForOrganization,
  slugParams,
  viewDrivers,
} from './views.ts'

const permission = 'manage_organization'

/** Add the routes for merchant accounts at networks: an organization's own, and the operator's that it uses. */
export function addConnections(server: Server, app: App): void {
  const url = '/console/api/connections'

  server.get(url, {
    config: { permission },
    schema: { querystring: listQuery({}), response: { 200: listOf(ConsoleConnection) } },
    handler: async (request) => {
      const page = readPage(request.query, orderings)
      const all = await withSnapshot(app.db, (tx) => listForOrganization(app, tx, request.caller.organization))
      const rows = all.slice(page.offset, page.offset + page.limit)
      return answerPage(app, request, page, { rows, count: all.length })
    },
  })

  server.get(`${url}/:slug`, {
    config: { permission },
    schema: { params: slugParams, response: { 200: ConsoleConnectionDetail } },
    handler: ({ caller, params }) =>
      withSnapshot(app.db, (tx) => readForOrganization(app, tx, caller.organization, params.slug)),
  })

  server.get('/console/api/network-drivers', {
    config: { permission },
    schema: { response: { 200: z.array(NetworkDriverView) } },
    handler: async () => viewDrivers(app),
  })

  addSettingRoutes(server, app, url)
  addTestRoutes(server, app, url)
  addChecklist(server, app)
}

/** The checklist is about the whole installation. The managers of the only organization operate it. */
function addChecklist(server: Server, app: App): void {
  server.get('/console/api/go-live', {
    config: { permission },
    schema: { response: { 200: ChecklistView } },
    handler: async ({ caller }) => {
      const yours = await isOnlyOrganization(app.db, caller.organization)
      return { yours, items: yours ? await openChecklist(app) : [] }
    },
  })
}

import { z } from 'zod'
import { addView } from '../../actions/lists/views.ts'
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
  addView(server, app, {
    url: `${url}/:slug`,
    permission,
    params: slugParams,
    answer: ConsoleConnectionDetail,
    source: 'primary',
    read: (tx, { organization, params }) => readForOrganization(app, tx, organization, params.slug),
  })
  addView(server, app, {
    url: '/console/api/network-drivers',
    permission,
    answer: z.array(NetworkDriverView),
    source: 'statements',
    read: () => viewDrivers(app),
  })
  // The checklist is about the whole installation. The managers of the only organization operate it.
  addView(server, app, {
    url: '/console/api/go-live',
    permission,
    answer: ChecklistView,
    source: 'statements',
    async read(db, { organization }) {
      const yours = await isOnlyOrganization(db, organization)
      return { yours, items: yours ? await openChecklist(app) : [] }
    },
  })
  addSettingRoutes(server, app, url)
  addTestRoutes(server, app, url)
}

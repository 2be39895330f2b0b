import { z } from 'zod'
import type { App } from '../../app.ts'
import { KnownBrowserView, listKnownBrowsers } from '../../core/access/known-browsers.ts'
import type { Server } from '../../http/server.ts'
import { readKnownBrowsers, requireSession } from '../guard.ts'

/** Add the list of the known browsers of a user. */
export function addBrowsers(server: Server, app: App): void {
  const url = '/console/api/account/browsers'
  const config = { open: true, open_in_maintenance: true }

  server.get(url, {
    config,
    schema: { response: { 200: z.object({ results: z.array(KnownBrowserView) }) } },
    handler: async (request) => {
      const { user } = requireSession(request)
      const current = (await readKnownBrowsers(app, request)).filter((one) => one.user === user).map((one) => one.id)
      const rows = await listKnownBrowsers(app.db, app.clock.real(), user)
      return { results: rows.map((row) => ({ ...row, current: current.includes(row.id) })) }
    },
  })
}

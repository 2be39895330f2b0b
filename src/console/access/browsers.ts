import { z } from 'zod'
import type { App } from '../../app.ts'
import { forgetBrowser, forgetBrowsers, KnownBrowserView, listKnownBrowsers } from '../../core/access/known-browsers.ts'
import { begin } from '../../db/client.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { readKnownBrowsers, requireSession } from '../guard.ts'
import { recordAccountAction } from './confirmation.ts'

/** The routes for the known browsers of a user: list them, forget one, forget all. */
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
  server.delete(url, {
    config,
    handler: async (request, reply) => {
      const session = requireSession(request)
      await begin(app.db, async (tx) => {
        const browsers = await forgetBrowsers(tx, session.user)
        await recordAccountAction(app, tx, request, session, 'forget browsers', { browsers })
      })
      return reply.code(204).send()
    },
  })

  server.delete(`${url}/:id`, {
    config,
    schema: { params: idParams },
    handler: async (request, reply) => {
      const session = requireSession(request)
      await begin(app.db, async (tx) => {
        const { user_agent, address } = await forgetBrowser(tx, session.user, request.params.id)
        await recordAccountAction(app, tx, request, session, 'forget browsers', { browser: user_agent, at: address })
      })
      return reply.code(204).send()
    },
  })
}

import { z } from 'zod'
import type { App } from '../../app.ts'
import { routableConnections } from '../../connections/sms.ts'
import { anyAmount, integer, optional, requiredText } from '../../core/fields.ts'
import { currencyCode } from '../../core/ledger/currencies.ts'
import { Invalid } from '../../core/refusals.ts'
import { smsPurposes } from '../../core/sms/message.ts'
import { removeSmsRoute, setSmsRoute } from '../../core/sms/routes.ts'
import { begin } from '../../db/client.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { recordRequestAction } from '../audit.ts'
import { requireSingleOrganization } from '../fees.ts'
import { countryCode, SMS_SETTINGS, SmsSettingsView, viewRoute } from './view.ts'

/** The routes of the console that say which connection carries which SMS. */
export function addSmsRoutes(server: Server, app: App): void {
  addSet(server, app)
  addRemove(server, app)
}

const NewRoute = z.object({
  connection: requiredText(40),
  country: optional(countryCode),
  purpose: optional(z.enum(smsPurposes)),
  sender_id: optional(requiredText(16)),
  priority: optional(integer({ min: 1, max: 1_000_000 })),
  price: optional(anyAmount),
  currency: optional(currencyCode),
})

function addSet(server: Server, app: App): void {
  const url = `${SMS_SETTINGS}/routes`
  server.put(url, {
    config: { permission: 'manage_organization' },
    schema: { body: NewRoute, response: { 200: SmsSettingsView.shape.routes.element } },
    handler: async (request) => {
      const { connection, country = null, purpose = null, sender_id = null, priority = 100 } = request.body
      const { price = null, currency = null } = request.body
      if (!routableConnections(app).includes(connection))
        throw new Invalid({ connection: [getMessage('sms.no_such_connection', { connection })] })
      const input = { organization: null, country, purpose, connection, sender_id, priority, price, currency }
      const route = await begin(app.db, async (tx) => {
        await requireSingleOrganization(tx, request.caller.organization)
        const set = await setSmsRoute(tx, app.clock.now(), input)
        await recordRequestAction(tx, app, request, {
          action: 'set sms route',
          details: { route: set.id, connection, country },
        })
        return set
      })
      app.wake()
      return viewRoute(route)
    },
  })
}

function addRemove(server: Server, app: App): void {
  const url = `${SMS_SETTINGS}/routes/:id`
  server.delete(url, {
    config: { permission: 'manage_organization' },
    schema: { params: idParams },
    handler: async (request, reply) => {
      const { id } = request.params
      await begin(app.db, async (tx) => {
        await requireSingleOrganization(tx, request.caller.organization)
        const { connection, country } = await removeSmsRoute(tx, id)
        await recordRequestAction(tx, app, request, {
          action: 'remove sms route',
          details: { route: id, connection, country },
        })
      })
      return reply.code(204).send()
    },
  })
}

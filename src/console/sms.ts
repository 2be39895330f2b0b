import { z } from 'zod'
import type { App } from '../app.ts'
import { routableConnections } from '../connections/sms.ts'
import { isOnlyOrganization } from '../core/access/organizations.ts'
import { anyAmount, integer, optional, requiredText } from '../core/fields.ts'
import { Invalid } from '../core/refusals.ts'
import { listConsents } from '../core/sms/consents.ts'
import { smsPurposes } from '../core/sms/message.ts'
import { listSmsRoutes, removeSmsRoute, type SmsRoute, setSmsRoute } from '../core/sms/routes.ts'
import { readSmsLimits, readSmsUsage } from '../core/sms/usage.ts'
import { begin } from '../db/client.ts'
import { withSnapshot } from '../db/snapshot.ts'
import { idParams } from '../http/lists.ts'
import { refuseOtherMethods } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import { recordRequestAction } from './audit.ts'
import { requireSingleOrganization } from './fees.ts'
import { SmsSettingsView } from './sms-view.ts'

const URL = '/console/api/settings/sms'
const MONTHS = 6
const MAX_OPT_OUTS = 20

/**
 * The routes of the console about SMS beside the list: usage, limit and routes. The operator sets routes; in the console these
 * are the managers of the only organization here.
 */
export function addSmsSettings(server: Server, app: App): void {
  server.get(URL, {
    config: { permission: 'view' },
    schema: { response: { 200: SmsSettingsView } },
    handler: ({ caller }) => readSettings(app, caller.organization, caller.permissions.has('manage_organization')),
  })
  refuseOtherMethods(server, URL, ['GET'])
  addSetRoute(server, app)
  addRemoveRoute(server, app)
}

function readSettings(app: App, organization: number, may_manage: boolean) {
  const now = app.clock.now()
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + 1, 1))
  return withSnapshot(app.db, async (tx) => {
    const [months, [limit], routes, opt_outs, alone] = await Promise.all([
      readSmsUsage(tx, { organization, since }),
      readSmsLimits(tx, [organization]),
      listSmsRoutes(tx, organization),
      listConsents(tx, { organization, state: 'withdrawn' }, MAX_OPT_OUTS),
      isOnlyOrganization(tx, organization),
    ])
    const editable = alone && may_manage
    return {
      ...{ months, opt_outs, editable },
      monthly_parts: limit?.monthly_parts ?? null,
      stop_covers_receipts: limit?.stop_covers_receipts ?? false,
      routes: routes.map(toView),
      connections: editable ? routableConnections(app) : [],
    }
  })
}

function toView({ organization, created: _, ...route }: SmsRoute) {
  return { ...route, own: organization !== null }
}

const NewRoute = z.object({
  connection: requiredText(40),
  country: optional(
    requiredText(2).transform((country, context) => {
      if (!/^[A-Za-z]{2}$/.test(country))
        context.addIssue({ code: 'custom', message: 'Give the two letters of a country, such as UG.' })
      return country.toUpperCase()
    }),
  ),
  purpose: optional(z.enum(smsPurposes)),
  sender_id: optional(requiredText(16)),
  priority: optional(integer({ min: 1, max: 1_000_000 })),
  price: optional(anyAmount),
  currency: optional(requiredText(3).transform((code) => code.toUpperCase())),
})

function addSetRoute(server: Server, app: App): void {
  const url = `${URL}/routes`
  server.put(url, {
    config: { permission: 'manage_organization' },
    schema: { body: NewRoute, response: { 200: SmsSettingsView.shape.routes.element } },
    handler: async (request) => {
      const { connection, country = null, purpose = null, sender_id = null, priority = 100 } = request.body
      const { price = null, currency = null } = request.body
      if (!routableConnections(app).includes(connection))
        throw new Invalid({ connection: [`There is no SMS connection ${connection}.`] })
      const wish = { organization: null, country, purpose, connection, sender_id, priority, price, currency }
      const route = await begin(app.db, async (tx) => {
        await requireSingleOrganization(tx, request.caller.organization)
        const set = await setSmsRoute(tx, app.clock.now(), wish)
        await recordRequestAction(tx, app, request, {
          action: 'set sms route',
          details: { route: set.id, connection, country },
        })
        return set
      })
      app.wake()
      return toView(route)
    },
  })
  refuseOtherMethods(server, url, ['PUT'])
}

function addRemoveRoute(server: Server, app: App): void {
  const url = `${URL}/routes/:id`
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
  refuseOtherMethods(server, url, ['DELETE'])
}

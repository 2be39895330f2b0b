import { z } from 'zod'
import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { booleanField, optional, requiredText } from '../../core/fields.ts'
import { listSenderIds, removeSenderId, setSenderId } from '../../core/sms/routes.ts'
import { begin } from '../../db/client.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { recordRequestAction } from '../audit.ts'
import { requireSingleOrganization } from '../fees.ts'
import { countryCode, SenderView, SMS_SETTINGS, viewSender } from './view.ts'

const permission = 'manage_organization'

const NewSender = z.object({
  sender_id: requiredText(16).transform((text) => text.trim()),
  country: optional(countryCode),
  /** True if it counts for this organization only. */
  own: booleanField.default(true),
})

/**
 * The routes for sender ids. A provider must have registered them, and one organization must not send in the name of another:
 * so the operator sets them.
 */
export function addSenderIds(server: Server, app: App): void {
  const url = `${SMS_SETTINGS}/senders`
  server.put(url, {
    config: { permission },
    schema: { body: NewSender, response: { 200: SenderView } },
    handler: async (request) => {
      const { sender_id, country = null, own } = request.body
      const { organization } = request.caller
      const set = await begin(app.db, async (tx) => {
        await requireSingleOrganization(tx, organization)
        const row = await setSenderId(tx, app.clock.now(), {
          organization: own ? organization : null,
          country,
          sender_id,
        })
        await recordRequestAction(tx, app, request, { action: 'set sms sender', details: { sender_id, country, own } })
        return row
      })
      return viewSender(set)
    },
  })

  server.delete(`${url}/:id`, {
    config: { permission },
    schema: { params: idParams },
    handler: async (request, reply) => {
      const { id } = request.params
      const { organization } = request.caller
      await begin(app.db, async (tx) => {
        await requireSingleOrganization(tx, organization)
        const found = (await listSenderIds(tx, organization)).find((one) => one.id === id)
        requireOwned(organization, found && { ...found, organization })
        const { sender_id, country } = await removeSenderId(tx, id)
        await recordRequestAction(tx, app, request, { action: 'remove sms sender', details: { sender_id, country } })
      })
      return reply.code(204).send()
    },
  })
}

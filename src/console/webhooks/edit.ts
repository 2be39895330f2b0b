import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { endpointEntry } from '../../core/events/actions.ts'
import {
  createEndpoint,
  Endpoint,
  editEndpoint,
  readEndpoints,
  readEndpointWebhooks,
} from '../../core/events/endpoints.ts'
import { eventTypes, extraEventTypes } from '../../core/events/events.ts'
import {
  offeredEvent,
  WEBHOOK_KEY_PURPOSE,
  type WebhookRow,
  webhookDescription,
  webhookTarget,
} from '../../core/events/webhooks.ts'
import { errorMessage } from '../../core/fields.ts'
import { createHostCheck } from '../../core/target-urls.ts'
import { begin, type Tx } from '../../db/client.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { recordRequestAction } from '../audit.ts'
import { findOwnEndpoint } from './manage.ts'

const permission = 'manage_integrations'

/** The routes that create an endpoint for several events and change one. The interface has neither. */
export function addWebhookEdits(server: Server, app: App): void {
  const events = app.config.EXTRA_EVENT_TYPES ? [...eventTypes, ...extraEventTypes] : eventTypes
  const error = errorMessage(getMessage('webhooks.no_events'))
  const chosen = z
    .array(offeredEvent(events), { error })
    .min(1, { error })
    .transform((list) => [...new Set(list)])
  addCreate(server, app, chosen)
  addEdit(server, app, chosen)
}

type ChosenEvents = z.ZodType<string[]>

function addCreate(server: Server, app: App, events: ChosenEvents): void {
  const url = '/console/api/webhooks/endpoints'
  const checkHost = createHostCheck(app.config)
  const body = z.object({ events, target: webhookTarget, description: webhookDescription.nullish() })
  server.post(url, {
    config: { permission },
    schema: { body, response: { 201: Endpoint } },
    handler: async (request, reply) => {
      const { organization, user } = request.caller
      await checkHost(request.body.target)
      const created = await change(app, request, 'create webhook', async (tx) => {
        const input = { organization, user, ...request.body }
        const id = await createEndpoint(tx, app.clock.now(), input, app.sealingKeys(WEBHOOK_KEY_PURPOSE))
        return readEndpointWebhooks(tx, id)
      })
      return reply.code(201).send(created)
    },
  })
}

function addEdit(server: Server, app: App, events: ChosenEvents): void {
  const url = '/console/api/webhooks/:id/edit'
  const checkHost = createHostCheck(app.config)
  const body = z.object({
    events: events.optional(),
    target: webhookTarget.optional(),
    description: webhookDescription.nullish(),
  })
  server.post(url, {
    config: { permission },
    schema: { params: idParams, body, response: { 200: Endpoint } },
    handler: async (request) => {
      const { id } = await findOwnEndpoint(app.db, request, request.params.id)
      if (request.body.target !== undefined) await checkHost(request.body.target)
      return change(app, request, 'edit webhook', (tx) =>
        editEndpoint(tx, app.clock.now(), id, request.body, request.caller.user),
      )
    },
  })
}

/** Change an endpoint with its entry in the audit log, and wake the sending of due deliveries. */
async function change(app: App, request: FastifyRequest, action: string, make: (tx: Tx) => Promise<WebhookRow[]>) {
  const changed = await begin(app.db, async (tx) => {
    const webhooks = await make(tx)
    const { object, details } = endpointEntry(webhooks)
    await recordRequestAction(tx, app, request, { action, object_type: 'webhook', object, details })
    const [endpoint] = await readEndpoints(tx, app.clock.now(), [webhooks[0]!.endpoint])
    return endpoint!
  })
  app.wake()
  return changed
}

import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { eventTypes, extraEventTypes } from '../../core/events/events.ts'
import {
  createWebhook,
  editWebhook,
  offeredEvent,
  readWebhookHealth,
  WEBHOOK_KEY_PURPOSE,
  WebhookHealth,
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
import { findOwnWebhook } from './manage.ts'

const permission = 'manage_integrations'

/** The routes that create webhooks for several events and change one. The interface has neither. */
export function addWebhookEdits(server: Server, app: App): void {
  const events = app.config.EXTRA_EVENT_TYPES ? [...eventTypes, ...extraEventTypes] : eventTypes
  addBatch(server, app, events)
  addEdit(server, app, events)
}

/** Create a webhook for each of several events with one target, all or none. */
function addBatch(server: Server, app: App, events: readonly string[]): void {
  const url = '/console/api/webhooks/batch'
  const checkHost = createHostCheck(app.config)
  const listError = errorMessage(getMessage('webhooks.no_events'))
  const NewWebhooks = z.object({
    events: z
      .array(offeredEvent(events), { error: listError })
      .min(1, { error: listError })
      .transform((list) => [...new Set(list)]),
    target: webhookTarget,
    description: webhookDescription.nullish(),
  })
  server.post(url, {
    config: { permission },
    schema: { body: NewWebhooks, response: { 201: z.object({ results: z.array(WebhookHealth) }) } },
    handler: async (request, reply) => {
      const { organization, user } = request.caller
      const { target, description } = request.body
      await checkHost(target)
      const results = await begin(app.db, async (tx) => {
        const rows: WebhookRow[] = []
        for (const event of request.body.events) {
          const input = { organization, user, event, target, description: description ?? null }
          const row = await createWebhook(tx, app.clock.now(), input, app.sealingKeys(WEBHOOK_KEY_PURPOSE))
          await recordChange(tx, app, request, 'create webhook', row)
          rows.push(row)
        }
        return readWebhookHealth(tx, app.clock.now(), rows)
      })
      return reply.code(201).send({ results })
    },
  })
}

function addEdit(server: Server, app: App, events: readonly string[]): void {
  const url = '/console/api/webhooks/:id/edit'
  const checkHost = createHostCheck(app.config)
  server.post(url, {
    config: { permission },
    schema: {
      params: idParams,
      body: z.object({
        event: offeredEvent(events).optional(),
        target: webhookTarget.optional(),
        description: webhookDescription.nullish(),
      }),
      response: { 200: WebhookHealth },
    },
    handler: async (request) => {
      const { id } = await findOwnWebhook(app.db, request, request.params.id)
      if (request.body.target !== undefined) await checkHost(request.body.target)
      return change(app, request, 'edit webhook', (tx) => editWebhook(tx, app.clock.now(), id, request.body))
    },
  })
}

/** Change a webhook with its entry in the audit log, and wake the sending of due deliveries. */
async function change(app: App, request: FastifyRequest, action: string, make: (tx: Tx) => Promise<WebhookRow>) {
  const health = await begin(app.db, async (tx) => {
    const row = await make(tx)
    await recordChange(tx, app, request, action, row)
    const [changed] = await readWebhookHealth(tx, app.clock.now(), [row])
    return changed!
  })
  app.wake()
  return health
}

/** The whole target may have a secret in it, so the audit log has its host. */
function recordChange(tx: Tx, app: App, request: FastifyRequest, action: string, { id, event, target }: WebhookRow) {
  const details = { event, host: new URL(target).host }
  return recordRequestAction(tx, app, request, { action, object_type: 'webhook', object: id, details })
}

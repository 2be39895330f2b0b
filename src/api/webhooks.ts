import { performAction } from '../actions/routes.ts'
import type { App } from '../app.ts'
import { createWebhooksAction } from '../core/events/actions.ts'
import { eventTypes, extraEventTypes } from '../core/events/events.ts'
import { newWebhookBody, Webhook } from '../core/events/webhooks.ts'
import { writeHeaders } from '../http/headers.ts'
import type { Server } from '../http/server.ts'

/** Add the webhooks (interface 4.2). They are created and read here and deleted in the console. */
export function addWebhooks(server: Server, app: App): void {
  const events = app.config.EXTRA_EVENT_TYPES ? [...eventTypes, ...extraEventTypes] : eventTypes
  const permission = 'manage_organization'

  server.post('/api/webhooks', {
    config: { permission },
    schema: {
      tags: ['Webhooks'],
      operationId: 'createWebhook',
      summary: 'Create a webhook',
      description: 'Registers a URL for one event type. The console shows its signing secret, and deletes webhooks.',
      headers: writeHeaders,
      body: newWebhookBody(events),
      response: { 201: Webhook },
    },
    handler: async (request, reply) => {
      const { event, target } = request.body
      const { rows } = await performAction(app, request, createWebhooksAction, { input: { events: [event], target } })
      return reply.code(201).send(rows[0]!)
    },
  })
}

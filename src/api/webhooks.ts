import { z } from 'zod'
import { performAction } from '../actions/routes.ts'
import type { App } from '../app.ts'
import { requireOwned } from '../core/access/organizations.ts'
import { createWebhooksAction } from '../core/events/actions.ts'
import { eventTypes, extraEventTypes } from '../core/events/events.ts'
import { findWebhook, listWebhooks, newWebhookBody, Webhook } from '../core/events/webhooks.ts'
import { integer } from '../core/fields.ts'
import { withSnapshot } from '../db/snapshot.ts'
import { answerList, idParams, listOf, listQuery } from '../http/lists.ts'
import type { Server } from '../http/server.ts'
import { writeHeaders } from './headers.ts'

/** The column of each ordering. A webhook has `updated` for `modified` and no amount. */
const columns = { id: 'id', created: 'created', modified: 'updated', amount: 'id' } as const

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

  server.get('/api/webhooks', {
    config: { permission },
    schema: {
      tags: ['Webhooks'],
      operationId: 'listWebhooks',
      summary: 'List webhooks',
      description: 'Returns your webhooks.',
      querystring: listQuery({
        user: integer()
          .optional()
          .meta({ description: 'Id of the user who created the webhook, exact.', examples: [1] }),
        event: z
          .string()
          .optional()
          .meta({ description: 'Event type, exact.', examples: [eventTypes[1]] }),
      }),
      response: { 200: listOf(Webhook) },
    },
    handler: (request) => {
      const { query, caller } = request
      return answerList(app, request, columns, (slice) =>
        withSnapshot(app.db, (tx) => listWebhooks(tx, caller.organization, query, slice)),
      )
    },
  })

  server.get('/api/webhooks/:id', {
    config: { permission },
    schema: {
      tags: ['Webhooks'],
      operationId: 'getWebhook',
      summary: 'Get one webhook',
      description: 'Returns the webhook with its event type and its URL.',
      params: idParams,
      response: { 200: Webhook },
    },
    handler: async (request) => requireOwned(request.caller.organization, await findWebhook(app.db, request.params.id)),
  })
}

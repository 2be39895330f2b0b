import { z } from 'zod'
import type { App } from '../app.ts'
import { requireOwned } from '../core/access/organizations.ts'
import { eventTypes, extraEventTypes } from '../core/events/events.ts'
import {
  createWebhook,
  findWebhook,
  listWebhooks,
  type NewWebhook,
  newWebhookBody,
  WEBHOOK_KEY_PURPOSE,
  Webhook,
  type WebhookRow,
} from '../core/events/webhooks.ts'
import { integer } from '../core/fields.ts'
import { claimDuplicateKeys, createDuplicateKeyClaim, linkKeysToObjects } from '../core/idempotency.ts'
import { Invalid } from '../core/refusals.ts'
import { createAddressCheck } from '../core/target-urls.ts'
import { begin } from '../db/client.ts'
import { withSnapshot } from '../db/snapshot.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../http/lists.ts'
import { refuseOtherMethods } from '../http/methods.ts'
import { readPage } from '../http/pages.ts'
import type { Server } from '../http/server.ts'
import { createHttpClient } from '../lib/outgoing-http.ts'
import { writeHeaders } from './headers.ts'

/** `modified`, the common word of the lists, is what a webhook calls `updated`. */
const columns = { id: 'id', created: 'created', modified: 'updated', amount: 'id' } as const

/** Interface 4.2. Webhooks are made and read here; people delete them in the console. */
export function addWebhooks(server: Server, app: App): void {
  const events = app.config.EXTRA_EVENT_TYPES ? [...eventTypes, ...extraEventTypes] : eventTypes
  const checkHost = createHostCheck(app)
  const permission = 'manage_organization'

  server.post('/api/webhooks', {
    config: { permission, allow: 'GET, POST, HEAD, OPTIONS' },
    schema: {
      tags: ['Webhooks'],
      operationId: 'createWebhook',
      summary: 'Ask to be told of events',
      headers: writeHeaders,
      body: newWebhookBody(events),
      response: { 201: Webhook },
    },
    handler: async (request, reply) => {
      const { organization, user } = request.caller
      await checkHost(request.body.target)
      const made = await create(app, { organization, user, ...request.body }, request.headers['duplicate-check-key'])
      return reply.code(201).send(made)
    },
  })

  server.get('/api/webhooks', {
    config: { permission, allow: 'GET, POST, HEAD, OPTIONS' },
    schema: {
      tags: ['Webhooks'],
      operationId: 'listWebhooks',
      summary: 'List webhooks',
      querystring: listQuery({
        user: integer()
          .optional()
          .meta({ description: 'Id of the user who made it, exact.', examples: [1] }),
        event: z
          .string()
          .optional()
          .meta({ description: 'Event type, exact.', examples: [eventTypes[1]] }),
      }),
      response: { 200: listOf(Webhook) },
    },
    handler: async (request) => {
      const page = readPage(request.query, orderings)
      const { field, descending } = page.ordering
      const slice = { limit: page.limit, offset: page.offset, field: columns[field], descending }
      const list = await withSnapshot(app.db, (tx) =>
        listWebhooks(tx, request.caller.organization, request.query, slice),
      )
      return answerPage(app, request, page, list)
    },
  })
  refuseOtherMethods(server, '/api/webhooks', ['GET', 'POST'])

  server.get('/api/webhooks/:id', {
    config: { permission, allow: 'GET, HEAD, OPTIONS' },
    schema: {
      tags: ['Webhooks'],
      operationId: 'getWebhook',
      summary: 'Get one webhook',
      params: idParams,
      response: { 200: Webhook },
    },
    handler: async (request) => requireOwned(request.caller.organization, await findWebhook(app.db, request.params.id)),
  })
  refuseOtherMethods(server, '/api/webhooks/:id', ['GET'])
}

/** Makes one webhook, and its Duplicate-Check-Key with it. @throws Duplicate */
async function create(app: App, input: NewWebhook, key: string | undefined): Promise<WebhookRow> {
  const now = app.clock.now()
  const claim = key ? createDuplicateKeyClaim(input.organization, key) : undefined
  return begin(app.db, async (tx) => {
    const [duplicate] = await claimDuplicateKeys(tx, now, 'webhook', [claim])
    if (duplicate) throw duplicate
    const made = await createWebhook(tx, now, input, app.deriveSecret(WEBHOOK_KEY_PURPOSE))
    await linkKeysToObjects(tx, [{ claim, object: made.id }])
    return made
  })
}

/**
 * In live mode a target must lead to an address that may be called; nobody should find out by silence. Attempts look
 * again, because names can change where they lead.
 */
function createHostCheck(app: App): (target: string) => Promise<void> {
  const outgoing = createHttpClient({ allowsAddress: createAddressCheck(app.config), timeout_ms: 0 })
  return async (target) => {
    if (app.config.MODE === 'sandbox') return
    const verdict = await outgoing.checkHost(new URL(target).hostname)
    if (verdict !== 'allowed') throw new Invalid({ target: [hostErrors[verdict]] })
  }
}

const hostErrors = {
  dns: 'The host of this URL cannot be found.',
  private_address: 'The host of this URL must have a public address.',
}

import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { makeRequests } from '../../actions/request-batches.ts'
import { actorOf, keyOf } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { chargeNetworks } from '../../connections/request-actions.ts'
import { duplicateChoices, RequestBatch } from '../../core/batches/batch.ts'
import { choiceError, documented, optional } from '../../core/fields.ts'
import { collectionCurrencies } from '../../core/ledger/currencies.ts'
import { RequestBatchPreview } from '../../core/request-batches/batch.ts'
import { checkTagged, readRequestChoices, requestChoiceFields, tagFields } from '../../core/request-batches/check.ts'
import { batchHeaders } from '../../http/headers.ts'
import type { Server } from '../../http/server.ts'

const PATH = '/api/collectionrequests/batches'
const TAG = 'Collection requests'
const permission = 'initiate_collections'

/** The body that requests the same from each customer with a tag. */
function newRequestBatch(currencies: readonly string[]) {
  const duplicates = documented(
    z.enum(duplicateChoices, { error: choiceError(duplicateChoices) }),
    '`skip`: none for a customer who has an open or recent request for the same amount and reason; `create`: one more. Default `skip`.',
    'skip',
  )
  return z
    .object({ ...tagFields, ...requestChoiceFields(currencies), duplicates: optional(duplicates) })
    .meta({ id: 'NewRequestBatch', examples: [{ tag: 'P5', amount: '850000', currency: 'UGX', reason: 'Term 1' }] })
}

/**
 * Add batches of collection requests: to all customers with a tag, and the list of all batches. Files are read by the
 * console.
 */
export function addRequestBatches(server: Server, app: App): void {
  const body = newRequestBatch(collectionCurrencies(app.config))
  server.post(`${PATH}/preview`, {
    config: { permission },
    schema: {
      tags: [TAG],
      operationId: 'previewRequestBatch',
      summary: 'Preview a batch of requests; nothing is stored',
      description: 'Returns each customer with the request or the reason against it, and the sums.',
      body,
      response: { 200: RequestBatchPreview },
    },
    handler: async ({ caller, body }) => {
      const { rows, all, without_duplicates } = await check(app, caller, body)
      return { rows, all, without_duplicates }
    },
  })
  server.post(PATH, {
    config: { permission },
    schema: {
      tags: [TAG],
      operationId: 'createRequestBatch',
      summary: 'Request the same amount from each customer with a tag',
      description: 'Creates the requests; the customers get prompts. The same call with the same key continues.',
      headers: batchHeaders,
      body,
      response: { 201: RequestBatch },
    },
    handler: async (request, reply) => {
      const { duplicates = 'skip', ...asked } = request.body
      const checked = await check(app, request.caller, asked)
      const batch = { source: 'tag', name: asked.tag.trim(), digest: null, checked, asked, duplicates } as const
      return reply.code(201).send(await makeRequests(app, actorOf(request, ''), batch, keyOf(request)))
    },
  })
}

type Asked = z.output<z.ZodObject<typeof tagFields & ReturnType<typeof requestChoiceFields>>>

function check(app: App, { organization, user: author, time_zone }: FastifyRequest['caller'], asked: Asked) {
  const { tag, amount, ...chosen } = asked
  const now = app.clock.now()
  const choices = readRequestChoices(chosen, collectionCurrencies(app.config), { now, time_zone })
  const context = { now, organization, author, chooseNetwork: chargeNetworks(app.connections.list()) }
  return checkTagged(app.db, { tag, amount }, choices, context)
}

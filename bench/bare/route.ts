import Fastify from 'fastify'
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { CollectionRequest } from '../../src/core/collections/collection-request.ts'
import { newCollectionRequestBody } from '../../src/core/collections/new-request.ts'

const now = new Date()
const contact = {
  id: 1,
  organization: 1,
  first_name: 'Anonymous',
  last_name: 'Contact',
  email: null,
  phone_number: '+80000010000',
  type: 'employee',
  status: 'active',
  metadata: null,
  phone_is_supported: 'yes',
  phone_is_mm_registered: 'unknown',
  name_on_network: '',
  name_matches_network_status: 'unchecked',
  name_matches_network_score: 0,
  network_name: 'Sandbox Network',
  created: now,
  modified: now,
  author: 1,
  updated_by: null,
}

/**
 * A bare Fastify with a route that creates a request, with the same validation and the same serialization as the API, and nothing else.
 * There is no key, no throttle, no log and no database.
 * @param onCreated gets each request, which is answered after what it returns has settled
 */
export function createBareServer(onCreated?: (request: BareRequest) => Promise<void> | void) {
  const server = Fastify().withTypeProvider<ZodTypeProvider>()
  server.setValidatorCompiler(({ schema }) => (data) => {
    const result = (schema as z.ZodType).safeParse(data)
    return result.success ? { value: result.data } : { error: result.error }
  })
  server.setSerializerCompiler(serializerCompiler)
  server.post('/api/collectionrequests', {
    schema: { body: newCollectionRequestBody(['BXC', 'UGX', 'KES']), response: { 201: CollectionRequest } },
    handler: async ({ body }, reply) => {
      const request: BareRequest = {
        id: 1,
        organization: 1,
        amount: body.amount,
        currency: body.currency,
        account: 1,
        phonenumber: body.phonenumber.number,
        contact,
        reason: body.reason ?? '',
        metadata: body.metadata ?? {},
        created: now,
        author: 1,
        modified: now,
        updated_by: null,
        collection: null,
        success_message: body.success_message ?? '',
        send_instructions: body.send_instructions ?? false,
        instructions: body.instructions ?? null,
        status: 'pending',
        error_message: null,
        expiry_date: now,
        start_date: null,
        retry_interval_minutes: null,
        max_attempts: 3,
        subscription_settings: null,
      }
      const settled = onCreated?.(request)
      if (settled) await settled
      return reply.code(201).send(request)
    },
  })
  return server
}

/** A request as the bare route answers it. */
export type BareRequest = z.output<typeof CollectionRequest>

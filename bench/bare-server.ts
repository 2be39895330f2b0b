import Fastify from 'fastify'
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { CollectionRequest } from '../src/core/collections/collection-request.ts'
import { newCollectionRequestBody } from '../src/core/collections/new-request.ts'

/**
 * The upper limit for creating a request: a bare Fastify with the same validation and the same serialization, and nothing
 * else. There is no key, no throttle, no log and no database. Garbage collection is configured as in the service.
 */
const server = Fastify().withTypeProvider<ZodTypeProvider>()
server.setValidatorCompiler(({ schema }) => (data) => {
  const result = (schema as z.ZodType).safeParse(data)
  return result.success ? { value: result.data } : { error: result.error }
})
server.setSerializerCompiler(serializerCompiler)

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

server.post('/api/collectionrequests', {
  schema: { body: newCollectionRequestBody(['BXC', 'UGX', 'KES']), response: { 201: CollectionRequest } },
  handler: async ({ body }, reply) =>
    reply.code(201).send({
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
    }),
})

process.send!(await server.listen({ host: '127.0.0.1', port: 0 }))
process.once('SIGTERM', () => process.exit())

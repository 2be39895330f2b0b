import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import type { Connection } from '../connections/connection.ts'
import { toStorableAnswer } from '../connections/tools/storable-answers.ts'
import { readAcceptanceCheck } from '../core/collections/acceptance-checks.ts'
import type { Verdict } from '../core/collections/acceptance-urls.ts'
import { answerValidationRequest } from '../core/collections/incoming-payments.ts'
import type { ConnectionRef } from '../core/connections/destinations.ts'
import { Malformed, NotFound, Unavailable } from '../core/refusals.ts'
import { begin } from '../db/client.ts'
import type { RawCallback } from '../drivers/raw-callback.ts'
import { unreadCoding } from '../http/bodies.ts'
import type { ValidationRequest } from '../networks/callbacks.ts'
import type { CallbackReply } from '../networks/contract.ts'
import { countUnverifiedCallback, findCalledConnection } from './callback-addresses.ts'
import { checkCoding, readRawCallback } from './raw-callbacks.ts'

/** Answer a callback that is a validation request; undefined if it is none. @throws Unavailable */
export type AnswerValidation = (
  connection: Connection,
  callback: RawCallback,
  request: FastifyRequest,
) => Promise<CallbackReply | undefined>

/**
 * Add the address at which a signing network asks before it accepts an unrequested payment. Without an answer, the
 * network follows its own default. A payment that it then reports is processed like any other.
 * @returns a handler for validation requests at the other callback addresses
 */
export function addValidationRequests(scope: FastifyInstance, app: App): AnswerValidation {
  let closing = false
  scope.addHook('preClose', async () => {
    closing = true
  })
  const answer: AnswerValidation = async ({ operations, ...connection }, callback, request) => {
    if (unreadCoding(callback.headers) !== undefined) return undefined
    const validation_request = toStorableAnswer(operations.readValidation?.(callback))
    if (!validation_request || !operations.answerValidation) return undefined
    const isCancelled = () => closing || request.raw.socket.destroyed
    const { verdict, reason } = await decideValidation(app, connection, validation_request, isCancelled)
    return operations.answerValidation(verdict, reason)
  }
  scope.post('/api/callbacks/:connection/validation', {
    schema: { hide: true },
    // Callbacks are accepted during maintenance, and so are validation requests.
    config: { open_in_maintenance: true },
    onRequest: async (request) => {
      request.called = await findCalledConnection(app, request)
    },
    handler: async (request, reply) => {
      const { connection: called } = request.called!
      const connection = app.connections.find(called.slug)
      if (!connection?.operations.readValidation) throw new NotFound()
      const callback = readRawCallback(request)
      const answered = await answer(connection, callback, request)
      if (!answered) {
        await countUnverifiedCallback(app, request)
        checkCoding(callback)
        throw new Malformed('This is not a valid validation request of the network.')
      }
      return reply.code(answered.status).type(answered.content_type).send(answered.body)
    },
  })
  return answer
}

interface ValidationAnswer {
  verdict: Verdict
  reason: string | null
}

/**
 * Return the verdict on a payment. When the organization must be asked first, it waits for the job that asks.
 * @throws Unavailable when there is no verdict in time.
 */
async function decideValidation(
  app: App,
  network: ConnectionRef,
  request: ValidationRequest,
  isCancelled: () => boolean,
): Promise<ValidationAnswer> {
  const now = app.clock.now()
  const payment = { ...request, network, status: 'successful' as const, order_reference: null, paid_at: now }
  const decision = await begin(app.db, (tx) => answerValidationRequest(tx, now, payment))
  if ('verdict' in decision) return decision
  app.wake()
  // Only the job asks the organization. It sets a verdict at the latest when the organization's time is over.
  const deadline = app.clock.real().getTime() + decision.timeout_s * 1_000 + GRACE_MS
  const isOver = () => isCancelled() || app.clock.real().getTime() >= deadline
  for (let wait_ms = 20; !isOver(); wait_ms = Math.min(wait_ms * 1.5, 250)) {
    const check = await readAcceptanceCheck(app.db, decision.acceptance_check)
    if (check?.verdict) return { verdict: check.verdict, reason: check.reason }
    await sleep(wait_ms)
  }
  throw new Unavailable('The organization has not answered.')
}

/** Extra time for the job beyond the time of the organization. */
const GRACE_MS = 5_000

import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import type { Connection } from '../connections/connection.ts'
import { readAcceptanceCheck } from '../core/collections/acceptance-checks.ts'
import type { Verdict } from '../core/collections/acceptance-urls.ts'
import { answerValidationRequest } from '../core/collections/incoming-payments.ts'
import { Malformed, NotFound, Unavailable } from '../core/refusals.ts'
import { begin } from '../db/client.ts'
import { refuseOtherMethods } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import type { Throttle } from '../http/throttle.ts'
import type { ValidationRequest } from '../networks/callbacks.ts'
import { countUnverifiedCallback, readRawCallback } from './raw-callbacks.ts'

/**
 * Adds the addresses at which networks ask before they accept an unrequested payment. A network that gets no answer decides
 * by its own default. If it then reports the payment, the payment is processed as any other.
 */
export function addValidationRequests(scope: FastifyInstance, app: App, throttle: Throttle): void {
  let closing = false
  scope.addHook('preClose', async () => {
    closing = true
  })
  scope.post('/api/callbacks/:connection/validation', {
    schema: { hide: true },
    // Callbacks are accepted during maintenance, and so are validation requests.
    config: { open_in_maintenance: true },
    handler: async (request, reply) => {
      const connection = app.connections.find((request.params as { connection: string }).connection)
      const { readValidation, answerValidation } = connection?.operations ?? {}
      if (!connection || !readValidation || !answerValidation) throw new NotFound()
      const validation_request = readValidation(readRawCallback(request))
      if (!validation_request) {
        await countUnverifiedCallback(app, throttle, request)
        throw new Malformed('This is not a valid validation request of the network.')
      }
      const { verdict, reason } = await decideValidation(
        app,
        connection,
        validation_request,
        () => closing || request.raw.socket.destroyed,
      )
      const answer = answerValidation(verdict, reason)
      return reply.code(answer.status).type(answer.content_type).send(answer.body)
    },
  })
  refuseOtherMethods(scope as unknown as Server, '/api/callbacks/:connection/validation', ['POST'])
}

interface ValidationAnswer {
  verdict: Verdict
  reason: string | null
}

/**
 * Returns the verdict on a payment. When the organization must be asked first, it waits for the job that asks.
 * @throws Unavailable when there is no verdict in time.
 */
async function decideValidation(
  app: App,
  network: Connection,
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

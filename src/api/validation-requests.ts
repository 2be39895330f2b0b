import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import { readAcceptanceCheck } from '../core/collections/acceptance-checks.ts'
import type { Verdict } from '../core/collections/acceptance-urls.ts'
import { answerValidationRequest } from '../core/collections/incoming-payments.ts'
import { Malformed, NotFound, Unavailable } from '../core/refusals.ts'
import { begin } from '../db/client.ts'
import { refuseOtherMethods } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import type { Throttle } from '../http/throttle.ts'
import { networkByCode } from '../networks/index.ts'
import type { Network, ValidationRequest } from '../networks/network.ts'
import { countUnverifiedCallback, readRawCallback } from './raw-callbacks.ts'

/**
 * Where networks ask before they take money that nobody asked for. A network that does not get an answer does what it
 * does by itself; when it then reports the money, it is judged as any other.
 */
export function addValidationRequests(scope: FastifyInstance, app: App, throttle: Throttle): void {
  let closing = false
  scope.addHook('preClose', async () => {
    closing = true
  })
  scope.post('/api/callbacks/:network/validation', {
    schema: { hide: true },
    // What the callback door does during maintenance this one does too.
    config: { open_in_maintenance: true },
    handler: async (request, reply) => {
      const network = networkByCode(app.networks, (request.params as { network: string }).network)
      if (!network?.readValidationRequest || !network.answerValidationRequest) throw new NotFound()
      const offer = network.readValidationRequest(readRawCallback(request))
      if (!offer) {
        await countUnverifiedCallback(app, throttle, request)
        throw new Malformed('This is no question that the network asks.')
      }
      const { verdict, reason } = await decideValidation(
        app,
        network,
        offer,
        () => closing || request.raw.socket.destroyed,
      )
      const answer = network.answerValidationRequest(verdict, reason)
      return reply.type(answer.content_type).send(answer.body)
    },
  })
  refuseOtherMethods(scope as unknown as Server, '/api/callbacks/:network/validation', ['POST'])
}

interface ValidationAnswer {
  verdict: Verdict
  reason: string | null
}

/** @throws Unavailable when there is no verdict in time. */
async function decideValidation(
  app: App,
  network: Network,
  offer: ValidationRequest,
  isOver: () => boolean,
): Promise<ValidationAnswer> {
  const now = app.clock.now()
  const money = { ...offer, network, status: 'successful' as const, order_reference: null, paid_at: now }
  const considered = await begin(app.db, (tx) => answerValidationRequest(tx, now, money))
  if ('verdict' in considered) return considered
  app.wake()
  // Only the job asks the organization; it has a verdict when the question's time is over at the latest.
  const until = app.clock.real().getTime() + considered.timeout_s * 1_000 + GRACE_MS
  for (let wait_ms = 20; !isOver() && app.clock.real().getTime() < until; wait_ms = Math.min(wait_ms * 1.5, 250)) {
    const question = await readAcceptanceCheck(app.db, considered.question)
    if (question?.verdict) return { verdict: question.verdict, reason: question.reason }
    await sleep(wait_ms)
  }
  throw new Unavailable('The organization has not answered.')
}

/** What the job may take beyond the organization's own time. */
const GRACE_MS = 5_000

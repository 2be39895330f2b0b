import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import type { Verdict } from '../core/collections/acceptance-urls.ts'
import { readQuestion } from '../core/collections/acceptance-checks.ts'
import { considerOffer } from '../core/collections/incoming-payments.ts'
import { Malformed, NotFound, Unavailable } from '../core/refusals.ts'
import { begin } from '../db/client.ts'
import { closeAddress } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import type { Throttle } from '../http/throttle.ts'
import { networkByCode } from '../networks/index.ts'
import type { Network, Offer } from '../networks/network.ts'
import { countStranger, rawCallback } from './raw-callbacks.ts'

/**
 * Where networks ask before they take money that nobody asked for. A network that does not get an answer does what it
 * does by itself; when it then reports the money, it is judged as any other.
 */
export function addOffers(scope: FastifyInstance, app: App, throttle: Throttle): void {
  let closing = false
  scope.addHook('preClose', async () => {
    closing = true
  })
  scope.post('/api/callbacks/:network/validation', {
    schema: { hide: true },
    // What the callback door does during maintenance this one does too.
    config: { in_maintenance: true },
    handler: async (request, reply) => {
      const network = networkByCode(app.networks, (request.params as { network: string }).network)
      if (!network?.readOffer || !network.answerOffer) throw new NotFound()
      const offer = network.readOffer(rawCallback(request))
      if (!offer) {
        await countStranger(app, throttle, request)
        throw new Malformed('This is no question that the network asks.')
      }
      const { verdict, reason } = await judge(app, network, offer, () => closing || request.raw.socket.destroyed)
      const answer = network.answerOffer(verdict, reason)
      return reply.type(answer.content_type).send(answer.body)
    },
  })
  closeAddress(scope as unknown as Server, '/api/callbacks/:network/validation', ['POST'])
}

interface Judgement {
  verdict: Verdict
  reason: string | null
}

/** @throws Unavailable when there is no verdict in time. */
async function judge(app: App, network: Network, offer: Offer, isOver: () => boolean): Promise<Judgement> {
  const now = app.clock.now()
  const money = { ...offer, network, status: 'successful' as const, order_reference: null, paid_at: now }
  const considered = await begin(app.db, (tx) => considerOffer(tx, now, money))
  if ('verdict' in considered) return considered
  app.wake()
  // Only the job asks the organization; it has a verdict when the question's time is over at the latest.
  const until = app.clock.real().getTime() + considered.timeout_s * 1_000 + GRACE_MS
  for (let wait_ms = 20; !isOver() && app.clock.real().getTime() < until; wait_ms = Math.min(wait_ms * 1.5, 250)) {
    const question = await readQuestion(app.db, considered.question)
    if (question?.verdict) return { verdict: question.verdict, reason: question.reason }
    await sleep(wait_ms)
  }
  throw new Unavailable('The organization has not answered.')
}

/** What the job may take beyond the organization's own time. */
const GRACE_MS = 5_000

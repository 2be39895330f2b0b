import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/client.ts'
import { findAccountHolder } from './biller-accounts.ts'
import { findVend, sellOnce } from './biller-sales.ts'
import { billerBehaviourOf, scenarioOf } from './biller-scenarios.ts'
import { AccountBody, showVend, VendBody } from './biller-wire.ts'

/**
 * The simulated biller at the door of the simulated world: `POST /biller/vends`, `GET /biller/vends/:reference`,
 * `POST /biller/accounts`. Errors are `{ error, message }`; `error` is a code that never changes.
 */
export function addBillerRoutes(door: FastifyInstance, options: { db: Database; now(): Date }): void {
  const { db, now } = options

  door.post('/biller/vends', async (request, reply) => {
    const body = VendBody.safeParse(request.body)
    if (!body.success) {
      const message = body.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ')
      return reply.code(400).send({ error: 'invalid_order', message })
    }
    const play = billerBehaviourOf(scenarioOf(body.data.scenario, body.data.phone))
    if (play.answer_mode === 'broken')
      return reply.code(502).type('text/html').send('<html><h1>502 Bad Gateway</h1></html>')
    // Whoever hijacks a reply and does not write one leaves the caller waiting for as long as the caller likes.
    if (!play.accepts_sale) return reply.hijack()
    const sold = await sellOnce(db, now(), body.data)
    if (sold.outcome === 'conflict')
      return reply.code(409).send({ error: 'conflict', message: 'This reference belongs to another order.' })
    if (sold.first && play.answer_mode === 'never') return reply.hijack()
    if (sold.first && play.answer_delay_ms > 0) await sleep(play.answer_delay_ms)
    return showVend(sold.vend, now())
  })

  door.get<{ Params: { reference: string } }>('/biller/vends/:reference', async (request, reply) => {
    const vend = await findVend(db, request.params.reference)
    if (!vend) return reply.code(404).send({ error: 'vend_not_found', message: 'There is no such sale.' })
    if (billerBehaviourOf(vend.scenario).silent_on_check && vend.known_at > now()) return reply.hijack()
    return showVend(vend, now())
  })

  door.post('/biller/accounts', async (request, reply) => {
    const body = AccountBody.safeParse(request.body)
    if (!body.success) return reply.code(400).send({ error: 'invalid_query', message: 'This query cannot be read.' })
    const holder = findAccountHolder(body.data, now())
    if (!holder) return reply.code(404).send({ error: 'account_not_found', message: 'There is no such account.' })
    return holder
  })
}

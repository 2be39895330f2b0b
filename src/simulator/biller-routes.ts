import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/client.ts'
import { findAccountHolder } from './biller-accounts.ts'
import { createSales, findVend } from './biller-sales.ts'
import { billerBehaviourOf, scenarioOf } from './biller-scenarios.ts'
import { AccountBody, showVend, VendBody } from './biller-wire.ts'

/**
 * Add the routes of the simulated biller to the simulator's server: `POST /biller/vends`, `GET
 * /biller/vends/:reference`, `POST /biller/accounts`. Errors are `{ error, message }`; `error` is a code that never
 * changes.
 */
export function addBillerRoutes(server: FastifyInstance, options: { db: Database; now(): Date }): void {
  const { db, now } = options
  const sell = createSales(db, now)

  server.post('/biller/vends', async (request, reply) => {
    const body = VendBody.safeParse(request.body)
    if (!body.success) {
      const message = body.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ')
      return reply.code(400).send({ error: 'invalid_order', message })
    }
    const behaviour = billerBehaviourOf(scenarioOf(body.data.scenario, body.data.phone))
    if (behaviour.answer_mode === 'broken')
      return reply.code(502).type('text/html').send('<html><h1>502 Bad Gateway</h1></html>')
    // A hijacked reply without a text leaves the caller waiting until it gives up.
    if (!behaviour.accepts_sale) return reply.hijack()
    const sale = await sell(body.data)
    if (sale.outcome === 'conflict')
      return reply.code(409).send({ error: 'conflict', message: 'This reference belongs to another order.' })
    if (sale.first && behaviour.answer_mode === 'never') return reply.hijack()
    if (sale.first && behaviour.answer_delay_ms > 0) await sleep(behaviour.answer_delay_ms)
    return showVend(sale.vend, now())
  })

  server.get<{ Params: { reference: string } }>('/biller/vends/:reference', async (request, reply) => {
    const vend = await findVend(db, request.params.reference)
    if (!vend) return reply.code(404).send({ error: 'vend_not_found', message: 'There is no such sale.' })
    if (billerBehaviourOf(vend.scenario).silent_on_check && vend.known_at > now()) return reply.hijack()
    return showVend(vend, now())
  })

  server.post('/biller/accounts', async (request, reply) => {
    const body = AccountBody.safeParse(request.body)
    if (!body.success) return reply.code(400).send({ error: 'invalid_query', message: 'This query cannot be read.' })
    const holder = findAccountHolder(body.data, now())
    if (!holder) return reply.code(404).send({ error: 'account_not_found', message: 'There is no such account.' })
    return holder
  })
}

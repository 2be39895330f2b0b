import { z } from 'zod'
import { oldOrders } from '../../actions/attestation-context.ts'
import type { App } from '../../app.ts'
import { Attestation, listAttestations } from '../../core/attestations/attestation.ts'
import { findTarget, ListedOrder, listOrders } from '../../core/attestations/targets.ts'
import { listOrderAnswers } from '../../core/connections/network-orders.ts'
import { amount, booleanField, timestamp } from '../../core/fields.ts'
import type { Server } from '../../http/server.ts'
import { addAttestations } from './attestations.ts'

/** Maximum orders in the list. */
const MAX_LISTED = 200

/** Answer of a network about an order, for each change of the outcome. */
const Answer = z.object({
  at: timestamp,
  source: z.string(),
  outcome: z.string(),
  remote_id: z.string().nullable(),
  amount: amount.nullable(),
  code: z.string().nullable(),
  message: z.string().nullable(),
})

/** Add the routes for orders to networks and billers, and for their manual settlement where no answer can come. */
export function addOrders(server: Server, app: App): void {
  const url = '/console/api/orders'
  server.get(url, {
    config: { permission: 'view' },
    schema: {
      querystring: z.object({
        needs_attention: booleanField.optional(),
        open: booleanField.optional(),
        connection: z.string().max(100).optional(),
      }),
      response: { 200: z.object({ results: z.array(ListedOrder) }) },
    },
    handler: async ({ caller: { organization }, query }) => ({
      results: await app.reads.read((db) =>
        listOrders(db, { organization, ...query, old: oldOrders(app) }, MAX_LISTED),
      ),
    }),
  })

  server.get(`${url}/:reference`, {
    config: { permission: 'view' },
    schema: {
      params: z.object({ reference: z.string().min(1).max(100) }),
      response: { 200: z.object({ answers: z.array(Answer), attestations: z.array(Attestation) }) },
    },
    handler: ({ caller: { organization }, params: { reference } }) =>
      app.reads.snapshot(async (tx) => {
        const { order } = await findTarget(tx, reference, organization)
        const { rows: attestations } = await listAttestations(
          tx,
          { organization, reference },
          { limit: MAX_LISTED, offset: 0 },
        )
        return { answers: order ? await listOrderAnswers(tx, [order.id]) : [], attestations }
      }),
  })
  addAttestations(server, app)
}

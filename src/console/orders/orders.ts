import { z } from 'zod'
import { oldOrders } from '../../actions/attestation-context.ts'
import { addView } from '../../actions/lists/views.ts'
import type { App } from '../../app.ts'
import { listOrderAnswers } from '../../core/connections/network-orders.ts'
import { amount, booleanField, timestamp } from '../../core/fields.ts'
import { Attestation, listAttestations } from '../../core/manual-settlements/attestation.ts'
import { findTarget, ListedOrder, listOrders } from '../../core/manual-settlements/targets.ts'
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
  addView(server, app, {
    url,
    permission: 'view',
    query: z.object({
      needs_attention: booleanField.optional(),
      open: booleanField.optional(),
      connection: z.string().max(100).optional(),
    }),
    answer: z.object({ results: z.array(ListedOrder) }),
    source: 'statement',
    read: async (db, { organization, query }) => ({
      results: await listOrders(db, { organization, ...query, old: oldOrders(app) }, MAX_LISTED),
    }),
  })
  addView(server, app, {
    url: `${url}/:reference`,
    permission: 'view',
    params: z.object({ reference: z.string().min(1).max(100) }),
    answer: z.object({ answers: z.array(Answer), attestations: z.array(Attestation) }),
    async read(db, { organization, params: { reference } }) {
      const { order, purchase } = await findTarget(db, reference, organization)
      const page = { limit: MAX_LISTED, offset: 0 }
      const { rows: attestations } = await listAttestations(db, { organization, reference }, page)
      return { answers: purchase ? [] : await listOrderAnswers(db, [order.id]), attestations }
    },
  })
  addAttestations(server, app)
}

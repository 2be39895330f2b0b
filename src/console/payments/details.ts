import { z } from 'zod'
import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { booleanField, integer } from '../../core/fields.ts'
import { LatePayout, listLatePayouts } from '../../core/payments/late-payouts.ts'
import { PaymentDetails, readPaymentDetails } from '../../core/payments/payment-details.ts'
import { PaymentTimelineEntry, readPaymentTimeline } from '../../core/payments/payment-timeline.ts'
import { findPaymentsById } from '../../core/payments/payments.ts'
import { findPaymentSummaries } from '../../core/payments/summaries.ts'
import { RequestAction, readActions } from '../../core/request-actions.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { queueOf } from './approvals.ts'

/** The routes with the people, recipients, names and fees of a payment, and with its history. */
export function addPaymentDetails(server: Server, app: App): void {
  const url = '/console/api/payments/:id/details'
  server.get(url, {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: PaymentDetails } },
    handler: ({ caller, params: { id } }) =>
      app.reads.snapshot(async (tx) => {
        const payment = requireOwned(caller.organization, (await findPaymentSummaries(tx, [id])).get(id))
        return readPaymentDetails(tx, app.clock.now(), payment, queueOf(caller))
      }),
  })

  addRefundReasons(server, app)
  addLatePayouts(server, app)
  const timeline = '/console/api/payments/:id/timeline'
  server.get(timeline, {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: z.object({ results: z.array(PaymentTimelineEntry) }) } },
    handler: async ({ caller, params: { id } }) => ({
      results: await app.reads.snapshot(async (tx) => {
        const payment = requireOwned(caller.organization, (await findPaymentsById(tx, [id])).get(id))
        return readPaymentTimeline(tx, payment)
      }),
    }),
  })
}

/** The route that says why a refund was made. A payment that refunds nothing, or without a reason, has no entry. */
function addRefundReasons(server: Server, app: App): void {
  const url = '/console/api/payments/:id/actions'
  server.get(url, {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: z.object({ results: z.array(RequestAction) }) } },
    handler: async ({ caller, params: { id: payment } }) => {
      requireOwned(caller.organization, (await app.reads.read((db) => findPaymentsById(db, [payment]))).get(payment))
      return { results: await app.reads.read((db) => readActions(db, { payment })) }
    },
  })
}

/** Add the list of money that a network sent after it had reported a failure. */
function addLatePayouts(server: Server, app: App): void {
  server.get('/console/api/late-payouts', {
    config: { permission: 'view' },
    schema: {
      querystring: z.object({ payment: integer().optional(), open: booleanField.optional() }),
      response: { 200: z.object({ results: z.array(LatePayout) }) },
    },
    handler: async ({ caller: { organization }, query }) => ({
      results: await listLatePayouts(app.db, { organization, ...query }),
    }),
  })
}

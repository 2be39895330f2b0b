import { z } from 'zod'
import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { PaymentDetails, readPaymentDetails } from '../../core/payments/payment-details.ts'
import { PaymentTimelineEntry, readPaymentTimeline } from '../../core/payments/payment-timeline.ts'
import { findPaymentsById } from '../../core/payments/payments.ts'
import { listPaymentRecipients, PaymentRecipient, recipientFilters } from '../../core/payments/recipients.ts'
import { findPaymentSummaries } from '../../core/payments/summaries.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
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

  addRecipients(server, app)
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

function addRecipients(server: Server, app: App): void {
  const url = '/console/api/payments/:id/recipients'
  server.get(url, {
    config: { permission: 'view' },
    schema: { params: idParams, querystring: listQuery(recipientFilters), response: { 200: listOf(PaymentRecipient) } },
    handler: async (request) => {
      const { caller, params, query } = request
      const page = readPage(query, orderings)
      const list = await app.reads.snapshot(async (tx) => {
        const found = await findPaymentSummaries(tx, [params.id])
        const payment = requireOwned(caller.organization, found.get(params.id))
        return listPaymentRecipients(tx, payment, query, page)
      })
      return answerPage(app, request, page, list)
    },
  })
}

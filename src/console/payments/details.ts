import { z } from 'zod'
import { addView } from '../../actions/lists/views.ts'
import type { App } from '../../app.ts'
import { booleanField, integer } from '../../core/fields.ts'
import { LatePayout, listLatePayouts } from '../../core/payments/late-payouts.ts'
import { PaymentDetails, readPaymentDetails } from '../../core/payments/payment-details.ts'
import { PaymentTimelineEntry, readPaymentTimeline } from '../../core/payments/payment-timeline.ts'
import { findPaymentsById } from '../../core/payments/payments.ts'
import { findPaymentSummaries } from '../../core/payments/summaries.ts'
import { RequestAction, readActions } from '../../core/request-actions.ts'
import type { AnyReader } from '../../db/client.ts'
import type { Server } from '../../http/server.ts'
import { queueOf } from './approvals.ts'

/** The routes with the people, recipients, names and fees of a payment, with its history, and late payouts. */
export function addPaymentDetails(server: Server, app: App): void {
  const url = '/console/api/payments/:id'
  const permission = 'view'
  const of = async (db: AnyReader, { id }: { id: number }) => (await findPaymentsById(db, [id])).get(id)
  addView(server, app, {
    url: `${url}/details`,
    permission,
    answer: PaymentDetails,
    of: async (db, { id }) => (await findPaymentSummaries(db, [id])).get(id),
    read: (db, { of: payment, now, request }) => readPaymentDetails(db, now, payment, queueOf(request.caller)),
  })
  addView(server, app, {
    url: `${url}/timeline`,
    permission,
    answer: z.object({ results: z.array(PaymentTimelineEntry) }),
    of,
    read: async (db, { of: payment }) => ({ results: await readPaymentTimeline(db, payment) }),
  })
  // Why a refund was made. A payment that refunds nothing, or without a reason, has no entry.
  addView(server, app, {
    url: `${url}/actions`,
    permission,
    answer: z.object({ results: z.array(RequestAction) }),
    source: 'statement',
    of,
    read: async (db, { of: { id: payment } }) => ({ results: await readActions(db, { payment }) }),
  })
  // Money that a network sent after it had reported a failure.
  addView(server, app, {
    url: '/console/api/late-payouts',
    permission,
    query: z.object({ payment: integer().optional(), open: booleanField.optional() }),
    answer: z.object({ results: z.array(LatePayout) }),
    source: 'statements',
    read: async (db, { organization, query }) => ({ results: await listLatePayouts(db, { organization, ...query }) }),
  })
}

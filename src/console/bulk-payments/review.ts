import type { App } from '../../app.ts'
import { networksForPayouts } from '../../connections/payout-networks.ts'
import { lockBulkPayment, requireEditable } from '../../core/payments/bulk/drafts.ts'
import { reviewBulkPayment } from '../../core/payments/bulk/review.ts'
import { checkStart } from '../../core/payments/bulk/start.ts'
import { begin } from '../../db/client.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { SignedReview, sign } from '../payments/reviews.ts'

/**
 * Add the review of a file before its start. It checks the rows once more, as the start does. The names are those that
 * *Check names* has brought.
 */
export function addBulkReview(server: Server, app: App): void {
  const chooseNetwork = networksForPayouts(app.connections)
  server.post('/console/api/bulk-payments/:id/review', {
    config: { permission: 'initiate_payments' },
    schema: { params: idParams, response: { 200: SignedReview } },
    handler: async (request) => {
      const { organization, user } = request.caller
      const { refusal, reviewed } = await begin(app.db, async (tx) => {
        const now = app.clock.now()
        const draft = await lockBulkPayment(tx, organization, request.params.id)
        requireEditable(draft)
        const refusal = await checkStart(tx, now, draft, chooseNetwork)
        return { refusal, reviewed: refusal ? undefined : await reviewBulkPayment(tx, now, draft, user) }
      })
      if (!reviewed) throw refusal
      return sign(app, request, reviewed.review, reviewed.digest)
    },
  })
}

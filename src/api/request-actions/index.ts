import { addApiRoute } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { prepareRefund } from '../../connections/refunds.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { requestsById } from '../../core/collections/requests.ts'
import { refundRequestAction } from '../../core/follow-ups/actions.ts'
import { newRefundBody } from '../../core/payments/new-refund.ts'
import { Payment } from '../../core/payments/payments.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'

/** Add the refund of a collection request. It is a payment, so it needs that permission and may need an approval. */
export function addRequestRefund(server: Server, app: App): void {
  addApiRoute(server, app, refundRequestAction, {
    method: 'POST',
    url: '/api/collectionrequests/:id/refund',
    words: {
      tag: 'Collection requests',
      operation: 'refundCollectionRequest',
      summary: 'Refund a request, in full or in part',
      description:
        'Creates a payment to the phone that paid, with the approvals, limits and fees of every payment. All refunds of a request never exceed what was paid.',
    },
    body: newRefundBody,
    answer: Payment,
    status: 201,
    // The body has required fields, but a caller must first hear that the request belongs to another organization.
    preValidation: async (request) => {
      const id = idParams.safeParse(request.params).data?.id
      if (id !== undefined) requireOwned(request.caller.organization, (await requestsById(app.db, [id])).get(id))
    },
    async input({ params: { id }, body, reviewed }) {
      const collection = (await requestsById(app.db, [id])).get(id)?.collection ?? null
      const prepared = await prepareRefund(app, { collection, amount: body.amount })
      return { ...body, id, prepared, reviewed }
    },
  })
}

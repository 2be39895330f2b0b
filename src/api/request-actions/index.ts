import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { prepareRefund } from '../../connections/refunds.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { PaymentLink } from '../../core/checkout/payment-link.ts'
import { CollectionRequest } from '../../core/collections/collection-request.ts'
import { requestsById } from '../../core/collections/requests.ts'
import {
  refundRequestAction,
  remindCustomerAction,
  retryRequestAction,
  sendPaymentLinkAction,
} from '../../core/follow-ups/actions.ts'
import { newRefundBody } from '../../core/payments/new-refund.ts'
import { Payment } from '../../core/payments/payments.ts'
import { RequestAction } from '../../core/request-actions.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { writeHeaders } from '../headers.ts'
import { actionBody, sentLinkBody } from './bodies.ts'

const TAG = 'Collection requests'
const PATH = '/api/collectionrequests/:id'
const ofRequest = { tags: [TAG], headers: writeHeaders, params: idParams }
const collects = { permission: 'initiate_collections' } as const

/** Add the actions on a collection request: remind, retry, send a payment link, refund, and their list. */
export function addRequestActions(server: Server, app: App): void {
  addReminder(server, app)
  addRetry(server, app)
  addSentLink(server, app)
  addRefund(server, app)
}

function addReminder(server: Server, app: App): void {
  server.post(`${PATH}/remind`, {
    config: collects,
    schema: {
      ...ofRequest,
      operationId: 'remindCustomer',
      summary: 'Resend the instructions of an open request',
      description:
        'Sends the SMS with the instructions again, and brings a next prompt forward. Limits and quiet hours apply; the refusal says when the next reminder is possible.',
      body: actionBody,
      response: { 201: RequestAction },
    },
    handler: async (request, reply) =>
      reply.code(201).send((await performAction(app, request, remindCustomerAction)).made),
  })
}

function addRetry(server: Server, app: App): void {
  server.post(`${PATH}/retry`, {
    config: collects,
    schema: {
      ...ofRequest,
      operationId: 'retryCollectionRequest',
      summary: 'Retry a failed or expired request',
      description:
        'Creates a new request with the same phone, amount, reason and metadata. It is refused while the old one may still be paid, or is paid.',
      body: actionBody,
      response: { 201: CollectionRequest },
    },
    handler: async (request, reply) =>
      reply.code(201).send((await performAction(app, request, retryRequestAction)).made),
  })
}

function addSentLink(server: Server, app: App): void {
  server.post(`${PATH}/paymentlink`, {
    config: collects,
    schema: {
      ...ofRequest,
      operationId: 'sendPaymentLink',
      summary: 'Send a payment link for a failed or expired request',
      description:
        'Creates a single-use payment link for the same amount, and sends it to the customer by SMS. It expires after seven days, or at `expiry_date`.',
      body: sentLinkBody,
      response: { 201: PaymentLink },
    },
    handler: async (request, reply) =>
      reply.code(201).send((await performAction(app, request, sendPaymentLinkAction)).made),
  })
}

/** A refund is a payment, so it needs the permission for payments and may need an approval. */
function addRefund(server: Server, app: App): void {
  server.post(`${PATH}/refund`, {
    config: { permission: 'initiate_payments' },
    schema: {
      ...ofRequest,
      operationId: 'refundCollectionRequest',
      summary: 'Refund a request, in full or in part',
      description:
        'Creates a payment to the phone that paid, with the approvals, limits and fees of every payment. All refunds of a request never exceed what was paid.',
      body: newRefundBody,
      response: { 201: Payment },
    },
    // The body has required fields, but a caller must first hear that the request belongs to another organization.
    preValidation: async (request) => {
      const id = idParams.safeParse(request.params).data?.id
      if (id !== undefined) requireOwned(request.caller.organization, (await requestsById(app.db, [id])).get(id))
    },
    handler: async (request, reply) => {
      const { params, body, reviewed } = request
      const { id } = params
      const collection = (await requestsById(app.db, [id])).get(id)?.collection ?? null
      const prepared = await prepareRefund(app, { collection, amount: body.amount })
      const input = { ...body, id, prepared, reviewed }
      return reply.code(201).send(await performAction(app, request, refundRequestAction, { input }))
    },
  })
}

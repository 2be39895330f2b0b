import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { changePaymentLinkAction, createPaymentLinkAction } from '../../core/checkout/actions.ts'
import { newPaymentLinkBody, paymentLinkChangesBody } from '../../core/checkout/new-link.ts'
import { PaymentLink } from '../../core/checkout/payment-link.ts'
import { collectionCurrencies } from '../../core/ledger/currencies.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { writeHeaders } from '../headers.ts'

/** Add the payment links: pages on which customers pay. The pages themselves are in `src/pay`. */
export function addPaymentLinks(server: Server, app: App): void {
  addCreate(server, app)
  addChange(server, app)
}

function addCreate(server: Server, app: App): void {
  server.post('/api/paymentlinks', {
    config: { permission: 'initiate_collections' },
    schema: {
      tags: ['Payment links'],
      operationId: 'createPaymentLink',
      summary: 'Create a payment link',
      description:
        'Creates a page on which customers type their phone number and pay. The amount is fixed, chosen from a list, or typed by the customer.',
      headers: writeHeaders,
      body: newPaymentLinkBody(collectionCurrencies(app.config)),
      response: { 201: PaymentLink },
    },
    handler: async (request, reply) => reply.code(201).send(await performAction(app, request, createPaymentLinkAction)),
  })
}

function addChange(server: Server, app: App): void {
  server.patch('/api/paymentlinks/:id', {
    config: { permission: 'initiate_collections' },
    schema: {
      tags: ['Payment links'],
      operationId: 'changePaymentLink',
      summary: 'Change, close or open a payment link',
      description: 'Changes the fields that the body has. `state` closes the link, or opens it again.',
      params: idParams,
      body: paymentLinkChangesBody,
      response: { 200: PaymentLink },
    },
    handler: (request) => performAction(app, request, changePaymentLinkAction),
  })
}

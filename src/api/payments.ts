import { addObject } from '../actions/lists/views.ts'
import { addApiRoute } from '../actions/routes.ts'
import type { App } from '../app.ts'
import { prepareNewPayment } from '../connections/payouts/new-payment.ts'
import { createPaymentAction } from '../core/payments/actions.ts'
import { checkRecipientRows, newPaymentBody } from '../core/payments/new-payment.ts'
import { findPaymentsById, Payment } from '../core/payments/payments.ts'
import type { Server } from '../http/server.ts'

/** Add the payments: money or airtime that the organization sends. */
export function addPayments(server: Server, app: App): void {
  addCreate(server, app)
  addGet(server, app)
}

function addCreate(server: Server, app: App): void {
  addApiRoute(server, app, createPaymentAction, {
    method: 'POST',
    url: '/api/payments',
    words: {
      tag: 'Payments',
      operation: 'createPayment',
      summary: 'Send money or airtime to one or more phones',
      description:
        'Holds the amount in the wallet and sends it after its approvals. The answer does not wait for that: read the state later, or use a webhook.',
    },
    body: newPaymentBody,
    answer: Payment,
    status: 201,
    preValidation: (request) => checkRecipientRows(request.body),
    input: async ({ caller, body, reviewed }) => ({
      payment: { ...(await prepareNewPayment(app, caller, body)), reviewed },
    }),
  })
}

function addGet(server: Server, app: App): void {
  const words = {
    tag: 'Payments',
    operation: 'getPayment',
    summary: 'Get one payment',
    description: 'Returns the payment with its recipients, approvals and transactions.',
  }
  addObject(server, app, { url: '/api/payments/:id', permission: 'view', words, answer: Payment }, findPaymentsById)
}

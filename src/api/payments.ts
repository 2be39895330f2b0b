import type { App } from '../app.ts'
import { prepareNewPayment } from '../connections/payouts/new-payment.ts'
import { requireOwned } from '../core/access/organizations.ts'
import { createDuplicateKeyClaim } from '../core/idempotency.ts'
import { createPayments, type NewPayment } from '../core/payments/create.ts'
import { checkRecipientRows, newPaymentBody } from '../core/payments/new-payment.ts'
import { findPaymentsById, Payment } from '../core/payments/payments.ts'
import { idParams } from '../http/lists.ts'
import type { Server } from '../http/server.ts'
import { createAuditedWrite, createBatchedRead } from './batched-calls.ts'
import { writeHeaders } from './headers.ts'

/** Add the payments: money or airtime that the organization sends. */
export function addPayments(server: Server, app: App): void {
  addCreate(server, app)
  addGet(server, app)
}

function addCreate(server: Server, app: App): void {
  const create = createAuditedWrite(app, {
    action: { action: 'create payment', object_type: 'payment' },
    create: (tx, items: NewPayment[]) => createPayments(tx, app.clock.now(), items),
  })

  server.post('/api/payments', {
    config: { permission: 'initiate_payments' },
    schema: {
      tags: ['Payments'],
      operationId: 'createPayment',
      summary: 'Send money or airtime to one or more phones',
      description:
        'Holds the amount in the wallet and sends it after its approvals. The answer does not wait for that: read the state later, or use a webhook.',
      headers: writeHeaders,
      body: newPaymentBody,
      response: { 201: Payment },
    },
    preValidation: (request) => checkRecipientRows(request.body),
    handler: async (request, reply) => {
      const { caller, body } = request
      const key = request.headers['duplicate-check-key']
      const { organization } = caller
      const claim = key ? createDuplicateKeyClaim(organization, key) : undefined
      const input = await prepareNewPayment(app, { organization, user: caller.user, claim }, body)
      const created = await create(request, { ...input, reviewed: request.reviewed })
      app.wake()
      return reply.code(201).send(created)
    },
  })
}

function addGet(server: Server, app: App): void {
  const find = createBatchedRead(app, async (ids: number[]) => {
    const payments = await app.reads.read((db) => findPaymentsById(db, ids))
    return ids.map((id) => payments.get(id))
  })

  server.get('/api/payments/:id', {
    config: { permission: 'view' },
    schema: {
      tags: ['Payments'],
      operationId: 'getPayment',
      summary: 'Get one payment',
      description: 'Returns the payment with its recipients, approvals and transactions.',
      params: idParams,
      response: { 200: Payment },
    },
    handler: async (request) => requireOwned(request.caller.organization, await find(request.params.id)),
  })
}

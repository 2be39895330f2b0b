import { z } from 'zod'
import type { App } from '../../app.ts'
import type { Permission } from '../../core/access/api-keys.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { booleanField, integer, requiredText } from '../../core/fields.ts'
import { approvePayment, cancelPayment, type Decision, rejectPayment } from '../../core/payments/approvals.ts'
import { requireNoFile } from '../../core/payments/bulk/approval.ts'
import { LatePayout, listLatePayouts, reviewLatePayouts } from '../../core/payments/late-payouts.ts'
import { findPaymentsById, Payment } from '../../core/payments/payments.ts'
import { RequestAction, readActions } from '../../core/request-actions.ts'
import { begin, type Tx } from '../../db/client.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { recordRequestAction } from '../audit.ts'
import { requireSession } from '../guard.ts'

/** The routes that approve, reject and cancel payments. */
export function addDecisions(server: Server, app: App): void {
  const Reason = z.object({ reason: requiredText(500) })
  addDecision(server, app, 'approve', 'approve_payments', z.unknown(), (tx, now, decision) =>
    approvePayment(tx, now, decision),
  )
  addDecision(server, app, 'reject', 'approve_payments', Reason, (tx, now, decision, { reason }) =>
    rejectPayment(tx, now, { ...decision, reason }),
  )
  addDecision(server, app, 'cancel', 'initiate_payments', Reason, (tx, now, decision, { reason }) =>
    cancelPayment(tx, now, { ...decision, reason }),
  )
}

function addDecision<Body extends z.ZodType>(
  server: Server,
  app: App,
  verb: string,
  permission: Permission,
  body: Body,
  decide: (tx: Tx, now: Date, decision: Decision, input: z.output<Body>) => Promise<unknown>,
): void {
  const url = `/console/api/payments/:id/${verb}`
  server.post(url, {
    config: { permission },
    schema: { params: idParams, body, response: { 200: Payment } },
    handler: async (request) => {
      const { organization, user } = request.caller
      const { id } = request.params as z.output<typeof idParams>
      const decided = await begin(app.db, async (tx) => {
        requireOwned(organization, (await findPaymentsById(tx, [id])).get(id))
        if (permission === 'approve_payments') await requireNoFile(tx, organization, id)
        const decision = { organization, payment: id, user }
        await decide(tx, app.clock.now(), decision, request.body as z.output<Body>)
        await recordRequestAction(tx, app, request, { action: `${verb} payment`, object_type: 'payment', object: id })
        return (await findPaymentsById(tx, [id])).get(id)!
      })
      app.wake()
      return decided
    },
  })
}

/** The route that says why a refund was made. A payment that refunds nothing, or without a reason, has no entry. */
export function addRefundReasons(server: Server, app: App): void {
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

/** The routes for money that a network sent after it had reported a failure: the list, and that a person has looked into it. */
export function addLatePayouts(server: Server, app: App): void {
  const List = z.object({ results: z.array(LatePayout) })
  server.get('/console/api/late-payouts', {
    config: { permission: 'view' },
    schema: {
      querystring: z.object({ payment: integer().optional(), open: booleanField.optional() }),
      response: { 200: List },
    },
    handler: async ({ caller: { organization }, query }) => ({
      results: await listLatePayouts(app.db, { organization, ...query }),
    }),
  })

  server.post('/console/api/payments/:id/review', {
    config: { permission: 'initiate_payments' },
    schema: { params: idParams, response: { 200: List } },
    handler: async (request) => {
      const { organization, user } = request.caller
      const { id: payment } = request.params
      const by = { user, name: requireSession(request).name }
      const results = await begin(app.db, async (tx) => {
        requireOwned(organization, (await findPaymentsById(tx, [payment])).get(payment))
        return reviewLatePayouts(tx, app.clock.now(), { payment, by })
      })
      return { results }
    },
  })
}

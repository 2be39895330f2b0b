import { z } from 'zod'
import type { App } from '../../app.ts'
import { requiredText } from '../../core/fields.ts'
import { approvePayment, type Decision, rejectPayment } from '../../core/payments/approvals.ts'
import { readBulkPayment } from '../../core/payments/bulk/read.ts'
import { BulkPaymentDetail } from '../../core/payments/bulk/row.ts'
import { begin, type Tx } from '../../db/client.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { recordRequestAction } from '../audit.ts'

/** The routes that approve or reject all payments of a file that wait for a second person: all of them or none. */
export function addBulkDecisions(server: Server, app: App): void {
  const Reason = z.object({ reason: requiredText(500) })
  addDecision(server, app, 'approve', z.unknown(), approvePayment)
  addDecision(server, app, 'reject', Reason, (tx, now, decision, { reason }) =>
    rejectPayment(tx, now, { ...decision, reason }),
  )
}

function addDecision<Body extends z.ZodType>(
  server: Server,
  app: App,
  verb: 'approve' | 'reject',
  body: Body,
  decide: (tx: Tx, now: Date, decision: Decision, input: z.output<Body>) => Promise<unknown>,
): void {
  const url = `/console/api/bulk-payments/:id/${verb}`
  server.post(url, {
    config: { permission: 'approve_payments' },
    schema: { params: idParams, body, response: { 200: BulkPaymentDetail } },
    handler: async (request) => {
      const { organization, user } = request.caller
      const { id } = request.params as z.output<typeof idParams>
      const decided = await begin(app.db, async (tx) => {
        const { awaiting_approval } = await readBulkPayment(tx, organization, id)
        for (const payment of awaiting_approval) {
          await decide(tx, app.clock.now(), { organization, payment, user }, request.body as z.output<Body>)
          const action = { action: `${verb} payment`, object_type: 'payment', object: payment } as const
          await recordRequestAction(tx, app, request, action)
        }
        return readBulkPayment(tx, organization, id)
      })
      app.wake()
      return decided
    },
  })
}

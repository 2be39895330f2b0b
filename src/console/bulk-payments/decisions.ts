import { z } from 'zod'
import type { App } from '../../app.ts'
import { requiredText } from '../../core/fields.ts'
import { approveBulkPayment, type FileDecision, rejectBulkPayment } from '../../core/payments/bulk/approval.ts'
import { readBulkPayment } from '../../core/payments/bulk/read.ts'
import { BulkPaymentDetail } from '../../core/payments/bulk/row.ts'
import { findWaitingFile, WaitingFile } from '../../core/payments/bulk/waiting-files.ts'
import { begin, type Tx } from '../../db/client.ts'
import { withSnapshot } from '../../db/snapshot.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { recordRequestAction } from '../audit.ts'
import { queueOf } from '../payments/approvals.ts'

/** The routes that approve or reject all payments of a file that wait for a second person: all of them or none. */
export function addBulkDecisions(server: Server, app: App): void {
  const Reason = z.object({ reason: requiredText(500) })
  addDecision(server, app, 'approve', z.unknown(), approveBulkPayment)
  addDecision(server, app, 'reject', Reason, (tx, now, decision, { reason }) =>
    rejectBulkPayment(tx, now, { ...decision, reason }),
  )
  server.get('/console/api/bulk-payments/:id/approval', {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: z.object({ file: WaitingFile.nullable() }) } },
    handler: ({ caller, params: { id } }) =>
      withSnapshot(app.db, async (tx) => {
        await readBulkPayment(tx, caller.organization, id)
        return { file: await findWaitingFile(tx, app.clock.now(), queueOf(caller), id) }
      }),
  })
}

function addDecision<Body extends z.ZodType>(
  server: Server,
  app: App,
  verb: 'approve' | 'reject',
  body: Body,
  decide: (tx: Tx, now: Date, decision: FileDecision, input: z.output<Body>) => Promise<number[]>,
): void {
  const url = `/console/api/bulk-payments/:id/${verb}`
  server.post(url, {
    config: { permission: 'approve_payments' },
    schema: { params: idParams, body, response: { 200: BulkPaymentDetail } },
    handler: async (request) => {
      const { organization, user } = request.caller
      const { id } = request.params as z.output<typeof idParams>
      const decided = await begin(app.db, async (tx) => {
        const decision = { organization, bulk_payment: id, user }
        const payments = await decide(tx, app.clock.now(), decision, request.body as z.output<Body>)
        await recordRequestAction(tx, app, request, {
          action: `${verb} bulk payment`,
          object_type: 'bulkpayment',
          object: id,
          details: { payments: payments.length },
        })
        for (const payment of payments) {
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

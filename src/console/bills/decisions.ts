import { z } from 'zod'
import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { approvePurchase, type PurchaseDecision, rejectPurchase } from '../../core/bills/approvals.ts'
import { awaitsApproval, findPurchasesById } from '../../core/bills/purchases.ts'
import { requiredText } from '../../core/fields.ts'
import { begin, type Tx } from '../../db/client.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { recordRequestAction } from '../audit.ts'

/** State of a purchase after a decision: whether it waits for more persons. It hides the goods. */
const DecidedPurchase = z.object({ id: z.int(), waits: z.boolean() })

/** The routes that approve and reject purchases that wait. */
export function addPurchaseDecisions(server: Server, app: App): void {
  const Reason = z.object({ reason: requiredText(500) })
  addDecision(server, app, 'approve', z.unknown(), approvePurchase)
  addDecision(server, app, 'reject', Reason, (tx, now, decision, { reason }) =>
    rejectPurchase(tx, now, { ...decision, reason }),
  )
}

function addDecision<Body extends z.ZodType>(
  server: Server,
  app: App,
  verb: 'approve' | 'reject',
  body: Body,
  decide: (tx: Tx, now: Date, decision: PurchaseDecision, input: z.output<Body>) => Promise<void>,
): void {
  const url = `/console/api/purchases/:id/${verb}`
  server.post(url, {
    config: { permission: 'approve_payments' },
    schema: { params: idParams, body, response: { 200: DecidedPurchase } },
    handler: async (request) => {
      const { organization, user } = request.caller
      const { id } = request.params as z.output<typeof idParams>
      const decided = await begin(app.db, async (tx) => {
        requireOwned(organization, (await findPurchasesById(tx, [id])).get(id))
        const decision = { organization, purchase: id, user }
        await decide(tx, app.clock.now(), decision, request.body as z.output<Body>)
        await recordRequestAction(tx, app, request, { action: `${verb} purchase`, object_type: 'purchase', object: id })
        return (await findPurchasesById(tx, [id])).get(id)!
      })
      app.wake()
      return { id, waits: awaitsApproval(decided) }
    },
  })
}

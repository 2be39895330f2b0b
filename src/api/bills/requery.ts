import { z } from 'zod'
import type { App } from '../../app.ts'
import { findPurchase, type Purchase } from '../../core/bills/purchases.ts'
import { BillRefusal, invalidField } from '../../core/bills/refusals.ts'
import { toBillResult } from '../../core/bills/results.ts'
import { documented, fieldMessages, optional, requiredText } from '../../core/fields.ts'
import type { Server } from '../../http/server.ts'
import { agentReference } from './fields.ts'
import { answerPurchase, purchaseAnswer } from './results.ts'

/** Add the requery of a purchase. Each requery returns the first result again, with its token. */
export function addRequery(server: Server, app: App): void {
  const url = '/superagent/transaction/requery'
  server.get(url, {
    schema: {
      tags: ['Bill payments'],
      operationId: 'requeryPurchase',
      summary: 'Get the result of a purchase',
      description:
        'Returns the result again, with its token. Give `agentReference`, `reference` or `transactionReference`. An unknown purchase is refused with `BX0002`.',
      querystring: z.object({
        agentReference: documented(optional(agentReference), 'Your reference of the purchase.', 'order-17'),
        reference: documented(optional(agentReference), 'The same as `agentReference`, for newer clients.'),
        transactionReference: documented(
          optional(requiredText(40)),
          'The `transactionReference` of the purchase, instead of `agentReference`.',
          '10700149',
        ),
      }),
      response: { 200: purchaseAnswer },
    },
    handler: async (request, reply) => {
      const purchase = await findPurchase(app.db, request.caller.organization, purchaseKey(request.query))
      if (!purchase) throw new BillRefusal('BX0002')
      // A requery of an open purchase is a successful call, also when the outcome is unknown.
      const shown: Purchase = purchase.status === 'pending' ? { ...purchase, outcome: 'accepted' } : purchase
      return answerPurchase(request, reply, shown, requeryResult(purchase))
    },
  })
}

function purchaseKey(query: { agentReference?: string; reference?: string; transactionReference?: string }) {
  const agent_reference = query.agentReference ?? query.reference
  if (agent_reference !== undefined) return { agent_reference }
  const id = query.transactionReference
  if (id === undefined) throw invalidField('agentReference', fieldMessages.required)
  return { id: /^\d{1,16}$/.test(id) ? Number(id) : 0 }
}

/** The first result in the form of a requery: `baxiReference` as a string, and the data of the biller as `rawData`. */
function requeryResult(purchase: Purchase) {
  const result = toBillResult(purchase)
  if (purchase.status !== 'success') return result
  return {
    ...result,
    baxiReference: String(result.baxiReference),
    pins: result.pins ?? [],
    ...(result.rawOutput !== undefined && { rawData: result.rawOutput }),
  }
}

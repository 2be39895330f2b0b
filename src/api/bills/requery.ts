import { z } from 'zod'
import type { App } from '../../app.ts'
import { findPurchase, type Purchase } from '../../core/bills/purchases.ts'
import { BillRefusal, invalidField } from '../../core/bills/refusals.ts'
import { toBillResult } from '../../core/bills/results.ts'
import { documented, fieldMessages, optional, requiredText } from '../../core/fields.ts'
import { refuseOtherMethods } from '../../http/methods.ts'
import type { Server } from '../../http/server.ts'
import { envelopeOf } from './envelope.ts'
import { agentReference } from './fields.ts'
import { answerPurchase, PurchaseResult } from './results.ts'

/** What became of a purchase. The first result comes again, token included, however often it is asked for. */
export function addRequery(counter: Server, app: App): void {
  const url = '/superagent/transaction/requery'
  counter.get(url, {
    config: { allow: 'GET, HEAD, OPTIONS' },
    schema: {
      tags: ['Bill payments'],
      operationId: 'requeryPurchase',
      summary: 'Ask what became of a purchase',
      querystring: z.object({
        agentReference: documented(optional(agentReference), 'Your reference of the purchase.', 'order-17'),
        reference: documented(optional(agentReference), 'The same, as newer clients name it.'),
        transactionReference: documented(optional(requiredText(40)), 'Our number of it, instead.', '10700149'),
      }),
      response: { 200: envelopeOf(PurchaseResult) },
    },
    handler: async (request, reply) => {
      const purchase = await findPurchase(app.db, request.caller.organization, purchaseKey(request.query))
      if (!purchase) throw new BillRefusal('BX0002')
      // Asked for by itself, a purchase that is still open is no failed call, whatever its biller has said so far.
      const told: Purchase = purchase.status === 'pending' ? { ...purchase, outcome: 'accepted' } : purchase
      return answerPurchase(request, reply, told, requeryResult(purchase))
    },
  })
  refuseOtherMethods(counter, url, ['GET'])
}

function purchaseKey(query: { agentReference?: string; reference?: string; transactionReference?: string }) {
  const agent_reference = query.agentReference ?? query.reference
  if (agent_reference !== undefined) return { agent_reference }
  const number = query.transactionReference
  if (number === undefined) throw invalidField('agentReference', fieldMessages.required)
  return { id: /^\d{1,15}$/.test(number) ? Number(number) : 0 }
}

/** The first result, in the form that requeries have: the biller's number as a text, its own words as `rawData`. */
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

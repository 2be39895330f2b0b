import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { awaitsApproval, type Purchase } from '../../core/bills/purchases.ts'
import { BillRefusal } from '../../core/bills/refusals.ts'
import { failureMessage, toBillResult } from '../../core/bills/results.ts'
import { documented } from '../../core/fields.ts'
import { billErrorBody, billStatuses } from '../../http/bill-errors.ts'
import { envelopeOf, pending, success } from './envelope.ts'

/** Interface 2.9, electricity transaction result; the other kinds have the same form. */
export const PurchaseResult = z
  .looseObject({
    statusCode: documented(z.string().optional(), '`0` on success.', '0'),
    transactionStatus: documented(z.string(), '`success`, `pending` or `failed`.', 'success'),
    transactionReference: documented(z.int(), 'Id of the purchase.', 10700149),
    transactionMessage: documented(z.string().nullable(), 'Result as a text for people.', 'Payment Successful'),
    tokenCode: documented(z.string().optional(), 'Prepaid electricity: the token, 20 digits.', '12345678901234567890'),
    amountOfPower: documented(z.string().optional(), 'Prepaid electricity: the quantity in kWh.', '16.4KWH'),
    tokenAmount: documented(z.number().optional(), 'Prepaid electricity: the amount paid.', 1000),
  })
  .meta({ id: 'BillPurchaseResult' })

/** The answer to a purchase and to its requery. */
export const purchaseAnswer = envelopeOf(PurchaseResult).meta({
  description:
    '`status` is `pending` until the biller has finished the purchase, and while it waits for an approval. 503 with `BX0021`: the outcome is not known yet. In both cases the money stays on hold; read the final result with a requery.',
})

/**
 * Make the response for a purchase. A failed purchase has its result in `data`, so that clients can tell it from a
 * failed call.
 * @throws BillRefusal BX0021 while the outcome is unknown.
 */
export function answerPurchase(
  request: FastifyRequest,
  reply: FastifyReply,
  purchase: Purchase,
  data: z.output<typeof PurchaseResult> = toBillResult(purchase),
) {
  if (purchase.status === 'success') return success(data)
  if (purchase.status === 'failed') {
    const code = purchase.failure_code!
    const detail = failureMessage(purchase)
    const status = billStatuses[code]
    reply.code(status).type('application/json').serializer(JSON.stringify)
    return { ...billErrorBody({ status, detail, code }, request.id), data } as never
  }
  if (purchase.outcome !== 'accepted' && !awaitsApproval(purchase)) throw new BillRefusal('BX0021')
  return pending(data)
}

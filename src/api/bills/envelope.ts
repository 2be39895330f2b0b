import { z } from 'zod'
import { formatAmount, parseAmount } from '../../lib/money.ts'

const status = z.string().meta({
  id: 'BillStatus',
  description: '`success`, or `pending` for a purchase without a result yet.',
  examples: ['success'],
})

/** The schema of a successful bill-payment response (interface section 1, "Bill-payment envelope"). */
export function envelopeOf<Data extends z.ZodType>(data: Data) {
  return z.object({
    status,
    message: z.string().meta({ examples: ['Successful'] }),
    code: z.int().meta({ examples: [200] }),
    data,
  })
}

/** The envelope of a successful response. */
export function success<Data>(data: Data, message = 'Successful') {
  return { status: 'success', message, code: 200, data }
}

/** The envelope of a purchase that the biller has accepted and not finished; its amount stays on hold. */
export function pending<Data>(data: Data, message = 'Transaction is pending') {
  return { status: 'pending', message, code: 200, data }
}

/** An amount in bill-payment responses: a JSON number, exact for every possible balance of an account. */
export const amountNumber = z
  .codec(z.number(), z.bigint(), {
    decode: (wire) => parseAmount(String(wire)) ?? 0n,
    encode: (amount) => Number(formatAmount(amount)),
  })
  .meta({ examples: [1500] })

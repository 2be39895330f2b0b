import { z } from 'zod'
import { formatAmount, parseAmount } from '../../lib/money.ts'

/** The form of a good answer of the bill counter (interface section 1, "Bill-payment envelope"). */
export function envelopeOf<Data extends z.ZodType>(data: Data) {
  return z.object({
    status: z.string().meta({ description: 'What became of the call.', examples: ['success'] }),
    message: z.string().meta({ examples: ['Successful'] }),
    code: z.int().meta({ examples: [200] }),
    data,
  })
}

/** Wraps what was found or done. */
export function success<Data>(data: Data, message = 'Successful') {
  return { status: 'success', message, code: 200, data }
}

/** Wraps a purchase of which the biller says that it is under way; it is no failure, and its money is held. */
export function pending<Data>(data: Data, message = 'Transaction is pending') {
  return { status: 'pending', message, code: 200, data }
}

/** An amount as the bill counter writes it: a JSON number, exact for every amount that an account may hold. */
export const amountNumber = z
  .codec(z.number(), z.bigint(), {
    decode: (wire) => parseAmount(String(wire)) ?? 0n,
    encode: (amount) => Number(formatAmount(amount)),
  })
  .meta({ examples: [1500] })

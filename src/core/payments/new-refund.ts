import { z } from 'zod'
import { choiceError, documented, optional, positiveAmount, requiredText } from '../fields.ts'
import { refundReasons } from '../request-actions.ts'

/** Body of a refund: its amount and reason. `other` needs a comment. */
export const newRefundBody = z.preprocess(
  (given) => given ?? {},
  z
    .object({
      amount: optional(documented(positiveAmount, 'A part of the money; all that is left unless given.', '500')),
      reason: z
        .enum(refundReasons, { error: choiceError(refundReasons) })
        .meta({ description: 'Why the money goes back. `other` needs a comment.', examples: ['not_delivered'] }),
      comment: optional(documented(requiredText(500), 'Why, in own words; it is kept.', 'Sold out.')),
    })
    .superRefine(({ reason, comment }, context) => {
      if (reason === 'other' && comment === undefined)
        context.addIssue({ code: 'custom', path: ['comment'], message: 'Say in own words why the money goes back.' })
    })
    .meta({ id: 'NewRefund', examples: [{ amount: '500', reason: 'not_delivered', comment: 'Sold out.' }] }),
)

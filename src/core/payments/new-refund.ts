import { z } from 'zod'
import { getMessage } from '../../lib/messages/message.ts'
import { choiceError, documented, optional, positiveAmount, requiredText } from '../fields.ts'
import { refundReasons } from '../request-actions.ts'

/** Body of a refund: its amount and reason. `other` needs a comment. */
export const newRefundBody = z.preprocess(
  (given) => given ?? {},
  z
    .object({
      amount: optional(documented(positiveAmount, 'Part of the money. Default: all that is left.', '500')),
      reason: z
        .enum(refundReasons, { error: choiceError(refundReasons) })
        .meta({ description: 'Reason for the refund. `other` needs a comment.', examples: ['not_delivered'] }),
      comment: optional(documented(requiredText(500), 'Reason in your own words, kept on record.', 'Sold out.')),
    })
    .superRefine(({ reason, comment }, context) => {
      if (reason === 'other' && comment === undefined)
        context.addIssue({ code: 'custom', path: ['comment'], message: getMessage('refunds.other_reason') })
    })
    .meta({ id: 'NewRefund', examples: [{ amount: '500', reason: 'not_delivered', comment: 'Sold out.' }] }),
)

import { z } from 'zod'
import { expiryDate } from '../../core/checkout/new-link.ts'
import { refundReasons } from '../../core/collections/request-actions.ts'
import {
  documented,
  errorMessage,
  fieldMessages,
  optional,
  positiveAmount,
  requiredText,
  text,
} from '../../core/fields.ts'

const MAX_COMMENT_CHARACTERS = 500

const comment = optional(
  documented(text(MAX_COMMENT_CHARACTERS), 'Why, in own words; it is kept.', 'The customer asked on the phone.'),
)

/** A body that may be missing. */
function body<Fields extends z.ZodRawShape>(id: string, fields: Fields) {
  return z.preprocess((given) => given ?? {}, z.object(fields).meta({ id }))
}

/** The body of a reminder and of a retry. */
export const actionBody = body('NewRequestAction', { comment })

export const sentLinkBody = body('NewSentPaymentLink', { comment, expiry_date: optional(expiryDate) })

/** What a refund says: the amount and why. `other` needs own words. */
export const refundFields = {
  amount: optional(documented(positiveAmount, 'A part of the money; all that is left unless given.', '500')),
  reason: z
    .enum(refundReasons, { error: errorMessage(fieldMessages.choice) })
    .meta({ description: 'Why the money goes back. `other` needs a comment.', examples: ['not_delivered'] }),
  comment: optional(documented(requiredText(MAX_COMMENT_CHARACTERS), 'Why, in own words; it is kept.', 'Sold out.')),
}

/** @see refundFields */
export const refundBody = z.preprocess(
  (given) => given ?? {},
  z
    .object(refundFields)
    .superRefine(({ reason, comment: words }, context) => {
      if (reason === 'other' && words === undefined)
        context.addIssue({ code: 'custom', path: ['comment'], message: 'Say in own words why the money goes back.' })
    })
    .meta({ id: 'NewRefund', examples: [{ amount: '500', reason: 'not_delivered', comment: 'Sold out.' }] }),
)

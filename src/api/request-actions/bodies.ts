import { z } from 'zod'
import { expiryDate } from '../../core/checkout/new-link.ts'
import { documented, optional, text } from '../../core/fields.ts'

const MAX_COMMENT_CHARACTERS = 500

const comment = optional(
  documented(
    text(MAX_COMMENT_CHARACTERS),
    'Reason in your own words, kept on record.',
    'The customer asked on the phone.',
  ),
)

/** Return the schema of an optional body. */
function body<Fields extends z.ZodRawShape>(id: string, fields: Fields) {
  return z.preprocess((given) => given ?? {}, z.object(fields).meta({ id }))
}

/** The body of a reminder and of a retry. */
export const actionBody = body('NewRequestAction', { comment })

export const sentLinkBody = body('NewSentPaymentLink', { comment, expiry_date: optional(expiryDate) })

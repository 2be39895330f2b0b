import { z } from 'zod'
import type { CallbackReply } from '../../drivers/contract.ts'
import { spare, spareText } from '../../drivers/members.ts'
import { parseJsonAsTexts } from '../../drivers/numbers.ts'
import type { RawCallback } from '../../drivers/raw-callback.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { BillCallback } from '../contract.ts'
import { referenceOf } from './request-id.ts'

/** Read a callback. It is unsigned, so it only names the purchase to query. */
export function readCallback({ method, body }: RawCallback): BillCallback {
  const content = method === 'POST' ? Body.safeParse(parseJsonAsTexts(body)).data : undefined
  if (content?.type === 'variations-update') return { subject: 'catalogue', verified: false }
  if (content?.type !== 'transaction-update')
    return { subject: 'unrecognized', message: getMessage('vtpass.reports_transaction_update') }
  const reference = referenceOf(content.data?.requestId ?? '')
  if (reference === undefined)
    return { subject: 'unrecognized', message: getMessage('vtpass.callback_names_no_purchase') }
  return { subject: 'vend', vend: { reference }, verified: false, answer: null }
}

/** VTpass repeats a callback until it gets this. */
export const callbackReply: CallbackReply = {
  status: 200,
  content_type: 'application/json',
  body: '{"response":"success"}',
}

const Body = z.object({
  type: z.string(),
  data: spare(z.object({ requestId: spareText })),
})

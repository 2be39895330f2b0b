import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { spareText as reference, spare } from '../../drivers/members.ts'
import { parseJsonAsTexts } from '../../drivers/numbers.ts'
import { type RawCallback, signedBytes } from '../../drivers/raw-callback.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { BillCallback } from '../contract.ts'
import type { ReloadlyConnection } from './settings.ts'

/**
 * Read a callback. Its claims do not count: it only names the purchase to query. If the connection has the webhook
 * secret, one with a wrong signature names none.
 */
export function readCallback({ settings }: ReloadlyConnection, callback: RawCallback): BillCallback {
  const verified = settings.webhook_secret !== undefined && isSigned(settings.webhook_secret, callback)
  if (settings.webhook_secret !== undefined && !verified)
    return { subject: 'unrecognized', message: getMessage('reloadly.signature_wrong_missing'), verified: false }
  const data = callback.method === 'POST' ? Body.safeParse(parseJsonAsTexts(callback.body)).data?.data : undefined
  const reference = data?.customIdentifier ?? data?.referenceId
  if (reference !== undefined && reference.length > 0 && reference.length <= MAX_REFERENCE)
    return { subject: 'vend', vend: { reference }, verified, answer: null }
  const remote_id = data?.transactionId ?? data?.id
  if (remote_id !== undefined) return { subject: 'vend', vend: { remote_id }, verified, answer: null }
  return { subject: 'unrecognized', message: getMessage('reloadly.callback_names_no_purchase'), verified }
}

const MAX_REFERENCE = 150

/**
 * Return true if the signature is the HMAC of the body, a colon and the header with the time. An old one only causes a
 * status query.
 */
function isSigned(secret: string, callback: RawCallback): boolean {
  const { 'x-reloadly-signature': signature, 'x-reloadly-request-timestamp': time } = callback.headers
  if (!signature || !time) return false
  const expected = createHmac('sha256', secret).update(signedBytes(callback)).update(`:${time}`).digest()
  const given = Buffer.from(signature.trim(), 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const id = spare(z.string().regex(/^[0-9A-Za-z-]{1,60}$/))
const Body = z.object({
  data: z.object({ transactionId: id, id, customIdentifier: reference, referenceId: reference }),
})

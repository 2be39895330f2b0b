import { z } from 'zod'
import { spareText } from '../../drivers/members.ts'
import type { RawCallback } from '../../drivers/raw-callback.ts'
import { parseJson } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { ParsedCallback } from '../callbacks.ts'
import type { CallbackReply } from '../contract.ts'

/** The answer that the standard wants. */
export const callbackReply: CallbackReply = { status: 204, content_type: 'application/json', body: '' }

/**
 * Read a callback. It is unsigned, so it only names the order to query. The standard names it in a header alone,
 * because the body of a failure has no reference. Our address has it too, unless a provider calls one fixed address.
 */
export function readCallback({ method, path, headers, body }: RawCallback): ParsedCallback {
  if (method !== 'PUT' && method !== 'POST')
    return { subject: 'unrecognized', message: getMessage('gsma.providers_call_back', { method }) }
  const content = Body.safeParse(parseJson(body)).data
  const named = [path.split('/')[1], headers['x-correlationid'], content?.requestingOrganisationTransactionReference]
  const reference = named.map((name) => name?.trim().toLowerCase()).find((name) => name && UUID_V4.test(name))
  if (!reference) return { subject: 'unrecognized', message: getMessage('drivers.callback_names_no_order') }
  const answer = { outcome: 'unknown', message: getMessage('gsma.providers_not_sign') } as const
  return { subject: 'order', order: { reference }, verified: false, answer }
}

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const Body = z.object({ requestingOrganisationTransactionReference: spareText })

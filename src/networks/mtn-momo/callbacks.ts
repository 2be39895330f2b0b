import { z } from 'zod'
import { spareText } from '../../drivers/members.ts'
import type { RawCallback } from '../../drivers/raw-callback.ts'
import { parseJson } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { ParsedCallback } from '../callbacks.ts'

/**
 * Read a callback, which is a PUT or a POST. It is unsigned, so it only names the order to query. Our reference stands
 * in the address. If a proxy cuts it off, the body has it in `externalId`, or in some countries in `referenceId`.
 */
export function readCallback({ method, path, body }: RawCallback): ParsedCallback {
  if (method !== 'PUT' && method !== 'POST')
    return { subject: 'unrecognized', message: getMessage('mtn.calls_back_put', { method }) }
  const content = Body.safeParse(parseJson(body)).data
  const named = [path.split('/')[1], content?.referenceId, content?.externalId]
  const reference = named.map((name) => name?.toLowerCase()).find((name) => name !== undefined && UUID_V4.test(name))
  if (reference === undefined)
    return { subject: 'unrecognized', message: getMessage('drivers.callback_names_no_order') }
  const answer = { outcome: 'unknown', message: getMessage('mtn.not_sign_callbacks') } as const
  return { subject: 'order', order: { reference }, verified: false, answer }
}

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const Body = z.object({
  externalId: spareText,
  referenceId: spareText,
})

import { z } from 'zod'
import { type RawCallback, signedBytes } from '../../drivers/raw-callback.ts'
import { parseJson } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { ParsedCallback } from '../callbacks.ts'
import type { CallbackReply, DriverTools, OrderKind } from '../contract.ts'
import { unknown } from './client.ts'
import type { CallbackKeys, FetchKeys } from './keys.ts'
import { kinds, readState } from './orders.ts'
import { isSigned, readSignatureInput } from './signatures.ts'

/** Addresses to register in the dashboard: one per kind of order, below the connection's address. */
export const registeredAddresses = {
  deposits: 'Deposits',
  payouts: 'Payouts',
  refunds: 'Refunds',
} as const satisfies Record<string, string>

/** pawaPay sends a callback again for about 15 minutes unless the answer is this. */
export const callbackReply: CallbackReply = { status: 200, content_type: 'application/json', body: '{}' }

const id = z
  .string()
  .regex(/^[0-9a-f-]{36}$/i)
  .optional()
const Body = z.object({ depositId: id, payoutId: id, refundId: id, status: z.string() })

/** Fetch the keys of pawaPay, where a callback names one that is not known. */
export function prepareCallback(
  keys: CallbackKeys,
  { headers }: RawCallback,
  call: FetchKeys,
): Promise<void> | undefined {
  const input = readSignatureInput(headers['signature-input'])
  return input && keys.prepare(input.key_id, call)
}

/**
 * Read a callback. It names its order by our reference. A signed one that reports an end counts at once; any other
 * causes a status query, whose answer counts.
 */
export function readCallback(
  callback: RawCallback,
  keys: CallbackKeys,
  tools: Pick<DriverTools, 'now' | 'callbackUrl' | 'alarm'>,
): ParsedCallback {
  const body = parseJson(callback.body)
  const named = nameOf(body)
  if (!named) {
    const message = getMessage('pawapay.not_callback_about')
    return { subject: 'unrecognized', message, verified: isGenuine(callback, keys, tools) }
  }
  const { kind, reference } = named
  const { answer, alarm } = readState(body, { kind, reference }, tools.now())
  const is_end = answer.outcome === 'successful' || answer.outcome === 'failed'
  const verified = is_end && isGenuine(callback, keys, tools)
  if (verified && alarm) tools.alarm(alarm)
  const order = { reference: reference.toLowerCase() }
  const question = unknown(getMessage('pawapay.callback_not_end'))
  return { subject: 'order', order, verified, answer: verified ? answer : question }
}

/** The order that a body is about: exactly one of the three ids says so. */
function nameOf(body: unknown): { kind: OrderKind; reference: string } | undefined {
  const ids = Body.safeParse(body).data
  const named = (Object.keys(kinds) as OrderKind[]).flatMap((kind) => {
    const reference = ids?.[kinds[kind].id]
    return reference === undefined ? [] : [{ kind, reference }]
  })
  return named.length === 1 ? named[0] : undefined
}

/**
 * Return true if pawaPay signed this callback for our address. The address is the one that we gave out, never the one
 * that the caller names. A callback that pawaPay signed for another merchant proves nothing about our orders.
 */
function isGenuine(
  callback: RawCallback,
  keys: CallbackKeys,
  { now, callbackUrl, alarm }: Pick<DriverTools, 'now' | 'callbackUrl' | 'alarm'>,
): boolean {
  const { method, headers, path } = callback
  if (headers['signature-input'] === undefined && headers.signature === undefined) return false
  const input = readSignatureInput(headers['signature-input'])
  const key = input && keys.find(input.key_id)
  const url = callbackUrl(null) + path
  if (!input || !key || !URL.canParse(url)) return false
  const is_signed = isSigned({ method, url, headers, body: signedBytes(callback) }, input, key, now())
  if (!is_signed) alarm(getMessage('pawapay.signature_callback_wrong'))
  return is_signed
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { spareText as text } from '../../drivers/members.ts'
import type { RawCallback } from '../../drivers/raw-callback.ts'
import { parseJson } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { ParsedCallback } from '../callbacks.ts'
import type { CallbackReply } from '../contract.ts'
import { unknown } from './answers.ts'

const Body = z.object({
  transaction: z.object({ id: z.string().min(1).max(64), status_code: text, airtel_money_id: text }),
})
const Signed = z.object({ hash: text })

/** The answer that Airtel's documentation shows. */
export const callbackReply: CallbackReply = {
  status: 200,
  content_type: 'application/json',
  body: '{"code":200,"status":"SUCCESS"}',
}

/**
 * Read a callback. It names its order by our reference. Only `TS` with a right hash counts at once. Airtel may send
 * `TF` and then `TS`, so all others are unverified: they cause a status query, whose answer counts.
 * @param wrong_hash is called when there is a hash and it is wrong
 */
export function readCallback(callback: RawCallback, key: string | undefined, wrong_hash: () => void): ParsedCallback {
  const body = parseJson(callback.body)
  const hash = Signed.safeParse(body).data?.hash
  const verified = key !== undefined && hash !== undefined && isAuthentic(callback.body, hash, key)
  const parsed = Body.safeParse(body)
  if (!parsed.success) return { subject: 'unrecognized', message: getMessage('airtel.not_callback_money'), verified }
  if (key !== undefined && hash !== undefined && !verified) wrong_hash()
  const { transaction } = parsed.data
  const order = { reference: transaction.id }
  if (!verified || transaction.status_code !== 'TS')
    return { subject: 'order', order, verified: false, answer: unknown(getMessage('airtel.callback_not_end')) }
  const { airtel_money_id } = transaction
  const answer = { outcome: 'successful', ...(airtel_money_id ? { remote_id: airtel_money_id } : {}) } as const
  return { subject: 'order', order, verified, answer }
}

/**
 * Return true if a hash is the HMAC-SHA256 of the callback. Airtel does not name the hashed text: the transaction or
 * the body without the hash, as sent or without blanks. Each form needs the key and so proves the sender.
 */
function isAuthentic(body: string, hash: string, key: string): boolean {
  const given = Buffer.from(hash, 'base64')
  return hashedTexts(body).some((text) => {
    const expected = createHmac('sha256', key).update(text).digest()
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/**
 * The texts that the hash may be made of. The body is a JSON object. None for one that repeats a name: a genuine
 * transaction and its hash could stand in it beside another transaction.
 */
function hashedTexts(body: string): string[] {
  const { hash: _, ...rest } = JSON.parse(body) as Record<string, unknown>
  const members = rawMembers(body)
  if (new Set(members.map(({ name }) => name)).size < members.length) return []
  const raw_rest = members.filter(({ name }) => name !== 'hash').map(({ text }) => text)
  const raw_transaction = members.find(({ name }) => name === 'transaction')?.value ?? ''
  const texts = [raw_transaction, JSON.stringify(rest.transaction), `{${raw_rest.join(',')}}`, JSON.stringify(rest)]
  return [...new Set(texts)]
}

/** A member of a JSON object as it was written: `text` is its name and value. */
interface RawMember {
  name: string
  text: string
  value: string
}

const TOKENS = /"[^"\\]*(?:\\(?:.|$)[^"\\]*)*(?:"|$)|[{}[\]:,]/gs

/** The members of a JSON object. The text is valid JSON. */
function rawMembers(json: string): RawMember[] {
  const members: RawMember[] = []
  let depth = 0
  let start = 0
  let colon = -1
  for (const { 0: token, index } of json.matchAll(TOKENS)) {
    if (depth === 1 && (token === ',' || token === '}')) {
      if (colon >= 0) members.push(rawMember(json, start, colon, index))
      start = index + 1
      colon = -1
    }
    if (depth === 1 && token === ':') colon = index
    if (depth === 0) start = index + 1
    if (token === '{' || token === '[') depth += 1
    if (token === '}' || token === ']') depth -= 1
  }
  return members
}

function rawMember(json: string, start: number, colon: number, end: number): RawMember {
  return {
    name: JSON.parse(json.slice(start, colon)),
    text: json.slice(start, end).trim(),
    value: json.slice(colon + 1, end).trim(),
  }
}

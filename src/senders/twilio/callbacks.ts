import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RawCallback } from '../../drivers/raw-callback.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { SmsCallback, SmsReport } from '../contract.ts'
import { referenceIn, toE164 } from '../shared/answers.ts'
import { readForm } from '../shared/form.ts'
import { stateOfWord } from '../shared/report-words.ts'
import { states } from './codes.ts'
import { failureOf } from './messages.ts'

/** Account whose callbacks are read, with its token and our public address. */
export interface CallbackKeys {
  account_sid: string
  auth_token: string
  /** The address of the connection for callbacks, with its secret. */
  callback_url: string
}

/**
 * Read the report of an SMS, or an SMS of a customer. Reports name their SMS by the address that Twilio got for them. A
 * report of another account is not recognized, also where the signature is right.
 */
export function readCallback(callback: RawCallback, keys: CallbackKeys): SmsCallback {
  const form = readForm(callback.body)
  const verified = isSigned(callback, keys)
  if (form.AccountSid !== keys.account_sid)
    return { subject: 'unrecognized', message: getMessage('twilio.callback_not_about'), verified }
  const sid = form.MessageSid ?? form.SmsSid ?? ''
  if (form.MessageStatus !== undefined) return readReport(callback.path, sid, form, verified)
  const from = toE164(form.From)
  if (from && form.Body !== undefined && sid !== '')
    return { subject: 'incoming', verified, messages: [{ remote_id: sid, from, to: form.To ?? '', text: form.Body }] }
  return { subject: 'unrecognized', message: getMessage('twilio.no_callback_about'), verified }
}

function readReport(
  path: string,
  sid: string,
  { MessageStatus = '', ErrorCode = '' }: Readonly<Record<string, string>>,
  verified: boolean,
): SmsCallback {
  const word = MessageStatus.trim().toLowerCase()
  const state = Object.hasOwn(states, word) ? states[word] : stateOfWord(word)
  const reference = referenceIn(path)
  if (!state || !/^(SM|MM)[0-9a-f]{32}$/.test(sid))
    return { subject: 'unrecognized', message: getMessage('twilio.report_cannot_understood'), verified }
  const report: SmsReport = {
    sms: reference === undefined ? { remote_id: sid } : { reference },
    state,
    ...(state === 'failed' && failureOf(MessageStatus, ErrorCode)),
  }
  return { subject: 'reports', verified, reports: [report] }
}

/**
 * Return true if a callback's signature is right: HMAC-SHA1 with the auth token over the full address and all sorted
 * fields. Because of proxies, the signed address may or may not contain the port.
 */
function isSigned(callback: RawCallback, { auth_token, callback_url }: CallbackKeys): boolean {
  const given = Buffer.from(callback.headers['x-twilio-signature'] ?? '', 'base64')
  const query = callback.query && `?${callback.query}`
  const fields = signedFields(callback.body)
  // An address without the secret is one that Twilio knows from its portal.
  const bases = [callback_url, callback_url.replace(/\/[^/]*$/, '')]
  return bases
    .flatMap((base) => withPorts(base + callback.path + query))
    .some((url) => {
      const expected = createHmac('sha1', auth_token)
        .update(url + fields)
        .digest()
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
}

/** Join the signed fields. A repeated field has each of its values once, in order. */
function signedFields(body: string): string {
  const form = new URLSearchParams(body)
  const names = [...new Set(form.keys())].sort()
  return names.flatMap((name) => [...new Set(form.getAll(name))].sort().map((value) => name + value)).join('')
}

/** The address as it is, with the usual port of its scheme, and without a port. */
function withPorts(url: string): string[] {
  const [, scheme = '', host = '', rest = ''] = /^(https?:\/\/)([^/?]*)(.*)$/s.exec(url) ?? []
  const bare = host.replace(/:\d+$/, '')
  const port = scheme === 'https://' ? 443 : 80
  return [...new Set([url, `${scheme}${bare}${rest}`, `${scheme}${bare}:${port}${rest}`])]
}

import { createHash } from 'node:crypto'
import type { RawCallback } from '../../drivers/raw-callback.ts'
import { parseJson } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { SmsCallback, SmsReport } from '../contract.ts'
import { type createWords, referenceIn, toE164 } from '../shared/answers.ts'
import { readForm } from '../shared/form.ts'
import { stateOfWord } from '../shared/report-words.ts'
import type { HttpSettings } from './settings.ts'

/**
 * Return the member of a JSON value at a path such as `data.0.id`, as a text. Undefined if it is missing, or neither
 * text nor number.
 */
export function textAt(value: unknown, path: string): string | undefined {
  let found = value
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined
}

/** Maximum length of a provider's id. */
const MAX_ID = 200

/**
 * Read a report, or an SMS of a customer, by the names of the settings: in JSON, in a form, or in the query. Nothing is
 * signed: who knows the secret of the address is the provider.
 */
export function readCallback(
  callback: RawCallback,
  settings: HttpSettings,
  words: ReturnType<typeof createWords>,
): SmsCallback {
  const read = readerOf(callback)
  const { incoming_from_field, incoming_text_field } = settings
  const reference = referenceIn(callback.path)
  const from = toE164(read(incoming_from_field))
  const text = read(incoming_text_field)
  const status = read(settings.report_status_field)
  if (reference === undefined && from && text !== undefined) {
    const remote_id = createHash('sha256').update(`${callback.query}\n${callback.body}`).digest('hex').slice(0, 32)
    return { subject: 'incoming', verified: true, messages: [{ remote_id, is_digest: true, from, to: '', text }] }
  }
  const remote_id = read(settings.report_id_field)
  const sms =
    reference !== undefined ? { reference } : remote_id && remote_id.length <= MAX_ID ? { remote_id } : undefined
  if (!sms || !status)
    return { subject: 'unrecognized', message: getMessage('sms_http.fields_settings_not_report'), verified: true }
  const report: SmsReport = { sms, ...stateOf(status, settings, words(read(settings.report_reason_field))) }
  return { subject: 'reports', verified: true, reports: [report] }
}

/** Find the values of a callback by their names. A value of the query counts where the body has none. */
function readerOf({ body, query }: RawCallback): (path: string | undefined) => string | undefined {
  const json = parseJson(body)
  const form = json === undefined ? readForm(body) : {}
  const parameters = readForm(query)
  return (path) =>
    path === undefined ? undefined : (textAt(json, path) ?? textAt(form, path) ?? form[path] ?? parameters[path])
}

function stateOf(status: string, settings: HttpSettings, reason: string): Omit<SmsReport, 'sms'> {
  if (isOneOf(status, settings.delivered_words)) return { state: 'delivered' }
  if (!isOneOf(status, settings.failed_words) && stateOfWord(status) !== 'failed')
    return { state: stateOfWord(status) ?? 'sent' }
  const code = /^[\w -]{1,60}$/.test(status) ? status : 'failed'
  const message = `The SMS was not delivered: ${reason || code}`
  return { state: 'failed', reason: 'undelivered', message, code }
}

function isOneOf(status: string, list: string): boolean {
  const words = list.split(',').map((word) => word.trim().toLowerCase())
  return words.includes(status.trim().toLowerCase())
}

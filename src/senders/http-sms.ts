import { callHttp, parseJson } from '../lib/http/http-call.ts'
import { fillTemplate } from '../lib/template.ts'
import { WrongSetting } from '../lib/wrong-setting.ts'
import type { OutgoingSms, SmsResult, SmsSender } from './sms-sender.ts'

/** The settings of the HTTP sender. config.ts checks the form of each, and this file whether they fit together. */
export interface HttpSmsSettings {
  SMS_URL: string
  SMS_METHOD: 'POST' | 'PUT' | 'GET'
  SMS_HEADERS: Readonly<Record<string, string>>
  SMS_BODY?: string
}

/** Shorter than the lease of an SMS, so no other process sends the same SMS during the call. */
const TIMEOUT_MS = 10_000

/**
 * Sends through any provider that accepts one SMS per HTTP request. The URL and the body are templates with `{phone}`,
 * `{msisdn}` (the number without its plus), `{text}` and `{id}`. 2xx means sent. After 408, 429 and 5xx another try may
 * succeed; after every other status it would be useless. Without an answer the outcome is unknown.
 * @throws WrongSetting when the settings do not make a request.
 */
export function createHttpSmsSender(settings: HttpSmsSettings, timeout_ms = TIMEOUT_MS): SmsSender {
  const buildRequest = createRequestBuilder(settings)
  const maskSecrets = createSecretMask(settings)
  return {
    code: 'http',
    async send(sms): Promise<SmsResult> {
      const request = buildRequest(sms)
      const answer = await callHttp({
        ...request,
        timeout_ms,
        max_answer_bytes: MAX_ANSWER_BYTES,
        callee: 'SMS provider',
      })
      if (answer.outcome === 'unknown') return { outcome: 'unknown', message: maskSecrets(answer.message) }
      // The status decides, even if the answer after it breaks off.
      const { status } = answer
      if (status >= 200 && status < 300) return { outcome: 'sent' }
      const text = maskSecrets(toOneLine(answer.text))
      const message = `The SMS provider answered ${status}${text && `: ${text}`}`
      return { outcome: 'failed', message, retry: [408, 429].includes(status) || status >= 500 }
    },
  }
}

/** How a body of one content type encodes a value, and the template that most providers would understand. */
const encodings = [
  {
    type: /json/,
    template: '{"to":"{phone}","message":"{text}"}',
    encode: (value: string) => JSON.stringify(value).slice(1, -1),
    isValid: (body: string) => parseJson(body) !== undefined,
  },
  {
    type: /x-www-form-urlencoded/,
    template: 'to={phone}&message={text}',
    encode: encodeURIComponent,
    isValid: () => true,
  },
]

/** An SMS with characters that every encoding must escape. */
const SAMPLE_SMS: OutgoingSms = { id: 1, phonenumber: '+80000000000', body: 'Say "hi" & pay 5 % \\ {text}' }

/** Makes the function that turns an SMS into a request. It finds every error of the settings before the first SMS. */
function createRequestBuilder(settings: HttpSmsSettings) {
  const { SMS_URL, SMS_METHOD: method } = settings
  const headers = readHeaders(settings.SMS_HEADERS)
  const encoding = readBodyTemplate(settings, headers)
  const templates = `${SMS_URL} ${encoding?.template}`
  if (!/\{(phone|msisdn)\}/.test(templates) || !/\{text\}/.test(templates))
    throw wrongSetting(encoding ? 'SMS_BODY' : 'SMS_URL', 'must hold {text} and {phone} or {msisdn}')

  const buildRequest = (sms: OutgoingSms) => ({
    url: fillTemplate(SMS_URL, templateValues(sms, encodeURIComponent)),
    method,
    headers,
    body: encoding && fillTemplate(encoding.template, templateValues(sms, encoding.encode)),
  })
  const { url, body } = buildRequest(SAMPLE_SMS)
  if (!URL.canParse(url) || new URL(url).username !== '')
    throw wrongSetting('SMS_URL', 'must be an address without a user name; credentials belong in SMS_HEADERS')
  if (encoding?.isValid(body!) === false)
    throw wrongSetting('SMS_BODY', 'must be JSON, with its placeholders inside of quotes')
  return buildRequest
}

/** The template of the body and its encoding; null when the URL has all values. */
function readBodyTemplate({ SMS_URL, SMS_METHOD, SMS_BODY }: HttpSmsSettings, headers: Headers) {
  if (SMS_METHOD === 'GET' && SMS_BODY !== undefined)
    throw wrongSetting('SMS_BODY', 'must not be set when SMS_METHOD is GET')
  if (SMS_METHOD === 'GET' || (SMS_BODY === undefined && SMS_URL.includes('{text}'))) return null
  const encoding = encodings.find(({ type }) => type.test(headers.get('content-type')!))
  if (!encoding)
    throw wrongSetting('SMS_HEADERS', 'must name a content-type of JSON or application/x-www-form-urlencoded')
  return { ...encoding, template: SMS_BODY ?? encoding.template }
}

function templateValues(sms: OutgoingSms, encode: (value: string) => string): Record<string, string> {
  const { id, phonenumber, body } = sms
  const values = { id: String(id), phone: phonenumber, msisdn: phonenumber.replace('+', ''), text: body }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encode(value)]))
}

function readHeaders(given: HttpSmsSettings['SMS_HEADERS']): Headers {
  try {
    const headers = new Headers(given)
    if (!headers.has('content-type')) headers.set('content-type', 'application/json')
    return headers
  } catch {
    throw wrongSetting('SMS_HEADERS', 'must hold names and values that HTTP allows')
  }
}

/** The message does not show the value, because each of these settings may contain a secret. */
function wrongSetting(setting: string, rule: string): WrongSetting {
  return new WrongSetting(`The setting ${setting} is wrong: it ${rule}.`)
}

/** The longest text of the provider that is stored and shown. */
const MAX_MESSAGE_CHARACTERS = 200
/** Enough bytes for that text, also where it has much blank space or many bytes for each character. */
const MAX_ANSWER_BYTES = 10 * MAX_MESSAGE_CHARACTERS

function toOneLine(text: string): string {
  return text.replaceAll('\0', '').replace(/\s+/g, ' ').trim()
}

/**
 * Makes the function that prepares a text of the provider for storing and showing. Providers quote what they refuse
 * ("unknown key abc…"), so it masks every word that is also in the settings.
 */
function createSecretMask({ SMS_URL, SMS_HEADERS, SMS_BODY = '' }: HttpSmsSettings): (text: string) => string {
  const [, path = ''] = /^https?:\/\/[^/?]*(.*)$/.exec(SMS_URL) ?? []
  const headers = Object.entries(SMS_HEADERS).flatMap(([name, value]) => (/^content-type$/i.test(name) ? [] : value))
  const words = [path, SMS_BODY, ...headers].join(' ').split(/[\s"'{}:,&?=/]+/)
  const secrets = words.filter((word) => word.length >= 6).sort((a, b) => b.length - a.length)
  return (text) =>
    secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text).slice(0, MAX_MESSAGE_CHARACTERS)
}

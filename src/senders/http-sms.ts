import { fillTemplate } from '../lib/template.ts'
import { WrongSetting } from '../lib/wrong-setting.ts'
import type { OutgoingSms, SmsResult, SmsSender } from './sms-sender.ts'

/** The settings of the HTTP sender. Their forms are checked in config.ts, and here whether they fit together. */
export interface HttpSmsSettings {
  SMS_URL: string
  SMS_METHOD: 'POST' | 'PUT' | 'GET'
  SMS_HEADERS: Readonly<Record<string, string>>
  SMS_BODY?: string
}

/** Shorter than the lease of a text, so that nobody else takes it up while its call is under way. */
const TIMEOUT_MS = 10_000

/**
 * Sends through any provider that takes one SMS per HTTP request. The address and the body are templates with `{phone}`,
 * `{msisdn}` (the number without its plus), `{text}` and `{id}`. 2xx is sent. 408, 429 and 5xx may be tried again; every
 * other answer says that trying again is useless. No answer at all is unknown.
 * @throws WrongSetting when the settings do not make a request.
 */
export function createHttpSmsSender(settings: HttpSmsSettings, timeout_ms = TIMEOUT_MS): SmsSender {
  const compose = createRequestBuilder(settings)
  const blank = createSecretMask(settings)
  return {
    code: 'http',
    async send(text): Promise<SmsResult> {
      const { url, ...request } = compose(text)
      try {
        const signal = AbortSignal.timeout(timeout_ms)
        const response = await fetch(url, { ...request, redirect: 'manual', signal })
        // The status decides. An answer that breaks off after it changes nothing.
        const said = await readAnswerStart(response).catch(() => '')
        if (response.ok) return { outcome: 'sent' }
        const message = `The SMS provider answered ${response.status}${said && `: ${blank(said)}`}`
        return { outcome: 'failed', message, retry: [408, 429].includes(response.status) || response.status >= 500 }
      } catch (error) {
        return { outcome: 'unknown', message: `The SMS provider did not answer: ${blank(errorReason(error))}` }
      }
    },
  }
}

/** How a body of one content type carries a value, and the body that most providers would understand. */
const encodings = [
  {
    type: /json/,
    template: '{"to":"{phone}","message":"{text}"}',
    carry: (value: string) => JSON.stringify(value).slice(1, -1),
    isWhole: isJson,
  },
  {
    type: /x-www-form-urlencoded/,
    template: 'to={phone}&message={text}',
    carry: encodeURIComponent,
    isWhole: () => true,
  },
]

/** A text that every encoding has to work for. */
const SAMPLE_SMS: OutgoingSms = { id: 1, phonenumber: '+80000000000', body: 'Say "hi" & pay 5 % \\ {text}' }

/** Turns a text into a request. All that can be wrong with the settings is found here, before the first text. */
function createRequestBuilder(settings: HttpSmsSettings) {
  const { SMS_URL, SMS_METHOD: method } = settings
  const headers = readHeaders(settings.SMS_HEADERS)
  const form = readBodyTemplate(settings, headers)
  const places = `${SMS_URL} ${form?.template}`
  if (!/\{(phone|msisdn)\}/.test(places) || !/\{text\}/.test(places))
    throw wrongSetting(form ? 'SMS_BODY' : 'SMS_URL', 'must hold {text} and {phone} or {msisdn}')

  const compose = (text: OutgoingSms) => ({
    url: fillTemplate(SMS_URL, templateValues(text, encodeURIComponent)),
    method,
    headers,
    body: form && fillTemplate(form.template, templateValues(text, form.carry)),
  })
  const { url, body } = compose(SAMPLE_SMS)
  if (!URL.canParse(url) || new URL(url).username !== '')
    throw wrongSetting('SMS_URL', 'must be an address without a user name; credentials belong in SMS_HEADERS')
  if (form?.isWhole(body!) === false)
    throw wrongSetting('SMS_BODY', 'must be JSON, with its placeholders inside of quotes')
  return compose
}

/** The template of the body and how it carries values; null when the address carries all of them. */
function readBodyTemplate({ SMS_URL, SMS_METHOD, SMS_BODY }: HttpSmsSettings, headers: Headers) {
  if (SMS_METHOD === 'GET' && SMS_BODY !== undefined)
    throw wrongSetting('SMS_BODY', 'must not be set when SMS_METHOD is GET')
  if (SMS_METHOD === 'GET' || (SMS_BODY === undefined && SMS_URL.includes('{text}'))) return null
  const encoding = encodings.find(({ type }) => type.test(headers.get('content-type')!))
  if (!encoding)
    throw wrongSetting('SMS_HEADERS', 'must name a content-type of JSON or application/x-www-form-urlencoded')
  return { ...encoding, template: SMS_BODY ?? encoding.template }
}

function templateValues(text: OutgoingSms, carry: (value: string) => string): Record<string, string> {
  const { id, phonenumber, body } = text
  const values = { id: String(id), phone: phonenumber, msisdn: phonenumber.replace('+', ''), text: body }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, carry(value)]))
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

/** Values are left out of the line, because every one of these settings may hold a secret. */
function wrongSetting(setting: string, why: string): WrongSetting {
  return new WrongSetting(`The setting ${setting} is wrong: it ${why}.`)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const MAX_ANSWER_LENGTH = 200

/** The beginning of an answer, on one line. The rest is not read: an answer may be as long as it likes. */
async function readAnswerStart(response: Response): Promise<string> {
  let said = ''
  const decoder = new TextDecoder()
  for await (const part of response.body ?? []) {
    said += decoder.decode(part, { stream: true })
    if (said.length > 10 * MAX_ANSWER_LENGTH) break
  }
  return said.replaceAll('\0', '').replace(/\s+/g, ' ').trim()
}

/**
 * Makes what a provider said fit to be kept and shown. Providers quote what they refuse ("unknown key abc…"), so every
 * word that also stands in the settings is blanked.
 */
function createSecretMask({ SMS_URL, SMS_HEADERS, SMS_BODY = '' }: HttpSmsSettings): (said: string) => string {
  const [, address = ''] = /^https?:\/\/[^/?]*(.*)$/.exec(SMS_URL) ?? []
  const headers = Object.entries(SMS_HEADERS).flatMap(([name, value]) => (/^content-type$/i.test(name) ? [] : value))
  const words = [address, SMS_BODY, ...headers].join(' ').split(/[\s"'{}:,&?=/]+/)
  const secrets = words.filter((word) => word.length >= 6).sort((a, b) => b.length - a.length)
  return (said) => secrets.reduce((text, secret) => text.replaceAll(secret, '***'), said).slice(0, MAX_ANSWER_LENGTH)
}

function errorReason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}

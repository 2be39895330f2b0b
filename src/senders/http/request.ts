import { parseJson } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { isObject } from '../../lib/structured-input.ts'
import { fillTemplate } from '../../lib/template.ts'
import { WrongSetting } from '../../lib/wrong-setting.ts'
import type { OutgoingSms } from '../contract.ts'
import type { HttpSettings } from './settings.ts'

/** The call that sends one SMS. */
interface SmsRequest {
  method: HttpSettings['method']
  url: string
  headers: Record<string, string>
  body?: string
}

type RequestSettings = Pick<HttpSettings, 'url' | 'method' | 'headers' | 'body'>

/** Setting that does not make a call. The message does not show its value, which may hold a secret. */
export class WrongTemplate extends WrongSetting {
  readonly setting: keyof RequestSettings
  constructor(setting: keyof RequestSettings, rule: string) {
    super(rule)
    this.setting = setting
  }
}

/** Encoding of values for each content type, and the template that most providers would understand. */
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
const SAMPLE_SMS: OutgoingSms = {
  id: 1,
  reference: 'a'.repeat(24),
  phonenumber: '+80000000000',
  sender: 'SAMPLE',
  valid_s: 3_600,
  body: 'Say "hi" & pay 5 % \\ {text}',
}

/**
 * Make the function that turns an SMS into a call. It finds every fault of the settings before the first SMS.
 * @throws WrongTemplate
 */
export function createRequestBuilder(settings: RequestSettings): (sms: OutgoingSms, report_url: string) => SmsRequest {
  const { url: url_template, method } = settings
  const headers = readHeaders(settings.headers)
  const encoding = chooseEncoding(settings, headers)
  const templates = `${url_template} ${encoding?.template ?? ''}`
  if (!/\{(phone|msisdn)\}/.test(templates) || !/\{text\}/.test(templates))
    throw new WrongTemplate(encoding ? 'body' : 'url', getMessage('sms_http.must_hold_text'))

  const build = (sms: OutgoingSms, report_url: string): SmsRequest => ({
    method,
    headers,
    url: fillTemplate(url_template, valuesOf(sms, report_url, encodeURIComponent)),
    ...(encoding && { body: fillTemplate(encoding.template, valuesOf(sms, report_url, encoding.encode)) }),
  })
  const { url, body = '' } = build(SAMPLE_SMS, 'https://example.com/report')
  checkUrl(url)
  if (encoding?.isValid(body) === false) throw new WrongTemplate('body', getMessage('sms_http.must_json_placeholders'))
  return build
}

function checkUrl(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw new WrongTemplate('url', getMessage('sms_http.must_address_begins'))
  if (parsed.username !== '') throw new WrongTemplate('url', getMessage('sms_http.must_address_without'))
}

/** The encoding of the body with its template; null if the URL has all values. */
function chooseEncoding({ url, method, body }: RequestSettings, headers: Record<string, string>) {
  if (method === 'GET' && body !== undefined) throw new WrongTemplate('body', getMessage('sms_http.must_not_set'))
  if (method === 'GET' || (body === undefined && url.includes('{text}'))) return null
  const content_type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const encoding = encodings.find(({ type }) => type.test(content_type))
  if (!encoding) throw new WrongTemplate('headers', getMessage('sms_http.must_name_content'))
  return { ...encoding, template: body ?? encoding.template }
}

function valuesOf(sms: OutgoingSms, report_url: string, encode: (value: string) => string): Record<string, string> {
  const { id, reference, phonenumber, body, sender } = sms
  const values = {
    id: reference,
    phone: phonenumber,
    msisdn: phonenumber.replace('+', ''),
    text: body,
    sender: sender ?? '',
    report_url,
    sms: String(id),
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encode(value)]))
}

/** Read a JSON object, or lines `Name: value`. */
function readHeaders(text = ''): Record<string, string> {
  const wrong = new WrongTemplate('headers', getMessage('sms_http.must_lines_name'))
  const given = text.trim().startsWith('{') ? readJsonHeaders(text) : readHeaderLines(text)
  if (!given) throw wrong
  try {
    const checked = new Headers(given)
    return checked.has('content-type') ? given : { ...given, 'content-type': 'application/json' }
  } catch {
    throw wrong
  }
}

function readJsonHeaders(text: string): Record<string, string> | undefined {
  const parsed = parseJson(text)
  const is_valid = isObject(parsed) && Object.values(parsed).every((value) => typeof value === 'string')
  return is_valid ? (parsed as Record<string, string>) : undefined
}

function readHeaderLines(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => {
    const [name = '', ...value] = line.split(':')
    return [name.trim(), value.length === 0 ? undefined : value.join(':').trim()] as const
  })
  if (pairs.some(([name, value]) => value === undefined || !/^\S+$/.test(name))) return undefined
  return Object.fromEntries(pairs as [string, string][])
}

/** Return the words of the settings that may be secrets: providers quote refused input. */
export function secretWords({ url, headers = '', body = '' }: RequestSettings): string[] {
  const [, path = ''] = /^https?:\/\/[^/?]*(.*)/s.exec(url) ?? []
  const values = headers.replaceAll(/content-type['"]?\s*:[^,\n}]*/gi, '')
  return [url, ...[path, values, body].join(' ').split(/[\s"'{}:,&?=/]+/)]
}

import type { OpenedConnection } from '../../drivers/contract.ts'
import { WrongSetting } from '../../lib/wrong-setting.ts'
import { httpSms } from './index.ts'
import { settings as schema } from './settings.ts'

/** The settings of this program about SMS. config.ts checks the form of each, and this file whether they fit together. */
export interface SmsSettings {
  SMS_URL: string
  SMS_METHOD: 'POST' | 'PUT' | 'GET'
  SMS_HEADERS: Readonly<Record<string, string>>
  SMS_BODY?: string | undefined
  SMS_REPORTS: Readonly<Record<string, string>>
}

/** Settings that SMS_REPORTS may hold: ids, delivery reports and inbound SMS. */
const REPORT_FIELDS: readonly string[] = [
  'id_field',
  'report_status_field',
  'report_id_field',
  'report_reason_field',
  'delivered_words',
  'failed_words',
  'incoming_from_field',
  'incoming_text_field',
]

/**
 * Make the settings of a connection with the driver `http`. In SMS_URL and SMS_BODY `{id}` is a number; the driver
 * calls it `{sms}`.
 * @throws WrongSetting when the settings do not make a call. The message shows no value, because each may hold a secret
 */
export function toHttpConnection(given: SmsSettings): Record<string, unknown> {
  const { SMS_URL, SMS_METHOD: method, SMS_HEADERS, SMS_BODY, SMS_REPORTS } = given
  requireHeaders(SMS_HEADERS)
  const unknown = Object.keys(SMS_REPORTS).filter((name) => !REPORT_FIELDS.includes(name))
  if (unknown.length > 0) throw wrongSetting('SMS_REPORTS', `must hold only ${REPORT_FIELDS.join(', ')}`)
  const settings = {
    ...SMS_REPORTS,
    url: withNumber(SMS_URL),
    method,
    headers: JSON.stringify(SMS_HEADERS),
    ...(SMS_BODY !== undefined && { body: withNumber(SMS_BODY) }),
  }
  const parsed = schema.safeParse(settings)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!
    throw wrongField(String(path[0]), message)
  }
  const opened: OpenedConnection<typeof parsed.data> = {
    slug: '',
    environment: '',
    hosts: {},
    settings: parsed.data,
  }
  const [wrong] = Object.entries(httpSms.checkSettings?.(opened as OpenedConnection<never>, '') ?? {})
  if (wrong) throw wrongField(...wrong)
  return settings
}

function withNumber(template: string): string {
  return template.replaceAll('{id}', '{sms}')
}

function requireHeaders(headers: Readonly<Record<string, string>>): void {
  try {
    new Headers(headers)
  } catch {
    throw wrongSetting('SMS_HEADERS', 'must hold names and values that HTTP allows')
  }
}

const NAMES: Readonly<Record<string, string>> = {
  url: 'SMS_URL',
  method: 'SMS_METHOD',
  headers: 'SMS_HEADERS',
  body: 'SMS_BODY',
}

/** The messages of the driver are sentences such as "Must be JSON, with its placeholders inside of quotes." */
function wrongField(field: string, message: string): WrongSetting {
  const rule = message.replace(/\.$/, '')
  const name = NAMES[field]
  if (name === undefined) return wrongSetting('SMS_REPORTS', `does not fit together: ${field}: ${rule}`)
  return wrongSetting(name, rule.charAt(0).toLowerCase() + rule.slice(1))
}

function wrongSetting(setting: string, rule: string): WrongSetting {
  return new WrongSetting(`The setting ${setting} is wrong: it ${rule}.`)
}

import type { CheckResult, DriverTools, OpenedConnection } from '../../drivers/contract.ts'
import { type HttpAnswer, parseJson } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type AnySmsDriver, defineSmsProvider, type SmsAnswer } from '../contract.ts'
import { createWords, isUnusable, throttled, unknown } from '../shared/answers.ts'
import { readCallback, textAt } from './reports.ts'
import { createRequestBuilder, secretWords, WrongTemplate } from './request.ts'
import { type HttpSettings, settings } from './settings.ts'

/** Any provider that takes one SMS in one HTTP call. docs/sms/http.md explains the templates. */
export const httpSms: AnySmsDriver = defineSmsProvider({
  code: 'http',
  name: 'Any HTTP provider',
  settings,
  environments: {
    production: { title: 'Production', live: true, hosts: {} },
    test: { title: 'A test account, or a program of your own', live: false, hosts: {} },
  },
  traits: { call_s: 10, callbacks: 'unsigned', repeat: 'sends-again', reports: 'callback' },
  countries: null,
  checkSettings,
  open(connection) {
    const { settings } = connection
    const buildRequest = createRequestBuilder(settings)
    const words = createWords(secretWords(settings))
    return {
      send: async (sms, tools) => {
        const { body, ...call } = buildRequest(sms, tools.callbackUrl(sms.reference, 'report'))
        const answer = await tools.http({ verb: 'sms', ...call, ...(body !== undefined && { body }) })
        if (answer.outcome === 'unknown') return unknown(words(answer.message))
        return readAnswer(answer, settings, tools, words)
      },
      ...(readsCallbacks(settings) && { readCallback: (callback) => readCallback(callback, settings, words) }),
      test: async (tools) => test(connection, tools),
    }
  },
})

function readsCallbacks({ report_status_field, incoming_text_field }: HttpSettings): boolean {
  return report_status_field !== undefined || incoming_text_field !== undefined
}

function checkSettings({ settings }: OpenedConnection<HttpSettings>): Record<string, string> {
  const wrong: Record<string, string> = {}
  try {
    createRequestBuilder(settings)
  } catch (error) {
    if (!(error instanceof WrongTemplate)) throw error
    wrong[error.setting] = error.message
  }
  const { report_status_field, report_id_field, id_field, url, body = '' } = settings
  const names_reference = `${url}${body}`.includes('{report_url}')
  if (report_status_field !== undefined && report_id_field === undefined && !names_reference)
    wrong.report_id_field = getMessage('sms_http.reports_need_report_url')
  if (report_id_field !== undefined && id_field === undefined && !names_reference)
    wrong.id_field = getMessage('sms_http.reports_name_sms')
  if ((settings.incoming_from_field === undefined) !== (settings.incoming_text_field === undefined))
    wrong.incoming_from_field = getMessage('sms_http.incoming_sms_need')
  return wrong
}

function readAnswer(
  answer: HttpAnswer,
  { id_field }: HttpSettings,
  tools: DriverTools,
  words: ReturnType<typeof createWords>,
): SmsAnswer {
  const { status } = answer
  if (status >= 200 && status < 300) return readTaken(answer, id_field)
  const text = words(answer.text)
  const message = `The SMS provider answered ${status}${text && `: ${text}`}`
  if (status === 429) return { ...throttled('The SMS provider', answer, tools.now()), message } as SmsAnswer
  if (isUnusable(status)) return unknown(message)
  if (status !== 401 && status !== 403)
    return { outcome: 'failed', reason: 'rejected', message, code: String(status), retry: false }
  tools.alarm(getMessage('sms_http.sms_provider_answered', { code: status }))
  return { outcome: 'failed', reason: 'credentials', message, code: String(status), retry: true }
}

/** The status decides, even if the answer after it breaks off; unless the answer must have an id. */
function readTaken({ text, status }: HttpAnswer, id_field: string | undefined): SmsAnswer {
  if (id_field === undefined) return { outcome: 'sent' }
  const remote_id = textAt(parseJson(text), id_field)
  if (!remote_id || remote_id.length > 200)
    return unknown(getMessage('sms_http.sms_provider_answered_but', { code: status, id_field }))
  return { outcome: 'sent', remote_id }
}

/** Test nothing: every test would send an SMS. */
function test({ settings }: OpenedConnection<HttpSettings>, tools: DriverTools): CheckResult[] {
  const reports = tools.callbackUrl(null, 'report')
  const message = readsCallbacks(settings)
    ? getMessage('sms_http.delivery_reports_read', { reports })
    : getMessage('sms_http.no_delivery_reports')
  return [
    {
      name: 'request',
      outcome: 'skipped',
      message: getMessage('sms_http.settings_make_call'),
    },
    { name: 'reports', outcome: 'skipped', message },
  ]
}

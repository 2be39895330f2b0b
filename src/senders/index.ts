import { africasTalking } from './africas-talking/index.ts'
import type { AnySmsDriver } from './contract.ts'
import { httpSms } from './http/index.ts'
import { createHttpSmsSender, type HttpSmsSettings } from './http-sms.ts'
import { infobip } from './infobip/index.ts'
import { kannel } from './kannel/index.ts'
import { smpp } from './smpp/index.ts'
import type { SmsSender } from './sms-sender.ts'
import { twilio } from './twilio/index.ts'

/** The drivers of all SMS providers that this program can speak to. To add one, add its line here. */
export const smsDrivers: readonly AnySmsDriver[] = [africasTalking, twilio, infobip, kannel, smpp, httpSms]

/**
 * Creates the SMS sender of this installation. Without a provider, the sandbox only keeps each SMS in the outbox, where
 * people can read it. In live mode without a provider, each SMS fails.
 * @throws WrongSetting when the provider's settings do not fit together.
 */
export function createSmsSender(settings: Partial<HttpSmsSettings> & { MODE: 'sandbox' | 'live' }): SmsSender {
  const { SMS_URL, SMS_METHOD = 'POST', SMS_HEADERS = {}, SMS_BODY } = settings
  if (SMS_URL !== undefined) return createHttpSmsSender({ SMS_URL, SMS_METHOD, SMS_HEADERS, SMS_BODY })
  return settings.MODE === 'sandbox' ? outbox : unconfigured
}

/** Sends nothing: the SMS is only a row in the outbox. */
const outbox: SmsSender = { code: 'outbox', send: async () => ({ outcome: 'sent' }) }

const unconfigured: SmsSender = {
  code: 'none',
  send: async () => ({
    outcome: 'failed',
    message: 'No SMS provider is configured: SMS_URL is not set.',
    retry: false,
  }),
}

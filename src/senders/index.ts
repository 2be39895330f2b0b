import { createHttpSmsSender, type HttpSmsSettings } from './http-sms.ts'
import type { SmsSender } from './sms-sender.ts'

/**
 * The sender of this installation. Without a provider the sandbox keeps its texts in the outbox, where they can be read;
 * live, a text that nobody sends is a failed one.
 * @throws WrongSetting when the provider's settings do not fit together.
 */
export function createSmsSender(settings: Partial<HttpSmsSettings> & { MODE: 'sandbox' | 'live' }): SmsSender {
  const { SMS_URL, SMS_METHOD = 'POST', SMS_HEADERS = {}, SMS_BODY } = settings
  if (SMS_URL !== undefined) return createHttpSmsSender({ SMS_URL, SMS_METHOD, SMS_HEADERS, SMS_BODY })
  return settings.MODE === 'sandbox' ? outbox : unconfigured
}

/** Sends nothing: the row in the outbox is all there is. */
const outbox: SmsSender = { code: 'outbox', send: async () => ({ outcome: 'sent' }) }

const unconfigured: SmsSender = {
  code: 'none',
  send: async () => ({
    outcome: 'failed',
    message: 'No SMS provider is configured: SMS_URL is not set.',
    retry: false,
  }),
}

import { type HttpSettings, httpSender } from './http-sms.ts'
import type { Sender } from './sms-sender.ts'

/**
 * The sender of this installation. Without a provider the sandbox keeps its texts in the outbox, where they can be read;
 * live, a text that nobody sends is a failed one.
 * @throws WrongSetting when the provider's settings do not fit together.
 */
export function senderOf(settings: Partial<HttpSettings> & { MODE: 'sandbox' | 'live' }): Sender {
  const { SMS_URL, SMS_METHOD = 'POST', SMS_HEADERS = {}, SMS_BODY } = settings
  if (SMS_URL !== undefined) return httpSender({ SMS_URL, SMS_METHOD, SMS_HEADERS, SMS_BODY })
  return settings.MODE === 'sandbox' ? outbox : nobody
}

/** Sends nothing: the row in the outbox is all there is. */
const outbox: Sender = { code: 'outbox', send: async () => ({ outcome: 'sent' }) }

const nobody: Sender = {
  code: 'none',
  send: async () => ({
    outcome: 'failed',
    message: 'No SMS provider is configured: SMS_URL is not set.',
    retry: false,
  }),
}

import { africasTalking } from './africas-talking/index.ts'
import type { AnySmsDriver } from './contract.ts'
import { httpSms } from './http/index.ts'
import { infobip } from './infobip/index.ts'
import { kannel } from './kannel/index.ts'
import { smpp } from './smpp/index.ts'
import type { SmsSender } from './sms-sender.ts'
import { twilio } from './twilio/index.ts'

/** The drivers of all SMS providers that this program can speak to. To add one, add its line here. */
export const smsDrivers: readonly AnySmsDriver[] = [africasTalking, twilio, infobip, kannel, smpp, httpSms]

/**
 * Create the sender for SMS without a connection. In the sandbox it keeps each SMS in the outbox for people to read. In
 * live mode each SMS fails.
 */
export function createSmsSender({ MODE }: { MODE: 'sandbox' | 'live' }): SmsSender {
  return MODE === 'sandbox' ? outbox : unconfigured
}

/** Send nothing: the SMS is only a row in the outbox. */
const outbox: SmsSender = { code: 'outbox', send: async () => ({ outcome: 'sent' }) }

const unconfigured: SmsSender = {
  code: 'none',
  send: async () => ({
    outcome: 'failed',
    message: 'No SMS provider is configured: SMS_URL is not set.',
    retry: false,
  }),
}

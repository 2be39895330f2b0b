import type { App } from '../app.ts'
import {
  applySmsResults,
  type ClaimedSms,
  claimSms,
  nextDueSms,
  type SmsSendResult,
  smsSuffix,
} from '../core/collections/sms.ts'
import { begin } from '../db/client.ts'
import { logEvent } from '../lib/log-events.ts'
import type { Job } from '../lib/loop.ts'
import { leaseTimes } from './shared/lease-times.ts'

/**
 * Sends the SMS of the outbox. If the process is killed after the provider's answer and before the commit, the SMS is sent
 * once more: an SMS that arrives twice is better than an SMS that never arrives.
 */
export function sendSmsMessages(app: App): Job<ClaimedSms> {
  const suffix = smsSuffix(app.config.SERVICE_NAME)
  return {
    name: 'send-sms-messages',
    // A provider gets up to limit × concurrency SMS at the same time. In the sandbox one commit covers `limit` SMS.
    limit: 100,
    concurrency: 2,
    claim: (limit) => begin(app.db, (tx) => claimSms(tx, leaseTimes(app), limit, suffix)),
    nextDue: () => nextDueSms(app.db, app.clock.real()),
    next_due_is_complete: true,
    async run(messages) {
      const results = await Promise.all(messages.map((sms) => sendSmsMessage(app, sms)))
      await begin(app.db, (tx) => applySmsResults(tx, app.clock.now(), results))
    },
  }
}

const TOO_LATE_MESSAGE = 'The request ended before its instructions could be sent.'

async function sendSmsMessage(app: App, sms: ClaimedSms): Promise<SmsSendResult> {
  const sender = app.sms_sender.code
  if (sms.outdated) return { sms, sender, result: { outcome: 'failed', message: TOO_LATE_MESSAGE, retry: false } }
  const started = performance.now()
  try {
    return { sms, sender, result: await app.sms_sender.send(sms) }
  } catch (error) {
    // The error counts as one try of this SMS. If it were thrown, the whole batch would be sent again and again.
    const duration_ms = Math.round(performance.now() - started)
    logEvent(app.log, 'sms_send_failed', { sms: sms.id, sender, duration_ms, error })
    return { sms, sender, result: { outcome: 'unknown', message: 'The SMS sender failed; the log says why.' } }
  }
}

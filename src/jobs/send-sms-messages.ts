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
import type { Job } from '../lib/loop.ts'
import { leaseTimes } from './lease-times.ts'

/**
 * Sends the outbox to customers. A process that is killed between a provider's answer and the settlement sends its texts
 * once more when it is back: an SMS that comes twice is better than one that never comes.
 */
export function sendSmsMessages(app: App): Job<ClaimedSms> {
  const suffix = smsSuffix(app.config.SERVICE_NAME)
  return {
    name: 'send-sms-messages',
    // Times lanes, this is the most that a provider gets at once. The outbox of the sandbox pays a commit for so many.
    limit: 100,
    concurrency: 2,
    claim: (limit) => begin(app.db, (tx) => claimSms(tx, leaseTimes(app), limit, suffix)),
    nextDue: () => nextDueSms(app.db, app.clock.real()),
    next_due_is_complete: true,
    async run(texts) {
      const answers = await Promise.all(texts.map((text) => sendSmsMessage(app, text)))
      await begin(app.db, (tx) => applySmsResults(tx, app.clock.now(), answers))
    },
  }
}

const TOO_LATE_MESSAGE = 'The request ended before its instructions could be sent.'

async function sendSmsMessage(app: App, text: ClaimedSms): Promise<SmsSendResult> {
  const sender = app.sms_sender.code
  if (text.outdated)
    return { sms: text, sender, result: { outcome: 'failed', message: TOO_LATE_MESSAGE, retry: false } }
  try {
    return { sms: text, sender, result: await app.sms_sender.send(text) }
  } catch (error) {
    // A fault of the sender costs this text a try. Thrown on, it would have its neighbours sent again and again.
    app.log.error({ job: 'send-sms-messages', text: text.id, err: error }, 'fault')
    return { sms: text, sender, result: { outcome: 'unknown', message: 'The sender has a fault; the log tells more.' } }
  }
}

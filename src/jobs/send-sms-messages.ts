import type { App } from '../app.ts'
import { type ClaimedText, claimTexts, nextDueText, settleTexts, suffixOf, type TextAnswer } from '../core/collections/sms.ts'
import { begin } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { timesOf } from './lease-times.ts'

/**
 * Sends the outbox to customers. A process that is killed between a provider's answer and the settlement sends its texts
 * once more when it is back: an SMS that comes twice is better than one that never comes.
 */
export function sendTexts(app: App): Job<ClaimedText> {
  const suffix = suffixOf(app.config.SERVICE_NAME)
  return {
    name: 'send-texts',
    // Times lanes, this is the most that a provider gets at once. The outbox of the sandbox pays a commit for so many.
    limit: 100,
    lanes: 2,
    claim: (limit) => begin(app.db, (tx) => claimTexts(tx, timesOf(app), limit, suffix)),
    nextDue: () => nextDueText(app.db, app.clock.real()),
    due_tells_all: true,
    async run(texts) {
      const answers = await Promise.all(texts.map((text) => send(app, text)))
      await begin(app.db, (tx) => settleTexts(tx, app.clock.now(), answers))
    },
  }
}

const LATE = 'The request ended before its instructions could be sent.'

async function send(app: App, text: ClaimedText): Promise<TextAnswer> {
  const sender = app.sender.code
  if (text.late) return { text, sender, result: { outcome: 'failed', message: LATE, retry: false } }
  try {
    return { text, sender, result: await app.sender.send(text) }
  } catch (error) {
    // A fault of the sender costs this text a try. Thrown on, it would have its neighbours sent again and again.
    app.log.error({ job: 'send-texts', text: text.id, err: error }, 'fault')
    return { text, sender, result: { outcome: 'unknown', message: 'The sender has a fault; the log tells more.' } }
  }
}

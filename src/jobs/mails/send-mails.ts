import { createHash } from 'node:crypto'
import type { App } from '../../app.ts'
import {
  applyMailResults,
  BUSY_MS,
  type ClaimedMail,
  claimMails,
  type MailResult,
  nextDueMail,
} from '../../core/access/mails.ts'
import { begin } from '../../db/client.ts'
import { logEvent } from '../../lib/log-events.ts'
import type { Job } from '../../lib/loop.ts'
import { toStorableText } from '../../lib/storable-text.ts'
import { type Mailer, readMailError } from '../../senders/mail.ts'
import { applyInBatch } from '../shared/apply-in-batch.ts'
import { leaseTimes } from '../shared/lease-times.ts'

/** Lease: longer than a mail server may take to answer. */
const LEASE_MS = 300_000
/** Mails on their way at the same time, each over a connection of its own. Microsoft 365 lets a mailbox have three. */
const MAX_MAILS = 3

/**
 * Sends the mails of the outbox. If the process is killed after the mail server's answer and before the commit, a mail
 * is sent again. Without a mail server the mails wait, and for a minute after it said that it is busy.
 */
export function sendMails(app: App): Job<ClaimedMail> {
  let busy_until_ms = 0
  const pause = () => Math.max(0, busy_until_ms - app.clock.real().getTime())
  return {
    name: 'send-mails',
    limit: MAX_MAILS,
    concurrency: 1,
    claim: async (limit) =>
      app.mailer && pause() === 0 ? begin(app.db, (tx) => claimMails(tx, leaseTimes(app, LEASE_MS), limit)) : [],
    async nextDue() {
      const due = app.mailer ? await nextDueMail(app.db.polling, app.clock.real()) : null
      return due && new Date(Math.max(due.getTime(), app.clock.now().getTime() + pause()))
    },
    next_due_is_complete: true,
    async run(mails) {
      const { mailer } = app
      if (!mailer) return
      const results = await Promise.all(mails.map((mail) => sendMail(app, mailer, mail)))
      if (results.some(({ reason }) => reason === 'busy')) busy_until_ms = app.clock.real().getTime() + BUSY_MS
      const apply = (batch: readonly MailResult[]) =>
        begin(app.db, (tx) => applyMailResults(tx, app.clock.now(), batch))
      await applyInBatch(results, apply, app.log)
    },
  }
}

async function sendMail(app: App, mailer: Mailer, mail: ClaimedMail): Promise<MailResult> {
  try {
    await mailer.send({ to: mail.recipient, subject: mail.subject, text: mail.body, outbox_id: idOf(mail) })
    return { mail, error: null }
  } catch (error) {
    logEvent(app.log, 'mail_send_failed', { mail: mail.id, attempts: mail.attempts, error })
    const message = toStorableText(error instanceof Error ? error.message : String(error))
    return { mail, error: message, reason: readMailError(error) }
  }
}

/** The id of a mail, the same in all attempts. No other installation uses it. */
function idOf({ id, organization, recipient, created }: ClaimedMail): string {
  return createHash('sha256')
    .update(`${id} ${organization} ${recipient} ${created.getTime()}`)
    .digest('hex')
    .slice(0, 32)
}

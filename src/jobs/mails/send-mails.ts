import type { App } from '../../app.ts'
import {
  applyMailResults,
  type ClaimedMail,
  claimMails,
  type MailResult,
  nextDueMail,
} from '../../core/access/mails.ts'
import { begin } from '../../db/client.ts'
import { logEvent } from '../../lib/log-events.ts'
import type { Job } from '../../lib/loop.ts'
import { toStorableText } from '../../lib/storable-text.ts'
import type { Mailer } from '../../senders/mail.ts'
import { applyInBatch } from '../shared/apply-in-batch.ts'
import { leaseTimes } from '../shared/lease-times.ts'

/** Lease: longer than a mail server may take to answer. */
const LEASE_MS = 60_000

/**
 * Sends the mails of the outbox. If the process is killed after the mail server's answer and before the commit, a mail
 * is sent again. Without a mail server the mails wait.
 */
export function sendMails(app: App): Job<ClaimedMail> {
  return {
    name: 'send-mails',
    limit: 10,
    concurrency: 1,
    claim: async (limit) => (app.mailer ? begin(app.db, (tx) => claimMails(tx, leaseTimes(app, LEASE_MS), limit)) : []),
    nextDue: async () => (app.mailer ? nextDueMail(app.db.polling, app.clock.real()) : null),
    next_due_is_complete: true,
    async run(mails) {
      const { mailer } = app
      if (!mailer) return
      const results = await Promise.all(mails.map((mail) => sendMail(app, mailer, mail)))
      const apply = (batch: readonly MailResult[]) =>
        begin(app.db, (tx) => applyMailResults(tx, app.clock.now(), batch))
      await applyInBatch(results, apply, app.log)
    },
  }
}

async function sendMail(app: App, mailer: Mailer, mail: ClaimedMail): Promise<MailResult> {
  try {
    await mailer.send({ to: mail.recipient, subject: mail.subject, text: mail.body })
    return { mail, error: null }
  } catch (error) {
    logEvent(app.log, 'mail_send_failed', { mail: mail.id, attempts: mail.attempts, error })
    return { mail, error: toStorableText(error instanceof Error ? error.message : String(error)) }
  }
}

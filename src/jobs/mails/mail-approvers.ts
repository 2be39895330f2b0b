import type { App } from '../../app.ts'
import { queueApprovalMails } from '../../core/payments/approval-mails.ts'
import { begin } from '../../db/client.ts'
import type { Job } from '../../lib/loop.ts'

const MAX_MAILS = 50
const MINUTE_MS = 60_000

/** Tells approvers by mail of payments that wait for them. The claim puts the mails into the outbox; `send-mails` sends them. */
export function mailApprovers(app: App): Job<'mail'> {
  const { APPROVAL_MAIL_MINUTES, SERVICE_NAME } = app.config
  return {
    name: 'mail-approvers',
    limit: MAX_MAILS,
    concurrency: 1,
    async claim(limit) {
      if (!app.mailer) return []
      const options = {
        now: app.clock.now(),
        interval_ms: APPROVAL_MAIL_MINUTES * MINUTE_MS,
        service_name: SERVICE_NAME,
        console_url: `${app.address.url.replace(/\/$/, '')}/console`,
      }
      const queued = await begin(app.db, (tx) => queueApprovalMails(tx, options, limit))
      return Array.from({ length: queued }, () => 'mail' as const)
    },
    // It looks each second; which person is due depends on payments and on the last mail.
    nextDue: async () => null,
    async run() {
      app.wake()
    },
  }
}

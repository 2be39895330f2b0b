import type { App } from '../../app.ts'
import { networksForInvoices } from '../../connections/invoice-networks.ts'
import { claimReminders, findNextReminder, remindOfInvoice } from '../../core/invoices/reminders.ts'
import { begin } from '../../db/client.ts'
import { logEvent } from '../../lib/log-events.ts'
import type { Job } from '../../lib/loop.ts'
import { leaseTimes } from '../shared/lease-times.ts'

/** Maximum number of reminders: few enough that a batch is done long before its lease ends. */
const MAX_REMINDERS = 50

/** Reminds customers of invoices on the days that these name. */
export function remindOfInvoices(app: App): Job<number> {
  const chooseNetwork = networksForInvoices(app.connections)
  return {
    name: 'remind-of-invoices',
    limit: MAX_REMINDERS,
    concurrency: 1,
    claim: (limit) => begin(app.db, (tx) => claimReminders(tx, leaseTimes(app), limit)),
    nextDue: () => findNextReminder(app.db.polling, app.clock.real()),
    next_due_is_complete: true,
    async run(invoices) {
      for (const id of invoices) {
        try {
          const options = { now: app.clock.now(), base_url: app.address.url }
          await begin(app.db, (tx) => remindOfInvoice(tx, id, options, chooseNetwork))
        } catch (error) {
          // The others are not kept waiting. The lease ends, and this one is tried again.
          logEvent(app.log, 'job_failed', { job: 'remind-of-invoices', error })
        }
      }
      app.wake()
    },
  }
}

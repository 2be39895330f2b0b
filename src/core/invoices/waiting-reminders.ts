import type { Tx } from '../../db/client.ts'
import { reviseUnsent } from '../sms/unsent.ts'
import { type InvoiceRow, openAmount } from './invoice.ts'
import { reminderSms } from './words.ts'

/**
 * Lets the reminders of a locked invoice that still wait for their sending, as in quiet hours, say what is open now. Those of an
 * invoice without an open amount are not sent.
 */
export async function reviseReminders(tx: Tx, invoice: InvoiceRow, base_url: string): Promise<void> {
  const waiting = await tx<{ id: number; day: string }[]>`
    select m.id, r.day::text as day from invoice_reminders r join sms_messages m on m.id = r.sms_message
    where r.invoice = ${invoice.id} and m.state = 'waiting'`
  const has_ended = openAmount(invoice) === 0n
  await reviseUnsent(
    tx,
    waiting.map(({ id, day }) => ({ id, body: has_ended ? null : reminderSms(invoice, day, base_url) })),
  )
}

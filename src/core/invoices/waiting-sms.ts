import type { Tx } from '../../db/client.ts'
import { reviseUnsent } from '../sms/unsent.ts'
import { type InvoiceRow, openAmount } from './invoice.ts'
import { invoiceSms, reminderSms } from './words.ts'

/**
 * Lets the SMS about a locked invoice that still wait for their sending, as reminders do in quiet hours, say what is open now.
 * SMS of an invoice without an open amount are not sent.
 */
export async function reviseWaitingSms(tx: Tx, invoice: InvoiceRow, base_url: string): Promise<void> {
  const waiting = await tx<{ id: number; reminded: string | null }[]>`
    select m.id, s.reminded::text as reminded from (
      select sms_message as id, day as reminded from invoice_reminders where invoice = ${invoice.id}
      union all
      select message, null from invoice_sends where invoice = ${invoice.id} and channel = 'sms') s
    join sms_messages m on m.id = s.id where m.state = 'waiting'`
  const has_ended = openAmount(invoice) === 0n
  const textOf = (day: string | null) =>
    day === null ? invoiceSms(invoice, base_url) : reminderSms(invoice, day, base_url)
  await reviseUnsent(
    tx,
    waiting.map(({ id, reminded }) => ({ id, body: has_ended ? null : textOf(reminded) })),
  )
}

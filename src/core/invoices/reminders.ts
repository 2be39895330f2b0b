import type { Reader, Tx } from '../../db/client.ts'
import { column, insert, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { readKnownPhone } from '../../lib/phone.ts'
import { dayIn } from '../../lib/text/time-zones.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { type ClaimTimes, claimInTurn, findNextInTurn } from '../leases.ts'
import { Refusal } from '../refusals.ts'
import { queueSms } from '../sms/outbox.ts'
import { type InvoiceRow, type LockedInvoice, openAmount, phoneOf, whyNoPhone } from './invoice.ts'
import type { ReadOptions } from './invoices.ts'
import { nextReminder } from './reminder-days.ts'
import { type ChooseNetwork, requestMoney } from './requests.ts'
import { lockSettled } from './states.ts'
import { readWaitingMoneyOf } from './waiting-money.ts'
import { reminderSms } from './words.ts'

/** A reminder that waits for a match looks again after an hour. */
const WAIT_MS = 3_600_000

const reminderTable = table('invoice_reminders', {
  id: column.id(),
  invoice: column.bigint(),
  day: column.date<string>(),
  sms_message: column.bigint().later(),
  request: column.bigint().later(),
  problem: column.text().later(),
  created: column.timestamptz(),
})

/** Claims invoices whose reminder is due, in turn by organization. */
export async function claimReminders(tx: Tx, times: ClaimTimes, limit: number): Promise<number[]> {
  const claimed = await claimInTurn<{ id: number }>(tx, { table: 'invoices', by: 'organization', times, limit })
  return claimed.map(({ id }) => id)
}

/** Finds the time when the next reminder is due, or null. */
export function findNextReminder(db: Reader, real: Date): Promise<Date | null> {
  return findNextInTurn(db, 'invoices', 'organization', real)
}

/**
 * Reminds the customer of an invoice, once a day however often this runs. Sends an SMS, and requests the open amount if
 * the invoice wants it and no other request may still be paid. A service that was away makes one reminder for all
 * missed ones. While money of the customer waits for a match, the reminder waits too.
 * @param chooseNetwork the network that is asked for an amount
 * @returns true if a reminder was made
 */
export async function remindOfInvoice(
  tx: Tx,
  id: number,
  options: ReadOptions,
  chooseNetwork: ChooseNetwork,
): Promise<boolean> {
  const { now } = options
  const invoice = await lockSettled(tx, id, options)
  const is_due = invoice.state === 'issued' && invoice.due_at !== null && invoice.due_at <= now
  if (is_due && (await readWaitingMoneyOf(tx, id)).length > 0) {
    await tx`
      update invoices set due_at = ${new Date(now.getTime() + WAIT_MS)}, leased_until = null where id = ${id}`
    return false
  }
  const next = is_due ? nextReminder(invoice, now) : invoice.state === 'issued' ? invoice.due_at : null
  await tx`update invoices set due_at = ${next}, leased_until = null where id = ${id}`
  if (!is_due || openAmount(invoice) === 0n) return false
  const day = dayIn(now, invoice.time_zone)
  const [reminder] = await tx<{ id: number }[]>`
    ${insert(reminderTable, [{ invoice: id, day }], { created: truncateToSecond(now) })}
    on conflict (invoice, day) do nothing returning id`
  if (!reminder) return false
  const sms = await sendReminder(tx, invoice, day, options)
  const asked = await askForMoney(tx, invoice, now, chooseNetwork)
  const problem = sms === null ? whyNoPhone(invoice) : asked.problem
  await tx`
    update invoice_reminders set sms_message = ${sms}, request = ${asked.request}, problem = ${problem}
    where id = ${reminder.id}`
  return true
}

/** @returns the SMS, or null if the phone number is gone */
async function sendReminder(
  tx: Tx,
  invoice: InvoiceRow,
  day: string,
  { now, base_url }: ReadOptions,
): Promise<number | null> {
  const phonenumber = phoneOf(invoice)
  if (phonenumber === null) return null
  const { organization } = invoice
  const body = reminderSms(invoice, day, base_url)
  // It does not answer an act of the customer. So STOP and quiet hours count.
  const message = { organization, purpose: 'reminder' as const, phonenumber, body, transactional: false }
  const [sms] = await queueSms(tx, now, [message])
  return sms ?? null
}

interface Asked {
  request: number | null
  problem: string | null
}

/** A request that cannot be made is no reason to keep the SMS back. */
async function askForMoney(tx: Tx, invoice: LockedInvoice, now: Date, chooseNetwork: ChooseNetwork): Promise<Asked> {
  const phone = readKnownPhone(phoneOf(invoice) ?? '')
  if (!invoice.reminder_prompts || !phone) return { request: null, problem: null }
  const { author, open_request } = invoice
  if (open_request !== undefined)
    return { request: null, problem: getMessage('invoices.open_request_only', { request: open_request }) }
  const amount = openAmount(invoice)
  try {
    const network = await chooseNetwork(tx, invoice, { amount, phonenumber: phone.number })
    const request = await requestMoney(tx, now, invoice, { amount, phone, network, source: 'reminder', author })
    return { request: request.id, problem: null }
  } catch (error) {
    // A refusal comes before anything is written, so the transaction goes on.
    if (!(error instanceof Refusal)) throw error
    return { request: null, problem: error.message }
  }
}

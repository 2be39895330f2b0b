import { addDays, timeOfDayIn } from '../../lib/text/time-zones.ts'
import type { InvoiceRow } from './invoice.ts'

/** Reminders go at nine in the morning in the time zone of the organization. */
const TIME = '09:00:00'

/** Finds the time of the next reminder after a time; null for none. */
export function nextReminder(
  { due_date, reminder_days, time_zone }: Pick<InvoiceRow, 'due_date' | 'reminder_days' | 'time_zone'>,
  after: Date,
): Date | null {
  const times = reminder_days
    .map((days) => timeOfDayIn(addDays(due_date, days), TIME, time_zone))
    .filter((time) => time > after)
    .sort((a, b) => a.getTime() - b.getTime())
  return times[0] ?? null
}

import { addDays, startOfLocalHour } from '../../lib/text/local-days.ts'
import { currencyCountries } from '../ledger/currencies.ts'
import type { InvoiceRow } from './invoice.ts'

/** Reminders go at nine in the morning where the currency is used. */
const HOUR = 9

/** When the next reminder after a time is due; null for none. */
export function nextReminder(
  { due_date, reminder_days, currency }: Pick<InvoiceRow, 'due_date' | 'reminder_days' | 'currency'>,
  after: Date,
): Date | null {
  const times = reminder_days
    .map((days) => startOfLocalHour(addDays(due_date, days), HOUR, currencyCountries[currency]))
    .filter((time) => time > after)
    .sort((a, b) => a.getTime() - b.getTime())
  return times[0] ?? null
}

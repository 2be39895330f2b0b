import { getMessage } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import type { Phone } from '../../lib/phone.ts'
import { endOfDayIn } from '../../lib/text/time-zones.ts'
import { isTimestamp } from '../../lib/time.ts'
import type { Cell } from '../files/cells.ts'
import { faultOf, type Read, readText } from '../files/read-cells.ts'
import { cellTaker, takeCurrency, takePhone } from '../invoices/batches/customer-cells.ts'
import { type ReadAt, readDay } from '../invoices/due-days.ts'
import { readAmount } from '../payments/bulk/read-cells.ts'
import type { Problem } from './batch.ts'
import type { Column, RequestCells } from './columns.ts'

/** Choices for all rows of a file, with the time and time zone of reading. */
export interface RowContext extends ReadAt {
  /** ISO 3166-1; null: phone numbers need their country code. */
  country: string | null
  currency: string
  currencies: readonly string[]
  reason: string
  /** Text as in the body of a request; undefined for the default. */
  expiry_date: string | undefined
  send_instructions: boolean
}

/** Row of a file, or customer with a tag, read. Missing values are as chosen for all. */
export interface ReadRow {
  number: number
  customer_number: string
  phone: Phone | null
  phone_text: string
  name: string
  first_name: string
  last_name: string
  amount: Amount | null
  currency: string
  reason: string
  expiry_date: string | undefined
  send_instructions: boolean
  problems: Problem[]
}

/** Reads the cells of a row, with a problem for each that cannot be used. */
export function readRow({ number, cells }: { number: number; cells: RequestCells }, context: RowContext): ReadRow {
  const problems: Problem[] = []
  const take = cellTaker<Column>(problems)
  const text = (column: Column, max: number) => take(column, readText(cells[column], max))?.trim() ?? ''
  const currency = takeCurrency(cells, context, take, 'requests.currencies')
  const customer_number = text('customer_number', 100)
  const phone = customer_number === '' ? takePhone(cells, { ...context, currency }, take) : null
  const [first_name, last_name, name] = [text('first_name', 100), text('last_name', 100), text('name', 200)]
  return {
    number,
    customer_number,
    phone,
    phone_text: phone?.number ?? cells.phone_number?.text ?? '',
    name: [first_name, last_name].filter(Boolean).join(' ') || name,
    first_name,
    last_name,
    amount: take('amount', readAmount(cells.amount, { currency, country: context.country })) ?? null,
    currency,
    reason: text('reason', 200) || context.reason,
    expiry_date: take('expiry', readExpiry(cells.expiry, context)) ?? context.expiry_date,
    send_instructions: take('send_instructions', readYesOrNo(cells.send_instructions)) ?? context.send_instructions,
    problems,
  }
}

const EXPIRY_MESSAGE = getMessage('requests.row_expiry')

/** Reads the expiry of a request. A day without a time ends at its end, in the time zone of the organization. */
function readExpiry(cell: Cell | undefined, at: ReadAt): Read<string | undefined> {
  if (!cell) return { value: undefined }
  const fault = cell.kind === 'date' ? undefined : faultOf(cell)
  if (fault) return { message: fault }
  const value = readExpiryText(cell.kind === 'date' ? cell.text.slice(0, 10) : cell.text, at)
  return value === undefined ? { message: EXPIRY_MESSAGE } : { value }
}

/** The expiry that a person means, as the body of a request takes it; undefined for another text. */
export function readExpiryText(text: string, at: ReadAt): string | undefined {
  const typed = text.trim()
  // A span such as `24 hours`, or a date with a time.
  if (isTimestamp(typed) && (!/^\d+[/-]/.test(typed) || typed.includes(':'))) return typed
  const day = readDay(typed, at)
  return day && endOfDayIn(day, at.time_zone).toISOString()
}

const YES = ['yes', 'y', 'true', '1', 'oui', 'o', 'ndiyo', 'ndio']
const NO = ['no', 'n', 'false', '0', 'non', 'hapana']

function readYesOrNo(cell: Cell | undefined): Read<boolean | undefined> {
  const read = readText(cell, 20)
  if (!('value' in read)) return read
  const word = read.value.trim().toLowerCase()
  if (word === '') return { value: undefined }
  return YES.includes(word) || NO.includes(word)
    ? { value: YES.includes(word) }
    : { message: getMessage('cells.yes_or_no') }
}

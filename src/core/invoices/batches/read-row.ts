import { getMessage } from '../../../lib/messages/message.ts'
import { type Amount, displayAmount } from '../../../lib/money.ts'
import type { Phone } from '../../../lib/phone.ts'
import { expandNumber } from '../../../lib/sheets/expand-number.ts'
import { type Language, languages } from '../../../lib/text/languages.ts'
import type { Cell } from '../../files/cells.ts'
import { faultOf, type Read, readText } from '../../files/read-cells.ts'
import { roundToCurrency } from '../../ledger/currencies.ts'
import { readAmount } from '../../payments/bulk/read-cells.ts'
import { DAY_MESSAGE, type ReadAt, readDay } from '../due-days.ts'
import type { NewLine } from '../totals.ts'
import type { Problem } from './batch.ts'
import type { Column, InvoiceCells } from './columns.ts'
import { cellTaker, type Take, takeCurrency, takePhone } from './customer-cells.ts'

const ONE = 10_000n
const MAX_TAX_RATE = 100n * ONE

/** Choices for all rows of a file, with the time and time zone of reading. */
export interface RowContext extends ReadAt {
  /** ISO 3166-1; null: phone numbers need their country code. */
  country: string | null
  currency: string
  currencies: readonly string[]
  /** Text of the lines if a row does not say it; empty for none. */
  text: string
}

/** Row of a file, read. Missing values are empty or undefined. */
export interface ReadRow {
  number: number
  customer_number: string
  phone: Phone | null
  phone_text: string
  name: string
  currency: string
  line: NewLine | null
  text: string
  due_date: string | undefined
  min_part: Amount | undefined
  notes: string
  language: Language | undefined
  invoice: string
  problems: Problem[]
}

/** Reads the cells of a row, with a problem for each that cannot be used. */
export function readRow({ number, cells }: { number: number; cells: InvoiceCells }, context: RowContext): ReadRow {
  const problems: Problem[] = []
  const take = cellTaker<Column>(problems)
  const currency = takeCurrency(cells, context, take, 'invoices.currencies')
  const text = take('text', readText(cells.text, 200))?.trim() || context.text
  if (text === '' && problems.every(({ column }) => column !== 'text'))
    problems.push({ column: 'text', message: getMessage('cells.text_missing') })
  const customer_number = take('customer_number', readText(cells.customer_number, 100))?.trim() ?? ''
  const phone = customer_number === '' ? takePhone(cells, { ...context, currency }, take) : null
  const line = takeLine(cells, { ...context, currency }, take)
  return {
    number,
    customer_number,
    phone,
    phone_text: phone?.number ?? cells.phone_number?.text ?? '',
    name: take('name', readText(cells.name, 200))?.trim() ?? '',
    currency,
    line: line && { ...line, text },
    text,
    due_date: take('due_date', readDueDate(cells.due_date, context)),
    min_part: cells.min_part && take('min_part', readAmount(cells.min_part, { currency, country: context.country })),
    notes: take('notes', readText(cells.notes, 1_000))?.trim() ?? '',
    language: take('language', readLanguage(cells.language)),
    invoice: take('invoice', readText(cells.invoice, 100))?.trim() ?? '',
    problems,
  }
}

/** Reads the quantity and the price of a row. A row has the price of one, or the price of all of it. */
function takeLine(
  cells: InvoiceCells,
  { country, currency }: RowContext,
  take: Take<Column>,
): Omit<NewLine, 'text'> | null {
  const quantity = cells.quantity ? take('quantity', readQuantity(cells.quantity, country)) : ONE
  const place = { currency, country }
  const price = cells.unit_price && take('unit_price', readAmount(cells.unit_price, place))
  const amount = cells.amount && take('amount', readAmount(cells.amount, place))
  const tax_rate = cells.tax_rate ? take('tax_rate', readTaxRate(cells.tax_rate)) : null
  if (!cells.unit_price && !cells.amount) take('amount', { message: getMessage('amounts.missing') })
  if (quantity === undefined || tax_rate === undefined) return null
  if (price !== undefined) {
    const product = roundToCurrency((quantity * price) / ONE, currency)
    if (amount !== undefined && amount !== product)
      take('amount', { message: getMessage('invoices.product', { amount: displayAmount(product) }) })
    return { quantity, unit_price: price, tax_rate }
  }
  if (amount === undefined) return null
  const unit_price = (amount * ONE) / quantity
  if (unit_price * quantity !== amount * ONE) {
    take('amount', {
      message: getMessage('invoices.no_unit_price', {
        amount: displayAmount(amount),
        quantity: displayAmount(quantity),
      }),
    })
    return null
  }
  return { quantity, unit_price, tax_rate }
}

function readQuantity(cell: Cell, country: string | null): Read<bigint> {
  const read = readAmount(cell, { country })
  return 'value' in read ? read : { message: getMessage('invoices.quantity') }
}

const TAX_MESSAGE = getMessage('invoices.tax_rate')

/** A cell that a spreadsheet shows as 18% is the number 0.18: it is refused, and not read as less than one percent. */
function readTaxRate(cell: Cell): Read<bigint | null> {
  const fault = faultOf(cell)
  if (fault) return { message: fault }
  const text = cell.kind === 'number' ? expandNumber(cell.text) : withoutPercent(cell.text.trim()).replace(',', '.')
  if (/^0+(\.0*)?$/.test(text)) return { value: null }
  const [, whole, decimals = ''] = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(text) ?? []
  const rate = whole === undefined ? 0n : BigInt(whole) * ONE + BigInt(decimals.padEnd(4, '0'))
  return rate >= ONE && rate <= MAX_TAX_RATE ? { value: rate } : { message: TAX_MESSAGE }
}

function readDueDate(cell: Cell | undefined, at: ReadAt): Read<string | undefined> {
  if (!cell) return { value: undefined }
  // The date of a spreadsheet may have a time.
  if (cell.kind === 'date') return { value: cell.text.slice(0, 10) }
  const fault = faultOf(cell)
  const day = fault ? undefined : readDay(cell.text, at)
  return day === undefined ? { message: fault ?? DAY_MESSAGE } : { value: day }
}

const LANGUAGE_NAMES: Readonly<Record<string, Language>> = {
  english: 'en',
  anglais: 'en',
  kiingereza: 'en',
  kiswahili: 'sw',
  swahili: 'sw',
  french: 'fr',
  francais: 'fr',
  kifaransa: 'fr',
}

function readLanguage(cell: Cell | undefined): Read<Language | undefined> {
  const read = readText(cell, 20)
  if (!('value' in read)) return read
  const word = read.value.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  if (word === '') return { value: undefined }
  const language = languages.find((code) => code === word) ?? LANGUAGE_NAMES[word]
  return language ? { value: language } : { message: getMessage('cells.language', { languages: languages.join(', ') }) }
}

function withoutPercent(text: string): string {
  return text.endsWith('%') ? text.slice(0, -1).trimEnd() : text
}

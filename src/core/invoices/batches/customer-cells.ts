import { getMessage } from '../../../lib/messages/message.ts'
import type { Phone } from '../../../lib/phone.ts'
import type { Cells } from '../../files/cells.ts'
import { type Read, readPhone, readText } from '../../files/read-cells.ts'
import { countryOfRow } from '../../payments/bulk/read-cells.ts'

/** The columns that say who is asked, and in which currency. */
type CustomerColumn = 'customer_number' | 'phone_number' | 'currency'

/** Reads a cell of a column; undefined where it cannot be used. */
export type Take<Column> = <Value>(column: Column, read: Read<Value>) => Value | undefined

/** Returns a function that takes the values of a row's cells, and notes a problem for each unusable cell. */
export function cellTaker<Column>(problems: { column: Column; message: string }[]): Take<Column> {
  return (column, read) => {
    if ('value' in read) return read.value
    problems.push({ column, message: read.message })
    return undefined
  }
}

/**
 * Takes the currency of a row from its cell, or the one that is chosen for all.
 * @param key message about a currency that is not used
 */
export function takeCurrency(
  cells: Cells<CustomerColumn>,
  { currency, currencies }: { currency: string; currencies: readonly string[] },
  take: Take<CustomerColumn>,
  key: 'invoices.currencies' | 'requests.currencies',
): string {
  const typed = take('currency', readText(cells.currency, 10))?.trim().toUpperCase()
  if (!typed || currencies.includes(typed)) return typed || currency
  take('currency', { message: getMessage(key, { currencies: currencies.join(', ') }) })
  return currency
}

/** The phone of a row without a customer number. A row with neither says so once. */
export function takePhone(
  cells: Cells<CustomerColumn>,
  { country, currency }: { country: string | null; currency: string },
  take: Take<CustomerColumn>,
): Phone | null {
  if (!cells.phone_number && !cells.customer_number)
    return take('customer_number', { message: getMessage('customers.nobody') }) ?? null
  if (!cells.phone_number) return null
  const country_of_row = countryOfRow(cells.phone_number.text, { kind: 'local', currency }, country)
  return take('phone_number', readPhone(cells.phone_number, country_of_row)) ?? null
}

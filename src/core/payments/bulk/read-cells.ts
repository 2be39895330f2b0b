import { type Amount, formatAmount } from '../../../lib/money.ts'
import { type Phone, parseLocalPhone, parsePhone } from '../../../lib/phone.ts'
import { positiveAmount } from '../../fields.ts'
import { currencyCountries, TEST_CURRENCY } from '../../ledger/currencies.ts'
import { type Cell, expandNumber } from './cells.ts'

/** What a cell says, or why it says nothing. */
export type Read<Value> = { value: Value } | { message: string }

const NO_FORMULA = 'The cell contains a formula. Replace it by its value.'
const NO_DATE = 'The cell contains a date.'
const SHORTENED =
  'The spreadsheet has shortened this number, and its last digits are lost. Format the column as text and enter the number again.'

/**
 * Reads a phone number as people of a country write it, or with a country code. A spreadsheet removes the zero in front and the
 * plus sign: without the zero the number is refused, because it could be that of another country.
 * @param country ISO 3166-1; null: only numbers with their country code are read
 */
export function readPhone(cell: Cell | undefined, country: string | null): Read<Phone> {
  if (!cell) return { message: 'The phone number is missing.' }
  const fault = faultOf(cell)
  if (fault) return { message: fault }
  if (/^\d+([.,]\d+)?[eE]\+?\d+$/.test(cell.text) && cell.kind !== 'number') return { message: SHORTENED }
  const text = cell.kind === 'number' ? expandNumber(cell.text) : cell.text
  const lost = withLostZero(text, country)
  if (lost)
    return { message: `The 0 in front or the country code is missing. Write 0${text.trim()} or ${lost.number}.` }
  const phone = country ? parseLocalPhone(text, country) : parsePhone(text)
  return phone
    ? { value: phone }
    : { message: 'This is no phone number. Write it such as 0772 000001 or +256772000001.' }
}

/** Digits of this length are numbers of the test country, where its currency is paid. */
const TEST_DIGITS = /^\d{8}$/

/**
 * The country whose people write a number without country code: that of the currency, as a local wallet pays only there. The
 * wallets that pay in several countries, and those of the test currency, take the country of the organization.
 */
export function countryOfRow(
  text: string,
  wallet: { kind: 'local' | 'cross_border'; currency: string } | undefined,
  organization_country: string | null,
): string | null {
  if (wallet?.kind !== 'local') return organization_country
  if (wallet.currency !== TEST_CURRENCY) return currencyCountries[wallet.currency] ?? organization_country
  return TEST_DIGITS.test(text) ? currencyCountries[TEST_CURRENCY]! : organization_country
}

/** The number that digits mean if a zero in front of them is missing. Numbers of the test country have no zero in front. */
function withLostZero(text: string, country: string | null): Phone | undefined {
  const digits = text.replace(/[\s().-]/g, '')
  if (country === null || country === 'XX' || !/^[1-9]\d{6,9}$/.test(digits)) return undefined
  const phone = parseLocalPhone(`0${digits}`, country)
  return phone?.country === country ? phone : undefined
}

/** Reads an amount: digits, and a point before decimals. */
export function readAmount(cell: Cell | undefined): Read<Amount> {
  if (!cell) return { message: 'The amount is missing.' }
  const fault = faultOf(cell)
  if (fault) return { message: fault }
  const text = cell.kind === 'number' ? expandNumber(cell.text) : cell.text.replace(/\s/g, '')
  const { data, error } = positiveAmount.safeParse(text)
  if (data !== undefined) return { value: data }
  return { message: adviceFor(text) ?? error!.issues[0]!.message }
}

function adviceFor(text: string): string | undefined {
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text)) return `Write ${text.replaceAll(',', '')}, without commas.`
  if (/^\d{1,3}(\.\d{3}){2,}(,\d+)?$/.test(text))
    return `Write ${text.replaceAll('.', '').replace(',', '.')}, without points between thousands.`
  if (/^\d+,\d{1,2}$/.test(text)) return `Write ${text.replace(',', '.')}, with a point before the decimals.`
  if (/[eE]\+?\d+$/.test(text) && /^\d/.test(text)) return SHORTENED
  if (/\d/.test(text) && /\p{L}|\p{Sc}/u.test(text)) return 'Write digits alone. The currency has a column of its own.'
  return undefined
}

/** Reads a text of at most `max` characters. An empty cell is an empty text. */
export function readText(cell: Cell | undefined, max: number): Read<string> {
  if (!cell) return { value: '' }
  const fault = faultOf(cell)
  if (fault) return { message: fault }
  const text = cell.kind === 'number' ? expandNumber(cell.text) : cell.text
  return [...text].length > max ? { message: `Ensure this field has no more than ${max} characters.` } : { value: text }
}

function faultOf({ kind }: Cell): string | undefined {
  return kind === 'formula' ? NO_FORMULA : kind === 'date' ? NO_DATE : undefined
}

/** An amount as it is compared with that of another row. */
export function amountKey(phonenumber: string, currency: string, amount: Amount): string {
  return `${phonenumber} ${currency} ${formatAmount(amount)}`
}

import { type Amount, formatAmount } from '../../../lib/money.ts'
import { expandNumber } from '../../../lib/sheets/expand-number.ts'
import { positiveAmount } from '../../fields.ts'
import type { Cell } from '../../files/cells.ts'
import { faultOf, type Read, SHORTENED } from '../../files/read-cells.ts'
import { currencyCountries, TEST_CURRENCY } from '../../ledger/currencies.ts'

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

/** An amount as it is compared with that of another row. */
export function amountKey(phonenumber: string, currency: string, amount: Amount): string {
  return `${phonenumber} ${currency} ${formatAmount(amount)}`
}

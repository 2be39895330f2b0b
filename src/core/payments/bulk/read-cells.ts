import { getMessage } from '../../../lib/messages/message.ts'
import { type Amount, formatAmount, shortAmount } from '../../../lib/money.ts'
import { expandNumber } from '../../../lib/sheets/expand-number.ts'
import { readTypedAmount } from '../../../lib/typed-amount.ts'
import { positiveAmount } from '../../fields.ts'
import type { Cell } from '../../files/cells.ts'
import { faultOf, type Read, readField, SHORTENED } from '../../files/read-cells.ts'
import { countryOf, currencyCountries, decimalsError, TEST_CURRENCY } from '../../ledger/currencies.ts'

/** Digits of this length are numbers of the test country, where its currency is paid. */
const TEST_DIGITS = /^\d{8}$/

/**
 * Returns the country whose people write a number without country code: the organization's, whatever is paid. Only an
 * organization without a country writes numbers of the country of its wallet. The test currency has numbers of its own.
 */
export function countryOfRow(
  text: string,
  wallet: { kind: 'local' | 'cross_border'; currency: string } | undefined,
  organization_country: string | null,
): string | null {
  if (wallet?.kind !== 'local') return organization_country
  if (wallet.currency === TEST_CURRENCY && TEST_DIGITS.test(text)) return countryOf(TEST_CURRENCY)
  return organization_country ?? currencyCountries[wallet.currency] ?? null
}

/** Reads an amount: a number of the spreadsheet, or a text as people of the country type it (`readTypedAmount`). */
export function readAmount(
  cell: Cell | undefined,
  { currency, country }: { currency?: string | undefined; country?: string | null } = {},
): Read<Amount> {
  if (!cell) return { message: getMessage('amounts.missing') }
  const fault = faultOf(cell)
  if (fault) return { message: fault }
  if (/^\d[\d.,]*[eE]\+?\d+$/.test(cell.text) && cell.kind !== 'number') return { message: SHORTENED }
  const place = { ...(currency !== undefined && { currency }), ...(country !== undefined && { country }) }
  const typed = cell.kind === 'number' ? undefined : readTypedAmount(cell.text, place)
  if (typed && 'message' in typed) return typed
  const read = readField(positiveAmount, typed ? shortAmount(typed.amount) : expandNumber(cell.text))
  const message = 'value' in read && currency ? decimalsError(read.value, currency) : undefined
  return message === undefined ? read : { message }
}

/** Returns the key that compares an amount with another row's. */
export function amountKey(phonenumber: string, currency: string, amount: Amount): string {
  return `${phonenumber} ${currency} ${formatAmount(amount)}`
}

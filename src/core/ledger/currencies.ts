import { z } from 'zod'
import type { Database, Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, countDecimals } from '../../lib/money.ts'
import type { Phone } from '../../lib/phone.ts'
import { tooManyDecimals } from '../../lib/typed-amount.ts'
import { Country } from '../countries.ts'
import { documented, fieldMessages, id } from '../fields.ts'
import { Invalid } from '../refusals.ts'

/** Interface 2.1. `usd_rate` is the number of local units for one US dollar. */
export const Currency = z
  .object({
    id,
    name: documented(z.string(), 'Name of the currency.', 'Ugandan Shilling'),
    code: documented(z.string(), 'Three-letter code.', 'UGX'),
    country: Country,
    usd_rate: documented(z.number(), 'Units of the currency for one US dollar.', 3560),
  })
  .meta({ id: 'Currency' })
export type Currency = z.output<typeof Currency>

/** A currency that a caller asks for, such as `UGX`; small letters are read, too. */
export const currencyCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z]{3}$/, getMessage('fields.currency'))
  .transform((code) => code.toUpperCase())

/** The country whose phones use a currency, for every currency in the table `currencies`. */
export const currencyCountries: Readonly<Record<string, string>> = { BXC: 'XX', UGX: 'UG', KES: 'KE', NGN: 'NG' }

/** Number of decimals of prices in a currency (ISO 4217, minor units). */
const currencyDecimals: Readonly<Record<string, number>> = { BXC: 2, UGX: 0, KES: 2, NGN: 2 }

/**
 * Returns the maximum number of decimals of amounts in a currency; undefined for the test currency and unknown ones.
 */
export function decimalsOf(currency: string): number | undefined {
  return currency === TEST_CURRENCY ? undefined : currencyDecimals[currency]
}

/** Returns the reason why an amount cannot be expressed in a currency, or undefined if it can. */
export function decimalsError(amount: Amount, currency: string): string | undefined {
  const decimals = decimalsOf(currency)
  return decimals !== undefined && countDecimals(amount) > decimals ? tooManyDecimals(currency) : undefined
}

/** Returns the reason why a code is no currency of this installation, or undefined if it is one. */
export async function currencyError(db: Reader, code: string): Promise<string | undefined> {
  const known = (await db<{ code: string }[]>`select code from currencies order by code`).map((row) => row.code)
  return known.includes(code) ? undefined : fieldMessages.choice(code, known)
}

/** The smallest amount of a currency that prices have. */
export function currencyUnit(currency: string): Amount {
  return 10n ** BigInt(4 - (currencyDecimals[currency] ?? 2))
}

/** Rounds an amount to the decimals of its currency, half up. */
export function roundToCurrency(amount: Amount, currency: string): Amount {
  const unit = currencyUnit(currency)
  return ((amount + unit / 2n) / unit) * unit
}

/** Returns the country of a currency in which this installation collects. */
export function countryOf(currency: string): string {
  const country = currencyCountries[currency]
  if (country === undefined) throw new Error(`The currency ${currency} has no country.`)
  return country
}

/** The currency that exists only in the sandbox. It accepts phone numbers of all countries. */
export const TEST_CURRENCY = 'BXC'

/** Return the currencies in which this installation collects. The test currency exists only in the sandbox. */
export function collectionCurrencies(config: {
  MODE: 'sandbox' | 'live'
  COLLECTION_CURRENCIES: readonly string[]
}): string[] {
  return config.COLLECTION_CURRENCIES.filter((code) => config.MODE === 'sandbox' || code !== TEST_CURRENCY)
}

/** Returns the reason why a local wallet cannot collect this currency from this phone, or undefined if it can. */
export function countryError(currency: string, phone: Phone): string | undefined {
  if (currency === TEST_CURRENCY || phone.country === currencyCountries[currency]) return undefined
  return getMessage('wallets.wrong_country', { currency, phone: phone.number })
}

/** All currencies of local wallets, oldest first, without the test currency in live mode. */
export async function listCurrencies(db: Reader, mode: 'sandbox' | 'live'): Promise<Currency[]> {
  const rows = await db<(Omit<Currency, 'country'> & z.output<typeof Country> & { currency_name: string })[]>`
    select c.id, c.name as currency_name, c.code, c.usd_rate, n.*
    from currencies c join countries n on n.iso = c.country
    where ${mode === 'sandbox' ? sql.always : sql`c.code <> ${TEST_CURRENCY}`} order by c.id`
  return rows.map(({ id, currency_name, code, usd_rate, ...country }) => ({
    id,
    name: currency_name,
    code,
    country,
    usd_rate,
  }))
}

/**
 * Stores new rates by currency code and ignores unknown codes.
 * @returns the codes whose rates were stored
 * @throws Invalid if a rate is not above zero
 */
export async function updateExchangeRates(
  tx: Tx,
  now: Date,
  rates: Readonly<Record<string, number>>,
): Promise<string[]> {
  const wrong = Object.entries(rates).filter(([, rate]) => !(Number.isFinite(rate) && rate > 0))
  if (wrong.length > 0)
    throw new Invalid({ rates: wrong.map(([code]) => getMessage('wallets.rate_must_above', { code })) })
  const fresh = Object.entries(rates).map(([code, rate]) => ({ code, rate }))
  const updated = await tx<{ code: string }[]>`
    update currencies set usd_rate = r.rate, rate_updated = ${now}
    from ${rows(fresh, { code: 'text', rate: 'double precision' }).as('r')}
    where currencies.code = r.code returning currencies.code`
  return updated.map((row) => row.code)
}

/** Finds the time when the oldest rate was last updated, or null if one never was. */
export async function findOldestExchangeRateTime(db: Database): Promise<Date | null> {
  const [row] = await db<{ updated: Date | null }[]>`
    select case when bool_or(rate_updated is null) then null else min(rate_updated) end as updated
    from currencies where code <> ${TEST_CURRENCY}`
  return row?.updated ?? null
}

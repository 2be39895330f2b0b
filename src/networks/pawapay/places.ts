import type { Limits } from '../../lib/adapter-types.ts'
import type { Environment, Place } from '../contract.ts'

/** Country that pawaPay serves. */
interface Country {
  /** ISO 3166-1, two letters. */
  code: string
  calling_code: string
  currencies: readonly string[]
  /** The digits of a mobile number after the calling code. Which network carries it, only pawaPay says. */
  numbers: string
}

/** The countries of pawaPay's list of providers, by their three letters (ISO 3166-1), as its API names them. */
export const countries: Readonly<Record<string, Country>> = {
  BEN: { code: 'BJ', calling_code: '229', currencies: ['XOF'], numbers: '(?:01)?[4569]\\d{7}' },
  BFA: { code: 'BF', calling_code: '226', currencies: ['XOF'], numbers: '[0567]\\d{7}' },
  CIV: { code: 'CI', calling_code: '225', currencies: ['XOF'], numbers: '0[157]\\d{8}' },
  CMR: { code: 'CM', calling_code: '237', currencies: ['XAF'], numbers: '6\\d{8}' },
  COD: { code: 'CD', calling_code: '243', currencies: ['CDF', 'USD'], numbers: '[89]\\d{8}' },
  COG: { code: 'CG', calling_code: '242', currencies: ['XAF'], numbers: '0\\d{8}' },
  ETH: { code: 'ET', calling_code: '251', currencies: ['ETB'], numbers: '[79]\\d{8}' },
  GAB: { code: 'GA', calling_code: '241', currencies: ['XAF'], numbers: '0?[67]\\d{6,7}' },
  GHA: { code: 'GH', calling_code: '233', currencies: ['GHS'], numbers: '[25]\\d{8}' },
  KEN: { code: 'KE', calling_code: '254', currencies: ['KES'], numbers: '[17]\\d{8}' },
  LSO: { code: 'LS', calling_code: '266', currencies: ['LSL'], numbers: '[56]\\d{7}' },
  MOZ: { code: 'MZ', calling_code: '258', currencies: ['MZN'], numbers: '8\\d{8}' },
  MWI: { code: 'MW', calling_code: '265', currencies: ['MWK'], numbers: '[89]\\d{8}' },
  NGA: { code: 'NG', calling_code: '234', currencies: ['NGN'], numbers: '[789]\\d{9}' },
  RWA: { code: 'RW', calling_code: '250', currencies: ['RWF'], numbers: '7\\d{8}' },
  SEN: { code: 'SN', calling_code: '221', currencies: ['XOF'], numbers: '7\\d{8}' },
  SLE: { code: 'SL', calling_code: '232', currencies: ['SLE'], numbers: '[2-9]\\d{7}' },
  TZA: { code: 'TZ', calling_code: '255', currencies: ['TZS'], numbers: '[67]\\d{8}' },
  UGA: { code: 'UG', calling_code: '256', currencies: ['UGX'], numbers: '(?:7\\d|3[19])\\d{7}' },
  ZMB: { code: 'ZM', calling_code: '260', currencies: ['ZMW'], numbers: '[579]\\d{8}' },
}

/** The currencies that have no smaller unit (ISO 4217). */
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['RWF', 'UGX', 'XAF', 'XOF'])

/** The environment of our connections in which the simulated network stands in the place of pawaPay. */
export const SIMULATED = 'simulated'

export const environments: Record<string, Environment> = {
  sandbox: { title: "pawaPay's sandbox", live: false, hosts: { api: 'https://api.sandbox.pawapay.io' } },
  production: { title: 'Production', live: true, hosts: { api: 'https://api.pawapay.io' } },
  [SIMULATED]: {
    title: 'Simulated network (kusanya networks simulate)',
    live: false,
    hosts: { api: 'http://127.0.0.1:4400/pawapay' },
  },
}

/** Places that pawaPay serves, one entry per country and currency. */
export const places: readonly Place[] = Object.values(countries).flatMap(
  ({ code, calling_code, currencies, numbers }) =>
    currencies.map((currency) => ({
      country: code,
      currency,
      limits: widestLimits(currency),
      phones: new RegExp(`^\\+${calling_code}${numbers}$`),
    })),
)

/**
 * Return the widest limits that the currency can express. pawaPay states the actual limits of a provider, an operation
 * and a day (`limits`), which apply in addition.
 */
function widestLimits(currency: string): Limits {
  const decimals = decimalsOf(currency)
  return { decimals, min: 10n ** BigInt(4 - decimals), max: 9_999_999_999n * 10_000n }
}

/** Return the maximum decimals of an amount in this currency; a provider may take fewer. */
export function decimalsOf(currency: string): number {
  return WITHOUT_DECIMALS.has(currency) ? 0 : 2
}

/** The two letters (ISO 3166-1) of a country that pawaPay names by three. */
export function countryCode(three_letters: string): string | undefined {
  return Object.hasOwn(countries, three_letters) ? countries[three_letters]!.code : undefined
}

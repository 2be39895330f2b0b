import type { Limits } from '../../lib/adapter-types.ts'
import type { Environment, Place } from '../contract.ts'

/** Country of Airtel Money. */
interface Country {
  name: string
  calling_code: string
  /** The first one is the usual one. */
  currencies: readonly [string, ...string[]]
  /** National numbers: Airtel's prefixes where known, otherwise only the form. */
  numbers: string
  /** The end of the hosts of this country, where it has its own. */
  domain?: string
}

/** The countries that Airtel's portal names, with the domains that are in public use. */
export const countries: Readonly<Record<string, Country>> = {
  CD: { name: 'DR Congo', calling_code: '243', currencies: ['CDF', 'USD'], numbers: '9[789]\\d{7}' },
  CG: { name: 'Congo', calling_code: '242', currencies: ['XAF'], numbers: '0[45]\\d{7}', domain: 'airtel.cg' },
  GA: { name: 'Gabon', calling_code: '241', currencies: ['XAF'], numbers: '7[4-7]\\d{6}' },
  KE: {
    name: 'Kenya',
    calling_code: '254',
    currencies: ['KES'],
    numbers: '(?:73\\d|75[0-6]|762|78\\d|10\\d)\\d{6}',
    domain: 'airtel.ke',
  },
  MG: { name: 'Madagascar', calling_code: '261', currencies: ['MGA'], numbers: '33\\d{7}' },
  MW: { name: 'Malawi', calling_code: '265', currencies: ['MWK'], numbers: '9[89]\\d{7}' },
  NE: { name: 'Niger', calling_code: '227', currencies: ['XOF'], numbers: '\\d{8}' },
  NG: { name: 'Nigeria', calling_code: '234', currencies: ['NGN'], numbers: '[789]\\d{9}' },
  RW: { name: 'Rwanda', calling_code: '250', currencies: ['RWF'], numbers: '7[23]\\d{7}', domain: 'airtel.co.rw' },
  SC: { name: 'Seychelles', calling_code: '248', currencies: ['SCR'], numbers: '2\\d{6}' },
  TD: { name: 'Chad', calling_code: '235', currencies: ['XAF'], numbers: '\\d{8}' },
  TZ: {
    name: 'Tanzania',
    calling_code: '255',
    currencies: ['TZS'],
    numbers: '(?:68|69|78)\\d{7}',
    domain: 'airtel.co.tz',
  },
  UG: { name: 'Uganda', calling_code: '256', currencies: ['UGX'], numbers: '7[045]\\d{7}', domain: 'airtel.ug' },
  ZM: { name: 'Zambia', calling_code: '260', currencies: ['ZMW'], numbers: '[579]7\\d{7}', domain: 'airtel.co.zm' },
}

/** The environment in which the simulated network stands in the place of Airtel. */
const SIMULATED = 'simulated'

/**
 * Airtel publishes neither limits nor decimals. Whole amounts are safe: answers do not repeat the amount, so nobody
 * would notice a rounded one.
 */
const LIMITS: Limits = { decimals: 0, min: 10_000n, max: 9_999_999_990_000n }

export const places: readonly Place[] = Object.entries(countries).flatMap(
  ([country, { calling_code, currencies, numbers }]) =>
    currencies.map((currency) => ({
      country,
      currency,
      limits: LIMITS,
      phones: new RegExp(`^\\+${calling_code}${numbers}$`),
      environments: environmentNames(country),
    })),
)

/** Shared hosts, and the hosts of countries with their own. All have the same paths. */
export const environments: Record<string, Environment> = {
  ...environmentsOf('', 'airtel.africa', 'All countries'),
  ...Object.assign(
    {},
    ...Object.entries(countries).map(
      ([code, { name, domain }]) => domain && environmentsOf(suffixOf(code), domain, name),
    ),
  ),
  [SIMULATED]: {
    title: 'Simulated network (kusanya networks simulate)',
    live: false,
    hosts: { api: 'http://127.0.0.1:4400/airtel-money' },
  },
}

/** The environments in which a country exists. */
export function environmentNames(country: string): readonly string[] {
  const suffixes = countries[country]?.domain ? ['', suffixOf(country)] : ['']
  return [...suffixes.flatMap((suffix) => [`staging${suffix}`, `production${suffix}`]), SIMULATED]
}

function suffixOf(country: string): string {
  return `-${country.toLowerCase()}`
}

function environmentsOf(suffix: string, domain: string, title: string): Record<string, Environment> {
  return {
    [`staging${suffix}`]: { title: `${title}: staging`, live: false, hosts: { api: `https://openapiuat.${domain}` } },
    [`production${suffix}`]: { title: `${title}: production`, live: true, hosts: { api: `https://openapi.${domain}` } },
  }
}

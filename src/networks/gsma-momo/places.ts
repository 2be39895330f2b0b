import type { Environment, Limits, Place } from '../contract.ts'

/*
 * The GSMA Mobile Money API is a standard, not a network: every provider has its own addresses, countries and limits.
 */

/** The environment in which the simulated network stands in the place of a provider. */
export const SIMULATED = 'simulated'

/** GSMA's sandbox with HTTP Basic instead of tokens. */
export const SANDBOX_WITHOUT_TOKENS = 'sandbox-basic'

/** End of host names that do not exist (RFC 2606). It is a placeholder for the provider's address. */
const NOBODY = '.invalid'

const SANDBOX_TOKENS = 'https://sandbox.mobilemoneyapi.io/v1/oauth/accesstoken'

/** Addresses of the API. `api` ends with the version and `/mm`; `token` is the whole address for tokens. */
export const environments: Record<string, Environment> = {
  sandbox: {
    title: "GSMA's sandbox, with tokens",
    live: false,
    hosts: { api: 'https://sandbox.mobilemoneyapi.io/2/oauth/simulator/v1.2/mm', token: SANDBOX_TOKENS },
  },
  [SANDBOX_WITHOUT_TOKENS]: {
    title: "GSMA's sandbox, without tokens",
    live: false,
    hosts: { api: 'https://sandbox.mobilemoneyapi.io/simulator/v1.2/passthrough/mm', token: SANDBOX_TOKENS },
  },
  test: { title: 'Test environment of a provider', live: false, hosts: placeholders('test.provider') },
  production: { title: 'Production of a provider', live: true, hosts: placeholders('provider') },
  [SIMULATED]: {
    title: 'Simulated network (kusanya networks simulate)',
    live: false,
    hosts: {
      api: 'http://127.0.0.1:4400/gsma-momo/1.2.0/mm',
      token: 'http://127.0.0.1:4400/gsma-momo/v1/oauth/accesstoken',
    },
  },
}

function placeholders(host: string): Record<string, string> {
  return { api: `https://${host}${NOBODY}/1.2.0/mm`, token: `https://${host}${NOBODY}/v1/oauth/accesstoken` }
}

/** Return true if an address is still the placeholder. */
export function isPlaceholder(url: string | undefined): boolean {
  return url === undefined || !URL.canParse(url) || new URL(url).hostname.endsWith(NOBODY)
}

/** The currencies without decimals (ISO 4217). */
const WHOLE_CURRENCIES = ['BIF', 'DJF', 'GNF', 'KMF', 'RWF', 'UGX', 'VUV', 'XAF', 'XOF', 'XPF']

/** Phone numbers that the standard allows: 6 to 15 digits. */
const PHONES = /^\+[1-9]\d{5,14}$/

/** Any country and currency: which of them a provider serves is known by the places of the connection. */
export const places: readonly Place[] = [
  ...WHOLE_CURRENCIES.map((currency) => ({ country: null, currency, limits: limitsOf(0), phones: PHONES })),
  { country: null, currency: null, limits: limitsOf(2), phones: PHONES },
]

/** The standard states no limits. The smallest amount is the smallest unit, and the largest fits into every field. */
function limitsOf(decimals: number): Limits {
  return { decimals, min: 10n ** BigInt(4 - decimals), max: 9_999_999_999n * 10_000n }
}

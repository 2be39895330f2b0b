import type { Limits, Place } from '../contract.ts'

/*
 * MTN runs one wallet platform per country and calls each a target environment. An API user belongs to one of them.
 */

/** Wallet platform: its address, and the currencies of its wallets. */
interface TargetEnvironment {
  /** ISO 3166-1, two letters. Null: any, in MTN's sandbox. */
  country: string | null
  /** The first one is the usual one. */
  currencies: readonly [string, ...string[]]
  /** The phone numbers here (E.164). MTN's own prefixes only where customers cannot keep a number of another operator. */
  phones: RegExp
}

/** The environment of our connections in which the simulated network stands in the place of MTN. */
export const SIMULATED = 'simulated'

/** MTN's list of target environments, as the header `X-Target-Environment` names them. */
const targetEnvironments = {
  sandbox: { country: null, currencies: ['EUR'], phones: /^\+[1-9]\d{7,14}$/ },
  mtnuganda: { country: 'UG', currencies: ['UGX'], phones: /^\+256(7[6-9]|3[19])\d{7}$/ },
  mtnghana: { country: 'GH', currencies: ['GHS'], phones: /^\+233[25]\d{8}$/ },
  mtnivorycoast: { country: 'CI', currencies: ['XOF'], phones: /^\+225\d{10}$/ },
  mtnzambia: { country: 'ZM', currencies: ['ZMW'], phones: /^\+260[79]\d{8}$/ },
  mtncameroon: { country: 'CM', currencies: ['XAF'], phones: /^\+2376\d{8}$/ },
  mtnbenin: { country: 'BJ', currencies: ['XOF'], phones: /^\+229(01)?\d{8}$/ },
  mtncongo: { country: 'CG', currencies: ['XAF'], phones: /^\+2420\d{8}$/ },
  mtnswaziland: { country: 'SZ', currencies: ['SZL'], phones: /^\+2687\d{7}$/ },
  mtnguineaconakry: { country: 'GN', currencies: ['GNF'], phones: /^\+2246\d{8}$/ },
  mtnsouthafrica: { country: 'ZA', currencies: ['ZAR'], phones: /^\+27[6-8]\d{8}$/ },
  mtnliberia: { country: 'LR', currencies: ['LRD', 'USD'], phones: /^\+231\d{7,9}$/ },
  mtnsouthsudan: { country: 'SS', currencies: ['SSP'], phones: /^\+2119\d{8}$/ },
  mtnnigeria: { country: 'NG', currencies: ['NGN'], phones: /^\+234[789]\d{9}$/ },
  mtnrwanda: { country: 'RW', currencies: ['RWF'], phones: /^\+2507[89]\d{7}$/ },
} satisfies Record<string, TargetEnvironment>

type TargetEnvironmentName = keyof typeof targetEnvironments

/** The names, for the setting that chooses one. */
export const targetEnvironmentNames = Object.keys(targetEnvironments) as [
  TargetEnvironmentName,
  ...TargetEnvironmentName[],
]

/** The currencies whose wallets have no decimals. */
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['UGX', 'RWF', 'XOF', 'XAF', 'GNF'])

/** Return the number of decimals that an amount in this currency may have at MTN. */
export function decimalsOf(currency: string): number {
  return WITHOUT_DECIMALS.has(currency) ? 0 : 2
}

export function currenciesOf(name: TargetEnvironmentName): readonly string[] {
  return targetEnvironments[name].currencies
}

/** Places that MTN MoMo serves, one entry per country and currency. */
export const places: readonly Place[] = Object.entries(targetEnvironments).flatMap(
  ([name, { country, currencies, phones }]) =>
    currencies.map((currency) => ({
      country,
      currency,
      limits: limitsOf(currency),
      phones,
      environments: [name === 'sandbox' ? 'sandbox' : 'production', SIMULATED],
    })),
)

/**
 * Return the widest limits. MTN publishes none: they depend on the country, the wallet and the contract. The minimum is
 * the smallest unit, the maximum fits into every field.
 */
function limitsOf(currency: string): Limits {
  const decimals = decimalsOf(currency)
  return { decimals, min: 10n ** BigInt(4 - decimals), max: 9_999_999_999n * 10_000n }
}

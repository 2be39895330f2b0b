/** The target environments of MTN, and the currencies of their wallets. The first one is the usual one. */
const currencies: Readonly<Record<string, readonly [string, ...string[]]>> = {
  sandbox: ['EUR'],
  mtnuganda: ['UGX'],
  mtnghana: ['GHS'],
  mtnivorycoast: ['XOF'],
  mtnzambia: ['ZMW'],
  mtncameroon: ['XAF'],
  mtnbenin: ['XOF'],
  mtncongo: ['XAF'],
  mtnswaziland: ['SZL'],
  mtnguineaconakry: ['GNF'],
  mtnsouthafrica: ['ZAR'],
  mtnliberia: ['LRD', 'USD'],
  mtnsouthsudan: ['SSP'],
  mtnnigeria: ['NGN'],
  mtnrwanda: ['RWF'],
}

const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['UGX', 'RWF', 'XOF', 'XAF', 'GNF'])

/** The names of all target environments. */
export const environmentNames: readonly string[] = Object.keys(currencies)

/** The currencies of a target environment; undefined when there is none of this name. */
export function currenciesOf(environment: string): readonly [string, ...string[]] | undefined {
  return Object.hasOwn(currencies, environment) ? currencies[environment] : undefined
}

/** Return the number of decimals that an amount in this currency may have. */
export function decimalsOf(currency: string): number {
  return WITHOUT_DECIMALS.has(currency) ? 0 : 2
}

import type { Amount } from '../../../lib/money.ts'

/*
 * The providers of the simulated pawaPay, and which phone numbers they carry.
 */

/** A network behind pawaPay. */
export interface Provider {
  code: string
  /** ISO 3166-1, three letters. */
  country: string
  calling_code: string
  currencies: readonly string[]
  /** The whole number without a plus sign. */
  numbers: RegExp
  /** Way in which a customer approves a deposit. */
  auth_type: 'PROVIDER_AUTH' | 'PREAUTH'
}

/** Countries: calling code, currencies, and the national numbers of each provider. */
const countries: Readonly<Record<string, readonly [string, string, Readonly<Record<string, string>>]>> = {
  BEN: [
    '229',
    'XOF',
    {
      MTN_MOMO_BEN: '(?:01)?(?:4[26]|5[0-4]|6[12679]|9[0167])\\d{6}',
      MOOV_BEN: '(?:01)?(?:45|55|6[03458]|9[4589])\\d{6}',
    },
  ],
  BFA: ['226', 'XOF', { MOOV_BFA: '[0567][0-3]\\d{6}', ORANGE_BFA: '[0567][4-7]\\d{6}' }],
  CIV: ['225', 'XOF', { MTN_MOMO_CIV: '05\\d{8}', ORANGE_CIV: '07\\d{8}' }],
  CMR: ['237', 'XAF', { MTN_MOMO_CMR: '6(?:5[0-4]|7\\d|8[0-4])\\d{6}', ORANGE_CMR: '6(?:5[5-9]|8[5-9]|9\\d)\\d{6}' }],
  COD: [
    '243',
    'CDF USD',
    { VODACOM_MPESA_COD: '8[1-3]\\d{7}', AIRTEL_COD: '9[7-9]\\d{7}', ORANGE_COD: '8[0459]\\d{7}' },
  ],
  COG: ['242', 'XAF', { MTN_MOMO_COG: '06\\d{7}', AIRTEL_COG: '0[45]\\d{7}' }],
  ETH: ['251', 'ETB', { MPESA_ETH: '7\\d{8}' }],
  GAB: ['241', 'XAF', { AIRTEL_GAB: '0?7[4-7]\\d{6}' }],
  GHA: [
    '233',
    'GHS',
    { MTN_MOMO_GHA: '(?:2[45]|5[3459])\\d{7}', VODAFONE_GHA: '[25]0\\d{7}', AIRTELTIGO_GHA: '[25][67]\\d{7}' },
  ],
  KEN: ['254', 'KES', { MPESA_KEN: '(?:7[01249]|11)\\d{7}' }],
  LSO: ['266', 'LSL', { MPESA_LSO: '5\\d{7}' }],
  MOZ: ['258', 'MZN', { MOVITEL_MOZ: '8[67]\\d{7}' }],
  MWI: ['265', 'MWK', { AIRTEL_MWI: '9[89]\\d{7}', TNM_MWI: '8[89]\\d{7}' }],
  NGA: [
    '234',
    'NGN',
    { MTN_MOMO_NGA: '(?:70|80|90|91)[36]\\d{7}', AIRTEL_NGA: '(?:70[18]|80[28]|812|90[1247])\\d{7}' },
  ],
  RWA: ['250', 'RWF', { MTN_MOMO_RWA: '7[89]\\d{7}', AIRTEL_RWA: '7[23]\\d{7}' }],
  SEN: ['221', 'XOF', { ORANGE_SEN: '7[78]\\d{7}', FREE_SEN: '76\\d{7}' }],
  SLE: ['232', 'SLE', { ORANGE_SLE: '7[4-9]\\d{6}' }],
  TZA: [
    '255',
    'TZS',
    {
      AIRTEL_TZA: '(?:6[89]|78)\\d{7}',
      VODACOM_TZA: '7[4-6]\\d{7}',
      TIGO_TZA: '(?:6[57]|71)\\d{7}',
      HALOTEL_TZA: '62\\d{7}',
    },
  ],
  UGA: ['256', 'UGX', { MTN_MOMO_UGA: '(?:7[6-9]|3[19])\\d{7}', AIRTEL_OAPI_UGA: '7[045]\\d{7}' }],
  ZMB: ['260', 'ZMW', { MTN_MOMO_ZMB: '[79]6\\d{7}', AIRTEL_OAPI_ZMB: '[79]7\\d{7}', ZAMTEL_ZMB: '[79]5\\d{7}' }],
}

export const providers: readonly Provider[] = Object.entries(countries).flatMap(
  ([country, [calling_code, currencies, numbers]]) =>
    Object.entries(numbers).map(([code, national]) => ({
      code,
      country,
      calling_code,
      currencies: currencies.split(' '),
      numbers: new RegExp(`^${calling_code}${national}$`),
      auth_type: code === 'ORANGE_BFA' ? ('PREAUTH' as const) : ('PROVIDER_AUTH' as const),
    })),
)

/** Providers by country, as the answers of the toolkit list them. */
export const providersByCountry: readonly { country: string; providers: readonly Provider[] }[] = Object.keys(
  countries,
).map((country) => ({ country, providers: providers.filter((provider) => provider.country === country) }))

/** The provider of a number, written as people do: blanks, hyphens and a plus sign count for nothing. */
export function findProvider(phone_number: string): { provider: Provider; digits: string } | undefined {
  const digits = phone_number.replace(/\D/g, '')
  const provider = providers.find(({ numbers }) => numbers.test(digits))
  return provider && { provider, digits }
}

const WITHOUT_DECIMALS = new Set(['RWF', 'UGX', 'XAF', 'XOF'])

/** The limits of every provider in a currency, as texts of its configuration and as amounts. */
export function limitsOf(currency: string): { min: string; max: string; decimals: 0 | 2; least: Amount; most: Amount } {
  return WITHOUT_DECIMALS.has(currency)
    ? { min: '100', max: '5000000', decimals: 0, least: 1_000_000n, most: 50_000_000_000n }
    : { min: '1', max: '1000000', decimals: 2, least: 10_000n, most: 10_000_000_000n }
}

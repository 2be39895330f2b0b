/*
 * Part of Reloadly's catalogue: operators of twenty countries, and billers of some. Rates and limits are a snapshot.
 */

export interface Operator {
  id: number
  name: string
  country: string
  currency: string
  /** Units of the currency per dollar. */
  rate: string
  kind: 'airtime' | 'data'
  /** Orders in the currency of the country are possible. */
  local: boolean
  /** Percent of a dollar order that Reloadly gives back. */
  discount: string
  /** Amounts in the currency of the country with their names; null: any amount in the limits. */
  fixed: readonly [number, string][] | null
  /** Minimum and maximum, in the currency of the country. */
  limits: [number, number]
}

export interface Biller {
  id: number
  name: string
  country: string
  currency: string
  rate: string
  type: 'ELECTRICITY_BILL_PAYMENT' | 'TV_BILL_PAYMENT' | 'WATER_BILL_PAYMENT' | 'INTERNET_BILL_PAYMENT'
  prepaid: boolean
  /** Fee in the currency of the country. */
  fee: string
  fixed: readonly { id: number; amount: number; description: string }[] | null
  limits: [number, number]
}

/** The currency of a country, its rate, and the limits of airtime. */
const markets: Readonly<Record<string, { currency: string; rate: string; limits: [number, number] }>> = {
  BF: { currency: 'XOF', rate: '505.427002', limits: [100, 25_000] },
  BJ: { currency: 'XOF', rate: '505.427002', limits: [100, 25_000] },
  CD: { currency: 'CDF', rate: '2731.118', limits: [1_000, 120_000] },
  CI: { currency: 'XOF', rate: '505.427002', limits: [100, 25_000] },
  CM: { currency: 'XAF', rate: '505.427002', limits: [100, 25_000] },
  ET: { currency: 'ETB', rate: '131.2041', limits: [10, 3_000] },
  GH: { currency: 'GHS', rate: '10.4172', limits: [1, 500] },
  KE: { currency: 'KES', rate: '127.5603', limits: [10, 5_000] },
  MG: { currency: 'MGA', rate: '4410.5127', limits: [500, 200_000] },
  ML: { currency: 'XOF', rate: '505', limits: [100, 25_000] },
  MW: { currency: 'MWK', rate: '1705.9', limits: [100, 80_000] },
  MZ: { currency: 'MZN', rate: '63.1225', limits: [10, 3_000] },
  NE: { currency: 'XOF', rate: '505.427002', limits: [100, 25_000] },
  NG: { currency: 'NGN', rate: '1388.88889', limits: [50, 50_000] },
  RW: { currency: 'RWF', rate: '1420.55', limits: [100, 70_000] },
  SN: { currency: 'XOF', rate: '470', limits: [100, 25_000] },
  TG: { currency: 'XOF', rate: '505.427002', limits: [100, 25_000] },
  TZ: { currency: 'TZS', rate: '2401.27', limits: [500, 100_000] },
  UG: { currency: 'UGX', rate: '3611.0213', limits: [500, 150_000] },
  ZM: { currency: 'ZMW', rate: '22.1043', limits: [2, 1_000] },
}

function airtime(id: number, country: string, name: string): Operator {
  return { id, name, country, ...markets[country]!, kind: 'airtime', local: true, discount: '4.0', fixed: null }
}

function data(id: number, country: string, name: string, fixed: readonly [number, string][]): Operator {
  return { id, name, country, ...markets[country]!, kind: 'data', local: true, discount: '3.0', fixed }
}

/** The operator that fails slowly. */
export const SLOW_OPERATOR = 1213

export const operators: readonly Operator[] = [
  airtime(341, 'NG', 'MTN Nigeria'),
  airtime(342, 'NG', 'Airtel Nigeria'),
  airtime(344, 'NG', 'Glo Nigeria'),
  airtime(340, 'NG', '9Mobile Nigeria'),
  data(SLOW_OPERATOR, 'NG', 'Glo Nigeria Special Bundle', [[100, '1.25GB for Sunday']]),
  data(345, 'NG', 'MTN Nigeria Data', [
    [1_000, '1.5GB for 30 days'],
    [5_500, '20GB for 30 days'],
  ]),
  airtime(265, 'KE', 'Safaricom Kenya'),
  airtime(266, 'KE', 'Airtel Kenya'),
  data(894, 'KE', 'Safaricom Kenya Data', [
    [99, '1GB for 24 hours'],
    [1_000, '8GB for 30 days'],
  ]),
  airtime(482, 'UG', 'MTN Uganda'),
  airtime(483, 'UG', 'Airtel Uganda'),
  data(895, 'UG', 'MTN Uganda Data', [[5_000, '1.5GB for 30 days']]),
  airtime(154, 'GH', 'MTN Ghana'),
  airtime(155, 'GH', 'Telecel Ghana'),
  airtime(461, 'TZ', 'Vodacom Tanzania'),
  airtime(463, 'TZ', 'Airtel Tanzania'),
  airtime(395, 'SN', 'Orange Senegal'),
  airtime(396, 'SN', 'Free Senegal'),
  airtime(387, 'RW', 'MTN Rwanda'),
  airtime(519, 'ZM', 'MTN Zambia'),
  airtime(209, 'CI', 'MTN Ivory Coast'),
  airtime(98, 'CM', 'MTN Cameroon'),
  airtime(107, 'CD', 'Vodacom DR Congo'),
  airtime(51, 'BJ', 'MTN Benin'),
  airtime(68, 'BF', 'Orange Burkina Faso'),
  airtime(289, 'MW', 'Airtel Malawi'),
  airtime(293, 'ML', 'Orange Mali'),
  airtime(315, 'MZ', 'Vodacom Mozambique'),
  airtime(338, 'NE', 'Airtel Niger'),
  airtime(467, 'TG', 'Togocom Togo'),
  airtime(281, 'MG', 'Airtel Madagascar'),
  // Orders in dollars only.
  { ...airtime(139, 'ET', 'Ethio Telecom'), local: false, discount: '10.0' },
]

function power(id: number, country: string, name: string, prepaid: boolean, limits: [number, number]): Biller {
  const { currency, rate } = markets[country]!
  return { id, name, country, currency, rate, type: 'ELECTRICITY_BILL_PAYMENT', prepaid, fee: '0', fixed: null, limits }
}

export const billers: readonly Biller[] = [
  power(1, 'NG', 'Ikeja Electricity Postpaid', false, [1_000, 300_000]),
  power(2, 'NG', 'Ikeja Electricity Prepaid', true, [1_000, 300_000]),
  power(5, 'NG', 'Eko Electricity Prepaid', true, [1_000, 300_000]),
  power(12, 'KE', 'KPLC Prepaid', true, [100, 35_000]),
  power(17, 'UG', 'UEDCL Yaka Prepaid', true, [5_000, 2_000_000]),
  power(21, 'SN', 'Woyofal Senegal', true, [1_000, 250_000]),
  {
    id: 25,
    name: 'StarTimes Mali',
    country: 'ML',
    currency: 'XOF',
    rate: '505',
    type: 'TV_BILL_PAYMENT',
    prepaid: true,
    fee: '0',
    limits: [400, 20_000],
    fixed: [
      { id: 1, amount: 400, description: 'Nova, one day' },
      { id: 2, amount: 4_000, description: 'Nova, one month' },
    ],
  },
  {
    id: 26,
    name: 'NWSC Uganda',
    country: 'UG',
    currency: 'UGX',
    rate: '3611.0213',
    type: 'WATER_BILL_PAYMENT',
    prepaid: false,
    fee: '0',
    limits: [1_000, 1_000_000],
    fixed: null,
  },
]

/** Prefixes of national numbers in countries with several operators. */
const beginnings: Readonly<Record<number, RegExp>> = {
  341: /^(70[36]|80[36]|81[0346]|90[36]|91[36])/,
  342: /^(70[18]|80[28]|812|90[1247]|912)/,
  344: /^(705|80[57]|81[15]|905|915)/,
  340: /^(809|81[78]|90[89])/,
  265: /^(7[0129]|74[0-35-8]|75[7-9]|76[89]|11)/,
  266: /^(73|75[0-6]|78|10)/,
  482: /^(7[678]|39)/,
  483: /^(7[045]|20)/,
  154: /^(2[45]|5[3459])/,
  155: /^[25]0/,
  461: /^7[456]/,
  463: /^(78|6[89])/,
  395: /^7[78]/,
  396: /^76/,
}

/** The operator of airtime for a national number, as its beginning says. A number that was moved to another one is not known. */
export function detectOperator(country: string, national: string): Operator | undefined {
  const found = operators.filter((one) => one.country === country && one.kind === 'airtime')
  return found.find(({ id }) => (found.length === 1 ? true : beginnings[id]?.test(national)))
}

export function operatorOf(id: unknown): Operator | undefined {
  return operators.find((one) => one.id === Number(id))
}

export function billerOf(id: unknown): Biller | undefined {
  return billers.find((one) => one.id === Number(id))
}

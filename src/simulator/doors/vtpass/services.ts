/*
 * Part of VTpass's catalogue, with its own names and a snapshot of its prices.
 */

export interface Service {
  id: string
  name: string
  category: 'airtime' | 'data' | 'tv-subscription' | 'electricity-bill' | 'education'
  /** Minimum in naira. */
  min: number
  max: number
  /** Commission that VTpass gives back, in tenths of a percent. */
  commission: number
  variations: readonly Variation[]
}

export interface Variation {
  code: string
  name: string
  /** Price in naira; 0: any amount. */
  amount: number
}

const METERS = [
  { code: 'prepaid', name: 'Prepaid', amount: 0 },
  { code: 'postpaid', name: 'Postpaid', amount: 0 },
]

function airtime(id: string, name: string): Service {
  return { id, name: `${name} Airtime VTU`, category: 'airtime', min: 5, max: 100_000, commission: 30, variations: [] }
}

function data(id: string, name: string, bundles: readonly [string, string, number][]): Service {
  const variations = bundles.map(([code, text, amount]) => ({ code, name: `${text} - ${amount} Naira`, amount }))
  return { id, name: `${name} Data`, category: 'data', min: 1, max: 1_000_000, commission: 30, variations }
}

function tv(id: string, name: string, bouquets: readonly [string, string, number][]): Service {
  const variations = bouquets.map(([code, text, amount]) => ({ code, name: text, amount }))
  return {
    id,
    name: `${name} Subscription`,
    category: 'tv-subscription',
    min: 1,
    max: 350_000,
    commission: 15,
    variations,
  }
}

function power(id: string, name: string): Service {
  const limits = { min: 500, max: 250_000, commission: 10 }
  return { id, name: `${name} Payment`, category: 'electricity-bill', ...limits, variations: METERS }
}

function exam(id: string, name: string, pins: readonly [string, string, number][]): Service {
  const variations = pins.map(([code, text, amount]) => ({ code, name: text, amount }))
  return { id, name, category: 'education', min: 1, max: 100_000, commission: 20, variations }
}

const services: readonly Service[] = [
  airtime('mtn', 'MTN'),
  airtime('glo', 'GLO'),
  airtime('airtel', 'Airtel'),
  airtime('etisalat', '9mobile'),
  data('mtn-data', 'MTN', [
    ['mtn-10mb-100', '100MB - 24 hrs', 100],
    ['mtn-1gb-1000', '1.5GB - 30 days', 1_000],
    ['mtn-20gb-5500', '20GB - 30 days', 5_500],
  ]),
  data('glo-data', 'GLO', [['glo-1gb-1000', '2.5GB - 30 days', 1_000]]),
  data('airtel-data', 'Airtel', [['airt-1000', '1.5GB - 30 days', 1_000]]),
  data('etisalat-data', '9mobile', [['eti-1000', '1.5GB - 30 days', 1_000]]),
  data('spectranet', 'Spectranet', [['vt-1000', 'Spectranet N1000', 1_000]]),
  tv('dstv', 'DSTV', [
    ['dstv-padi', 'DStv Padi N4,400', 4_400],
    ['dstv-confam', 'DStv Confam N11,000', 11_000],
    ['dstv79', 'DStv Compact N19,000', 19_000],
  ]),
  tv('gotv', 'Gotv', [
    ['gotv-max', 'GOtv Max N8,500', 8_500],
    ['gotv-jolli', 'GOtv Jolli N5,800', 5_800],
  ]),
  tv('startimes', 'Startimes', [['nova', 'Nova - 1,900 Naira - 1 Month', 1_900]]),
  tv('showmax', 'Showmax', [['full', 'Full - N3,500', 3_500]]),
  power('ikeja-electric', 'Ikeja Electric'),
  power('eko-electric', 'Eko Electric'),
  power('kano-electric', 'Kano Electric'),
  power('portharcourt-electric', 'Port Harcourt Electric'),
  power('jos-electric', 'Jos Electric'),
  power('ibadan-electric', 'Ibadan Electric'),
  power('kaduna-electric', 'Kaduna Electric'),
  power('abuja-electric', 'Abuja Electric'),
  power('enugu-electric', 'Enugu Electric'),
  power('benin-electric', 'Benin Electric'),
  power('aba-electric', 'Aba Electric'),
  power('yola-electric', 'Yola Electric'),
  exam('waec', 'WAEC Result Checker PIN', [['waecdirect', 'WASSCE', 3_900]]),
  exam('waec-registration', 'WAEC Registration PIN', [['waec-registraion', 'WASSCE for Private Candidates', 27_500]]),
  exam('jamb', 'Jamb', [
    ['utme', 'UTME', 7_700],
    ['de', 'Direct Entry (DE)', 7_700],
  ]),
]

export function servicesOf(category: string): Service[] {
  return services.filter((service) => service.category === category)
}

export function serviceOf(id: unknown): Service | undefined {
  return services.find((service) => service.id === id)
}

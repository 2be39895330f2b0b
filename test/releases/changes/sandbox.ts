import { readFileSync } from 'node:fs'

/* What the sandbox has since version 0.1.0. */

/** What people call the network of the sandbox that version 0.1.0 had. */
export const SANDBOX_NETWORK = 'Sandbox Network'

interface FileService {
  category: string
  service_type: string
  name: string
  account?: { kind: string; least: number; most: number }
}

const SANDBOX_CATALOGUE = new URL('../../../src/core/bills/sandbox-catalogue.json', import.meta.url)
const { services: SANDBOX_SERVICES } = JSON.parse(readFileSync(SANDBOX_CATALOGUE, 'utf8')) as {
  services: FileService[]
}

/** The name of the service of a purchase. Earlier versions had its code alone. */
export function serviceNameOf({ kind, service_type }: Record<string, unknown>): string {
  return SANDBOX_SERVICES.find((one) => one.category === kind && one.service_type === service_type)!.name
}

/** What account numbers of a service of the sandbox look like. Earlier versions did not say it. */
export function accountFormatOf({ category, service_type }: Record<string, unknown>): string | null {
  const of_type = SANDBOX_SERVICES.find((one) => one.category === category && one.service_type === service_type)
  if (of_type?.account?.kind !== 'digits') return of_type?.account ? `${of_type.account.kind} number` : null
  const { least, most } = of_type.account
  return `${least === most ? least : `${least} to ${most}`} digits`
}

export interface AccountOfRelease {
  currency: string
  receivers: { connection: string; number: string }[]
}

/** Wallets of the sandbox use its simulated networks. */
export function addSandboxPlaces(object: Partial<AccountOfRelease>): object {
  const { currency, receivers } = object
  if (!receivers) return object
  const [own] = receivers
  const places = {
    UGX: ['sandbox-mtn', 'sandbox-airtel'].map((connection) => ({ connection, number: own?.number })),
    KES: [{ connection: 'sandbox-daraja', number: '600000' }],
  }
  return { ...object, receivers: [...receivers, ...(places[currency as keyof typeof places] ?? [])] }
}

export interface NetworkPage {
  count: number
  results: { country: { iso: string } }[]
}

/** The networks that came to the sandbox after version 0.1.0. */
const ADDED_NETWORKS = [
  { iso: 'UG', id: 5, code: 'mtn-momo', name: 'MTN MoMo', phone_regex: '^\\+256(7[6-9]|3[19])\\d{7}$' },
  { iso: 'UG', id: 6, code: 'airtel-money', name: 'Airtel Money', phone_regex: '^\\+2567[045]\\d{7}$' },
  {
    ...{ iso: 'KE', id: 7, code: 'daraja', name: 'M-Pesa Kenya' },
    phone_regex: '^\\+254(?:7(?:[0129]\\d|4[0-3568]|5[7-9]|6[89])\\d{6}|11\\d{7})$',
  },
]

export function addSandboxNetworks(page: NetworkPage): object {
  const added = ADDED_NETWORKS.map(({ iso, ...network }) => ({
    ...network,
    country: page.results.find(({ country }) => country.iso === iso)!.country,
  }))
  return { ...page, count: page.count + added.length, results: [...page.results, ...added] }
}

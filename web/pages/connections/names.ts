import { api } from '../../api.ts'
import type { ConsoleConnection, ConsoleConnectionDetail, NetworkDriver } from '../../wire.ts'

const regions = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' })

/** `UG` → `Uganda`, in the language of the browser. */
export function countryName(code: string): string {
  return regions.of(code) ?? code
}

/** Where a network works, in words. */
export function describeCountries(countries: readonly string[]): string {
  return countries.length === 0 ? 'All countries' : countries.map(countryName).sort().join(', ')
}

/** How many calls had an answer, and how fast. */
export function describeHealth(health: ConsoleConnection['health']): string {
  if (!health || health.success_rate === null) return 'No calls'
  const share = `${Math.round(health.success_rate * 100)} % answered`
  return health.p50_ms === null ? share : `${share}, half in ${health.p50_ms} ms`
}

export const driversQuery = {
  queryKey: ['/network-drivers'],
  queryFn: () => api.get<NetworkDriver[]>('/network-drivers'),
}

export function connectionQuery(slug: string) {
  return {
    queryKey: ['/connections', slug],
    queryFn: () => api.get<ConsoleConnectionDetail>(`/connections/${encodeURIComponent(slug)}`),
  }
}

/** What a provider of each kind is called, one and several. */
export const kindNames = {
  network: { one: 'Network', many: 'Mobile-money networks' },
  sms: { one: 'SMS provider', many: 'SMS providers' },
  bills: { one: 'Bill provider', many: 'Bill providers' },
} as const

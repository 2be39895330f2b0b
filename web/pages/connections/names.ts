import { api } from '../../api.ts'
import { countryName, formatPercent } from '../../format.ts'
import { t } from '../../texts/index.ts'
import type { ConsoleConnection, ConsoleConnectionDetail, NetworkDriver } from '../../wire.ts'

/** Describe the countries of a network. */
export function describeCountries(countries: readonly string[]): string {
  return countries.length === 0 ? t('connections.all_countries') : countries.map(countryName).sort().join(', ')
}

/** Describe the share of answered calls and their speed. */
export function describeHealth(health: ConsoleConnection['health']): string {
  if (!health || health.success_rate === null) return t('connections.no_calls')
  const percent = formatPercent(Math.round(health.success_rate * 100))
  if (health.p50_ms === null) return t('connections.answered', { percent })
  return t('connections.answered_within', { percent, ms: health.p50_ms })
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

/** Words for the providers of each kind, singular and plural. */
export const kindNames = {
  network: { one: t('connections.kinds.network'), many: t('connections.kinds.networks') },
  sms: { one: t('connections.kinds.sms'), many: t('connections.kinds.sms_providers') },
  bills: { one: t('connections.kinds.bills'), many: t('connections.kinds.bill_providers') },
} as const

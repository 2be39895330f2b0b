import type { App } from '../../app.ts'
import { listBillConnections } from '../../connections/bill-sellers.ts'
import { listProviderFloats } from '../../core/bills/provider-floats.ts'
import type { ServiceSeries } from '../../http/health.ts'

/** For how long each float at a bill provider lasts, in the currency of the float. */
export function floatSeries(app: Pick<App, 'db' | 'bill_connections' | 'billers'>): ServiceSeries[] {
  const readFloats = () =>
    listProviderFloats(
      app.db,
      listBillConnections(app).map(({ slug }) => slug),
    )
  const labels = ['connection', 'currency'] as const
  return [
    {
      ...{ name: 'kusanya_bill_float_hours_left', labels },
      help: 'For how many hours a float at a bill provider lasts at the pace of the last day; missing where nothing was sold.',
      read: async () =>
        (await readFloats()).flatMap(({ connection, currency, hours_left }) =>
          hours_left === null ? [] : [{ labels: { connection, currency }, figure: hours_left }],
        ),
    },
    {
      ...{ name: 'kusanya_bill_float_uncounted_purchases', labels },
      help: 'Purchases of the last day that the pace does not have: in other currencies, and the provider has not said their cost.',
      read: async () =>
        (await readFloats()).flatMap(({ connection, currency, uncounted_last_day }) =>
          uncounted_last_day === null ? [] : [{ labels: { connection, currency }, figure: uncounted_last_day }],
        ),
    },
  ]
}

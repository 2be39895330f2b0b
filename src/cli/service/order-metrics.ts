import type { App } from '../../app.ts'
import { countOpenOrders, type OpenOrders } from '../../core/connections/network-orders.ts'
import type { ServiceSeries } from '../../http/health.ts'

/** The open orders, counted by one query for both figures. */
export function orderSeries({ db, clock }: Pick<App, 'db' | 'clock'>): ServiceSeries[] {
  const readOnce = shareRunning(() => countOpenOrders(db, clock.now()))
  const labels = ['connection', 'kind', 'state'] as const
  const read = (figureOf: (open: OpenOrders) => number) => async () =>
    (await readOnce()).map((open) => ({
      labels: { connection: open.connection, kind: open.kind, state: open.state },
      figure: figureOf(open),
    }))
  return [
    {
      ...{ name: 'kusanya_open_orders', labels, read: read(({ count }) => count) },
      help: 'Orders to networks whose end is not known, by connection, kind (charge, payout, refund) and state (new, sent, accepted).',
    },
    {
      ...{ name: 'kusanya_oldest_open_order_seconds', labels, read: read(({ oldest_s }) => oldest_s) },
      help: 'The age of the oldest of these orders, from when it was made.',
    },
  ]
}

/** Calls that come while one runs get its result. */
function shareRunning<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}

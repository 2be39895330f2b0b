import type { App } from '../app.ts'
import { findOldestExchangeRateTime, updateExchangeRates } from '../core/ledger/currencies.ts'
import { begin } from '../db/client.ts'
import { fetchExchangeRates } from '../lib/exchange-rates.ts'
import { logEvent } from '../lib/log-events.ts'
import type { Job } from '../lib/loop.ts'

const INTERVAL_MS = 12 * 60 * 60 * 1_000
const RETRY_WAIT_MS = 15 * 60 * 1_000

/** Reads the USD rates from RATES_URL every 12 hours. Without that setting the rates are those set by the CLI. */
export function refreshExchangeRates(app: App): Job<string> {
  let not_before = new Date(0)
  const nextDue = async () => {
    if (!app.config.RATES_URL) return null
    const oldest = await findOldestExchangeRateTime(app.db)
    const due = oldest ? new Date(oldest.getTime() + INTERVAL_MS) : new Date(0)
    return due > not_before ? due : not_before
  }
  return {
    name: 'refresh-exchange-rates',
    limit: 1,
    concurrency: 1,
    nextDue,
    async claim() {
      const due = await nextDue()
      if (!due || due > app.clock.now()) return []
      // If the source does not answer, the old rates stay and it is asked again after RETRY_WAIT_MS.
      not_before = new Date(app.clock.now().getTime() + RETRY_WAIT_MS)
      return [app.config.RATES_URL!]
    },
    async run([url]) {
      const rates = await fetchExchangeRates(url!)
      const currencies = await begin(app.db, (tx) => updateExchangeRates(tx, app.clock.now(), rates))
      logEvent(app.log, 'exchange_rates_updated', { currencies })
    },
  }
}

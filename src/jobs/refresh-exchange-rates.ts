import type { App } from '../app.ts'
import { findOldestExchangeRateTime, updateExchangeRates as writeRates } from '../core/ledger/currencies.ts'
import { begin } from '../db/client.ts'
import { fetchExchangeRates } from '../lib/exchange-rates.ts'
import type { Job } from '../lib/loop.ts'

const INTERVAL_MS = 12 * 60 * 60 * 1_000
const RETRY_WAIT_MS = 15 * 60 * 1_000

/** Keeps the USD rates fresh from RATES_URL. Without that setting the rates are whatever the CLI set last. */
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
      // A source that is down is asked again later; the rates that we have stay as they are.
      not_before = new Date(app.clock.now().getTime() + RETRY_WAIT_MS)
      return [app.config.RATES_URL!]
    },
    async run([url]) {
      const rates = await fetchExchangeRates(url!)
      const changed = await begin(app.db, (tx) => writeRates(tx, app.clock.now(), rates))
      app.log.info({ currencies: changed }, 'rates updated')
    },
  }
}

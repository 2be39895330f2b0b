import type { App } from '../../../app.ts'
import { TEST_CURRENCY } from '../../../core/ledger/currencies.ts'

/** When invoices are read, and the address of their pages. */
export function readOptions(app: App) {
  return { now: app.clock.now(), base_url: app.address.url }
}

/** The currencies in which invoices may be written. */
export function invoiceCurrencies(app: App): string[] {
  return app.config.COLLECTION_CURRENCIES.filter((code) => app.config.MODE === 'sandbox' || code !== TEST_CURRENCY)
}

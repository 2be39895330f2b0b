import type { App } from '../../../app.ts'

/** Return the time of reading and the address of the invoices' pages. */
export function readOptions(app: App) {
  return { now: app.clock.now(), base_url: app.address.url }
}

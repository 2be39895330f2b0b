import type { App } from '../../../app.ts'

/** When invoices are read, and the address of their pages. */
export function readOptions(app: App) {
  return { now: app.clock.now(), base_url: app.address.url }
}

import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import type { Invoice } from '../../core/invoices/invoice.ts'
import { invoicesById } from '../../core/invoices/invoices.ts'
import type { Reader } from '../../db/client.ts'

/** Return the time of reading and the address of the invoices' pages. */
export function readOptions(app: App) {
  return { now: app.clock.now(), base_url: app.address.url }
}

/** The invoice as the caller reads it. @throws NotFound, Forbidden */
export async function readOwned(app: App, db: Reader, organization: number, id: number): Promise<Invoice> {
  return requireOwned(organization, (await invoicesById(db, [id], readOptions(app))).get(id))
}

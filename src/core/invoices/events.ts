import type { Tx } from '../../db/client.ts'
import { encode } from '../../lib/encoding/encode.ts'
import { type EventType, recordEvents } from '../events/events.ts'
import { Invoice } from './invoice.ts'
import { invoicesById, type ReadOptions } from './invoices.ts'

type InvoiceEventType = Extract<EventType, `invoice.${string}`>

/** Records an event with the invoice as it is now. */
export function recordInvoiceEvent(tx: Tx, id: number, type: InvoiceEventType, options: ReadOptions): Promise<void> {
  return recordInvoiceEvents(tx, [id], type, options)
}

/** Records an event for each of these invoices, as they are now. */
export async function recordInvoiceEvents(
  tx: Tx,
  ids: readonly number[],
  type: InvoiceEventType,
  options: ReadOptions,
): Promise<void> {
  const invoices = await invoicesById(tx, ids, options)
  const events = ids.map((id) => {
    const invoice = invoices.get(id)!
    const { organization, author } = invoice
    return { organization, type, data: encode(Invoice, invoice), author }
  })
  await recordEvents(tx, options.now, events)
}

import type { Tx } from '../../db/client.ts'
import { encode } from '../../lib/encoding/encode.ts'
import { type EventType, recordEvents } from '../events/events.ts'
import { Invoice } from './invoice.ts'
import { invoicesById, type ReadOptions } from './invoices.ts'

/** Records an event with the invoice as it is now. */
export async function recordInvoiceEvent(
  tx: Tx,
  id: number,
  type: Extract<EventType, `invoice.${string}`>,
  options: ReadOptions,
): Promise<void> {
  const invoice = (await invoicesById(tx, [id], options)).get(id)!
  const { organization, author } = invoice
  await recordEvents(tx, options.now, [{ organization, type, data: encode(Invoice, invoice), author }])
}

import type { App } from '../../app.ts'
import type { BillCallback } from '../../billers/contract.ts'
import { sellersOf } from '../../connections/bill-sellers.ts'
import type { BillConnection } from '../../connections/connection.ts'
import { readCallback } from '../../connections/tools/call-driver.ts'
import { syncSoon } from '../../core/bills/catalogue-sync.ts'
import { checkPurchaseNow } from '../../core/bills/vends/attempts.ts'
import {
  type CallbackState,
  type NewCallback,
  NOT_IN_SERVICE_NOTE,
  storeCallbacks,
} from '../../core/connections/callbacks.ts'
import { findOrderByRemoteId, type NetworkOrder, ordersByReference } from '../../core/connections/network-orders.ts'
import { settle } from '../../core/settlements/settle.ts'
import { begin, isDataError, type Tx } from '../../db/client.ts'
import type { CallbackReply } from '../../drivers/contract.ts'
import type { RawCallback } from '../../drivers/raw-callback.ts'
import { redactCallback } from '../../drivers/redact.ts'
import { logEvent } from '../../lib/log-events.ts'
import { checkCoding, chooseReply, summarizeCallback } from '../raw-callbacks.ts'

/**
 * Receive a callback of a bill provider at the secret address of its connection. It is on disk before the provider gets
 * the reply. A verified one that names the end of a purchase is applied at once; any other one about a purchase only
 * makes the provider be asked now, so that the end of a purchase cannot be forged.
 */
export async function receiveBillCallback(
  app: App,
  connection: BillConnection,
  raw: RawCallback,
): Promise<CallbackReply> {
  const { parsed, error } = readBillCallback(connection, raw)
  const verified = parsed?.verified === true
  const store = (tx: Tx, state: CallbackState, note: string | null) =>
    storeCallbacks(tx, app.clock.now(), [toRow(connection, raw, verified, state, note)])
  try {
    await begin(app.db, (tx) => applyCallback(tx, app, connection, parsed, store))
  } catch (failure) {
    // Some providers report only once. An inapplicable report is kept, and the provider is queried about the purchase
    // anyway.
    if (!isDataError(failure)) throw failure
    await begin(app.db, (tx) => store(tx, 'failed', failure instanceof Error ? failure.message : String(failure)))
    logEvent(app.log, 'callback_failed', { callback: 0, network: connection.code, error: failure })
  }
  if (error !== undefined) logEvent(app.log, 'callback_failed', { callback: 0, network: connection.code, error })
  app.wake()
  return chooseReply(connection.operations.callbackReply?.(raw), { parsed, error })
}

/** Read a callback; no content if the driver cannot read it. */
function readBillCallback(connection: BillConnection, raw: RawCallback): { parsed?: BillCallback; error?: unknown } {
  if (!connection.operations.readCallback)
    return { parsed: { subject: 'unrecognized', message: 'This provider sends no callbacks.' } }
  try {
    checkCoding(raw)
    return { parsed: readCallback(connection, raw) }
  } catch (error) {
    return { error }
  }
}

type Store = (tx: Tx, state: CallbackState, note: string | null) => Promise<unknown>

async function applyCallback(
  tx: Tx,
  app: App,
  connection: BillConnection,
  parsed: BillCallback | undefined,
  store: Store,
): Promise<void> {
  const now = app.clock.now()
  // A draft has sold nothing, so its provider has nothing to report that changes a purchase.
  if (connection.state === 'draft') return void (await store(tx, 'ignored', NOT_IN_SERVICE_NOTE))
  if (!parsed) return void (await store(tx, 'failed', 'The driver could not read it.'))
  if (parsed.subject === 'unrecognized')
    return void (await store(tx, parsed.verified ? 'failed' : 'ignored', parsed.message))
  if (parsed.subject === 'catalogue') {
    await syncSoon(tx, now, connection.slug)
    return void (await store(tx, 'settled', 'The catalogue is read again.'))
  }
  const order = await findVend(tx, connection.slug, parsed.vend)
  if (!order) return void (await store(tx, 'ignored', 'No purchase has this reference at this provider.'))
  const { answer, verified } = parsed
  if (!verified || !answer || order.sent === null) {
    const is_open = await checkPurchaseNow(tx, now, order.bill_purchase!)
    return void (await store(tx, 'settled', is_open ? 'The provider is asked now.' : 'The purchase has ended.'))
  }
  await store(tx, 'settled', null)
  const { late_sales } = await settle(tx, now, [{ order, source: 'callback', answer }], sellersOf(app))
  for (const id of late_sales) logEvent(app.log, 'vend_succeeded_late', { purchase: id })
}

/** Find the order that this connection got under our reference or knows by its own id, also of an earlier attempt. */
async function findVend(
  tx: Tx,
  slug: string,
  by: { reference: string } | { remote_id: string },
): Promise<NetworkOrder | undefined> {
  if ('remote_id' in by) return findOrderByRemoteId(tx, slug, by.remote_id, 'biller')
  const order = (await ordersByReference(tx, [by.reference])).get(by.reference)
  return order?.kind === 'vend' && order.connection === slug ? order : undefined
}

/** Make the row of a callback, without secrets. Of an unverified one, only the beginning is kept. */
function toRow(
  { code, slug, driver }: BillConnection,
  raw: RawCallback,
  verified: boolean,
  state: CallbackState,
  note: string | null,
): NewCallback {
  const { address, method, path, query, headers, body, bytes } = redactCallback(raw, driver.secret_fields)
  const content = verified ? { headers, body, bytes } : summarizeCallback({ headers, body, bytes })
  return { network: code, connection: slug, address, method, path, query, verified, state, note, ...content }
}

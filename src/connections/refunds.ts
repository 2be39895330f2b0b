import { setTimeout as sleep } from 'node:timers/promises'
import { ingestIncomingPayments } from '../core/collections/incoming-payments.ts'
import { findPaidCharge } from '../core/payments/payout-orders.ts'
import type { RefundInput } from '../core/payments/refunds.ts'
import { begin, type Database } from '../db/client.ts'
import { workInParts } from '../lib/batches/in-parts.ts'
import { WriteConflict } from '../lib/batches/write-conflict.ts'
import type { EventLog } from '../lib/log-events.ts'
import { getMessage } from '../lib/messages/message.ts'
import type { Amount } from '../lib/money.ts'
import { toStorableTransaction } from '../networks/callbacks.ts'
import type { TransactionLookup } from '../networks/contract.ts'
import { chooseRefundConnection } from './choose.ts'
import { type Connection, traitsOf } from './connection.ts'
import type { Connections } from './registry.ts'
import { callDriver } from './tools/call-driver.ts'

/** The parts of the App that refunds need. */
interface RefundsApp {
  db: Database
  clock: { now(): Date }
  connections: Connections
  log: EventLog
}

/** The collection that is to be refunded, if there is one, and how much of it; all of it unless given. */
interface RefundedCollection {
  collection: number | null
  amount?: Amount | undefined
}

/**
 * Prepare the refund of a collection, before its transaction. If the network refunds by its own id and has not sent it,
 * look the id up and record it. A failure at the network never throws. Without the id another way is chosen, or the
 * refund is refused before money is held.
 */
export async function prepareRefund(
  app: RefundsApp,
  { collection, amount }: RefundedCollection,
): Promise<Pick<RefundInput, 'chooseNetwork' | 'not_found'>> {
  const not_found = await recordMissingId(app, collection, amount)
  return {
    chooseNetwork: (money) => chooseRefundConnection(app.connections.list(), money),
    ...(not_found !== undefined && { not_found }),
  }
}

/** @returns why the id that the network needs is not known; undefined if it is known, or not needed */
async function recordMissingId(
  app: RefundsApp,
  collection: number | null,
  amount: Amount | undefined,
): Promise<string | undefined> {
  const charge = collection === null ? undefined : await findPaidCharge(app.db, collection)
  const connection = charge && app.connections.find(charge.connection)
  if (connection?.state !== 'active' || !connection.operations.chargeMoney) return undefined
  if (connection.operations.canRefund?.(charge!) !== false) return undefined
  const is_part = amount !== undefined && amount !== charge!.amount
  if (is_part && traitsOf(connection, 'refund').refunds === 'full') return undefined
  const found = await inTime(callDriver(app, connection, 'chargeMoney', charge!))
  if (found.outcome === 'unknown') return found.message
  if (found.outcome === 'not_found') return getMessage('networks.unknown_payment')
  await record(app, connection, found)
  return undefined
}

/** The money is in the books already, under a stand-in: this fills in its id. */
async function record(
  app: RefundsApp,
  network: Connection,
  { receipt }: Extract<TransactionLookup, { outcome: 'found' }>,
): Promise<void> {
  const now = app.clock.now()
  const report = { ...toStorableTransaction(receipt, now), network }
  const ingest = (reports: readonly (typeof report)[]) =>
    begin(app.db, async (tx) => void (await ingestIncomingPayments(tx, now, reports)))
  await workInParts([report], ingest, {
    mayRetry: (error) => error instanceof WriteConflict,
    onFailure(_, error) {
      throw error
    },
  })
}

/** A person waits for the answer. */
const MAX_WAIT_MS = 20_000

async function inTime(answer: Promise<TransactionLookup>): Promise<TransactionLookup> {
  const timer = new AbortController()
  const late = sleep(MAX_WAIT_MS, undefined, { signal: timer.signal }).catch(() => undefined)
  const first = await Promise.race([answer, late]).finally(() => timer.abort())
  return first ?? { outcome: 'unknown', message: getMessage('networks.no_answer') }
}

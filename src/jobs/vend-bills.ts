import type { App } from '../app.ts'
import type { VendCheck } from '../billers/biller.ts'
import type { ProviderVend } from '../billers/contract.ts'
import { findBillConnection, listBillConnections, sellersOf } from '../connections/bill-sellers.ts'
import type { BillConnection } from '../connections/connection.ts'
import { callDriver } from '../connections/tools/call-driver.ts'
import { laneOf, type Release, unlimited } from '../connections/tools/index.ts'
import type { Purchase } from '../core/bills/purchases.ts'
import {
  applyVendAnswers,
  atNoneOf,
  atSellers,
  claimVends,
  nextDueVend,
  notWaitingFor,
  postponeUnsent,
  replaceUnableSellers,
  type VendAction,
  type VendAnswer,
} from '../core/bills/vends.ts'
import { beginFrequent, mayRetry, type Tx } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import { createBatcher } from '../lib/batches/batch.ts'
import { logEvent } from '../lib/log-events.ts'
import type { Job } from '../lib/loop.ts'
import { getMessage } from '../lib/messages/message.ts'
import { openLeaseRenewals } from './shared/lease-renewals.ts'
import { leaseTimes } from './shared/lease-times.ts'
import { reportFailures, runEach } from './shared/run-each.ts'

/**
 * A vend is sent within this time after it was marked as sent, or never. A process that stood still in between must not
 * send a purchase that another process has already recorded as failed.
 */
const MAX_SEND_DELAY_MS = 2_000

/** A claimed purchase, its connection, and the slot for the call. */
export interface VendCall extends VendAction {
  /** Undefined when it is no longer configured. */
  connection: BillConnection | undefined
  release: Release
}

/**
 * Buys the paid purchases from providers, and makes status queries until the result is known. Each answer is applied as
 * it arrives, so that one slow purchase does not delay the others. Purchases are claimed only while their connection
 * has a slot for a call. While a call runs its lease is renewed, so that two calls for one purchase do not overlap.
 * @param isHeld returns true while sending is held: then sent purchases only get status queries, and others wait
 */
export function vendBills(app: App, isHeld: () => Promise<boolean> = async () => false): Job<VendCall> {
  const apply = createBatcher<VendAnswer, void>({
    flush: async (answers) => {
      const late_successes = await beginFrequent(app.db, (tx) =>
        applyVendAnswers(tx, app.clock.now(), answers, sellersOf(app)),
      )
      for (const purchase of late_successes) logEvent(app.log, 'vend_succeeded_late', { purchase })
      // The changes cause webhook deliveries, SMS and calls to other providers.
      app.wake('purchase_answered')
      return answers.map(() => ({ ok: true, value: undefined }))
    },
    // If the commit was lost, the next check of the purchase gets the same answer.
    mayRetry,
    max_items: app.config.BATCH_MOST,
  })

  const renewals = openLeaseRenewals(app, 'bill_purchases')
  return {
    name: 'vend-bills',
    limit: 100,
    // High, because each claim runs until its slowest purchase has an answer.
    concurrency: 256,
    claim: async (limit) => claimCalls(app, limit, await isHeld()),
    async nextDue() {
      const held = await isHeld()
      const all = listBillConnections(app)
      const busy = all.filter((one) => slotsOf(one).nextFree(laneFor(one)) > 0)
      const free = notWaitingFor(slugsOf(busy), slugsOf(all.filter(isUnable)))
      return nextDueVend(app.db.polling, app.clock.real(), held ? sql`${free} and sent is not null` : free)
    },
    next_due_is_complete: true,
    async run(calls, wake) {
      const failed = await runEach(calls, (call) =>
        renewals.during([call.purchase.id], async () => {
          const answer = await runCall(app, call).finally(() => releaseSlot(call, wake))
          await apply({ purchase: call.purchase, answer })
        }),
      )
      reportFailures(failed, (failures) => {
        for (const { row, error } of failures)
          logEvent(app.log, 'vend_result_failed', { purchase: row.purchase.id, error })
      })
    },
  }
}

function slugsOf(connections: readonly BillConnection[]): string[] {
  return connections.map(({ slug }) => slug)
}

function slotsOf({ slots = unlimited }: BillConnection) {
  return slots
}

function laneFor({ driver }: BillConnection) {
  return laneOf(driver.traits.call_s)
}

/** Releases the slot of a call. A purchase may wait for it only if there was no other one. */
function releaseSlot({ connection, release }: VendCall, wake?: () => void): void {
  const was_full = connection === undefined || slotsOf(connection).nextFree(laneFor(connection)) > 0
  release()
  if (was_full) wake?.()
}

/** True if it gets no new purchases now: it is paused, or most of its calls had no answer. */
function isUnable({ state, is_degraded }: BillConnection): boolean {
  return state !== 'active' || is_degraded?.() === true
}

/**
 * Takes slots, claims as many purchases, and gives back the unused slots. The claims of all connections travel
 * together, so `limit` counts for each.
 */
async function claimCalls(app: App, limit: number, held: boolean): Promise<VendCall[]> {
  const all = listBillConnections(app)
  const taken = all.map((connection) => ({ connection, slots: takeSlots(connection, limit) }))
  try {
    const { claims } = await beginFrequent(app.db, async (tx) => {
      const unable = slugsOf(all.filter(isUnable))
      const able = sellersOf(app).filter(({ slug }) => !unable.includes(slug))
      if (!held) await replaceUnableSellers(tx, app.clock.now(), unable, able, limit)
      const claims = Promise.all([
        ...taken.map(({ connection, slots }) => claimAt(tx, app, connection, { slots, held })),
        claimOrphans(tx, app, slugsOf(all), { limit, held }),
      ])
      // A claim that fails fails the transaction.
      claims.catch(() => {})
      if (!held) postponeUnsent(tx, app.clock.now(), unable, limit)
      // In an object, so that the commit travels with the claims and does not wait for them.
      return { claims }
    })
    // Not before the commit is confirmed: otherwise all slots are given back.
    return (await claims).flat().map(({ slots, ...claimed }) => ({ ...claimed, release: slots.pop() ?? noSlot }))
  } finally {
    for (const { slots } of taken) for (const release of slots) release(false)
  }
}

/** A claimed purchase, and the slots of its connection, one of which it gets. */
type ClaimedVend = Omit<VendCall, 'release'> & { slots: Release[] }

/** Release without a slot: an orphan is not sent anywhere. */
const noSlot: Release = () => {}

/**
 * Claims the purchases of one connection, as many as it has slots. A paused one only gets status queries, and nothing
 * new.
 */
async function claimAt(
  tx: Tx,
  app: App,
  connection: BillConnection,
  { slots, held }: { slots: Release[]; held: boolean },
): Promise<ClaimedVend[]> {
  if (slots.length === 0) return []
  const at_it = atSellers([connection.slug])
  const where = connection.state === 'active' && !held ? at_it : sql`${at_it} and sent is not null`
  const actions = await claimVends(tx, leaseTimes(app), slots.length, where)
  // Of two with one name, the first one is called.
  const called = findBillConnection(app, connection.slug)
  return actions.map((action) => ({ ...action, connection: called, slots }))
}

/** Claims purchases whose connection is gone, to say so, or has another name now. */
async function claimOrphans(
  tx: Tx,
  app: App,
  slugs: readonly string[],
  { limit, held }: { limit: number; held: boolean },
): Promise<ClaimedVend[]> {
  const at_none = atNoneOf(slugs)
  const where = held ? sql`${at_none} and sent is not null` : at_none
  const orphans = await claimVends(tx, leaseTimes(app), limit, where)
  return orphans.map((action) => ({
    ...action,
    connection: findBillConnection(app, action.purchase.biller),
    slots: [],
  }))
}

function takeSlots(connection: BillConnection, limit: number): Release[] {
  const slots: Release[] = []
  while (slots.length < limit) {
    const release = slotsOf(connection).tryAcquire(laneFor(connection))
    if (!release) break
    slots.push(release)
  }
  return slots
}

/** Calls the provider, unless it is too late to send, or the provider could not know the purchase. */
async function runCall(app: App, { action, purchase, connection }: VendCall): Promise<VendAnswer['answer']> {
  if (!connection)
    return { outcome: 'unknown', message: getMessage('bills.biller_no_longer', { biller: purchase.biller }) }
  const { traits } = connection.driver
  const sent_for_ms = app.clock.real().getTime() - purchase.sent!.getTime()
  if (action === 'vend' && sent_for_ms > MAX_SEND_DELAY_MS)
    return { outcome: 'unknown', message: getMessage('bills.process_too_late') }
  if (action === 'check' && traits.asked_by === 'remote_id' && purchase.remote_id === null)
    return { outcome: 'unknown', message: getMessage('bills.provider_not_told') }
  const call = action === 'vend' ? 'vend' : 'vendStatus'
  const caller = { log: app.log, purchase: purchase.id }
  const answer: VendCheck = await callDriver(caller, connection, call, toVend(purchase))
  if (answer.outcome !== 'not_found') return answer
  if (purchase.restored && traits.named_by_time)
    return { outcome: 'unknown', message: getMessage('bills.been_sent_before') }
  const may_arrive_ms = traits.in_flight_s * 1_000 + MAX_SEND_DELAY_MS
  return { outcome: 'not_found', final: traits.unseen === 'certain' && sent_for_ms > may_arrive_ms }
}

/** The purchase as a provider gets it. `created` is when this attempt was sent, which never changes. */
function toVend(purchase: Purchase): ProviderVend {
  const { reference, kind, service_type, country, currency, account_number, phone, amount, details, remote_id } =
    purchase
  return {
    ...{ reference, kind, service_type, country, currency, account_number, phone, amount, details, remote_id },
    offer: { remote_service: purchase.remote_service ?? service_type, remote_product: purchase.remote_product },
    created: purchase.started ?? purchase.created,
    scenario: purchase.scenario as ProviderVend['scenario'],
  }
}

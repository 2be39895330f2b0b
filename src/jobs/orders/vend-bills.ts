import type { App } from '../../app.ts'
import type { VendCheck } from '../../billers/biller.ts'
import type { ProviderVend } from '../../billers/contract.ts'
import { findBillConnection, listBillConnections, sellersOf } from '../../connections/bill-sellers.ts'
import type { BillConnection } from '../../connections/connection.ts'
import { callDriver } from '../../connections/tools/call-driver.ts'
import { type Lane, laneOf, type Release } from '../../connections/tools/index.ts'
import type { Purchase } from '../../core/bills/purchases.ts'
import {
  atNoneOf,
  atSellers,
  claimVends,
  nextDueVend,
  notWaitingFor,
  postponeUnsent,
  replaceUnableSellers,
  type VendAction,
} from '../../core/bills/vends/claims.ts'
import type { LearntPurchase } from '../../core/bills/vends/outcomes.ts'
import { beginFrequent, type Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { logEvent } from '../../lib/log-events.ts'
import type { Job } from '../../lib/loop.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { leaseTimes } from '../shared/lease-times.ts'
import { createEngine, slotsOf, withSlots } from './engine.ts'

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
 * Buys the paid purchases from providers, and makes status queries until the result is known.
 * @param isHeld returns true while sending is held: then sent purchases only get status queries, and others wait
 */
export function vendBills(app: App, isHeld: () => Promise<boolean> = async () => false): Job<VendCall> {
  return {
    name: 'vend-bills',
    limit: 100,
    // High, because each claim runs until its slowest purchase has an answer.
    concurrency: 256,
    claim: async (limit) => claimCalls(app, limit, await isHeld()),
    async nextDue() {
      const held = await isHeld()
      const all = lanesOf(app)
      const busy = all.filter(({ connection, lane }) => slotsOf(connection).nextFree(lane) > 0)
      const free = notWaitingFor(slugsOf(busy), slugsOf(all.filter(isUnable)))
      return nextDueVend(app.db.polling, app.clock.real(), held ? sql`${free} and sent is not null` : free)
    },
    next_due_is_complete: true,
    run: createEngine<VendCall>(app, {
      table: 'bill_purchases',
      idOf: ({ purchase }) => purchase.id,
      call: async (call) => ({ purchase: call.purchase, answer: await runCall(app, call) }),
      onFailure: ({ purchase: { id: purchase } }, error) =>
        logEvent(app.log, 'vend_result_failed', { purchase, error }),
    }),
  }
}

/** A connection whose calls share its slots. */
interface BillLane {
  connection: BillConnection
  lane: Lane
}

function lanesOf(app: App): BillLane[] {
  return listBillConnections(app).map((connection) => ({ connection, lane: laneOf(connection.driver.traits.call_s) }))
}

function slugsOf(lanes: readonly BillLane[]): string[] {
  return lanes.map(({ connection }) => connection.slug)
}

/** True if it gets no new purchases now: it is paused, or most of its calls had no answer. */
function isUnable({ connection: { state, is_degraded } }: BillLane): boolean {
  return state !== 'active' || is_degraded?.() === true
}

/**
 * Claims as many purchases as there are slots. The claims of all connections travel together, so `limit` counts for
 * each.
 */
function claimCalls(app: App, limit: number, held: boolean): Promise<VendCall[]> {
  return withSlots(lanesOf(app), limit, async (taken) => {
    const lanes = [...taken.keys()]
    const { claims } = await beginFrequent(app.db, async (tx) => {
      const unable = slugsOf(lanes.filter(isUnable))
      const able = sellersOf(app).filter(({ slug }) => !unable.includes(slug))
      if (!held) await replaceUnableSellers(tx, app.clock.now(), unable, able, limit)
      const claims = Promise.all([
        ...lanes.map((lane) => claimAt(tx, app, lane.connection, { slots: taken.get(lane)!, held })),
        claimOrphans(tx, app, slugsOf(lanes), { limit, held }),
      ])
      // A claim that fails fails the transaction.
      claims.catch(() => {})
      if (!held) postponeUnsent(tx, app.clock.now(), unable, limit)
      // In an object, so that the commit travels with the claims and does not wait for them.
      return { claims }
    })
    // Not before the commit is confirmed: otherwise all slots are given back.
    return (await claims).flat().map(({ slots, ...claimed }) => ({ ...claimed, release: slots.pop() ?? noSlot }))
  })
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

/** Calls the provider, unless it is too late to send, or the provider could not know the purchase. */
async function runCall(app: App, { action, purchase, connection }: VendCall): Promise<LearntPurchase['answer']> {
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

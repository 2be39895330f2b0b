import type { App } from '../../app.ts'
import type { ProviderVend } from '../../billers/contract.ts'
import { goneBiller, listBillConnections, sellersOf } from '../../connections/bill-sellers.ts'
import type { BillConnection } from '../../connections/connection.ts'
import { callDriver } from '../../connections/tools/call-driver.ts'
import { findPurchasesById, type Purchase } from '../../core/bills/purchases.ts'
import { listGoneBillers, nextUnsentAt, postponeUnsent, replaceUnableSellers } from '../../core/bills/vends/attempts.ts'
import type { NetworkOrder, VendNews } from '../../core/connections/network-orders.ts'
import type { Reader, Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { rememberFor } from '../../lib/remember-for.ts'
import type { CalledOrder, OrderKindRules } from './rules.ts'

/*
 * What is special to the vends of bills: each is sent once, soon after it was marked as sent or never, and from then on its
 * provider only gets status queries (docs/decisions/0010).
 */

/**
 * A vend is sent within this time after it was marked as sent, or never. A process that stood still in between must not
 * send a purchase that another process has already recorded as failed.
 */
const MAX_SEND_DELAY_MS = 2_000

export const vendRules: OrderKindRules<BillConnection, VendNews> = {
  traits: ({ driver }) => driver.traits,
  send: (app, connection, order) => ({ call: 'vend', make: () => sendVend(app, connection, order) }),
  ask: (app, connection, order) => ({ call: 'vendStatus', make: () => askAbout(app, connection, order) }),
  // A vend ends with its purchase: it is wanted as long as it is open.
  readWanted: async (_, orders) => new Set(orders.map(({ id }) => id)),
  learn: (_app, _connection, order, { source, asked_at, answer }) => ({
    order,
    source,
    asked_at,
    answer:
      answer.outcome === 'not_asked' ? { outcome: 'unknown', message: getMessage('bills.provider_not_told') } : answer,
  }),
}

/** Adds their purchases to vends, which their calls need. */
export async function withPurchases<Order extends NetworkOrder>(
  db: Reader,
  orders: readonly Order[],
): Promise<(Order & CalledOrder)[]> {
  const ids = orders.flatMap(({ bill_purchase }) => bill_purchase ?? [])
  const purchases = ids.length === 0 ? new Map<number, Purchase>() : await findPurchasesById(db, ids)
  return orders.map((order) => ({ ...order, purchase: purchases.get(order.bill_purchase ?? 0) }))
}

async function sendVend(app: App, connection: BillConnection, order: CalledOrder): Promise<VendNews> {
  if (sentForMs(app, order) > MAX_SEND_DELAY_MS)
    return { outcome: 'unknown', message: getMessage('bills.process_too_late') }
  return callDriver(callerOf(app, order), connection, 'vend', toVend(order))
}

async function askAbout(app: App, connection: BillConnection, order: CalledOrder): Promise<VendNews> {
  const { in_flight_s, unseen, named_by_time } = connection.driver.traits
  const may_arrive = sentForMs(app, order) <= in_flight_s * 1_000 + MAX_SEND_DELAY_MS
  const answer = await callDriver(callerOf(app, order), connection, 'vendStatus', toVend(order))
  if (answer.outcome !== 'not_found') return answer
  if (order.restored && named_by_time) return { outcome: 'unknown', message: getMessage('bills.been_sent_before') }
  return { outcome: 'not_found', final: unseen === 'certain' && !may_arrive }
}

function callerOf({ log }: App, { bill_purchase }: CalledOrder) {
  return { log, purchase: bill_purchase! }
}

/** Real time since it was marked as sent, which the clock of the sandbox does not change. */
function sentForMs({ clock }: App, { sent_real }: CalledOrder): number {
  return clock.real().getTime() - sent_real!.getTime()
}

/** The vend as a provider gets it. `created` is when this attempt was sent, which never changes. */
function toVend({ purchase, reference, remote_id, remote_service, remote_product, sent }: CalledOrder): ProviderVend {
  const { kind, service_type, country, currency, account_number, phone, amount, details, scenario } = purchase!
  return {
    reference,
    kind,
    service_type,
    country,
    currency,
    account_number,
    phone,
    amount,
    details,
    remote_id,
    offer: { remote_service: remote_service ?? service_type, remote_product },
    created: sent!,
    scenario: scenario as ProviderVend['scenario'],
  }
}

/** The interval in which a process notices a connection that is gone. */
const GONE_MS = 1_000

/**
 * Lists the connections to bill providers: also those that are gone while purchases are open there, to say so. Of two
 * with one name the first one is called.
 */
export function watchBillers(app: App): () => Promise<BillConnection[]> {
  const known = () => {
    const all = listBillConnections(app)
    return all.filter(({ slug }, index) => all.findIndex((one) => one.slug === slug) === index)
  }
  const readGone = rememberFor(GONE_MS, app.clock, () =>
    listGoneBillers(
      app.db.polling,
      known().map(({ slug }) => slug),
    ),
  )
  return async () => {
    const billers = known()
    const gone = (await readGone()).filter((slug) => !billers.some((one) => one.slug === slug))
    return [...billers, ...gone.map(goneBiller)]
  }
}

/** The slugs of connections that get no new purchases now: they are paused, or most of their calls had no answer. */
function unableOf(billers: readonly BillConnection[]): string[] {
  return billers.flatMap(({ slug, state, is_degraded }) => (state !== 'active' || is_degraded?.() ? [slug] : []))
}

/**
 * Claims orders with `claim`. Before it, vends that were never sent move to other providers where theirs cannot be called
 * now; after it, those that no other one sells wait for a second.
 */
export async function claimWithOthers<Claimed>(
  tx: Tx,
  app: App,
  { billers, limit }: { billers: readonly BillConnection[]; limit: number },
  claim: () => Promise<Claimed>,
): Promise<Claimed> {
  const unable = unableOf(billers)
  const able = sellersOf(app).filter(({ slug }) => !unable.includes(slug))
  await replaceUnableSellers(tx, app.clock.now(), unable, able, limit)
  const claimed = await claim()
  postponeUnsent(tx, app.clock.now(), unable, limit)
  return claimed
}

/** Finds the time when the next vend is due that another provider may have to send; null for none. */
export function nextAtOthers(db: Reader, billers: readonly BillConnection[]): Promise<Date | null> {
  return nextUnsentAt(db, unableOf(billers))
}

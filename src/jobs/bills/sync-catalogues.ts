import type { App } from '../../app.ts'
import { findBillConnection, hasOurNames, listBillConnections } from '../../connections/bill-sellers.ts'
import type { BillConnection } from '../../connections/connection.ts'
import { callDriver } from '../../connections/tools/call-driver.ts'
import {
  claimCatalogueSyncs,
  finishCatalogueSync,
  nextCatalogueSync,
  planCatalogueSyncs,
  type SyncResult,
  syncCatalogue,
} from '../../core/bills/catalogue-sync.ts'
import { begin } from '../../db/client.ts'
import { logEvent } from '../../lib/log-events.ts'
import type { Job } from '../../lib/loop.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { leaseTimes } from '../shared/lease-times.ts'

/** The hour of the nightly sync, UTC. */
const SYNC_HOUR = 2
const RETRY_WAIT_MS = 60 * 60 * 1_000
/** Reading a large catalogue takes many calls. */
const LEASE_MS = 15 * 60 * 1_000

/** Reads the catalogue of each active connection every night, where its provider tells it, and stores the differences. */
export function syncCatalogues(app: App): Job<string> {
  /** Connections that have a plan already, as this process knows. */
  const planned = new Set<string>()
  return {
    name: 'sync-bill-catalogues',
    limit: 2,
    concurrency: 2,
    async claim(limit) {
      const asked = listBillConnections(app).flatMap((one) => (canTellCatalogue(one) ? [one.slug] : []))
      if (asked.some((slug) => !planned.has(slug))) {
        await begin(app.db, (tx) => planCatalogueSyncs(tx, app.clock.now(), asked))
        for (const slug of asked) planned.add(slug)
      }
      return begin(app.db, (tx) => claimCatalogueSyncs(tx, leaseTimes(app, LEASE_MS), limit))
    },
    nextDue: () => nextCatalogueSync(app.db.polling, app.clock.real()),
    async run(slugs) {
      await Promise.all(slugs.map((slug) => syncBySlug(app, slug)))
    },
  }
}

async function syncBySlug(app: App, slug: string): Promise<void> {
  const connection = findBillConnection(app, slug)
  const result = connection && canTellCatalogue(connection) ? await syncConnection(app, connection) : undefined
  if (result === undefined) {
    const due_at = nextNight(app.clock.now())
    await begin(app.db, (tx) =>
      finishCatalogueSync(tx, app.clock.now(), {
        connection: slug,
        due_at,
        products: null,
        message: getMessage('bills.not_use'),
      }),
    )
  }
}

/**
 * True if a connection is in use and its provider lists its products, under its own names. A provider that uses our
 * names sells the products of our catalogue.
 */
export function canTellCatalogue(connection: BillConnection): boolean {
  return connection.state === 'active' && connection.operations.catalogue !== undefined && !hasOurNames(connection)
}

/**
 * Reads the catalogue of a connection now, and stores the differences and the time of the next sync.
 * @returns the differences, or the reason for no answer
 */
export async function syncConnection(app: App, connection: BillConnection): Promise<SyncResult | { message: string }> {
  const { slug } = connection
  const answer = await callDriver(app, connection, 'catalogue')
  const now = app.clock.now()
  if (answer.outcome === 'unknown') {
    const { message } = answer
    const due_at = new Date(now.getTime() + RETRY_WAIT_MS)
    await begin(app.db, async (tx) => {
      await planCatalogueSyncs(tx, now, [slug])
      await finishCatalogueSync(tx, now, { connection: slug, due_at, products: null, message })
    })
    logEvent(app.log, 'bill_catalogue_not_read', { connection: slug, message })
    return { message }
  }
  const result = await begin(app.db, async (tx) => {
    await planCatalogueSyncs(tx, now, [slug])
    const synced = await syncCatalogue(tx, now, slug, answer.products, app.config.BILL_PRICE_RISE_PERCENT)
    const due_at = nextNight(now)
    await finishCatalogueSync(tx, now, { connection: slug, due_at, products: synced.products, message: null })
    return synced
  })
  if (result.differences > 0)
    logEvent(app.log, 'bill_differences_found', { connection: slug, differences: result.differences })
  for (const { offer, service_type } of result.taken_off_sale)
    logEvent(app.log, 'bill_offer_off_sale', { connection: slug, offer, service_type })
  return result
}

/** The next time of the nightly sync. */
function nextNight(now: Date): Date {
  const night = new Date(now)
  night.setUTCHours(SYNC_HOUR, 0, 0, 0)
  if (night <= now) night.setUTCDate(night.getUTCDate() + 1)
  return night
}

import { routeSms } from '../../../src/core/sms/attempts.ts'
import { type ClaimedSms, claimSms, lockDueSms, nextDueSms, type SmsClaim } from '../../../src/core/sms/claims.ts'
import { type SmsMessage, smsSuffix } from '../../../src/core/sms/message.ts'
import { listSms, type NewSmsMessage, queueSms, readSmsAttempts } from '../../../src/core/sms/outbox.ts'
import type { SmsConnections } from '../../../src/core/sms/outcomes.ts'
import { applySmsUpdates, type SmsUpdate } from '../../../src/core/sms/outcomes.ts'
import { applySmsReports } from '../../../src/core/sms/reports.ts'
import type { RouteConnection } from '../../../src/core/sms/routes.ts'
import { begin, type Tx } from '../../../src/db/client.ts'
import type { SmsReport } from '../../../src/lib/adapter-types.ts'
import type { Shop } from '../shop.ts'

export const SUFFIX = smsSuffix('Kusanya')

/** A connection as core knows it. */
export function routeTo(slug: string, changes: Partial<RouteConnection> = {}): RouteConnection {
  return { slug, organization: null, priority: 100, countries: null, ...STATE, ...changes }
}

const STATE = { is_active: true, is_fallback: false, is_usable: true, is_degraded: false }

/** Send SMS without any provider: what is claimed is answered by the test. */
export function openDesk(shop: Shop, connections: RouteConnection[], can_ask = false) {
  let requests = 1_000_000_000
  const known: SmsConnections = { routes: connections, canAsk: () => can_ask }
  const wantsOf = (slugs: readonly string[], slots: number, lease_ms: number): SmsClaim[] => {
    const lease_end = new Date(shop.testApp.clock.real().getTime() + lease_ms)
    return slugs.map((connection) => ({ connection, slots, states: connection === '' ? 'waiting' : 'all', lease_end }))
  }
  const desk = {
    /** Put an SMS into the outbox, and return its id. */
    async queue(changes: Partial<NewSmsMessage> = {}): Promise<number> {
      requests += 1
      const sms: NewSmsMessage = {
        organization: shop.organization,
        collection_request: requests,
        purpose: 'success',
        phonenumber: '+256772000001',
        body: 'Hello',
        ...changes,
      }
      const [id] = await begin(shop.db, (tx) => queueSms(tx, shop.now(), [sms]))
      return id!
    },
    /** Choose routes and claim what is due. */
    claim({ limit = 10, suffix = SUFFIX, lease_ms = 60_000 } = {}): Promise<ClaimedSms[]> {
      const times = { now: shop.now(), real: shop.testApp.clock.real() }
      return begin(shop.db, async (tx) => {
        const weak = connections.filter((one) => !one.is_usable || one.is_degraded).map(({ slug }) => slug)
        const unrouted = await lockDueSms(tx, times, wantsOf(['', ...weak], limit, lease_ms), suffix)
        const usable = connections.filter((one) => one.is_usable).map(({ slug }) => slug)
        const claims = wantsOf(usable, limit, lease_ms)
        const routed = await routeSms(tx, times.now, unrouted, connections, claims)
        return [...routed, ...(await claimSms(tx, times, claims))]
      })
    },
    /** The provider answers the sending of a claimed SMS. */
    answer(sms: Pick<ClaimedSms, 'id' | 'reference'>, answer: Omit<SmsUpdate, 'sms' | 'reference' | 'source'>) {
      const news: SmsUpdate = { sms: sms.id, reference: sms.reference!, source: 'reply', ...answer }
      return begin(shop.db, (tx) => applySmsUpdates(tx, shop.now(), [news], known))
    },
    /** A provider reports. */
    report(connection: string, ...reports: SmsReport[]) {
      return begin(shop.db, (tx) => applySmsReports(tx, shop.now(), connection, reports, known))
    },
    known,
    async find(id: number): Promise<SmsMessage> {
      const [sms] = await listSms(shop.db, { id }, 1, SUFFIX)
      return sms!
    },
    async newest(): Promise<SmsMessage> {
      const [sms] = await listSms(shop.db, {}, 1, SUFFIX)
      return sms!
    },
    async attempts(id: number) {
      return (await readSmsAttempts(shop.db, [id])).get(id) ?? []
    },
    nextDue() {
      return nextDueSms(shop.db, shop.testApp.clock.real(), wantsOf(['', ...connections.map((c) => c.slug)], 1, 0))
    },
    /** Forget all SMS. */
    clear: () => begin(shop.db, deleteSms),
  }
  return desk
}

async function deleteSms(tx: Tx): Promise<void> {
  await tx`delete from sms_messages`
  await tx`delete from sms_months`
  await tx`delete from sms_costs`
  await tx`delete from sms_limits`
  await tx`delete from sms_routes`
  await tx`delete from sms_sender_ids`
  await tx`delete from sms_consents`
  await tx`delete from sms_country_rules`
  await tx`delete from sms_early_reports`
  await tx`delete from sms_incoming`
}

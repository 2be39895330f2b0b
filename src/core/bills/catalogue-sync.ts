import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import type { BillKind } from '../../lib/adapter-types.ts'
import { zip } from '../../lib/batches/zip.ts'
import { type Amount, formatAmount, parseAmount, shortAmount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { type ClaimTimes, claimDue, findNextDue, releaseLeases } from '../leases.ts'
import { listServices, type Service } from './catalogue.ts'
import { type FoundDifference, lockWaitingDifferences, storeDifferences, type Terms } from './differences.ts'
import { costOf, listOffers, type Offer } from './offers.ts'

/** Product of a provider, as its driver reads it (ProviderProduct of src/billers/contract.ts). */
interface RemoteProduct {
  kind: BillKind
  country: string
  currency: string
  remote_service: string
  remote_product: string | null
  name: string
  price: Amount | null
  min: Amount | null
  max: Amount | null
  commission_percent: string | null
  is_available: boolean
}

export interface SyncResult {
  connection: string
  /** Number of products that the provider sells. */
  products: number
  /** Number of differences not seen before. */
  differences: number
  /** The offers that are not sold any more until a person decides. */
  taken_off_sale: { offer: number; service_type: string }[]
}

/**
 * Compares the catalogue of a provider with our offers there, and stores the differences. Products that the provider
 * does not sell now are not bought there. Products that have become dearer by more than `rise_percent` are off sale.
 */
export async function syncCatalogue(
  tx: Tx,
  now: Date,
  connection: string,
  products: readonly RemoteProduct[],
  rise_percent: number,
): Promise<SyncResult> {
  await lockWaitingDifferences(tx, connection)
  const offers = await listOffers(tx, { connection })
  await tx`
    select id from bill_offers where id = any(${offers.map(({ id }) => id)}::bigint[]) order by id for update`
  const remote = new Map(products.map((product) => [keyOf(product), product]))
  const found: FoundDifference[] = []
  const states: Pick<Offer, 'id' | 'is_available' | 'off_sale'>[] = []
  for (const offer of offers) {
    const product = remote.get(keyOf(offer))
    found.push(...differencesOf(offer, product))
    const off_sale = product && isMuchDearer(offer, product, rise_percent) ? 'price_rise' : null
    states.push({ id: offer.id, is_available: product?.is_available ?? false, off_sale })
  }
  const offered = new Set(offers.map(keyOf))
  const fresh = products.filter((product) => !offered.has(keyOf(product)))
  if (fresh.length > 0) {
    const suggest = await createSuggester(tx)
    found.push(
      ...fresh.map((product) => ({
        ...describe(product),
        kind: 'new' as const,
        offer: null,
        before: null,
        ...suggest(product),
      })),
    )
  }
  await storeStates(tx, now, offers, states)
  const taken_off_sale = zip(offers, states).flatMap(([offer, { off_sale }]) =>
    offer.off_sale === null && off_sale !== null ? [{ offer: offer.id, service_type: offer.service_type }] : [],
  )
  const differences = await storeDifferences(tx, now, connection, found)
  return { connection, products: products.length, differences, taken_off_sale }
}

function keyOf({ remote_service, remote_product }: Pick<RemoteProduct, 'remote_service' | 'remote_product'>): string {
  return JSON.stringify([remote_service, remote_product])
}

function describe(product: RemoteProduct) {
  const { kind: bill_kind, country, currency, remote_service, remote_product, name } = product
  return { bill_kind, country, currency, remote_service, remote_product, name, after: termsOf(product) }
}

const NO_SUGGESTION = { suggested_service: null, suggested_product: null }

function differencesOf(offer: Offer, product: RemoteProduct | undefined): FoundDifference[] {
  const before = termsOf(offer)
  const { remote_service, remote_product, category: bill_kind, currency, service_type: name } = offer
  if (!product) {
    const gone = { bill_kind, country: offer.country, currency, remote_service, remote_product, name, after: null }
    return [{ ...gone, kind: 'gone', offer: offer.id, before, ...NO_SUGGESTION }]
  }
  const after = termsOf(product)
  const common = { ...describe(product), offer: offer.id, before, ...NO_SUGGESTION }
  const has_price = before.price !== after.price || before.commission_percent !== after.commission_percent
  const has_limits = before.min !== after.min || before.max !== after.max
  return [
    ...(has_price ? [{ ...common, kind: 'price' as const }] : []),
    ...(has_limits ? [{ ...common, kind: 'limits' as const }] : []),
  ]
}

function termsOf({
  price,
  commission_percent,
  min,
  max,
}: Pick<Offer, 'price' | 'commission_percent' | 'min' | 'max'>): Terms {
  const text = (amount: Amount | null) => (amount === null ? null : formatAmount(amount))
  const percent = commission_percent === null ? null : (parseAmount(commission_percent) ?? null)
  return {
    price: text(price),
    min: text(min),
    max: text(max),
    commission_percent: percent === null || percent === 0n ? null : shortAmount(percent),
  }
}

/** Amount whose costs are compared for products with a free amount: 1 000 000. */
const COMPARED_AMOUNT = 1_000_000_0000n

function isMuchDearer(offer: Offer, product: RemoteProduct, rise_percent: number): boolean {
  const before = costOf(offer, COMPARED_AMOUNT)
  const after = costOf(product, COMPARED_AMOUNT)
  return (after - before) * 100_000n > before * BigInt(Math.round(rise_percent * 1_000))
}

/** Stores the provider's availability and the products off sale. Only offers that have changed are written. */
async function storeStates(
  tx: Tx,
  now: Date,
  offers: readonly Offer[],
  states: readonly Pick<Offer, 'id' | 'is_available' | 'off_sale'>[],
): Promise<void> {
  const changed = zip(offers, states).flatMap(([before, after]) =>
    after.is_available !== before.is_available || after.off_sale !== before.off_sale ? after : [],
  )
  if (changed.length === 0) return
  const r = rows(changed, { id: 'bigint', is_available: 'boolean', off_sale: 'text' })
  await tx`
    update bill_offers o set is_available = r.is_available, off_sale = r.off_sale, modified = ${truncateToSecond(now)}
    from ${r.as('r')} where o.id = r.id`
}

type Suggestion = Pick<FoundDifference, 'suggested_service' | 'suggested_product'>

/**
 * Finds the service and product of our catalogue with the same name as a provider's product, in the same country,
 * currency and category.
 */
async function createSuggester(db: Reader): Promise<(product: RemoteProduct) => Suggestion> {
  const services = await listServices(db)
  const products = await db<{ id: number; service: number; code: string; name: string }[]>`
    select id, service, code, name from catalogue_products where kind <> 'addon'`
  const byService = Map.groupBy(products, ({ service }) => service)
  return (product) => {
    const { remote_product, name } = product
    const service = services.find((one) => isSame(one, product))
    if (!service) return NO_SUGGESTION
    const found =
      product.price === null
        ? undefined
        : byService
            .get(service.id)
            ?.find(
              (one) =>
                (remote_product !== null && plain(one.code) === plain(remote_product)) ||
                plain(one.name) === plain(name),
            )
    // An offer of a whole service has no price of its own.
    if (product.price !== null && !found) return NO_SUGGESTION
    return { suggested_service: service.id, suggested_product: found?.id ?? null }
  }
}

function isSame(
  service: Service,
  { kind, country, currency, remote_service, remote_product, name, price }: RemoteProduct,
): boolean {
  if (service.category !== kind || service.country !== country || service.currency !== currency) return false
  const ours = [service.service_type, ...service.aliases, service.name].map(plain)
  const theirs = [remote_service, name, ...(price === null ? [`${remote_service}${remote_product ?? ''}`] : [])].map(
    plain,
  )
  return theirs.some((one) => ours.includes(one))
}

/** Reduces a name to the parts that all providers write alike: without case, blanks and dashes. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Plans the sync of connections that have none yet: now. */
export async function planCatalogueSyncs(tx: Tx, now: Date, connections: readonly string[]): Promise<void> {
  await tx`
    insert into bill_catalogue_syncs (connection, due_at) select slug, ${now} from unnest(${[...connections]}::text[]) as c(slug)
    on conflict do nothing`
}

/**
 * Makes the sync of a connection due, such as when its provider says that prices have changed: now, or when a while has passed
 * since the last one, because everyone who knows the address can ask for it.
 */
export async function syncSoon(tx: Tx, now: Date, connection: string): Promise<void> {
  await tx`
    insert into bill_catalogue_syncs as s (connection, due_at) values (${connection}, ${now})
    on conflict (connection) do update
      set due_at = least(s.due_at, greatest(excluded.due_at, s.last_asked + ${SYNC_GAP_S} * interval '1 second'))`
}

const SYNC_GAP_S = 600

/** Claims connections whose catalogue is to be read, under a lease. Returns their slugs. */
export async function claimCatalogueSyncs(tx: Tx, times: ClaimTimes, limit: number): Promise<string[]> {
  const table = 'bill_catalogue_syncs'
  const claimed = await claimDue<{ connection: string }>(tx, { table, key: 'connection', times, limit })
  return claimed.map(({ connection }) => connection)
}

/** Finds the time of the next unclaimed sync that is due, or null. */
export function nextCatalogueSync(db: Reader, real: Date): Promise<Date | null> {
  return findNextDue(db, 'bill_catalogue_syncs', real)
}

/** Stores the result of a sync, and when the next one follows. */
export async function finishCatalogueSync(
  tx: Tx,
  now: Date,
  result: { connection: string; due_at: Date; products: number | null; message: string | null },
): Promise<void> {
  const { connection, due_at, products, message } = result
  const written = rows([{ connection, due_at, message, last_asked: truncateToSecond(now) }], {
    connection: 'text',
    due_at: 'timestamptz',
    message: 'text',
    last_asked: 'timestamptz',
  })
  releaseLeases(tx, 'bill_catalogue_syncs', written, ['connection'])
  if (products !== null)
    await tx`
      update bill_catalogue_syncs set products = ${products}, last_found = last_asked where connection = ${connection}`
}

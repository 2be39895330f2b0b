import type { Reader } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import type { VendDetails } from '../../lib/adapter-types.ts'
import type { Amount } from '../../lib/money.ts'
import { type Category, formatPlainAmount, type ProductKind } from './catalogue.ts'
import { costOf, DEFAULT_PRIORITY, type Offer } from './offers.ts'

/** Facts about a provider's connection for a choice. The doors, which know the drivers, provide it. */
export interface Seller {
  slug: string
  /** Owner of the account; null for the operator's own, with which everybody buys. */
  organization: number | null
  priority: number
  /** True if most of its recent calls had no answer. */
  is_degraded: boolean
  /** True if it knows our services under our own names, so it sells them without an offer. */
  has_our_names: boolean
  /** ISO 3166-1 of the countries in which it sells; null for many. */
  countries: readonly string[] | null
}

/** Purchase to choose a seller for. */
export interface SellerQuery {
  organization: number
  kind: Category
  service_type: string
  country: string
  currency: string
  amount: Amount
  details: VendDetails
  /** Scenario for the simulated biller of the sandbox; null or missing for none. */
  scenario?: string | null
}

/** A provider that can sell it now, with its names. */
export interface ChosenSeller {
  connection: string
  /** Null where the provider uses our names. */
  remote_service: string | null
  remote_product: string | null
  /** Cost at the provider; null if unknown. */
  cost: Amount | null
}

/**
 * Finds the providers that can sell a purchase, best first: those that answer and have enough float; then the
 * organization's own; then by the priority of the offer; then the cheapest. A provider that would take more than the
 * customer pays is left out.
 * @param sellers those that sell now
 */
export async function findSellers(db: Reader, need: SellerQuery, sellers: readonly Seller[]): Promise<ChosenSeller[]> {
  const [found] = await findSellersOfAll(db, [need], sellers)
  return found!
}

/** Finds the providers of each of these purchases, as `findSellers` does, with one statement for all. */
export async function findSellersOfAll(
  db: Reader,
  needs: readonly SellerQuery[],
  sellers: readonly Seller[],
): Promise<ChosenSeller[][]> {
  const offersOf = await readOffers(db, needs, sellers)
  const found = needs.map((need) => ({ need, candidates: listCandidates(need, sellers, offersOf(need)) }))
  const competing = found.flatMap(({ need, candidates }) => (candidates.length > 1 ? need : []))
  const balanceOf = await readFloats(db, competing, sellers)
  return found.map(({ need, candidates }) => {
    const isShort = ({ chosen }: Candidate) => {
      const balance = balanceOf(chosen.connection, need.currency)
      return balance !== undefined && balance < (chosen.cost ?? need.amount)
    }
    return sortCandidates(need, candidates, isShort)
  })
}

function listCandidates(need: SellerQuery, sellers: readonly Seller[], offers: readonly Offer[]): Candidate[] {
  const product = productOf(need)
  const usable = sellers.filter(
    ({ organization, countries, has_our_names }) =>
      (organization === null || organization === need.organization) &&
      (countries === null || countries.includes(need.country)) &&
      // Only the simulated biller carries out a scenario, here or behind another host.
      (has_our_names || (need.scenario ?? null) === null),
  )
  return usable.flatMap((seller): Candidate[] => {
    const offer = offers.find(({ connection }) => connection === seller.slug)
    if (!offer) return seller.has_our_names ? [withOurNames(seller, need.amount)] : []
    return canSell(offer, need, product) ? [fromOffer(seller, offer, need)] : []
  })
}

function sortCandidates(
  need: SellerQuery,
  found: readonly Candidate[],
  isShort: (one: Candidate) => boolean,
): ChosenSeller[] {
  return found
    .map((one) => ({ ...one, is_last: one.seller.is_degraded || isShort(one) }))
    .toSorted(
      (a, b) =>
        Number(a.is_last) - Number(b.is_last) ||
        Number(a.seller.organization === null) - Number(b.seller.organization === null) ||
        a.priority - b.priority ||
        compare(a.chosen.cost ?? need.amount, b.chosen.cost ?? need.amount) ||
        a.seller.priority - b.seller.priority ||
        (a.seller.slug < b.seller.slug ? -1 : 1),
    )
    .map(({ chosen }) => chosen)
}

/**
 * The providers that may know the accounts of a service, in the order in which `findSellers` would choose them.
 * @param sellers those that sell now
 */
export async function findHolderSellers(
  db: Reader,
  need: Pick<SellerQuery, 'organization' | 'kind' | 'service_type' | 'country'> & { product_code: string | null },
  sellers: readonly Seller[],
): Promise<ChosenSeller[]> {
  const usable = sellers.filter(
    ({ organization, countries }) =>
      (organization === null || organization === need.organization) &&
      (countries === null || countries.includes(need.country)),
  )
  const offers = await db<Pick<Offer, 'connection' | 'remote_service' | 'remote_product' | 'priority'>[]>`
    select distinct on (o.connection) o.connection, o.remote_service, o.priority,
      case when o.product is null or p.code = ${need.product_code} then o.remote_product end as remote_product
    from bill_offers o join catalogue_services s on s.id = o.service left join catalogue_products p on p.id = o.product
    where s.category = ${need.kind} and s.service_type = ${need.service_type} and o.enabled
      and o.connection = any(${usable.map(({ slug }) => slug)}::text[])
    order by o.connection, (p.code = ${need.product_code}) desc nulls last, o.product nulls first, o.priority`
  return usable
    .flatMap((seller) => {
      const offer = offers.find(({ connection }) => connection === seller.slug)
      if (!offer && !seller.has_our_names) return []
      const { remote_service = null, remote_product = null, priority = DEFAULT_PRIORITY } = offer ?? {}
      return [{ seller, priority, chosen: { connection: seller.slug, remote_service, remote_product, cost: null } }]
    })
    .toSorted(
      (a, b) =>
        Number(a.seller.is_degraded) - Number(b.seller.is_degraded) ||
        Number(a.seller.organization === null) - Number(b.seller.organization === null) ||
        a.priority - b.priority ||
        a.seller.priority - b.seller.priority,
    )
    .map(({ chosen }) => chosen)
}

interface Candidate {
  seller: Seller
  priority: number
  chosen: ChosenSeller
}

function withOurNames(seller: Seller, amount: Amount): Candidate {
  const chosen = { connection: seller.slug, remote_service: null, remote_product: null, cost: amount }
  return { seller, priority: DEFAULT_PRIORITY, chosen }
}

function fromOffer(seller: Seller, offer: Offer, { amount, details }: SellerQuery): Candidate {
  const { connection, remote_service, remote_product, priority } = offer
  const cost = costOf(offer, amount, details.pins)
  return { seller, priority, chosen: { connection, remote_service, remote_product, cost } }
}

/** True if an offer fits the purchase: its amount, and details that a provider with other names cannot express. */
function canSell(offer: Offer, { amount, details }: SellerQuery, product: ProductQuery | undefined): boolean {
  if (!offer.enabled || !offer.is_available || offer.off_sale !== null) return false
  if (details.addon_code !== undefined || (product && (details.months ?? 1) > 1)) return false
  if (costOf(offer, amount, details.pins) > amount) return false
  return (offer.min === null || amount >= offer.min) && (offer.max === null || amount <= offer.max)
}

/** Returns the bought product, if it has a price of its own. */
interface ProductQuery {
  kind: ProductKind
  code: string
}

function productOf({ kind, details }: Pick<SellerQuery, 'kind' | 'details'>): ProductQuery | undefined {
  const { datacode, product_code, pin_value } = details
  if (kind === 'databundle') return { kind: 'bundle', code: datacode! }
  if (kind === 'epin') return { kind: 'pin', code: formatPlainAmount(pin_value!) }
  if (kind === 'exampin') return { kind: 'exam', code: product_code! }
  return kind === 'cabletv' && product_code !== RENEWAL ? { kind: 'bouquet', code: product_code! } : undefined
}

/** The product_code that renews a TV subscription. */
const RENEWAL = '0'

/** Reads the offers for the purchases, each different purchase once. */
async function readOffers(
  db: Reader,
  needs: readonly SellerQuery[],
  sellers: readonly Seller[],
): Promise<(need: SellerQuery) => Offer[]> {
  const distinct = [...new Map(needs.map((need) => [offerKey(need), need])).values()]
  const slugs = sellers.map(({ slug }) => slug)
  const wanted = rows(distinct, {
    key: ['text', offerKey],
    category: ['text', ({ kind }) => kind],
    service_type: 'text',
    product_kind: ['text', (need) => productOf(need)?.kind],
    product_code: ['text', (need) => productOf(need)?.code],
  })
  const offers = await db<(Offer & { key: string })[]>`
    select w.key, o.connection, o.remote_service, o.remote_product, o.price, o.commission_percent::text as commission_percent,
      o.min, o.max, o.is_available, o.off_sale, o.enabled, o.priority
    from ${wanted.as('w')}
    join catalogue_services s on s.category = w.category and s.service_type = w.service_type
    join bill_offers o on o.service = s.id left join catalogue_products p on p.id = o.product
    where o.connection = any(${slugs}::text[])
      and case when w.product_kind is null then o.product is null else p.kind = w.product_kind and p.code = w.product_code end`
  const byKey = Map.groupBy(offers, ({ key }) => key)
  return (need) => byKey.get(offerKey(need)) ?? []
}

/** Needs with the same key have the same offers. */
function offerKey(need: SellerQuery): string {
  const product = productOf(need)
  return JSON.stringify([need.kind, need.service_type, product?.kind, product?.code])
}

/** Reads our balances at the connections in the currencies of these purchases, where providers have reported them. */
async function readFloats(
  db: Reader,
  needs: readonly SellerQuery[],
  sellers: readonly Seller[],
): Promise<(connection: string, currency: string) => Amount | undefined> {
  if (needs.length === 0) return () => undefined
  const slugs = sellers.map(({ slug }) => slug)
  const currencies = [...new Set(needs.map(({ currency }) => currency))]
  const found = await db<{ connection: string; currency: string; balance: Amount }[]>`
    select connection, currency, balance from connection_floats
    where connection = any(${slugs}::text[]) and currency = any(${currencies}::text[]) and balance is not null`
  const balances = new Map(found.map(({ connection, currency, balance }) => [`${connection} ${currency}`, balance]))
  return (connection, currency) => balances.get(`${connection} ${currency}`)
}

function compare(one: Amount, other: Amount): number {
  return one < other ? -1 : one > other ? 1 : 0
}

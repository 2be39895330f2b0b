import type { Reader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { VendDetails } from '../../lib/adapter-types.ts'
import type { Amount } from '../../lib/money.ts'
import { type Category, formatPlainAmount, type ProductKind } from './catalogue.ts'
import { costOf, DEFAULT_PRIORITY, type Offer } from './offers.ts'

/** What a choice needs to know of a connection to a provider. The doors, which know the drivers, provide it. */
export interface Seller {
  slug: string
  /** Whose account it is; null for the operator's own, with which everybody buys. */
  organization: number | null
  priority: number
  /** Whether most of its calls had no answer lately. */
  is_degraded: boolean
  /** It knows our services under our own names, so it sells them without an offer. */
  has_our_names: boolean
  /** ISO 3166-1 of the countries in which it sells; null for many. */
  countries: readonly string[] | null
}

/** What is to be bought. */
export interface BillNeed {
  organization: number
  kind: Category
  service_type: string
  country: string
  currency: string
  amount: Amount
  details: VendDetails
  /** What the simulated biller of the sandbox is told to do; null or missing for none. */
  scenario?: string | null
}

/** A provider that can sell it now, with its names. */
export interface ChosenSeller {
  connection: string
  /** Null where the provider uses our names. */
  remote_service: string | null
  remote_product: string | null
  /** What it takes; null where it is not known. */
  cost: Amount | null
}

/**
 * The providers that can sell what is needed, best first: those that answer and have enough float, then the organization's
 * own, then by the priority of the offer, then the cheapest. A provider that would take more than the customer pays is left
 * out.
 * @param sellers those that sell now
 */
export async function findSellers(db: Reader, need: BillNeed, sellers: readonly Seller[]): Promise<ChosenSeller[]> {
  const usable = sellers.filter(
    ({ organization, countries, has_our_names }) =>
      (organization === null || organization === need.organization) &&
      (countries === null || countries.includes(need.country)) &&
      // Only the simulated biller carries out a scenario, here or behind another host.
      (has_our_names || (need.scenario ?? null) === null),
  )
  if (usable.length === 0) return []
  const slugs = usable.map(({ slug }) => slug)
  const product = productOf(need)
  const offers = await readOffers(db, need, product, slugs)
  const found = usable.flatMap((seller): Candidate[] => {
    const offer = offers.find(({ connection }) => connection === seller.slug)
    if (!offer) return seller.has_our_names ? [withOurNames(seller, need.amount)] : []
    return canSell(offer, need, product) ? [fromOffer(seller, offer, need)] : []
  })
  if (found.length < 2) return found.map(({ chosen }) => chosen)
  const floats = await readFloats(db, slugs, need.currency)
  const isShort = ({ chosen }: Candidate) => {
    const balance = floats.get(chosen.connection)
    return balance !== undefined && balance < (chosen.cost ?? need.amount)
  }
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
  need: Pick<BillNeed, 'organization' | 'kind' | 'service_type' | 'country'> & { product_code: string | null },
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

function fromOffer(seller: Seller, offer: Offer, { amount, details }: BillNeed): Candidate {
  const { connection, remote_service, remote_product, priority } = offer
  const cost = costOf(offer, amount, details.pins)
  return { seller, priority, chosen: { connection, remote_service, remote_product, cost } }
}

/** Whether an offer carries the purchase: its amount, and what a provider with names of its own cannot express. */
function canSell(offer: Offer, { amount, details }: BillNeed, product: NeededProduct | undefined): boolean {
  if (!offer.enabled || !offer.is_available || offer.off_sale !== null) return false
  if (details.addon_code !== undefined || (product && (details.months ?? 1) > 1)) return false
  if (costOf(offer, amount, details.pins) > amount) return false
  return (offer.min === null || amount >= offer.min) && (offer.max === null || amount <= offer.max)
}

/** The product with a price of its own that is bought, if it is one. */
interface NeededProduct {
  kind: ProductKind
  code: string
}

function productOf({ kind, details }: Pick<BillNeed, 'kind' | 'details'>): NeededProduct | undefined {
  const { datacode, product_code, pin_value } = details
  if (kind === 'databundle') return { kind: 'bundle', code: datacode! }
  if (kind === 'epin') return { kind: 'pin', code: formatPlainAmount(pin_value!) }
  if (kind === 'exampin') return { kind: 'exam', code: product_code! }
  return kind === 'cabletv' && product_code !== RENEWAL ? { kind: 'bouquet', code: product_code! } : undefined
}

/** The product_code that renews a TV subscription. */
const RENEWAL = '0'

function readOffers(db: Reader, need: BillNeed, product: NeededProduct | undefined, slugs: readonly string[]) {
  return db<Offer[]>`
    select o.connection, o.remote_service, o.remote_product, o.price, o.commission_percent::text as commission_percent, o.min,
      o.max, o.is_available, o.off_sale, o.enabled, o.priority
    from bill_offers o join catalogue_services s on s.id = o.service left join catalogue_products p on p.id = o.product
    where s.category = ${need.kind} and s.service_type = ${need.service_type} and o.connection = any(${[...slugs]}::text[])
      and ${product ? sql`p.kind = ${product.kind} and p.code = ${product.code}` : sql`o.product is null`}`
}

/** What is on our side of these connections in a currency, where their providers have said so. */
async function readFloats(db: Reader, slugs: readonly string[], currency: string): Promise<Map<string, Amount>> {
  const rows = await db<{ connection: string; balance: Amount }[]>`
    select connection, balance from connection_floats
    where connection = any(${[...slugs]}::text[]) and currency = ${currency} and balance is not null`
  return new Map(rows.map(({ connection, balance }) => [connection, balance]))
}

function compare(one: Amount, other: Amount): number {
  return one < other ? -1 : one > other ? 1 : 0
}

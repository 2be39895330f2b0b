import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, formatAmount, parseAmount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { amount, id, timestamp } from '../fields.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { type Category, listServices, type ProductKind } from './catalogue.ts'

/*
 * An offer says that a connection sells one of our services or products: under which names, at which cost, and within which
 * limits. How a purchase chooses among them is in choose-seller.ts (docs/decisions/0034).
 */

/** Offer, with its service and product. */
export interface Offer {
  id: number
  service: number
  product: number | null
  category: Category
  service_type: string
  /** The name of the service, as people know it. */
  service_name: string
  country: string
  currency: string
  /** Product; null if the offer is of the service itself, with a free amount. */
  product_kind: ProductKind | null
  product_code: string | null
  /** The slug of the connection. */
  connection: string
  /** The provider's names. */
  remote_service: string
  remote_product: string | null
  /** Price at the provider, before its commission; null: the amount of the purchase. */
  price: Amount | null
  /** Commission that the provider gives us, in percent, with at most four decimals. */
  commission_percent: string | null
  min: Amount | null
  max: Amount | null
  /** Latest availability reported by the provider. */
  is_available: boolean
  /** Reason for which it is not sold until a person decides. */
  off_sale: 'price_rise' | null
  enabled: boolean
  /** The smallest is bought first. Equal ones compete by their cost. */
  priority: number
  created: Date
  modified: Date
}

/** An offer as the console and the CLI show it. */
export const OfferView = z.object({
  id,
  category: z.string(),
  service_type: z.string(),
  service_name: z.string(),
  currency: z.string(),
  product_code: z.string().nullable(),
  connection: z.string(),
  remote_service: z.string(),
  remote_product: z.string().nullable(),
  price: amount.nullable(),
  commission_percent: z.string().nullable(),
  min: amount.nullable(),
  max: amount.nullable(),
  is_available: z.boolean(),
  off_sale: z.string().nullable(),
  enabled: z.boolean(),
  priority: z.int(),
  modified: timestamp,
})

/** Default priority of an offer, and of a provider that uses our names. */
export const DEFAULT_PRIORITY = 100

interface OfferFilters {
  connection?: string | undefined
  service?: number | undefined
  /** Limits the list to these connections. */
  connections?: readonly string[] | undefined
}

/** Lists offers in the order of the catalogue. */
export async function listOffers(db: Reader, filters: OfferFilters = {}): Promise<Offer[]> {
  const { connection, service, connections } = filters
  return db<Offer[]>`
    select ${offerColumns} from ${offerSource}
    where ${connection === undefined ? sql.always : sql`o.connection = ${connection}`}
      and ${connections === undefined ? sql.always : sql`o.connection = any(${[...connections]}::text[])`}
      and ${service === undefined ? sql.always : sql`o.service = ${service}`}
    order by s.position, s.id, p.position nulls first, o.priority, o.id`
}

/** Reads one offer. @throws NotFound */
export async function getOffer(db: Reader, id: number): Promise<Offer> {
  const [row] = await db<Offer[]>`select ${offerColumns} from ${offerSource} where o.id = ${id}`
  if (!row) throw new NotFound(getMessage('bills.no_offer', { id }))
  return row
}

/** Content of an offer. Amounts are in the currency of the service. */
export interface NewOffer {
  service: number
  product: number | null
  connection: string
  remote_service: string
  remote_product: string | null
  price: Amount | null
  commission_percent: string | null
  min: Amount | null
  max: Amount | null
  is_available?: boolean
  priority?: number
}

/** Adds an offer. @throws Invalid when the connection sells this already, or when the limits contradict each other */
export async function addOffer(tx: Tx, now: Date, offer: NewOffer): Promise<Offer> {
  const { service, product, connection, remote_service, remote_product, commission_percent } = offer
  checkTerms(offer)
  const at = truncateToSecond(now)
  const [row] = await tx<{ id: number }[]>`
    insert into bill_offers (service, product, connection, remote_service, remote_product, price, commission_percent, min, max,
      is_available, priority, created, modified)
    values (${service}, ${product}, ${connection}, ${remote_service}, ${remote_product}, ${text(offer.price)},
      ${commission_percent}, ${text(offer.min)}, ${text(offer.max)}, ${offer.is_available ?? true},
      ${offer.priority ?? DEFAULT_PRIORITY}, ${at}, ${at})
    on conflict (service, product, connection) do nothing returning id`
  if (!row) throw new Invalid({ connection: [getMessage('bills.sells_already_change', { connection })] })
  return getOffer(tx, row.id)
}

/** Change of an offer by a person or an approved difference. Missing members stay as they are. */
export type OfferChange = Partial<
  Pick<Offer, 'price' | 'commission_percent' | 'min' | 'max' | 'is_available' | 'off_sale' | 'enabled' | 'priority'>
>

/** Changes an offer. Open purchases keep the cost with which they were made. @throws NotFound, Invalid */
export async function changeOffer(tx: Tx, now: Date, id: number, change: OfferChange): Promise<Offer> {
  await tx`select id from bill_offers where id = ${id} for update`
  const next = { ...(await getOffer(tx, id)), ...change }
  checkTerms(next)
  await tx`
    update bill_offers set price = ${text(next.price)}, commission_percent = ${next.commission_percent},
      min = ${text(next.min)}, max = ${text(next.max)}, is_available = ${next.is_available}, off_sale = ${next.off_sale},
      enabled = ${next.enabled}, priority = ${next.priority}, modified = ${truncateToSecond(now)}
    where id = ${id}`
  return getOffer(tx, id)
}

/** Removes an offer. Purchases that were made with it go on. @throws NotFound */
export async function removeOffer(tx: Tx, id: number): Promise<Offer> {
  const offer = await getOffer(tx, id)
  await tx`delete from bill_offers where id = ${id}`
  return offer
}

/** Finds the object of an offer: a service, and one of its products if a code is given. @throws Invalid */
export async function findOffered(
  db: Reader,
  { category, service_type, code }: { category: Category; service_type: string; code: string | undefined },
): Promise<{ service: number; product: number | null; currency: string; country: string }> {
  const service = (await listServices(db, category)).find((one) => one.service_type === service_type)
  if (!service) throw new Invalid({ service: [getMessage('bills.no_service', { category, service: service_type })] })
  const { id, currency, country } = service
  if (code === undefined) return { service: id, product: null, currency, country }
  const [product] = await db<{ id: number }[]>`
    select id from catalogue_products where service = ${id} and code = ${code} and kind <> 'addon'`
  if (!product) throw new Invalid({ product: [getMessage('bills.service_no_product', { service_type, code })] })
  return { service: id, product: product.id, currency, country }
}

/** Computes the cost of a purchase at a provider: the price or the amount, times the pieces, less the commission. */
export function costOf(
  { price, commission_percent }: Pick<Offer, 'price' | 'commission_percent'>,
  amount: Amount,
  pieces = 1,
): Amount {
  const gross = price === null ? amount : price * BigInt(pieces)
  const percent = parseAmount(commission_percent ?? '0') ?? 0n
  // Amounts and percents both have four decimals. We never gain by rounding.
  return gross - (gross * percent) / 1_000_000n
}

function checkTerms({ min, max, price, commission_percent, priority }: Partial<NewOffer>): void {
  if (min != null && max != null && min > max) throw new Invalid({ min: [getMessage('bills.above_maximum')] })
  if (price != null && price <= 0n) throw new Invalid({ price: [getMessage('bills.must_above_zero')] })
  if (min != null && min <= 0n) throw new Invalid({ min: [getMessage('bills.must_above_zero')] })
  if (priority !== undefined && (!Number.isInteger(priority) || priority < 0 || priority > 1_000_000))
    throw new Invalid({ priority: [getMessage('bills.must_whole_number')] })
  if (commission_percent == null) return
  const percent = /^\d{1,2}(\.\d{1,4})?$/.test(commission_percent) ? parseAmount(commission_percent) : undefined
  if (percent === undefined) throw new Invalid({ commission: [getMessage('bills.must_percentage_below')] })
}

function text(value: Amount | null): string | null {
  return value === null ? null : formatAmount(value)
}

const offerColumns = sql`o.id, o.service, o.product, s.category, s.service_type, s.name as service_name, s.country, s.currency, p.kind as product_kind,
  p.code as product_code, o.connection, o.remote_service, o.remote_product, o.price,
  trim_scale(o.commission_percent)::text as commission_percent, o.min, o.max, o.is_available, o.off_sale, o.enabled,
  o.priority, o.created, o.modified`
const offerSource = sql`bill_offers o join catalogue_services s on s.id = o.service
  left join catalogue_products p on p.id = o.product`

/** Say whether an offer is sold, and why not. */
export function describeSale({ enabled, is_available, off_sale }: Offer): string {
  if (!enabled) return 'off'
  if (off_sale === 'price_rise') return 'off: its price has risen'
  return is_available ? 'yes' : 'not available'
}

/** Name an offer for people. */
export function nameOfOffer({ category, service_type, product_code, connection }: Offer): string {
  return `${category}/${service_type}${product_code === null ? '' : ` ${product_code}`} at ${connection}`
}

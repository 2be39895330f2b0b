import { z } from 'zod'
import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, type Row, table } from '../../db/table.ts'
import { type BillKind, billKinds } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, parseAmount, shortAmount } from '../../lib/money.ts'
import { amount, id, timestamp } from '../fields.ts'
import { NotFound } from '../refusals.ts'
import { BillRefusal, invalidField } from './refusals.ts'

/** The categories that the service can sell. Their names are data of the catalogue. */
export const categories = billKinds
export type Category = BillKind

/** The products with a fixed price: TV bouquets and their add-ons, data bundles, airtime pins, exam pins. */
const productKinds = ['bouquet', 'addon', 'bundle', 'pin', 'exam'] as const
export type ProductKind = (typeof productKinds)[number]

/**
 * The form of a service's account numbers. `meter` is an STS meter number: 11 digits with a check digit, or 13. `text` has
 * letters, digits and separators.
 */
type AccountKind = 'phone' | 'meter' | 'digits' | 'text'

export const serviceTable = table('catalogue_services', {
  id: column.id(),
  category: column.text<Category>(),
  service_type: column.text(),
  aliases: column.texts().default([]).given(),
  name: column.text(),
  shortname: column.text(),
  /** ISO 3166-1: where it is sold. */
  country: column.text().default('NG').given(),
  /** ISO 4217: the currency of its prices, of its limits, and of the wallet that pays. */
  currency: column.text().default('NGN').given(),
  biller_id: column.integer(),
  product_id: column.integer(),
  enabled: column.boolean().default(true).given(),
  /** Airtime: `prepaid`, `postpaid`. */
  plans: column.texts().default([]).given(),
  /** Electricity: true if a purchase returns a token. */
  prepaid: column.boolean().nullable(),
  /** Electricity: price of one kWh without tax. */
  tariff: column.numeric().nullable(),
  minimum_amount: column.numeric().nullable(),
  maximum_amount: column.numeric().nullable(),
  account_kind: column.text<AccountKind>().nullable(),
  /** Customers' name for the number, such as `IUC number`. */
  account_name: column.text().nullable(),
  /** Minimum number of digits or characters, for `digits` and `text`. */
  min_account_digits: column.integer().nullable(),
  max_account_digits: column.integer().nullable(),
  /** Forms of the numbers for `text` (account-patterns.ts); null for any. */
  account_patterns: column.texts().nullable(),
  /** True for a `text` whose upper and lower case are different. Otherwise letters are stored as capitals. */
  account_keeps_case: column.boolean().default(false).given(),
  /** True if the list of its bundles depends on the account. */
  needs_account: column.boolean().default(false).given(),
  created: column.timestamptz(),
  modified: column.timestamptz(),
  position: column.integer(),
})
const shownService = serviceTable.omit('position')

/** Service of a biller (interface 2.9). Several categories may contain the same service_type. */
export type Service = Row<typeof shownService>

/** A service as the console and the CLI show it. */
export const ServiceView = z.object({
  id,
  category: z.enum(categories),
  service_type: z.string(),
  name: z.string(),
  country: z.string(),
  currency: z.string(),
  enabled: z.boolean(),
  minimum_amount: amount.nullable(),
  maximum_amount: amount.nullable(),
  /** Format of its account numbers in words; null for none. */
  account_format: z.string().nullable(),
  modified: timestamp,
})

export const priceTable = table('catalogue_prices', {
  product: column.bigint().key(),
  /** 0 for a product that is bought once. */
  months: column.integer().key(),
  invoice_period: column.integer(),
  price: column.numeric(),
})
export type Price = Omit<Row<typeof priceTable>, 'product'>

export const productTable = table('catalogue_products', {
  id: column.id(),
  service: column.bigint(),
  kind: column.text<ProductKind>(),
  code: column.text(),
  name: column.text(),
  description: column.text(),
  allowance: column.text().nullable(),
  validity: column.text().nullable(),
  /** Add-ons only: the bouquets that can have it; null means all. */
  bouquets: column.texts().nullable(),
  /** Pins only: the number in stock. */
  available: column.integer().nullable(),
  position: column.integer(),
})
const shownProduct = productTable.omit('position')

export interface Product extends Row<typeof shownProduct> {
  /** Prices in order of months, fewest first. */
  prices: Price[]
}

/** A service with all its products and prices, as the console and the CLI show it. */
export const PriceList = ServiceView.extend({
  products: z.array(
    z.object({
      id,
      kind: z.enum(productKinds),
      code: z.string(),
      name: z.string(),
      available: z.int().nullable(),
      prices: z.array(z.object({ months: z.int(), price: amount })),
    }),
  ),
})

/** Lists all services, or those of a category or a country, in the order of the catalogue. */
export async function listServices(db: Reader, category?: string, country?: string): Promise<Service[]> {
  const rows = await db<Service[]>`
    select ${serviceColumns()} from catalogue_services s join catalogue_categories c on c.code = s.category
    where ${category === undefined ? sql.always : sql`s.category = ${category}`}
      and ${country === undefined ? sql.always : sql`s.country = ${country.toUpperCase()}`}
    order by c.position, s.position`
  return [...rows]
}

/** Lists the categories that have services, in the order of the catalogue. */
export async function listCategories(db: Reader): Promise<{ code: Category; name: string }[]> {
  const rows = await db<{ code: Category; name: string }[]>`
    select c.code, c.name from catalogue_categories c
    where exists (select 1 from catalogue_services s where s.category = c.code) order by c.position`
  return [...rows]
}

/** Finds the service of this type in the category, also by an alias. @throws BillRefusal BX0026 */
export async function findService(db: Reader, category: Category, service_type: string): Promise<Service> {
  return pickService(await findServicesOfType(db, service_type), category, service_type)
}

/** Picks the service of the category among the services of a type. @throws BillRefusal BX0026 */
function pickService(services: readonly Service[], category: Category, service_type: string): Service {
  const service = services.find((one) => one.category === category)
  if (!service)
    throw new BillRefusal('BX0026', getMessage('bills.no_service', { category, service: JSON.stringify(service_type) }))
  return service
}

/** Finds the service that looks up accounts of this type, in any category. @throws BillRefusal BX0026, EXC00103 */
export async function findServiceWithAccounts(db: Reader, service_type: string): Promise<Service> {
  const service = (await findServicesOfType(db, service_type)).find((one) => one.account_kind !== null)
  if (!service)
    throw new BillRefusal('BX0026', getMessage('bills.no_service_account', { service: JSON.stringify(service_type) }))
  return requireEnabled(service)
}

/** Finds an active service, as `findService` does. @throws BillRefusal BX0026, EXC00103 */
export async function findServiceForSale(db: Reader, category: Category, service_type: string): Promise<Service> {
  return pickServiceForSale(await findServicesOfType(db, service_type), category, service_type)
}

/** The active service in the category among those that `findServicesOfTypes` found. @throws BillRefusal BX0026, EXC00103 */
export function pickServiceForSale(services: readonly Service[], category: Category, service_type: string): Service {
  return requireEnabled(pickService(services, category, service_type))
}

/** A service with all its products, add-ons last. @throws NotFound */
export async function readPriceList(db: AnyReader, id: number): Promise<Service & { products: Product[] }> {
  const [service] = await db<Service[]>`select ${serviceColumns()} from catalogue_services s where s.id = ${id}`
  if (!service) throw new NotFound(getMessage('bills.no_service_2', { id }))
  return { ...service, products: await listProducts(db, id) }
}

/** Lists the products of a service, of all kinds or of one, in the order of the catalogue. */
export async function listProducts(db: AnyReader, service: number, kind?: ProductKind): Promise<Product[]> {
  const rows = await db<ProductRow[]>`
    select ${productColumns()} from catalogue_products p join catalogue_prices x on x.product = p.id
    where p.service = ${service} and ${kind === undefined ? sql.always : sql`p.kind = ${kind}`}
    group by p.id order by p.kind = 'addon', p.position`
  return rows.map(toProduct)
}

/** Finds a product, or undefined. A pin's code is its value, such as `100`. */
export async function findProduct(
  db: Reader,
  service: number,
  kind: ProductKind,
  code: string,
): Promise<Product | undefined> {
  const [row] = await db<ProductRow[]>`
    select ${productColumns()} from catalogue_products p join catalogue_prices x on x.product = p.id
    where p.service = ${service} and p.kind = ${kind} and p.code = ${code} group by p.id`
  return row && toProduct(row)
}

/** Lists the add-ons that a bouquet can have. @throws BillRefusal BX0003 on product_code */
export async function listAddons(db: Reader, service: Service, product_code: string): Promise<Product[]> {
  const [bouquet, addons] = await Promise.all([
    findProduct(db, service.id, 'bouquet', product_code),
    listProducts(db, service.id, 'addon'),
  ])
  if (!bouquet) throw unknownCodeRefusal('product_code', product_code)
  return addons.filter((addon) => isAddonOf(addon, product_code))
}

/** A new subscription of a TV service: a bouquet for some months and an optional add-on for some months. */
interface SubscriptionInput {
  product_code: string
  months: number
  addon_code?: string
  addon_months?: number
}

/**
 * The price of a subscription: the bouquet's price for its number of months plus the price of the add-on. The catalogue
 * contains a price for each number of months; no price is multiplied. Renewals (`product_code` 0) have no price.
 * @throws BillRefusal BX0003 on product_code, product_monthsPaidFor, addon_code or addon_monthsPaidFor
 */
export async function priceSubscription(
  db: Reader,
  service: Service,
  input: SubscriptionInput,
): Promise<{ bouquet: Product; addon: Product | undefined; price: Amount; invoice_period: number }> {
  const { product_code, months, addon_code, addon_months = months } = input
  const bouquet = await findProduct(db, service.id, 'bouquet', product_code)
  if (!bouquet) throw unknownCodeRefusal('product_code', product_code)
  const { price, invoice_period } = findMonthsPrice(bouquet, months, 'product_monthsPaidFor')
  if (addon_code === undefined) return { bouquet, addon: undefined, price, invoice_period }
  const addon = await findProduct(db, service.id, 'addon', addon_code)
  if (!addon) throw unknownCodeRefusal('addon_code', addon_code)
  if (!isAddonOf(addon, product_code))
    throw invalidField('addon_code', getMessage('bills.not_available', { addon_code, product_code }))
  const addon_price = findMonthsPrice(addon, addon_months, 'addon_monthsPaidFor')
  return { bouquet, addon, price: price + addon_price.price, invoice_period }
}

/** The price of a data bundle. @throws BillRefusal BX0003 on datacode */
export function priceBundle(db: Reader, service: Service, datacode: string): Promise<PricedProduct> {
  return priceSingleProduct(db, service, 'bundle', datacode, 'datacode')
}

/** The price of one pin of this value, and the stock. @throws BillRefusal BX0003 on pinValue */
export function pricePin(db: Reader, service: Service, pin_value: Amount): Promise<PricedProduct> {
  return priceSingleProduct(db, service, 'pin', formatPlainAmount(pin_value), 'pinValue')
}

/** The price of an exam pin. @throws BillRefusal BX0003 on product_code */
export function priceExam(db: Reader, service: Service, product_code: string): Promise<PricedProduct> {
  return priceSingleProduct(db, service, 'exam', product_code, 'product_code')
}

/** A product that is bought once, with its price. */
interface PricedProduct {
  product: Product
  price: Amount
}

/**
 * Takes pins from the stock. The stock never falls below zero, even with many purchases at the same time.
 * @throws BillRefusal BX0003 on numberOfPins
 */
export async function takePinsFromStock(tx: Tx, pin: Product, count: number): Promise<void> {
  const rows = await tx`
    update catalogue_products set available = available - ${count}
    where id = ${pin.id} and kind = 'pin' and available >= ${count} returning id`
  if (rows.length > 0) return
  const [left] = await tx<{ available: number }[]>`select available from catalogue_products where id = ${pin.id}`
  throw invalidField('numberOfPins', getMessage('bills.only_available', { available: left?.available ?? 0 }))
}

/** Returns the pins of a failed purchase to the stock. Does nothing if the pin is no longer in the catalogue. */
export async function returnPinsToStock(
  tx: Tx,
  pin: { service_type: string; pin_value: Amount; count: number },
): Promise<void> {
  await tx`
    update catalogue_products p set available = p.available + ${pin.count}
    from catalogue_services s
    where s.id = p.service and s.category = 'epin' and s.service_type = ${pin.service_type} and p.kind = 'pin'
      and p.code = ${formatPlainAmount(pin.pin_value)}`
}

/** Formats an amount without unnecessary zeros, as in the code of a pin. */
export function formatPlainAmount(value: Amount): string {
  return shortAmount(value)
}

/**
 * Checks an amount against the limits of a service without a price list (airtime, electricity).
 * @throws BillRefusal BX0003 on `field` below the minimum, EXC00127 above the maximum
 */
export function checkAmount(service: Service, amount: Amount, field = 'amount'): void {
  const { minimum_amount, maximum_amount } = service
  if (minimum_amount !== null && amount < minimum_amount)
    throw invalidField(field, getMessage('fields.at_least', { min: formatPlainAmount(minimum_amount) }))
  if (maximum_amount !== null && amount > maximum_amount)
    throw new BillRefusal('EXC00127', getMessage('bills.amount_too_high', { max: formatPlainAmount(maximum_amount) }))
}

function requireEnabled(service: Service): Service {
  if (!service.enabled) throw new BillRefusal('EXC00103')
  return service
}

async function priceSingleProduct(
  db: Reader,
  service: Service,
  kind: ProductKind,
  code: string,
  field: string,
): Promise<PricedProduct> {
  const product = await findProduct(db, service.id, kind, code)
  if (!product) throw unknownCodeRefusal(field, code)
  return { product, price: firstPrice(product) }
}

/** Returns the price of a product that is not sold by months. */
export function firstPrice<Of>({ prices: [price] }: { prices: readonly { price: Of }[] }): Of {
  if (!price) throw new Error('A product has no price.')
  return price.price
}

function findMonthsPrice(product: Product, months: number, field: string): Price {
  const found = product.prices.find((one) => one.months === months)
  if (found) return found
  const offered = product.prices.map((one) => one.months).join(', ')
  throw invalidField(field, getMessage('bills.sold_these_numbers', { code: product.code, offered }))
}

function isAddonOf(addon: Product, product_code: string): boolean {
  return addon.bouquets === null || addon.bouquets.includes(product_code)
}

function unknownCodeRefusal(field: string, code: string): BillRefusal {
  return invalidField(field, getMessage('fields.no_choice', { value: JSON.stringify(code) }))
}

async function findServicesOfType(db: Reader, text: string): Promise<Service[]> {
  const [services] = await findServicesOfTypes(db, [text])
  return services!
}

/** Finds the services of each of these types, also by an alias, in the order of the catalogue. */
export async function findServicesOfTypes(db: Reader, texts: readonly string[]): Promise<Service[][]> {
  // Catalogues contain types in lower case; some clients send them in upper case.
  const types = texts.map((text) => text.trim().toLowerCase())
  const distinct = [...new Set(types)]
  const rows = await db<Service[]>`
    select ${serviceColumns()} from catalogue_services s join catalogue_categories c on c.code = s.category
    where s.service_type = any(${distinct}::text[]) or s.aliases && ${distinct}::text[] order by c.position, s.position`
  return types.map((type) =>
    rows.filter(({ service_type, aliases }) => service_type === type || aliases.includes(type)),
  )
}

type ProductRow = Omit<Product, 'prices'> & { prices: (Omit<Price, 'price'> & { price: string })[] }

/** Parses the prices, which are JSON. In JSON an amount is a text. */
function toProduct(row: ProductRow): Product {
  return { ...row, prices: row.prices.map((one) => ({ ...one, price: parseAmount(one.price)! })) }
}

function serviceColumns() {
  return shownService.columnsOf('s')
}

function productColumns() {
  return sql`${shownProduct.columnsOf('p')},
    json_agg(json_build_object('months', x.months, 'invoice_period', x.invoice_period, 'price', x.price::text)
      order by x.months) as prices`
}

import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, table } from '../../db/table.ts'
import { parseAmount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import {
  firstPrice,
  formatPlainAmount,
  listCategories,
  listServices,
  type Product,
  priceTable,
  productTable,
  type Service,
  serviceTable,
} from './catalogue.ts'
import {
  CATALOGUE_FORMAT,
  type CatalogueFile,
  type FileProduct,
  type FileService,
  pricesPerMonth,
} from './catalogue-file.ts'
import { BILL_CURRENCY, DEFAULT_COUNTRY } from './wallets.ts'

interface ImportResult {
  services: number
  products: number
  /** The number of deleted services and products; the file does not contain them. */
  removed: number
}

export interface ImportOptions {
  /** Keeps the services that the file does not have. A service that it has is replaced with all its products. */
  add?: boolean
  /** Sets the stock of all pins to the values of the file. Default: only new pins get the stock of the file. */
  restock?: boolean
  /** Called after each chunk, with the number of imported products and of all products. */
  onProgress?(done: number, total: number): void
}

/**
 * Replaces the whole catalogue, or with `add` the services of the file. Services and products that are not in the file are
 * deleted, with `add` only such products of its services; the others keep their ids and their offers. A purchase sees the prices either before or after the import, never a mixture.
 */
export async function importCatalogue(
  tx: Tx,
  now: Date,
  catalogue: CatalogueFile,
  options: ImportOptions = {},
): Promise<ImportResult> {
  await tx`lock table catalogue_services in share row exclusive mode`
  const { add = false } = options
  const first = add ? await nextPositions(tx) : { category: 0, service: 0 }
  await importCategories(tx, catalogue, first.category, add)
  const ids = await importServices(tx, now, catalogue.services, first.service)
  const rows = catalogue.services.flatMap((service) => toProductRows(service, ids.get(serviceKey(service))!))
  const kept: number[] = []
  for (let start = 0; start < rows.length; start += MAX_CHUNK_PRODUCTS) {
    kept.push(...(await importProducts(tx, rows.slice(start, start + MAX_CHUNK_PRODUCTS), options.restock ?? false)))
    options.onProgress?.(Math.min(start + MAX_CHUNK_PRODUCTS, rows.length), rows.length)
  }
  const deleted_products = await tx`
    delete from catalogue_products where id <> all(${kept}::bigint[])
      and ${add ? sql`service = any(${[...ids.values()]}::bigint[])` : sql.always}`
  if (add) return { services: ids.size, products: rows.length, removed: deleted_products.count }
  const deleted_services = await tx`delete from catalogue_services where id <> all(${[...ids.values()]}::bigint[])`
  await tx`delete from catalogue_categories where code <> all(${catalogue.categories.map((one) => one.code)}::text[])`
  return { services: ids.size, products: rows.length, removed: deleted_products.count + deleted_services.count }
}

/** True if the catalogue contains any service. */
export async function hasCatalogue(db: Reader): Promise<boolean> {
  const [row] = await db`select 1 from catalogue_services limit 1`
  return row !== undefined
}

/** The current catalogue in the form of a file. `readCatalogueFile` reads it back into the same catalogue. */
export async function exportCatalogue(db: Reader): Promise<Record<string, unknown>> {
  const [categories, services, products] = await Promise.all([
    listCategories(db),
    listServices(db),
    db<(ExportRow & Pick<Product, 'service'>)[]>`
      select p.*, json_agg(json_build_object('months', x.months, 'invoice_period', x.invoice_period,
        'price', trim_scale(x.price)::text) order by x.months) as prices
      from catalogue_products p join catalogue_prices x on x.product = p.id group by p.id order by p.position`,
  ])
  const productsOf = (service: Service, kind: Product['kind']) =>
    products.filter((one) => one.service === service.id && one.kind === kind)
  return {
    format: CATALOGUE_FORMAT,
    categories,
    services: services.map((service) => exportService(service, productsOf)),
  }
}

/** The maximum number of products in one statement. */
const MAX_CHUNK_PRODUCTS = 500

function serviceKey(service: { category: string; service_type: string }): string {
  return `${service.category} ${service.service_type}`
}

/** The positions after all that the catalogue has. */
async function nextPositions(tx: Tx): Promise<{ category: number; service: number }> {
  const [next] = await tx<{ category: number; service: number }[]>`
    select (select coalesce(max(position) + 1, 0) from catalogue_categories) as category,
      (select coalesce(max(position) + 1, 0) from catalogue_services) as service`
  return next!
}

const categoryTable = table('catalogue_categories', {
  code: column.text().key(),
  name: column.text(),
  position: column.integer(),
})

/** Categories that exist keep their names and positions where services are only added. */
async function importCategories(tx: Tx, { categories }: CatalogueFile, first: number, add: boolean): Promise<void> {
  await tx`
    ${insert(categoryTable, categories, { position: (_, index) => first + index })}
    ${add ? sql`on conflict do nothing` : categoryTable.replace(['name', 'position'])}`
}

/** Returns the ids by category and service type. */
async function importServices(
  tx: Tx,
  now: Date,
  services: readonly FileService[],
  first: number,
): Promise<Map<string, number>> {
  const at = truncateToSecond(now)
  const replaced = serviceTable.omit('id', 'category', 'service_type', 'created').fields
  const saved = await tx<{ id: number; category: string; service_type: string }[]>`
    ${insert(serviceTable, services, { position: (_, index) => first + index, created: at, modified: at })}
    ${serviceTable.replace(Object.keys(replaced) as (keyof typeof replaced)[], ['category', 'service_type'])}
    returning id, category, service_type`
  return new Map(saved.map((row) => [serviceKey(row), row.id]))
}

function productKey({ service, kind, code }: Pick<Product, 'service' | 'kind' | 'code'>): string {
  return `${service} ${kind} ${code}`
}

function toProductRows({ products }: FileService, service: number) {
  return products.map((product, position) => ({ ...product, service, position }))
}

async function importProducts(tx: Tx, rows: ReturnType<typeof toProductRows>, restock: boolean): Promise<number[]> {
  const saved = await tx<Pick<Product, 'id' | 'service' | 'kind' | 'code'>[]>`
    ${insert(productTable.as('p'), rows, {})}
    on conflict (service, kind, code) do update set name = excluded.name, description = excluded.description,
      allowance = excluded.allowance, validity = excluded.validity, bouquets = excluded.bouquets,
      available = ${restock ? sql`excluded.available` : sql`p.available`}, position = excluded.position
    returning id, service, kind, code`
  const ids = new Map(saved.map((row) => [productKey(row), row.id]))
  await tx`delete from catalogue_prices where product = any(${[...ids.values()]}::bigint[])`
  const prices = rows.flatMap((row) => row.prices.map((price) => ({ ...price, product: ids.get(productKey(row))! })))
  await tx`${insert(priceTable, prices, {})}`
  return [...ids.values()]
}

/** A product with its prices as JSON. In JSON an amount is a text. */
type ExportRow = Omit<FileProduct, 'prices'> & { prices: { months: number; invoice_period: number; price: string }[] }

function exportService(service: Service, productsOf: (service: Service, kind: Product['kind']) => ExportRow[]) {
  const { category, service_type, aliases, name, shortname, country, currency, biller_id, product_id } = service
  return {
    category,
    service_type,
    ...(aliases.length > 0 && { aliases }),
    name,
    shortname,
    ...(country !== DEFAULT_COUNTRY && { country }),
    ...(currency !== BILL_CURRENCY && { currency }),
    biller_id,
    product_id,
    ...(!service.enabled && { enabled: false }),
    ...(service.account_kind && { account: exportAccount(service) }),
    ...(service.minimum_amount !== null && { minimum_amount: formatPlainAmount(service.minimum_amount) }),
    ...(service.maximum_amount !== null && { maximum_amount: formatPlainAmount(service.maximum_amount) }),
    ...exportProducts(service, productsOf),
  }
}

function exportAccount(service: Service) {
  const { account_kind: kind, account_patterns: patterns, account_keeps_case, account_name: name } = service
  const { min_account_digits: least, max_account_digits: most } = service
  return {
    kind,
    ...(kind === 'digits' && { least, most }),
    ...(kind === 'text' && (patterns === null ? { least, most } : { patterns })),
    ...(account_keeps_case && { keep_case: true }),
    ...(name !== null && { name }),
  }
}

function exportProducts(service: Service, productsOf: (service: Service, kind: Product['kind']) => ExportRow[]) {
  switch (service.category) {
    case 'airtime':
      return { plans: service.plans }
    case 'electricity':
      return { prepaid: service.prepaid, tariff: formatPlainAmount(service.tariff!) }
    case 'databundle':
      return {
        ...(service.needs_account && { needs_account: true }),
        bundles: productsOf(service, 'bundle').map(({ code, name, allowance, validity, ...one }) => ({
          datacode: code,
          name,
          allowance,
          validity,
          price: firstPrice(one),
        })),
      }
    case 'cabletv':
      return {
        bouquets: productsOf(service, 'bouquet').map(exportPricedProduct),
        addons: productsOf(service, 'addon').map(({ bouquets, ...one }) => ({
          ...exportPricedProduct(one),
          ...(bouquets && { bouquets }),
        })),
      }
    case 'epin':
      return {
        pins: productsOf(service, 'pin').map(({ code, available, description, ...one }) => ({
          value: code,
          available,
          description,
          ...(firstPrice(one) !== code && { price: firstPrice(one) }),
        })),
      }
    case 'exampin':
      return {
        products: productsOf(service, 'exam').map(({ code, name, ...one }) => ({
          product_code: code,
          name,
          price: firstPrice(one),
        })),
      }
  }
}

/** Writes a price list that follows the usual rule as the price of one month. */
function exportPricedProduct({ code, name, description, prices }: Omit<ExportRow, 'bouquets'>) {
  const monthly_price = prices.find((one) => one.months === 1)?.price
  const usual_prices =
    monthly_price &&
    pricesPerMonth(parseAmount(monthly_price)!).map((one) => ({ ...one, price: formatPlainAmount(one.price) }))
  const is_usual = JSON.stringify(usual_prices) === JSON.stringify(prices)
  return {
    code,
    name,
    ...(description.trim() && { description }),
    ...(is_usual ? { price_per_month: monthly_price } : { prices }),
  }
}

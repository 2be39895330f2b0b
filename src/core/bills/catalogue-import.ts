import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { type Amount, formatAmount, parseAmount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { formatPlainAmount, listCategories, listServices, type Product, type Service } from './catalogue.ts'
import {
  CATALOGUE_FORMAT,
  type CatalogueFile,
  type FileProduct,
  type FileService,
  pricesPerMonth,
} from './catalogue-file.ts'

/** What an import did. */
export interface ImportResult {
  services: number
  products: number
  /** Services and products that the file no longer has, and that are gone now. */
  removed: number
}

export interface ImportOptions {
  /** Sets the stock of all pins to what the file says; else only pins that are new start with it. */
  restock?: boolean
  /** Called as it goes, with how many of the products are in. */
  onProgress?(done: number, total: number): void
}

/**
 * Puts a catalogue in the place of the present one, as a whole: what the file lacks is gone. Services and products that
 * stay keep their ids. Purchases look up prices before or after this, never in between.
 */
export async function importCatalogue(
  tx: Tx,
  now: Date,
  catalogue: CatalogueFile,
  options: ImportOptions = {},
): Promise<ImportResult> {
  await tx`lock table catalogue_services in share row exclusive mode`
  await importCategories(tx, catalogue)
  const ids = await importServices(tx, now, catalogue.services)
  const rows = catalogue.services.flatMap((service) => toProductRows(service, ids.get(serviceKey(service))!))
  const kept: number[] = []
  for (let at = 0; at < rows.length; at += MAX_CHUNK_PRODUCTS) {
    kept.push(...(await importProducts(tx, rows.slice(at, at + MAX_CHUNK_PRODUCTS), options.restock ?? false)))
    options.onProgress?.(Math.min(at + MAX_CHUNK_PRODUCTS, rows.length), rows.length)
  }
  const gone = await tx`delete from catalogue_products where id <> all(${kept}::bigint[])`
  const closed = await tx`delete from catalogue_services where id <> all(${[...ids.values()]}::bigint[])`
  await tx`delete from catalogue_categories where code <> all(${catalogue.categories.map((one) => one.code)}::text[])`
  return { services: ids.size, products: rows.length, removed: gone.count + closed.count }
}

/** Whether anything is sold at all. */
export async function hasCatalogue(db: Reader): Promise<boolean> {
  const [row] = await db`select 1 from catalogue_services limit 1`
  return row !== undefined
}

/** The present catalogue in the form of a file: what `readCatalogueFile` reads back into the same. */
export async function exportCatalogue(db: Reader): Promise<Record<string, unknown>> {
  const [categories, services, products] = await Promise.all([
    listCategories(db),
    listServices(db),
    db<(ExportRow & Pick<Product, 'service'>)[]>`
      select p.*, json_agg(json_build_object('months', x.months, 'invoice_period', x.invoice_period,
        'price', trim_scale(x.price)::text) order by x.months) as prices
      from catalogue_products p join catalogue_prices x on x.product = p.id group by p.id order by p.position`,
  ])
  const of = (service: Service, kind: Product['kind']) =>
    products.filter((one) => one.service === service.id && one.kind === kind)
  return { format: CATALOGUE_FORMAT, categories, services: services.map((service) => exportService(service, of)) }
}

/** So many products go into one statement. */
const MAX_CHUNK_PRODUCTS = 500

function serviceKey(service: { category: string; service_type: string }): string {
  return `${service.category} ${service.service_type}`
}

async function importCategories(tx: Tx, { categories }: CatalogueFile): Promise<void> {
  const codes = categories.map((one) => one.code)
  await tx`
    insert into catalogue_categories (code, name, position)
    select * from unnest(${codes}::text[], ${categories.map((one) => one.name)}::text[],
      ${codes.map((_, at) => at)}::integer[])
    on conflict (code) do update set name = excluded.name, position = excluded.position`
}

/** Returns the ids by category and service type. */
async function importServices(tx: Tx, now: Date, services: readonly FileService[]): Promise<Map<string, number>> {
  const rows = services.map(({ products, ...service }, position) => ({
    ...service,
    tariff: formatNullableAmount(service.tariff),
    minimum_amount: formatNullableAmount(service.minimum_amount),
    maximum_amount: formatNullableAmount(service.maximum_amount),
    position,
  }))
  const saved = await tx<{ id: number; category: string; service_type: string }[]>`
    insert into catalogue_services (category, service_type, aliases, name, shortname, biller_id, product_id, enabled,
      plans, prepaid, tariff, minimum_amount, maximum_amount, account_kind, min_account_digits, max_account_digits, needs_account,
      position, created, modified)
    select r.*, ${truncateToSecond(now)}, ${truncateToSecond(now)}
    from jsonb_to_recordset(${sql.json(rows)}) as r(category text, service_type text, aliases text[], name text,
      shortname text, biller_id integer, product_id integer, enabled boolean, plans text[], prepaid boolean,
      tariff numeric, minimum_amount numeric, maximum_amount numeric, account_kind text, min_account_digits integer,
      max_account_digits integer, needs_account boolean, position integer)
    on conflict (category, service_type) do update set aliases = excluded.aliases, name = excluded.name,
      shortname = excluded.shortname, biller_id = excluded.biller_id, product_id = excluded.product_id,
      enabled = excluded.enabled, plans = excluded.plans, prepaid = excluded.prepaid, tariff = excluded.tariff,
      minimum_amount = excluded.minimum_amount, maximum_amount = excluded.maximum_amount,
      account_kind = excluded.account_kind, min_account_digits = excluded.min_account_digits,
      max_account_digits = excluded.max_account_digits, needs_account = excluded.needs_account, position = excluded.position,
      modified = excluded.modified
    returning id, category, service_type`
  return new Map(saved.map((row) => [serviceKey(row), row.id]))
}

function toProductRows({ products }: FileService, service: number) {
  return products.map((product, position) => ({
    ...product,
    service,
    position,
    prices: product.prices.map((one) => ({ ...one, price: formatAmount(one.price) })),
  }))
}

async function importProducts(tx: Tx, rows: ReturnType<typeof toProductRows>, restock: boolean): Promise<number[]> {
  const saved = await tx<{ id: number }[]>`
    insert into catalogue_products as p (service, kind, code, name, description, allowance, validity, bouquets,
      available, position)
    select r.* from jsonb_to_recordset(${sql.json(rows)}) as r(service bigint, kind text, code text, name text,
      description text, allowance text, validity text, bouquets text[], available integer, position integer)
    on conflict (service, kind, code) do update set name = excluded.name, description = excluded.description,
      allowance = excluded.allowance, validity = excluded.validity, bouquets = excluded.bouquets,
      available = ${restock ? sql`excluded.available` : sql`p.available`}, position = excluded.position
    returning id`
  const ids = saved.map((row) => row.id)
  await tx`delete from catalogue_prices where product = any(${ids}::bigint[])`
  await tx`
    insert into catalogue_prices (product, months, invoice_period, price)
    select p.id, x.months, x.invoice_period, x.price
    from jsonb_to_recordset(${sql.json(rows)}) as r(service bigint, kind text, code text, prices jsonb)
    join catalogue_products p on p.service = r.service and p.kind = r.kind and p.code = r.code
    cross join jsonb_to_recordset(r.prices) as x(months integer, invoice_period integer, price numeric)`
  return ids
}

/** A product whose prices come as JSON, in which an amount is a text. */
type ExportRow = Omit<FileProduct, 'prices'> & { prices: { months: number; invoice_period: number; price: string }[] }

function exportService(service: Service, of: (service: Service, kind: Product['kind']) => ExportRow[]) {
  const { category, service_type, aliases, name, shortname, biller_id, product_id } = service
  return {
    category,
    service_type,
    ...(aliases.length > 0 && { aliases }),
    name,
    shortname,
    biller_id,
    product_id,
    ...(!service.enabled && { enabled: false }),
    ...(service.account_kind && { account: exportAccount(service) }),
    ...(service.minimum_amount !== null && { minimum_amount: formatPlainAmount(service.minimum_amount) }),
    ...(service.maximum_amount !== null && { maximum_amount: formatPlainAmount(service.maximum_amount) }),
    ...exportProducts(service, of),
  }
}

function exportAccount({ account_kind: kind, min_account_digits: least, max_account_digits: most }: Service) {
  return kind === 'digits' ? { kind, least, most } : { kind }
}

function exportProducts(service: Service, of: (service: Service, kind: Product['kind']) => ExportRow[]) {
  switch (service.category) {
    case 'airtime':
      return { plans: service.plans }
    case 'electricity':
      return { prepaid: service.prepaid, tariff: formatPlainAmount(service.tariff!) }
    case 'databundle':
      return {
        ...(service.needs_account && { needs_account: true }),
        bundles: of(service, 'bundle').map(({ code, name, allowance, validity, prices }) => ({
          datacode: code,
          name,
          allowance,
          validity,
          price: prices[0]!.price,
        })),
      }
    case 'cabletv':
      return {
        bouquets: of(service, 'bouquet').map(exportPricedProduct),
        addons: of(service, 'addon').map(({ bouquets, ...one }) => ({
          ...exportPricedProduct(one),
          ...(bouquets && { bouquets }),
        })),
      }
    case 'epin':
      return {
        pins: of(service, 'pin').map(({ code, available, description, prices }) => ({
          value: code,
          available,
          description,
          ...(prices[0]!.price !== code && { price: prices[0]!.price }),
        })),
      }
    case 'exampin':
      return {
        products: of(service, 'exam').map(({ code, name, prices }) => ({
          product_code: code,
          name,
          price: prices[0]!.price,
        })),
      }
  }
}

/** A price list that follows the usual rule is written as the price of a month. */
function exportPricedProduct({ code, name, description, prices }: Omit<ExportRow, 'bouquets'>) {
  const of_month = prices.find((one) => one.months === 1)?.price
  const usual =
    of_month && pricesPerMonth(parseAmount(of_month)!).map((one) => ({ ...one, price: formatPlainAmount(one.price) }))
  const is_usual = JSON.stringify(usual) === JSON.stringify(prices)
  return {
    code,
    name,
    ...(description.trim() && { description }),
    ...(is_usual ? { price_per_month: of_month } : { prices }),
  }
}

function formatNullableAmount(amount: Amount | null): string | null {
  return amount === null ? null : formatAmount(amount)
}

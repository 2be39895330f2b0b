import { z } from 'zod'
import { type Amount, parseAmount } from '../../lib/money.ts'
import { accountRule, toAccountFields } from './account-rules.ts'
import {
  type Category,
  categories,
  formatPlainAmount,
  type Price,
  type Product,
  type ProductKind,
  type Service,
} from './catalogue.ts'
import { BILL_CURRENCY, DEFAULT_COUNTRY } from './wallets.ts'

/** The content of a catalogue file in its full form: all shorthand is expanded and amounts are exact. */
export interface CatalogueFile {
  categories: { code: Category; name: string }[]
  services: FileService[]
}

export type FileService = Omit<Service, 'id' | 'created' | 'modified'> & { products: FileProduct[] }

export type FileProduct = Omit<Product, 'id' | 'service'>

/** An error in a file and its place, such as `services[3] (dstv).bouquets[0].prices`. */
export interface CatalogueError {
  place: string
  message: string
}

/**
 * Reads a catalogue file (docs/bills.md, "The catalogue"). Returns the catalogue, or all errors with their places.
 * Unknown names are errors, because they are probably misspelt.
 */
export function readCatalogueFile(text: string): { catalogue: CatalogueFile } | { errors: CatalogueError[] } {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return { errors: [{ place: 'the file', message: `This is not valid JSON: ${(error as Error).message}.` }] }
  }
  const parsed = FileShape.safeParse(json)
  const valid_parts = parseValidParts(json)
  const errors = [...(parsed.error?.issues ?? []), ...findConflicts(valid_parts)].map((issue) =>
    toCatalogueError(json, issue),
  )
  if (!parsed.success || errors.length > 0) return { errors }
  return { catalogue: { categories: parsed.data.categories, services: parsed.data.services.map(toService) } }
}

/** The format name at the start of every file. It distinguishes this format from later ones. */
export const CATALOGUE_FORMAT = 'kusanya-catalogue/1'

/** The usual price list: 1 to 10 months cost 1 to 10 times the monthly price, 12 months cost 11 times (docs/bills.md). */
export function pricesPerMonth(price: Amount): Price[] {
  const single = Array.from({ length: 10 }, (_, index) => ({
    months: index + 1,
    invoice_period: 1,
    price: price * BigInt(index + 1),
  }))
  return [...single, { months: 12, invoice_period: 12, price: price * 11n }]
}

const price = z
  .union([z.string(), z.number()], { error: 'This must be an amount such as "2500" or "499.99".' })
  .transform((input, context): Amount => {
    const amount = parseAmount(String(input)) ?? 0n
    if (amount <= 0n) context.addIssue('This must be an amount above zero such as "2500" or "499.99".')
    return amount
  })
const shortText = z.string().regex(/^\S(.{0,98}\S)?$/, 'This must be a text of at most 100 characters.')
const code = z.string().regex(/^[\w.+-]{1,40}$/, 'This must be a code of letters, digits, dots and dashes.')
const serviceTypeCode = z
  .string()
  .regex(/^[a-z\d_.+-]{1,60}$/, 'This must be a code of lower-case letters, digits and underscores.')
const minInteger = (min: number) => z.int().min(min, `This must be at least ${min}.`)

const priceFields = {
  price_per_month: price.optional(),
  prices: z
    .array(z.strictObject({ months: minInteger(1), invoice_period: minInteger(1).default(1), price }))
    .min(1, 'There must be at least one price.')
    .optional(),
}
const hasOnePriceList = (product: { price_per_month?: Amount; prices?: unknown }) =>
  (product.price_per_month === undefined) !== (product.prices === undefined)
const ONE_PRICE_LIST = 'There must be either price_per_month or prices.'

const Bouquet = z
  .strictObject({ code, name: shortText, description: z.string().default(' '), ...priceFields })
  .refine(hasOnePriceList, ONE_PRICE_LIST)
const Addon = z
  .strictObject({
    code,
    name: shortText,
    description: z.string().default(' '),
    bouquets: z.array(code).optional(),
    ...priceFields,
  })
  .refine(hasOnePriceList, ONE_PRICE_LIST)
const Bundle = z.strictObject({ datacode: code, name: shortText, allowance: shortText, validity: shortText, price })
const Pin = z.strictObject({ value: price, available: minInteger(0), description: shortText, price: price.optional() })
const Exam = z.strictObject({ product_code: code, name: shortText, price })

const commonFields = {
  service_type: serviceTypeCode,
  aliases: z.array(serviceTypeCode).default([]),
  name: shortText,
  shortname: shortText.optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'This must be a country of ISO 3166-1, such as "KE".')
    .default(DEFAULT_COUNTRY),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'This must be a currency of ISO 4217, such as "KES".')
    .default(BILL_CURRENCY),
  biller_id: minInteger(0),
  product_id: minInteger(0),
  enabled: z.boolean().default(true),
  account: accountRule.optional(),
}
const amountLimitFields = { minimum_amount: price.optional(), maximum_amount: price.optional() }

const FileEntry = z.discriminatedUnion('category', [
  z.strictObject({
    category: z.literal('airtime'),
    ...commonFields,
    ...amountLimitFields,
    plans: z.array(z.enum(['prepaid', 'postpaid'])).min(1, 'There must be at least one plan.'),
  }),
  z.strictObject({
    category: z.literal('databundle'),
    ...commonFields,
    needs_account: z.boolean().default(false),
    bundles: z.array(Bundle),
  }),
  z.strictObject({
    category: z.literal('cabletv'),
    ...commonFields,
    ...amountLimitFields,
    bouquets: z.array(Bouquet),
    addons: z.array(Addon).default([]),
  }),
  z.strictObject({
    category: z.literal('electricity'),
    ...commonFields,
    ...amountLimitFields,
    account: accountRule,
    prepaid: z.boolean(),
    tariff: price,
  }),
  z.strictObject({ category: z.literal('epin'), ...commonFields, pins: z.array(Pin) }),
  z.strictObject({ category: z.literal('exampin'), ...commonFields, products: z.array(Exam) }),
])
type FileEntry = z.output<typeof FileEntry>

const FileCategories = z.array(z.strictObject({ code: z.enum(categories), name: shortText }))

const FileShape = z.strictObject({
  format: z.literal(CATALOGUE_FORMAT, { error: `This must be "${CATALOGUE_FORMAT}".` }),
  categories: FileCategories,
  services: z.array(FileEntry),
})

/** The parts of a file with the right form. They are checked for conflicts even if other parts are invalid. */
interface ValidParts {
  categories: CatalogueFile['categories'] | undefined
  /** Services at their index in the file; undefined if invalid. */
  services: (FileService | undefined)[]
}

function parseValidParts(json: unknown): ValidParts {
  const { categories, services } =
    z.object({ categories: z.unknown(), services: z.array(z.unknown()) }).safeParse(json).data ?? {}
  return {
    categories: FileCategories.safeParse(categories).data,
    services: (services ?? []).map((one) => {
      const entry = FileEntry.safeParse(one)
      return entry.data && toService(entry.data)
    }),
  }
}

function toService(entry: FileEntry): FileService {
  return {
    category: entry.category,
    service_type: entry.service_type,
    aliases: entry.aliases,
    name: entry.name,
    shortname: entry.shortname ?? entry.service_type.replaceAll('_', ' '),
    country: entry.country,
    currency: entry.currency,
    biller_id: entry.biller_id,
    product_id: entry.product_id,
    enabled: entry.enabled,
    plans: 'plans' in entry ? entry.plans : [],
    prepaid: 'prepaid' in entry ? entry.prepaid : null,
    tariff: 'tariff' in entry ? entry.tariff : null,
    minimum_amount: ('minimum_amount' in entry && entry.minimum_amount) || null,
    maximum_amount: ('maximum_amount' in entry && entry.maximum_amount) || null,
    ...toAccountFields(entry.account),
    needs_account: 'needs_account' in entry && entry.needs_account,
    products: toProducts(entry),
  }
}

function toProducts(entry: FileEntry): FileProduct[] {
  const defaults = { description: ' ', allowance: null, validity: null, bouquets: null, available: null }
  const once = (amount: Amount) => [{ months: 0, invoice_period: 0, price: amount }]
  switch (entry.category) {
    case 'cabletv': {
      const prices = (one: { prices?: Price[]; price_per_month?: Amount }) =>
        [...(one.prices ?? pricesPerMonth(one.price_per_month!))].sort((a, b) => a.months - b.months)
      return [
        ...entry.bouquets.map((one) => ({
          ...defaults,
          ...pickTexts(one),
          kind: 'bouquet' as const,
          prices: prices(one),
        })),
        ...entry.addons.map((one) => ({
          ...defaults,
          ...pickTexts(one),
          kind: 'addon' as const,
          bouquets: one.bouquets ?? null,
          prices: prices(one),
        })),
      ]
    }
    case 'databundle':
      return entry.bundles.map(({ datacode, price, ...one }) => ({
        ...defaults,
        ...one,
        kind: 'bundle' as const,
        code: datacode,
        prices: once(price),
      }))
    case 'epin':
      return entry.pins.map((one) => ({
        ...defaults,
        kind: 'pin' as const,
        code: formatPlainAmount(one.value),
        name: one.description,
        description: one.description,
        available: one.available,
        prices: once(one.price ?? one.value),
      }))
    case 'exampin':
      return entry.products.map((one) => ({
        ...defaults,
        kind: 'exam' as const,
        code: one.product_code,
        name: one.name,
        prices: once(one.price),
      }))
    default:
      return []
  }
}

function pickTexts({ code, name, description }: { code: string; name: string; description: string }) {
  return { code, name, description }
}

interface Conflict {
  path: PropertyKey[]
  message: string
}

/** The errors that concern several fields: duplicates, references to missing entries, and contradictions. */
function findConflicts({ categories: known, services }: ValidParts): Conflict[] {
  const conflicts: Conflict[] = []
  const listed = known && new Set(known.map((one) => one.code))
  if (known && listed!.size < known.length)
    conflicts.push({ path: ['categories'], message: 'A category is listed twice.' })
  const seen = new Set<string>()
  for (const [index, service] of services.entries()) {
    if (!service) continue
    const add = (message: string, ...path: PropertyKey[]) =>
      conflicts.push({ path: ['services', index, ...path], message })
    if (listed?.has(service.category) === false) add(`The category ${service.category} is not listed.`, 'category')
    for (const type of [service.service_type, ...service.aliases]) {
      if (seen.has(`${service.category} ${type}`)) add(`${type} is already in ${service.category}.`, 'service_type')
      seen.add(`${service.category} ${type}`)
    }
    if (service.country !== DEFAULT_COUNTRY && service.currency === BILL_CURRENCY)
      add('A service outside of Nigeria needs its currency.', 'currency')
    const { minimum_amount: min, maximum_amount: max } = service
    if (min !== null && max !== null && min > max) add('This is above maximum_amount.', 'minimum_amount')
    if (service.min_account_digits !== null && service.min_account_digits > service.max_account_digits!)
      add('least is above most.', 'account')
    if (service.needs_account && service.account_kind === null) add('needs_account requires an account rule.')
    addProductConflicts(service, add)
  }
  return conflicts
}

const listNames: Record<ProductKind, string> = {
  bouquet: 'bouquets',
  addon: 'addons',
  bundle: 'bundles',
  pin: 'pins',
  exam: 'products',
}

function addProductConflicts(service: FileService, add: (message: string, ...path: PropertyKey[]) => void): void {
  const bouquets = new Set(service.products.filter((one) => one.kind === 'bouquet').map((one) => one.code))
  const seen = new Map<string, Set<string>>()
  const counts = new Map<string, number>()
  for (const product of service.products) {
    const list = listNames[product.kind]
    const index = counts.get(list) ?? 0
    counts.set(list, index + 1)
    const codes = seen.get(list) ?? new Set()
    seen.set(list, codes)
    if (codes.has(product.code)) add(`${product.code} is already in this list.`, list, index)
    codes.add(product.code)
    const months = new Set(product.prices.map((one) => one.months))
    if (months.size < product.prices.length) add('Two prices have the same number of months.', list, index, 'prices')
    for (const bouquet of product.bouquets ?? [])
      if (!bouquets.has(bouquet)) add(`There is no bouquet ${bouquet}.`, list, index, 'bouquets')
  }
}

/** Adds the place of an issue in a readable form, with the service type. */
function toCatalogueError(json: unknown, issue: { path: PropertyKey[]; message: string }): CatalogueError {
  const [first, second, ...rest] = issue.path
  let place = issue.path.length === 0 ? 'the file' : String(first)
  if (second !== undefined) {
    place += typeof second === 'number' ? `[${second}]` : `.${String(second)}`
    const service =
      first === 'services' && (json as { services?: { service_type?: unknown }[] }).services?.[Number(second)]
    if (service && typeof service.service_type === 'string') place += ` (${service.service_type})`
  }
  for (const part of rest) place += typeof part === 'number' ? `[${part}]` : `.${String(part)}`
  return { place, message: issue.message.endsWith('.') ? issue.message : `${issue.message}.` }
}

import { z } from 'zod'
import { readableItems, spare, spareText as text } from '../../drivers/members.ts'
import { readAmount, readAmountDown } from '../../drivers/numbers.ts'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { shortAmount } from '../../lib/money.ts'
import type { BillKind, CatalogueAnswer, ProviderProduct } from '../contract.ts'
import { cleanWords } from '../shared/words.ts'
import type { Client } from './client.ts'
import { BILLER } from './orders.ts'
import { countriesOf, type Product, type ReloadlyConnection } from './settings.ts'

/** The types of billers that we sell. Water is not sold. */
const billerKinds: Readonly<Record<string, BillKind>> = {
  ELECTRICITY_BILL_PAYMENT: 'electricity',
  TV_BILL_PAYMENT: 'cabletv',
  INTERNET_BILL_PAYMENT: 'databundle',
}

/** Maximum pages of billers. There are about thirty billers. */
const MAX_PAGES = 20
const PAGE_SIZE = 200

/** Read the operators and billers of the countries. A list that cannot be read makes all of it unknown. */
export async function readCatalogue(connection: ReloadlyConnection, client: Client): Promise<CatalogueAnswer> {
  const countries = countriesOf(connection.settings)
  const products: ProviderProduct[] = []
  for (const country of countries) {
    const query = 'includeBundles=true&includeData=true&includePin=false'
    const operators = await readList(client, 'topups', `/operators/countries/${country}?${query}`, z.array(Operator))
    if (operators === 'not_found') continue
    if ('outcome' in operators) return operators
    products.push(...operators.filter(({ pin }) => pin !== true).flatMap((one) => operatorProducts(one, country)))
  }
  const billers = await readBillers(client)
  if ('outcome' in billers) return billers
  const wanted = billers.filter(({ countryCode, countryIsoCode }) =>
    countries.includes(countryIsoCode ?? countryCode ?? ''),
  )
  return { outcome: 'found', products: [...products, ...wanted.flatMap(billerProducts)] }
}

async function readBillers(client: Client): Promise<Biller[] | UnknownOutcome> {
  const billers: Biller[] = []
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const list = await readList(client, 'utilities', `/billers?page=${page}&size=${PAGE_SIZE}`, BillerPage)
    if (list === 'not_found') break
    if ('outcome' in list) return list
    billers.push(...list.content)
    if (list.last !== false) break
  }
  return billers
}

/** `not_found`: Reloadly does not sell in this country. */
async function readList<Schema extends z.ZodType>(
  client: Client,
  product: Product,
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | UnknownOutcome | 'not_found'> {
  const reply = await client.call(product, { verb: 'catalogue', path })
  if (reply.outcome === 'unknown') return reply
  if (reply.status === 404 && reply.body !== undefined) return 'not_found'
  const list = reply.status === 200 ? schema.safeParse(reply.body).data : undefined
  if (list !== undefined) return list
  return { outcome: 'unknown', message: getMessage('reloadly.gave_no_list', { path, answer: client.describe(reply) }) }
}

/** List an operator's products. It sells in its own currency if possible, otherwise in our account's. */
function operatorProducts(operator: Operator, country: string): ProviderProduct[] {
  const local = operator.supportsLocalAmounts === true
  const base = {
    kind: operator.data || operator.bundle ? ('databundle' as const) : ('airtime' as const),
    country,
    currency: local ? operator.destinationCurrencyCode : operator.senderCurrencyCode,
    remote_service: operator.operatorId ?? operator.id ?? '',
    is_available: isActive(operator.status),
    commission_percent: percentOf(local ? operator.localDiscount : operator.internationalDiscount),
  }
  if (base.remote_service === '') return []
  const name = cleanWords(operator.name ?? base.remote_service)
  if (operator.denominationType !== 'FIXED') {
    const [min, max] = local
      ? [operator.localMinAmount, operator.localMaxAmount]
      : [operator.minAmount, operator.maxAmount]
    return [
      { ...base, remote_product: null, name, price: null, min: readAmount(min) ?? null, max: readAmount(max) ?? null },
    ]
  }
  const amounts = (local ? operator.localFixedAmounts : operator.fixedAmounts) ?? []
  const descriptions = (local ? operator.localFixedAmountsDescriptions : operator.fixedAmountsDescriptions) ?? {}
  return amounts.flatMap((text) => {
    const price = readAmount(text)
    if (price === undefined || price <= 0n) return []
    // Descriptions are named by the amount with two decimals.
    const description = Object.entries(descriptions).find(([amount]) => readAmount(amount) === price)?.[1]
    const title = description ? `${name}: ${cleanWords(description)}` : `${name} ${text}`
    return [{ ...base, remote_product: text, name: title, price, min: null, max: null }]
  })
}

/** List a biller's products. It sells in its own currency if possible, otherwise in our account's. */
function billerProducts(biller: Biller): ProviderProduct[] {
  const kind = Object.hasOwn(billerKinds, biller.type) ? billerKinds[biller.type] : undefined
  const local = biller.localAmountSupported === true
  const currency = local ? biller.localTransactionCurrencyCode : biller.internationalTransactionCurrencyCode
  if (!kind || currency === undefined) return []
  const base = {
    kind,
    country: (biller.countryIsoCode ?? biller.countryCode)!,
    currency,
    is_available: true,
    remote_service: BILLER + biller.id,
    commission_percent: percentOf(local ? biller.localDiscountPercentage : biller.internationalDiscountPercentage),
  }
  const name = cleanWords(biller.name ?? biller.id)
  if (biller.denominationType !== 'FIXED') {
    const [min, max] = local
      ? [biller.minLocalTransactionAmount, biller.maxLocalTransactionAmount]
      : [biller.minInternationalTransactionAmount, biller.maxInternationalTransactionAmount]
    return [
      { ...base, remote_product: null, name, price: null, min: readAmount(min) ?? null, max: readAmount(max) ?? null },
    ]
  }
  return ((local ? biller.localFixedAmounts : biller.internationalFixedAmounts) ?? []).flatMap((fixed) => {
    const price = readAmount(fixed.amount)
    if (price === undefined || price <= 0n) return []
    const title = `${name}: ${cleanWords(fixed.description ?? fixed.amount)}`
    return [{ ...base, remote_product: fixed.id, name: title, price, min: null, max: null }]
  })
}

/** A percentage as a plain decimal; null if Reloadly gives nothing back. */
function percentOf(percent: string | undefined): string | null {
  const amount = readAmountDown(percent)
  return amount === undefined || amount <= 0n ? null : shortAmount(amount)
}

function isActive(status: string | undefined): boolean {
  return status === undefined || status.toUpperCase() === 'ACTIVE'
}

/** Numbers are texts here. */
const flag = spare(z.boolean())
const texts = spare(z.array(z.string()))
const descriptionsOf = spare(z.record(z.string(), z.string()))

type Operator = z.infer<typeof Operator>
const Operator = z.object({
  id: text,
  operatorId: text,
  name: text,
  status: text,
  denominationType: text,
  bundle: flag,
  data: flag,
  pin: flag,
  supportsLocalAmounts: flag,
  senderCurrencyCode: z.string(),
  destinationCurrencyCode: z.string(),
  minAmount: text,
  maxAmount: text,
  localMinAmount: text,
  localMaxAmount: text,
  internationalDiscount: text,
  localDiscount: text,
  fixedAmounts: texts,
  localFixedAmounts: texts,
  fixedAmountsDescriptions: descriptionsOf,
  localFixedAmountsDescriptions: descriptionsOf,
})

const Fixed = z.object({ id: z.string(), amount: z.string(), description: text })
const fixedAmounts = spare(readableItems(Fixed))

type Biller = z.infer<typeof Biller>
const Biller = z.object({
  id: z.string(),
  name: text,
  type: z.string(),
  serviceType: text,
  denominationType: text,
  countryCode: text,
  countryIsoCode: text,
  localAmountSupported: flag,
  localTransactionCurrencyCode: text,
  internationalTransactionCurrencyCode: text,
  minLocalTransactionAmount: text,
  maxLocalTransactionAmount: text,
  minInternationalTransactionAmount: text,
  maxInternationalTransactionAmount: text,
  localDiscountPercentage: text,
  internationalDiscountPercentage: text,
  localFixedAmounts: fixedAmounts,
  internationalFixedAmounts: fixedAmounts,
})
const BillerPage = z.object({ content: z.array(Biller), last: flag })

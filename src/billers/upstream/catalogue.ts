import { z } from 'zod'
import { spare, spareText } from '../../drivers/members.ts'
import { readAmount } from '../../drivers/numbers.ts'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import { shortAmount } from '../../lib/money.ts'
import { type BillKind, billKinds, type CatalogueAnswer, type ProviderProduct } from '../contract.ts'
import { cleanWords } from '../shared/words.ts'
import type { Upstream } from './protocol.ts'

/**
 * Read the services of the other host and their products. Bundles listed for an account only, such as smile's, are left
 * out. An unreadable list makes all of it unknown.
 */
export async function readCatalogue(upstream: Upstream): Promise<CatalogueAnswer> {
  const services = await readList(upstream, 'GET', '/billers/services/list', Service)
  if ('outcome' in services) return services
  const products: ProviderProduct[] = []
  for (const service of services) {
    const kind = billKinds.find((one) => one === service.serviceCategory)
    if (!kind) continue
    const found = service.serviceEnabled ? await readProducts(upstream, kind, service) : []
    if ('outcome' in found) return found
    products.push(...found)
  }
  return { outcome: 'found', products }
}

async function readProducts(
  upstream: Upstream,
  kind: BillKind,
  { serviceType: service_type, serviceName }: z.infer<typeof Service>,
): Promise<ProviderProduct[] | UnknownOutcome> {
  const base = {
    kind,
    country: 'NG',
    currency: 'NGN',
    remote_service: service_type,
    min: null,
    max: null,
    commission_percent: null,
    is_available: true,
  }
  const name = cleanWords(serviceName ?? service_type)
  if (kind === 'airtime' || kind === 'electricity') return [{ ...base, remote_product: null, name, price: null }]
  const { path, read } = lists[kind]
  const rows = await readList(upstream, 'POST', path, z.unknown(), { service_type })
  if (!Array.isArray(rows)) return rows
  const products = rows.map(read)
  if (products.includes(undefined))
    return { outcome: 'unknown', message: getMessage('billers.list_cannot_understood', { path }) }
  return products
    .filter((one) => one !== undefined)
    .map((one) => ({ ...base, remote_product: one.code, name: cleanWords(one.name), price: one.price }))
}

/** A product of a list: its code, its name and the price of one month or piece. */
interface Listed {
  code: string
  name: string
  price: Amount | null
}

/** Lists of products in each category: their addresses and forms. */
const lists: Record<
  Exclude<BillKind, 'airtime' | 'electricity'>,
  { path: string; read(row: unknown): Listed | undefined }
> = {
  databundle: {
    path: '/services/databundle/bundles',
    read: (row) => {
      const { datacode, name, price } = Bundle.safeParse(row).data ?? {}
      return datacode === undefined ? undefined : { code: datacode, name: name ?? datacode, price: price! }
    },
  },
  cabletv: {
    path: '/services/cabletv/list',
    read: (row) => {
      const { code, name, availablePricingOptions: options } = Bouquet.safeParse(row).data ?? {}
      const month = options?.find(({ monthsPaidFor }) => monthsPaidFor === 1)
      return code === undefined ? undefined : { code, name: name ?? code, price: month?.price ?? null }
    },
  },
  epin: {
    path: '/services/epin/bundles',
    read: (row) => {
      const { amount: price, description } = PinBundle.safeParse(row).data ?? {}
      return price === undefined ? undefined : { code: shortAmount(price), name: description!, price }
    },
  },
  exampin: {
    path: '/services/exampin/products',
    read: (row) => {
      const { product_code: code, amount: price, name } = ExamProduct.safeParse(row).data ?? {}
      return code === undefined ? undefined : { code, name: name ?? code, price: price! }
    },
  },
}

async function readList<Row extends z.ZodType>(
  upstream: Upstream,
  method: 'GET' | 'POST',
  path: string,
  row: Row,
  body?: object,
): Promise<z.output<Row>[] | UnknownOutcome> {
  const reply = await upstream.call('catalogue', method, path, null, body)
  if (reply.outcome === 'unknown') return reply
  const envelope = Envelope.safeParse(reply.body).data
  // Such a provider lists its bundles for an account only.
  if (reply.status === 400 && envelope?.code === 'BX0003') return []
  const rows = reply.status === 200 ? z.array(row).safeParse(envelope?.data).data : undefined
  if (rows !== undefined) return rows
  return { outcome: 'unknown', message: getMessage('billers.other_host_gave', { path, code: reply.status }) }
}

const amount = z
  .union([z.string(), z.number()])
  .transform((value) => readAmount(String(value)))
  .pipe(z.bigint().nonnegative())
const text = z.union([z.string(), z.number()]).transform(String)

const Envelope = z.object({ code: spare(text), data: z.unknown().optional() })
const Service = z.object({
  serviceType: z.string().min(1),
  serviceCategory: z.string(),
  serviceName: spareText,
  serviceEnabled: z.boolean().catch(true),
})
const Bundle = z.object({ datacode: text, name: spareText, price: amount })
const Bouquet = z.object({
  code: text,
  name: spareText,
  availablePricingOptions: z.array(z.object({ monthsPaidFor: z.coerce.number(), price: amount })),
})
const PinBundle = z.object({ amount, description: z.string().catch('') })
const ExamProduct = z.object({ product_code: text, amount, name: spareText })

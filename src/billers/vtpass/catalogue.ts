import { z } from 'zod'
import { spareText as text } from '../../drivers/members.ts'
import { readAmount } from '../../drivers/numbers.ts'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { BillKind, CatalogueAnswer, ProviderProduct } from '../contract.ts'
import { cleanWords } from '../shared/words.ts'
import { type Client, codeOf, type Reply } from './client.ts'

/** The categories of VTpass that we sell, by its own identifiers. Insurance and the others are not sold. */
const categories: Readonly<Record<string, BillKind>> = {
  airtime: 'airtime',
  data: 'databundle',
  'tv-subscription': 'cabletv',
  'electricity-bill': 'electricity',
  education: 'exampin',
}

/**
 * Services that we do not sell. This one is in the list of airtime, but also needs a country, an operator and a product
 * type.
 */
const NOT_SOLD: ReadonlySet<string> = new Set(['foreign-airtime'])

/** Codes with which VTpass says that it has no such list. */
const NO_LIST: ReadonlySet<string | undefined> = new Set(['010', '011', '012'])

/** Services whose pin anyone can use, not only one candidate. */
const VOUCHERS: ReadonlySet<string> = new Set(['waec'])

/**
 * Read all services of the categories, and their variations. A list that VTpass does not have is empty; one that cannot
 * be read makes all of it unknown.
 */
export async function readCatalogue(client: Client): Promise<CatalogueAnswer> {
  const products: ProviderProduct[] = []
  for (const [identifier, kind] of Object.entries(categories)) {
    const services = await readList(client, `/services?identifier=${identifier}`, Services)
    if (services === 'no_list') continue
    if ('outcome' in services) return services
    for (const service of services.content.filter(({ serviceID }) => !NOT_SOLD.has(serviceID))) {
      const found = await readService(client, VOUCHERS.has(service.serviceID) ? 'epin' : kind, service)
      if ('outcome' in found) return found
      products.push(...found)
    }
  }
  return { outcome: 'found', products }
}

async function readService(
  client: Client,
  kind: BillKind,
  { serviceID, name, minimium_amount, maximum_amount }: Service,
): Promise<ProviderProduct[] | UnknownOutcome> {
  const base = {
    kind,
    country: 'NG',
    currency: 'NGN',
    remote_service: serviceID,
    commission_percent: null,
    is_available: true,
    min: readAmount(minimium_amount) ?? null,
    max: limitOf(maximum_amount),
  }
  const title = cleanWords(name ?? serviceID)
  if (kind === 'airtime') return [{ ...base, remote_product: null, name: title, price: null }]
  const list = await readList(client, `/service-variations?serviceID=${encodeURIComponent(serviceID)}`, Variations)
  if (list === 'no_list') return []
  if ('outcome' in list) return list
  return variationsOf(list).map(({ variation_code, name: own_name = variation_code, variation_amount, fixedPrice }) => {
    const amount = readAmount(variation_amount)
    const is_fixed = !/^no$/i.test(fixedPrice ?? 'Yes') && amount !== undefined && amount > 0n
    return {
      ...base,
      ...(is_fixed && { min: null, max: null }),
      remote_product: variation_code,
      name: kind === 'electricity' ? `${title} ${cleanWords(own_name)}` : cleanWords(own_name),
      price: is_fixed ? amount : null,
    }
  })
}

/** VTpass writes 0 where there is no limit. */
function limitOf(text: string | undefined) {
  const amount = readAmount(text)
  return amount === undefined || amount === 0n ? null : amount
}

/** Older answers spell the list `varations`; newer ones have both. */
function variationsOf({ content }: Variations): Variation[] {
  return content.variations ?? content.varations ?? []
}

async function readList<Schema extends z.ZodType>(
  client: Client,
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | UnknownOutcome | 'no_list'> {
  const reply = await client.get('catalogue', path)
  if (reply.outcome === 'unknown') return reply
  const list = reply.status === 200 && isAccepted(reply) ? schema.safeParse(reply.body).data : undefined
  if (list !== undefined) return list
  if (reply.status === 200 && NO_LIST.has(codeOf(reply))) return 'no_list'
  return { outcome: 'unknown', message: getMessage('vtpass.gave_no_list', { path, answer: client.describe(reply) }) }
}

/** Lists say `"response_description":"000"`, and no code. */
function isAccepted(reply: Reply): boolean {
  const code =
    codeOf(reply) ?? z.object({ response_description: z.string() }).safeParse(reply.body).data?.response_description
  return code === '000'
}

type Service = z.infer<typeof Service>
const Service = z.object({
  serviceID: z.string().min(1),
  name: text,
  // The first is the spelling of VTpass.
  minimium_amount: text,
  maximum_amount: text,
})
const Services = z.object({ content: z.array(Service) })

type Variation = z.infer<typeof Variation>
const Variation = z.object({
  variation_code: z.string().min(1),
  name: text,
  variation_amount: text,
  fixedPrice: text,
})
type Variations = z.infer<typeof Variations>
const Variations = z.object({
  content: z.object({ variations: z.array(Variation).optional(), varations: z.array(Variation).optional() }),
})

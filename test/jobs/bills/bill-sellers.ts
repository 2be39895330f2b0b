import { z } from 'zod'
import type { VendAnswer, VendCheck, VendedGoods } from '../../../src/billers/biller.ts'
import {
  type BillOperations,
  type BillTraits,
  defineBillProvider,
  type ProviderVend,
} from '../../../src/billers/contract.ts'
import type { BillConnection } from '../../../src/connections/connection.ts'

/** Connections to bill providers that a test controls: each answers what it is told, and remembers its calls. */

export const TOKEN = '01234567890123456789'
export const goods: VendedGoods = {
  token: TOKEN,
  amount_of_power: '13.9KWH',
  pins: [],
  provider_message: 'OK',
  raw_output: null,
  more: {},
}
export const sold: VendAnswer & VendCheck = { outcome: 'successful', remote_id: '77', vended: goods }
export const silence: VendAnswer & VendCheck = { outcome: 'unknown', message: 'no answer' }
export const refused = (reason: 'declined' | 'no_funds_at_biller' | 'service_inactive' | 'out_of_stock') =>
  ({ outcome: 'failed', reason, message: `It is ${reason}.` }) as const satisfies VendAnswer

export interface FakeSeller {
  connection: BillConnection
  /** Answers to a vend and to a status query. */
  answers: { vend: VendAnswer; status: VendCheck }
  /** The vends that it was sent, and those that it was asked about, in order. */
  vends: ProviderVend[]
  asked: ProviderVend[]
  /** True if it reports that most of its calls had no answer. */
  degraded: boolean
}

/** A connection that sells by our names unless it has `offers`. */
export function fakeSeller(
  slug: string,
  options: {
    traits?: Partial<BillTraits>
    own_names?: boolean
    countries?: readonly string[]
    operations?: Partial<BillOperations>
  } = {},
): FakeSeller {
  const vends: ProviderVend[] = []
  const asked: ProviderVend[] = []
  const operations: BillOperations = {
    async vend(order) {
      vends.push(order)
      return seller.answers.vend
    },
    async vendStatus(order) {
      asked.push(order)
      return seller.answers.status
    },
    ...options.operations,
  }
  const driver = defineBillProvider({
    code: slug,
    name: slug.toUpperCase(),
    settings: z.object({}),
    environments: {},
    traits: {
      call_s: 10,
      callbacks: 'unsigned',
      repeat: 'sells-again',
      unseen: 'certain',
      in_flight_s: 20,
      one_call_at_a_time: false,
      asked_by: 'reference',
      ...options.traits,
    },
    countries: options.countries ?? null,
    ...(options.own_names !== false && { sells_by_our_names: true as const }),
    open: () => operations,
  })
  const seller: FakeSeller = {
    answers: { vend: sold, status: sold },
    vends,
    asked,
    degraded: false,
    connection: undefined as never,
  }
  seller.connection = {
    kind: 'bills',
    slug,
    code: slug,
    name: slug.toUpperCase(),
    driver,
    environment: 'test',
    organization: null,
    state: 'active',
    priority: 100,
    callback_secret: '',
    operations,
    is_degraded: () => seller.degraded,
  }
  return seller
}

import type { App } from '../../src/app.ts'
import type { Biller, Vend, VendAnswer, VendCheck } from '../../src/billers/biller.ts'
import { createPurchases, type NewPurchase } from '../../src/core/bills/purchases.ts'
import { Refusal } from '../../src/core/refusals.ts'
import { begin, type Database } from '../../src/db/client.ts'
import type { Settled } from '../../src/lib/batch.ts'
import { parseAmount } from '../../src/lib/money.ts'
import type { Mood } from './networks.ts'
import type { Process } from './process.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'
import type { Shop } from './store.ts'
import type { Crew, World } from './simulation.ts'

/** What the biller has been told to sell. Whatever the service believes, this is the truth. */
interface Sale {
  n: number
  state: 'pending' | 'sold' | 'refused'
}

/** The biller of one run, and everything that was bought from it. */
export interface Bills {
  biller: Biller
  mood: Mood
  /** Whether it sometimes decides later. */
  hesitant: boolean
  /** By our reference. */
  sales: Map<string, Sale>
  /** Vends that were given up as lost and may still arrive, until it is too late for that. */
  stragglers: { order: Vend; until: number }[]
  /** What the biller holds against us. */
  complaints: string[]
  arrive(straggler: Bills['stragglers'][number]): void
}

const UNKNOWN = { outcome: 'unknown', message: 'No answer.' } as const
/** Long, so that much is asked about while it is still on its way. */
const IN_FLIGHT_MS = 300_000
const DECIDED = ['sold', 'refused'] as const
/** Few references, so that they are used again. */
const REFERENCES = 12
const AMOUNTS = ['100', '250', '400']

/** Builds the biller: it sells, refuses or waits, and its answers get lost. */
export function createBills(random: Random, real: () => Date): Bills {
  /** Says whether a call gets there, and whether its answer gets back. */
  const weather = () => {
    if (bills.mood === 'down') return { there: false, back: false }
    if (bills.mood === 'well') return { there: true, back: true }
    const there = random.chance(0.7)
    return { there, back: there && random.chance(0.6) }
  }
  const register = (order: Vend): Sale => {
    if (bills.sales.has(order.reference)) bills.complaints.push(`${order.reference} was to be sold twice.`)
    const state = random.pick(bills.hesitant ? (['sold', 'refused', 'pending'] as const) : DECIDED)
    const sale: Sale = { n: bills.sales.size + 1, state }
    bills.sales.set(order.reference, sale)
    return sale
  }
  const bills: Bills = {
    ...{
      mood: random.pick(['flaky', 'down'] as const),
      hesitant: true,
      sales: new Map(),
      stragglers: [],
      complaints: [],
    },
    arrive: ({ order }) => void register(order),
    biller: {
      code: 'delta',
      name: 'DELTA',
      in_flight_ms: IN_FLIGHT_MS,
      async vend(order): Promise<VendAnswer> {
        const { there, back } = weather()
        if (!there) {
          if (random.chance(0.9)) bills.stragglers.push({ order, until: real().getTime() + IN_FLIGHT_MS })
          return UNKNOWN
        }
        const sale = register(order)
        return back ? answerOf(sale) : UNKNOWN
      },
      async checkVend(order): Promise<VendCheck> {
        if (!weather().back) return UNKNOWN
        const sale = bills.sales.get(order.reference)
        return sale ? answerOf(sale) : { outcome: 'not_found' }
      },
      findAccount: async () => ({ outcome: 'not_found', message: 'Nobody.' }),
    },
  }
  return bills
}

/** The way back is a step of its own: whoever dies on it has sold and does not know. */
export function gatedBiller(biller: Biller, process: Process, scheduler: Scheduler): Biller {
  const gated =
    <Answer>(verb: (order: Vend) => Promise<Answer>) =>
    async (order: Vend) => {
      const answer = await verb(order)
      return scheduler.gate(process, 'delta answers', async () => answer)
    }
  return { ...biller, vend: gated(biller.vend), checkVend: gated(biller.checkVend) }
}

/** What a door does with purchases. */
export function createCounter(app: App) {
  return (items: NewPurchase[]): Promise<Settled<number>[]> =>
    begin(app.db, (tx) => createPurchases(tx, app.clock.now(), items))
}

/** A client buys something, perhaps under a reference that was used before. */
export function buyBill(world: World, crew: Crew, shop: Shop): void {
  const { random } = world
  const purchase: NewPurchase = {
    organization: shop.organization,
    account: shop.bill_account,
    agent_reference: `bill-${random.between(1, REFERENCES)}`,
    agent_id: null,
    biller: 'delta',
    kind: 'electricity',
    service_type: 'ikeja_electric_prepaid',
    account_number: '04042404048',
    phone: '08031234567',
    amount: parseAmount(random.pick(AMOUNTS))!,
    details: { prepaid: true },
    scenario: null,
    metadata: {},
    author: shop.user,
    pin: null,
  }
  world.tell(`a client buys ${purchase.agent_reference} from ${crew.name}`)
  world.start(crew, 'purchase', async () => {
    try {
      await crew.buy(purchase)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  })
}

/** Something happens at the biller: it changes its mood, decides about a sale, or a straggler arrives. */
export function atTheBiller({ random, bills, clock, tell }: World): void {
  const pending = [...bills.sales.values()].filter((sale) => sale.state === 'pending')
  bills.stragglers = bills.stragglers.filter(({ until }) => until > clock.real().getTime())
  if (random.chance(0.4)) {
    bills.mood = random.pick(['well', 'flaky', 'flaky', 'down'])
    tell(`the biller is ${bills.mood}`)
  } else if (bills.stragglers.length > 0 && random.chance(0.8)) {
    const [straggler] = bills.stragglers.splice(random.between(0, bills.stragglers.length - 1), 1)
    tell('a vend arrives late at the biller')
    bills.arrive(straggler!)
  } else if (pending.length > 0) {
    const sale = random.pick(pending)
    sale.state = random.pick(DECIDED)
    tell(`the biller decides about sale ${sale.n}: ${sale.state}`)
  }
}

/** The biller is well, what is on its way arrives or does not, and nothing is left open. */
export function restBiller({ random, bills, clock }: World): void {
  bills.mood = 'well'
  bills.hesitant = false
  for (const straggler of bills.stragglers.splice(0))
    if (straggler.until > clock.real().getTime()) bills.arrive(straggler)
  for (const sale of bills.sales.values()) if (sale.state === 'pending') sale.state = random.pick(DECIDED)
}

/** Each rule is a query that finds what breaks it. */
const RULES = `
  select 'A purchase and its money disagree' as fault, p.id::text as id
  from bill_purchases p
  cross join lateral (
    select count(*) filter (where t.reference = 'hold:bill:' || p.id and t.kind = 'bill_payment_hold') as held,
      count(*) filter (where t.reference = 'end:bill:' || p.id and t.kind = 'bill_payment') as spent,
      count(*) filter (where t.reference = 'end:bill:' || p.id and t.kind = 'bill_payment_release') as released,
      bool_and(t.amount = p.amount) as whole
    from transfers t where t.reference in ('hold:bill:' || p.id, 'end:bill:' || p.id)) moved
  where (moved.held, moved.spent, moved.released, moved.whole) is distinct from
    (1::bigint, (p.status = 'success')::int::bigint, (p.status = 'failed')::int::bigint, true)
  union all
  select 'Money is held that no open purchase holds', a.organization::text
  from accounts a where a.kind = 'held' and a.currency = 'NGN' and a.balance <> (
    select coalesce(sum(amount), 0) from bill_purchases p where p.organization = a.organization and p.status = 'pending')
  union all
  select 'The end of a purchase was not announced once', p.id::text
  from bill_purchases p
  where (p.status <> 'pending')::int <> (
    select count(*) from events e
    where e.type = 'billpayment.status.changed' and (e.data->>'id')::bigint = p.id and e.data->>'status' = p.status)`

/** What must hold after every step: the money of a purchase is where its state says, and nothing is sold for a failed one. */
export async function checkBills(db: Database, bills: Bills): Promise<string[]> {
  const [rules, purchases] = await Promise.all([
    db.unsafe<{ fault: string; id: string }[]>(RULES),
    db<{ id: number; reference: string; status: string }[]>`select id, reference, status from bill_purchases`,
  ])
  const faults = purchases.flatMap(({ id, reference, status }) => {
    const state = bills.sales.get(reference)?.state
    if (status === 'success' && state !== 'sold') return [`Purchase ${id} succeeded, and is ${state} at the biller.`]
    return status === 'failed' && state === 'sold' ? [`Purchase ${id} failed, and was sold.`] : []
  })
  return [...rules.map(({ fault, id }) => `${fault} (${id}).`), ...faults, ...bills.complaints.splice(0)]
}

/** What must hold in the end: nothing is open, and what was sold is paid. */
export async function checkSales({ store, bills }: World): Promise<string[]> {
  const rows = await store.watch<{ id: number; reference: string; status: string }[]>`
    select id, reference, status from bill_purchases`
  const paid = new Set(rows.filter(({ status }) => status === 'success').map(({ reference }) => reference))
  return [
    ...rows.flatMap(({ id, status }) => (status === 'pending' ? [`Purchase ${id} stays open.`] : [])),
    ...[...bills.sales].flatMap(([reference, { state }]) =>
      state === 'sold' && !paid.has(reference) ? [`${reference} was sold and not paid.`] : [],
    ),
  ]
}

function answerOf({ n, state }: Sale): VendAnswer {
  if (state === 'pending') return { outcome: 'accepted', remote_id: String(n) }
  if (state === 'refused') return { outcome: 'failed', reason: 'declined', message: 'No.' }
  const token = String(n).padStart(20, '0')
  const goods = { amount_of_power: null, pins: [], provider_message: 'OK', raw_output: null, more: {} }
  return { outcome: 'successful', remote_id: String(n), vended: { token, ...goods } }
}

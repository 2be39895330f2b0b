import { z } from 'zod'
import type { App } from '../../src/app.ts'
import type { VendAnswer, VendCheck } from '../../src/billers/biller.ts'
import { type BillOperations, defineBillProvider, type ProviderVend } from '../../src/billers/contract.ts'
import type { BillConnection } from '../../src/connections/connection.ts'
import { createPurchases, type NewPurchase } from '../../src/core/bills/purchases.ts'
import { Refusal } from '../../src/core/refusals.ts'
import { begin, type Database } from '../../src/db/client.ts'
import { sql } from '../../src/db/sql.ts'
import type { DriverTools } from '../../src/drivers/contract.ts'
import type { ItemResult } from '../../src/lib/batches/batch.ts'
import { parseAmount } from '../../src/lib/money.ts'
import type { NetworkHealth } from './networks.ts'
import type { Process } from './process.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'
import type { ServiceProcess, Simulation } from './simulation.ts'
import type { Shop } from './store.ts'

/** A sale of the biller. This is the truth against which the service is checked. */
interface Sale {
  n: number
  state: 'pending' | 'sold' | 'refused'
  /** Reason for its refusal, if it is refused. After the second one another provider may be tried. */
  reason: 'declined' | 'service_inactive'
}

/** The billers of one run and their sales. They share their health. */
export interface SimulatedBiller {
  operations: BillOperations
  health: NetworkHealth
  /** True if it sometimes decides later. */
  decides_later: boolean
  /** By our reference. */
  sales: Map<string, Sale>
  /** Vends whose call timed out and that may still arrive within the in-flight time. */
  late_vends: { order: ProviderVend; until: number }[]
  /** The rules that the service violated at the biller. */
  violations: string[]
  deliverLate(straggler: SimulatedBiller['late_vends'][number]): void
}

const UNKNOWN_ANSWER = { outcome: 'unknown', message: 'No answer.' } as const
/** Long, so many vends are checked while they are still on their way. */
const IN_FLIGHT_S = 300
const FINAL_STATES = ['sold', 'refused'] as const
/** Few references, so clients repeat them. */
const REFERENCES = 12
const AMOUNTS = ['100', '250', '400']

/** Build the biller: it sells, refuses or waits, and its answers get lost. */
export function createSimulatedBiller(random: Random, real: () => Date): SimulatedBiller {
  /** Draw whether a request arrives, and whether its answer arrives. */
  const drawDelivery = () => {
    if (bills.health === 'down') return { request_arrives: false, answer_arrives: false }
    if (bills.health === 'healthy') return { request_arrives: true, answer_arrives: true }
    const request_arrives = random.chance(0.7)
    return { request_arrives, answer_arrives: request_arrives && random.chance(0.6) }
  }
  const register = (order: ProviderVend): Sale => {
    if (bills.sales.has(order.reference)) bills.violations.push(`${order.reference} was to be sold twice.`)
    const state = random.pick(bills.decides_later ? (['sold', 'refused', 'pending'] as const) : FINAL_STATES)
    const reason = random.pick(['declined', 'service_inactive'] as const)
    const sale: Sale = { n: bills.sales.size + 1, state, reason }
    bills.sales.set(order.reference, sale)
    return sale
  }
  const bills: SimulatedBiller = {
    health: random.pick(['flaky', 'down'] as const),
    decides_later: true,
    sales: new Map(),
    late_vends: [],
    violations: [],
    deliverLate: ({ order }) => void register(order),
    operations: {
      async vend(order): Promise<VendAnswer> {
        const { request_arrives, answer_arrives } = drawDelivery()
        if (!request_arrives) {
          if (random.chance(0.9)) bills.late_vends.push({ order, until: real().getTime() + IN_FLIGHT_S * 1_000 })
          return UNKNOWN_ANSWER
        }
        const sale = register(order)
        return answer_arrives ? answerOf(sale) : UNKNOWN_ANSWER
      },
      async vendStatus(order): Promise<VendCheck> {
        if (!drawDelivery().answer_arrives) return UNKNOWN_ANSWER
        const sale = bills.sales.get(order.reference)
        return sale ? answerOf(sale) : { outcome: 'not_found' }
      },
    },
  }
  return bills
}

/** The slugs of the billers, in the order in which they are tried. */
const SELLERS = ['delta', 'echo'] as const

/**
 * The connections of a process to the billers. The answer is a separate step: a process that is killed before it does not learn
 * of its sale.
 */
export function scheduleSellers(
  { operations }: SimulatedBiller,
  process: Process,
  scheduler: Scheduler,
): BillConnection[] {
  return SELLERS.map((slug) => {
    const gated =
      <Answer>(verb: (order: ProviderVend, tools: DriverTools) => Promise<Answer>) =>
      async (order: ProviderVend, tools: DriverTools) => {
        const answer = await verb(order, tools)
        return scheduler.waitTurn(process, `${slug} answers`, async () => answer)
      }
    const scheduled = { vend: gated(operations.vend), vendStatus: gated(operations.vendStatus) }
    const driver = defineBillProvider({
      code: slug,
      name: slug.toUpperCase(),
      settings: z.object({}),
      environments: {},
      countries: null,
      traits: {
        call_s: 10,
        callbacks: 'none',
        repeat: 'sells-again',
        unseen: 'certain',
        in_flight_s: IN_FLIGHT_S,
        one_call_at_a_time: true,
        asked_by: 'reference',
      },
      sells_by_our_names: true,
      open: () => scheduled,
    })
    return {
      kind: 'bills',
      slug,
      code: slug,
      name: driver.name,
      driver,
      environment: 'test',
      organization: null,
      state: 'active',
      priority: 1,
      callback_secret: '',
      operations: scheduled,
    }
  })
}

/** Create the actions on purchases that a door makes. */
export function createPurchaseWriter(app: App) {
  return (items: NewPurchase[]): Promise<ItemResult<number>[]> =>
    begin(app.db, (tx) => createPurchases(tx, app.clock.now(), items))
}

/** A client buys something, perhaps with an earlier reference. */
export function buyBill(world: Simulation, crew: ServiceProcess, shop: Shop): void {
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
  world.log(`a client buys ${purchase.agent_reference} from ${crew.name}`)
  world.startTask(crew, 'purchase', async () => {
    try {
      await crew.buy(purchase)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  })
}

/** The biller changes its health, decides about a sale, or receives a late vend. */
export function changeBiller({ random, biller: bills, clock, log }: Simulation): void {
  const pending = [...bills.sales.values()].filter((sale) => sale.state === 'pending')
  bills.late_vends = bills.late_vends.filter(({ until }) => until > clock.real().getTime())
  if (random.chance(0.4)) {
    bills.health = random.pick(['healthy', 'flaky', 'flaky', 'down'])
    log(`the biller is ${bills.health}`)
  } else if (bills.late_vends.length > 0 && random.chance(0.8)) {
    const [straggler] = bills.late_vends.splice(random.between(0, bills.late_vends.length - 1), 1)
    log('a vend arrives late at the biller')
    bills.deliverLate(straggler!)
  } else if (pending.length > 0) {
    const sale = random.pick(pending)
    sale.state = random.pick(FINAL_STATES)
    log(`the biller decides about sale ${sale.n}: ${sale.state}`)
  }
}

/** Make the biller healthy, deliver or drop late vends, and decide every open sale. */
export function finishSales({ random, biller: bills, clock }: Simulation): void {
  bills.health = 'healthy'
  bills.decides_later = false
  for (const straggler of bills.late_vends.splice(0))
    if (straggler.until > clock.real().getTime()) bills.deliverLate(straggler)
  for (const sale of bills.sales.values()) if (sale.state === 'pending') sale.state = random.pick(FINAL_STATES)
}

/** Each rule is a query that finds its violations. */
const RULES = sql`
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
  select 'A purchase and its orders disagree', p.id::text
  from bill_purchases p left join network_orders o on o.bill_purchase = p.id and o.attempt = p.attempt
  where o.id is null or (p.status = 'pending') <> (o.closed is null)
    or (p.status = 'pending' and p.approvals >= p.approvals_required) <> (o.due_at is not null)
    or exists (select from network_orders e where e.bill_purchase = p.id and e.attempt < p.attempt and e.closed is null)
  union all
  select 'The end of a purchase was not announced once', p.id::text
  from bill_purchases p
  where (p.status <> 'pending')::int <> (
    select count(*) from events e
    where e.type = 'billpayment.status.changed' and e.object = p.id and e.status = p.status)`

/** A purchase with our reference at its current biller. */
interface SoldPurchase {
  id: number
  reference: string
  status: string
}
const PURCHASES = sql`
  select p.id, o.reference, p.status from bill_purchases p
  join network_orders o on o.bill_purchase = p.id and o.attempt = p.attempt`

/**
 * Check after every step that the money of a purchase is where its state says, and nothing is sold for a failed one.
 */
export async function checkBills(db: Database, bills: SimulatedBiller): Promise<string[]> {
  const [rules, purchases, attempts] = await Promise.all([
    db<{ fault: string; id: string }[]>`${RULES}`,
    db<SoldPurchase[]>`${PURCHASES}`,
    db<{ purchase: number; reference: string }[]>`
      select p.id as purchase, o.reference from bill_purchases p
      join network_orders o on o.bill_purchase = p.id and o.attempt < p.attempt`,
  ])
  const twice = attempts.flatMap(({ purchase, reference }) => {
    const state = bills.sales.get(reference)?.state ?? 'refused'
    return state === 'refused' ? [] : [`Purchase ${purchase} went to another biller, and is ${state} at ${reference}.`]
  })
  const faults = purchases.flatMap(({ id, reference, status }) => {
    const state = bills.sales.get(reference)?.state
    if (status === 'success' && state !== 'sold') return [`Purchase ${id} succeeded, and is ${state} at the biller.`]
    return status === 'failed' && state === 'sold' ? [`Purchase ${id} failed, and was sold.`] : []
  })
  return [...rules.map(({ fault, id }) => `${fault} (${id}).`), ...faults, ...twice, ...bills.violations.splice(0)]
}

/** Check at the end that nothing is open, and all sales are paid. */
export async function checkSales({ store, biller: bills }: Simulation): Promise<string[]> {
  const rows = await store.observer<SoldPurchase[]>`${PURCHASES}`
  const paid = new Set(rows.filter(({ status }) => status === 'success').map(({ reference }) => reference))
  return [
    ...rows.flatMap(({ id, status }) => (status === 'pending' ? [`Purchase ${id} stays open.`] : [])),
    ...[...bills.sales].flatMap(([reference, { state }]) =>
      state === 'sold' && !paid.has(reference) ? [`${reference} was sold and not paid.`] : [],
    ),
  ]
}

function answerOf({ n, state, reason }: Sale): VendAnswer {
  if (state === 'pending') return { outcome: 'accepted', remote_id: String(n) }
  if (state === 'refused') return { outcome: 'failed', reason, message: 'No.' }
  const token = String(n).padStart(20, '0')
  const goods = { amount_of_power: null, pins: [], provider_message: 'OK', raw_output: null, more: {} }
  return { outcome: 'successful', remote_id: String(n), vended: { token, ...goods } }
}

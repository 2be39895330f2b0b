import { beginFrequent, type Database, mayRetry, type Reader, type Tx } from '../db/client.ts'
import { column, insert, table } from '../db/table.ts'
import { createBatcher } from '../lib/batches/batch.ts'
import { isKnownAccount } from './biller-accounts.ts'
import { makeGoods } from './biller-goods.ts'
import { billerBehaviourOf, scenarioOf } from './biller-scenarios.ts'
import { type VendBody, type VendRow, vendTable } from './biller-wire.ts'
import { Reference } from './world/fields.ts'

/** The result of a vend request. `first`: the reference is new. */
type SaleResult = { outcome: 'accepted'; first: boolean; vend: VendRow } | { outcome: 'conflict' }

/** A meter with old keys: its first purchase also returns a pair of key-change tokens. */
const OLD_METER = '04223568280'

/** Sell once per reference, even for many simultaneous calls with the same reference. */
export type Sell = (order: VendBody) => Promise<SaleResult>

/** Make the function that sells. Orders that arrive while a transaction runs share the next one. */
export function createSales(db: Database, now: () => Date): Sell {
  return createBatcher({
    async flush(orders: VendBody[]) {
      const results = await beginFrequent(db, (tx) => sellAll(tx, now(), orders))
      return results.map((value) => ({ ok: true, value }))
    },
    max_items: 100,
    mayRetry,
  })
}

async function sellAll(tx: Tx, now: Date, orders: readonly VendBody[]): Promise<SaleResult[]> {
  const firsts = new Map<string, VendBody>()
  for (const order of orders) if (!firsts.has(order.reference)) firsts.set(order.reference, order)
  // The order is the same everywhere, so two transactions with the same references wait for each other without a deadlock.
  const sorted = [...firsts.values()].sort((one, other) => (one.reference < other.reference ? -1 : 1))
  const inserted = await insertVends(tx, now, sorted)
  const known = await findVends(
    tx,
    orders.map(({ reference }) => reference).filter((reference) => !inserted.has(reference)),
  )
  const fresh = new Set(inserted.keys())
  return orders.map((order) => {
    const vend = inserted.get(order.reference) ?? known.get(order.reference)
    if (vend && fresh.delete(order.reference)) return { outcome: 'accepted', first: true, vend }
    return vend && isSame(vend, order) ? { outcome: 'accepted', first: false, vend } : { outcome: 'conflict' }
  })
}

function isSame(known: VendRow, order: VendBody): boolean {
  const fields = ['kind', 'service_type', 'account_number', 'phone', 'amount'] as const
  return fields.every((field) => known[field] === order[field])
}

/** The sale with this reference, if the biller accepted it. */
export async function findVend(db: Reader, reference: string): Promise<VendRow | undefined> {
  if (!Reference.safeParse(reference).success) return undefined
  return (await findVends(db, [reference])).get(reference)
}

async function findVends(db: Reader, references: readonly string[]): Promise<Map<string, VendRow>> {
  if (references.length === 0) return new Map()
  const found = await db<VendRow[]>`
    select ${vendTable.columns} from simulator_vends where reference = any(${[...references]}::text[])`
  return new Map(found.map((row) => [row.reference, row]))
}

/** Insert the orders whose reference is new, and return them by their references. */
async function insertVends(tx: Tx, now: Date, orders: readonly VendBody[]): Promise<Map<string, VendRow>> {
  const renewing = await findRenewing(tx, orders)
  const vends = orders.map((order) => decide(order, now, order === renewing))
  const inserted = await tx<VendRow[]>`
    ${insert(vendTable, vends, { token: ({ vended }) => vended?.token, created: now })}
    on conflict (reference) do nothing returning ${vendTable.columns}`
  const byReference = new Map(inserted.map((row) => [row.reference, row]))
  await insertPins(
    tx,
    vends.filter(({ reference }) => byReference.has(reference)),
  )
  return byReference
}

/** Decide an order: return the goods or the reason for its refusal. */
function decide(order: VendBody, now: Date, key_change: boolean) {
  const scenario = scenarioOf(order.scenario, order.phone)
  const refusal = refusalOf(order)
  const vended = refusal === null ? makeGoods(order, now, key_change) : null
  const known_at = new Date(now.getTime() + billerBehaviourOf(scenario).settled_after_s * 1_000)
  return {
    ...order,
    scenario,
    refusal,
    vended,
    key_change,
    known_at,
    state: vended ? ('vended' as const) : ('refused' as const),
  }
}

function refusalOf({ kind, account_number, scenario, phone }: VendBody): string | null {
  if (!isKnownAccount(kind, account_number)) return 'account_not_found'
  return billerBehaviourOf(scenarioOf(scenario, phone)).refusal
}

/** The order that gives the old meter its new keys, if one of these does. */
async function findRenewing(tx: Tx, orders: readonly VendBody[]): Promise<VendBody | undefined> {
  const order = orders.find(
    (one) => one.account_number === OLD_METER && one.prepaid === true && refusalOf(one) === null,
  )
  if (!order) return undefined
  const earlier = await tx`select 1 from simulator_vends where account_number = ${OLD_METER} and key_change limit 1`
  return earlier.length === 0 ? order : undefined
}

const pinTable = table('simulator_pins', {
  pin: column.text().key(),
  serial_number: column.text(),
  vend: column.text(),
})

async function insertPins(tx: Tx, vends: readonly ReturnType<typeof decide>[]): Promise<void> {
  const pins = vends.flatMap(({ reference: vend, vended }) => (vended?.pins ?? []).map((pin) => ({ ...pin, vend })))
  if (pins.length === 0) return
  await tx`${insert(pinTable, pins, {})}`
}

import { begin, type Database, type Tx } from '../db/client.ts'
import { rows } from '../db/rows.ts'
import { formatAmount } from '../lib/money.ts'
import { isKnownAccount } from './biller-accounts.ts'
import { makeGoods } from './biller-goods.ts'
import { billerBehaviourOf, scenarioOf } from './biller-scenarios.ts'
import type { VendBody, VendedGoods, VendRow } from './biller-wire.ts'
import { Reference } from './world/fields.ts'

/** The result of a vend request. `first`: the reference is new. */
export type SaleResult = { outcome: 'accepted'; first: boolean; vend: VendRow } | { outcome: 'conflict' }

/** A meter with old keys: its first purchase also returns a pair of key-change tokens. */
const OLD_METER = '04223568280'

/** Sells once per reference, also when many calls with the same reference arrive at the same time. */
export function sellOnce(db: Database, now: Date, order: VendBody): Promise<SaleResult> {
  return begin(db, async (tx) => {
    const inserted = await insertVend(tx, now, order)
    if (inserted) return { outcome: 'accepted', first: true, vend: inserted }
    const known = await findVend(tx, order.reference)
    const same =
      known !== undefined &&
      known.kind === order.kind &&
      known.service_type === order.service_type &&
      known.account_number === order.account_number &&
      known.phone === order.phone &&
      known.amount === order.amount
    return same ? { outcome: 'accepted', first: false, vend: known } : { outcome: 'conflict' }
  })
}

/** The sale with this reference, if the biller accepted it. */
export async function findVend(db: Database | Tx, reference: string): Promise<VendRow | undefined> {
  if (!Reference.safeParse(reference).success) return undefined
  const [row] = await db<VendRow[]>`select * from simulator_vends where reference = ${reference}`
  return row
}

async function insertVend(tx: Tx, now: Date, order: VendBody): Promise<VendRow | undefined> {
  const scenario = scenarioOf(order.scenario, order.phone)
  const { refusal: scenario_refusal, settled_after_s } = billerBehaviourOf(scenario)
  const refusal = isKnownAccount(order.kind, order.account_number) ? scenario_refusal : 'account_not_found'
  const key_change = refusal === null && order.prepaid === true && (await needsNewKeys(tx, order.account_number))
  const vended = refusal === null ? makeGoods(order, now, key_change) : null
  const [row] = await tx<VendRow[]>`
    insert into simulator_vends (reference, kind, service_type, account_number, phone, amount, scenario, state, refusal,
      vended, token, key_change, known_at, created)
    values (${order.reference}, ${order.kind}, ${order.service_type}, ${order.account_number}, ${order.phone},
      ${formatAmount(order.amount)}, ${scenario}, ${vended ? 'vended' : 'refused'}, ${refusal},
      ${vended && JSON.stringify(vended)}::text::json, ${vended?.token ?? null}, ${key_change},
      ${new Date(now.getTime() + settled_after_s * 1_000)}, ${now})
    on conflict (reference) do nothing returning *`
  if (row && vended) await insertPins(tx, order.reference, vended.pins)
  return row
}

async function needsNewKeys(tx: Tx, meter: string): Promise<boolean> {
  if (meter !== OLD_METER) return false
  const earlier = await tx`select 1 from simulator_vends where account_number = ${meter} and key_change limit 1`
  return earlier.length === 0
}

async function insertPins(tx: Tx, reference: string, pins: VendedGoods['pins']): Promise<void> {
  if (pins.length === 0) return
  const sold = rows(pins, { pin: 'text', serial_number: 'text' })
  await tx`
    insert into simulator_pins (${sold.columns}, vend) select ${sold.columns}, ${reference} from ${sold.as('p')}`
}

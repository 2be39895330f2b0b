import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { groupFor, type Query } from '../../db/unit-of-work.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { amount, id, timestamp } from '../fields.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { currencyError, roundToCurrency } from './currencies.ts'

/** The operations that an organization can be charged for. */
export const feeKinds = ['collection', 'payment', 'airtime', 'bill', 'return', 'refund'] as const
export type FeeKind = (typeof feeKinds)[number]

/** The fee of an organization for one kind of operation in one currency. */
const feeTable = table('fees', {
  id: column.id(),
  organization: column.bigint(),
  kind: column.text<FeeKind>(),
  currency: column.text(),
  /** Null for every network without a fee of its own. */
  network: column.text().nullable(),
  fixed: column.numeric(),
  /** Per hundred, in ten-thousandths like any amount: 1.5 % is `15000n`. */
  percent: column.numeric('7,4'),
  min_fee: column.numeric(),
  max_fee: column.numeric().nullable(),
  modified: column.timestamptz(),
})
export type Fee = Row<typeof feeTable>

/** Rates of a fee: `fixed` plus `percent` of the amount, at least `min_fee` and at most `max_fee`. */
export type FeeRates = Pick<Fee, 'fixed' | 'percent' | 'min_fee' | 'max_fee'>

/** A fee as its organization sees it. */
export const FeeView = z.object({
  id,
  kind: z.enum(feeKinds),
  currency: z.string(),
  network: z.string().nullable(),
  fixed: amount,
  percent: amount,
  min_fee: amount,
  max_fee: amount.nullable(),
  modified: timestamp,
})

/** The fee for an amount, rounded half up to the decimals of its currency. Zero without rates. */
export function calculateFee(rates: FeeRates | null | undefined, amount: Amount, currency: string): Amount {
  if (!rates) return 0n
  // The division cuts off less than the last digit, which cannot change how the fee is rounded.
  const share = (amount * rates.percent) / HUNDRED_PERCENT
  let fee = rates.fixed + share
  if (fee < rates.min_fee) fee = rates.min_fee
  if (rates.max_fee !== null && fee > rates.max_fee) fee = rates.max_fee
  return roundToCurrency(fee, currency)
}

const HUNDRED_PERCENT = 1_000_000n

/** An operation that may cost a fee. */
interface Chargeable {
  organization: number
  kind: FeeKind
  currency: string
  /** Null for an operation without a network. */
  network: string | null
}

/** Reads the fees of organizations, by organization. */
export async function readFees(
  db: Reader,
  organizations: readonly number[],
): Promise<ReadonlyMap<number, readonly Fee[]>> {
  const fees = await db<Fee[]>`select ${columns()} from fees where organization = any(${organizations}::bigint[])`
  return groupFor(organizations, fees, ({ organization }) => organization)
}

/** All fees of an organization. */
export const feesOf: Query<number, readonly Fee[]> = { read: readFees }

/** Finds the fee for an operation. One for its network has priority over the one for all networks. */
export function findFee(fees: readonly Fee[], one: Omit<Chargeable, 'organization'>): Fee | undefined {
  const matching = fees.filter(({ kind, currency }) => kind === one.kind && currency === one.currency)
  return matching.find(({ network }) => network === one.network) ?? matching.find(({ network }) => network === null)
}

/** Returns the fee for each of these operations, in their order. */
export async function readFeeRates(db: Reader, items: readonly Chargeable[]): Promise<(Fee | undefined)[]> {
  const fees = await readFees(db, [...new Set(items.map(({ organization }) => organization))])
  return items.map((item) => findFee(fees.get(item.organization) ?? [], item))
}

/** The fees of one organization or of all organizations. */
export async function listFees(db: Reader, organization?: number): Promise<Fee[]> {
  const rows = await db<Fee[]>`
    select ${columns()} from fees where ${organization === undefined ? sql.always : sql`organization = ${organization}`}
    order by organization, kind, currency, network nulls first`
  return [...rows]
}

/** Sets a fee for new operations. Operations that were accepted earlier keep their fee. @throws Invalid */
export async function setFee(tx: Tx, now: Date, fee: Omit<Fee, 'id' | 'modified'>): Promise<Fee> {
  if (fee.max_fee !== null && fee.max_fee < fee.min_fee)
    throw new Invalid({ max_fee: [getMessage('fees.max_below_min')] })
  if (fee.percent < 0n || fee.percent > HUNDRED_PERCENT) throw new Invalid({ percent: [getMessage('fees.percentage')] })
  for (const field of ['fixed', 'min_fee'] as const)
    if (fee[field] < 0n) throw new Invalid({ [field]: [getMessage('fields.not_negative')] })
  const currency_error = await currencyError(tx, fee.currency)
  if (currency_error) throw new Invalid({ currency: [currency_error] })
  const [row] = await tx<Fee[]>`
    ${insert(feeTable, [fee], { modified: truncateToSecond(now) })}
    ${feeTable.replace(['fixed', 'percent', 'min_fee', 'max_fee', 'modified'], ['organization', 'kind', 'currency', 'network'])}
    returning ${columns()}`
  return row!
}

/** Finds a fee by its id. */
export async function getFee(db: Reader, id: number): Promise<Fee | undefined> {
  const [row] = await db<Fee[]>`select ${columns()} from fees where id = ${id}`
  return row
}

/** Removes a fee. Operations that were accepted earlier keep it. @throws NotFound */
export async function removeFee(tx: Tx, id: number): Promise<Fee> {
  const [row] = await tx<Fee[]>`delete from fees where id = ${id} returning ${columns()}`
  if (!row) throw new NotFound(getMessage('fees.none', { id }))
  return row
}

function columns() {
  return sql`id, organization, kind, currency, network, fixed, percent::numeric(19,4) as percent, min_fee, max_fee, modified`
}

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { VendDetails, VendedGoods } from '../../lib/adapter-types.ts'
import type { ItemResult } from '../../lib/batch.ts'
import { type Amount, formatAmount, parseAmount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { amount, id, timestamp } from '../fields.ts'
import { calculateFee, readFeeRates } from '../ledger/fees.ts'
import { type Hold, holdMoney } from '../ledger/holds.ts'
import { Invalid } from '../refusals.ts'
import { type Category, type Product, takePinsFromStock } from './catalogue.ts'
import { type BillCode, BillRefusal } from './refusals.ts'
import { BILL_CURRENCY } from './wallets.ts'

export const purchaseStatuses = ['pending', 'success', 'failed'] as const
export type PurchaseStatus = (typeof purchaseStatuses)[number]

/** Something that an organization buys for a customer. Its money is on hold while it is `pending`. */
export interface Purchase {
  id: number
  organization: number
  account: number
  agent_reference: string
  agent_id: string | null
  /** Ours towards the biller. */
  reference: string
  biller: string
  kind: Category
  service_type: string
  account_number: string
  phone: string
  amount: Amount
  /** What the service charges for it; held and ended with the amount. */
  fee: Amount
  currency: string
  details: VendDetails
  scenario: string | null
  metadata: Record<string, unknown>
  status: PurchaseStatus
  /** What the biller said last; null before it was asked. */
  outcome: 'accepted' | 'successful' | 'failed' | 'unknown' | 'not_found' | null
  message: string | null
  remote_id: string | null
  vended: VendedGoods | null
  failure_code: BillCode | null
  /** Real time. From then on the biller is only asked. */
  sent: Date | null
  status_queries: number
  due_at: Date | null
  created: Date
  author: number
  modified: Date
  updated_by: number | null
}

/** A purchase as people look at it. */
export const PurchaseView = z.object({
  id,
  agent_reference: z.string(),
  reference: z.string(),
  biller: z.string(),
  kind: z.string(),
  service_type: z.string(),
  account_number: z.string(),
  phone: z.string(),
  amount,
  fee: amount,
  currency: z.string(),
  status: z.enum(purchaseStatuses),
  outcome: z.string().nullable(),
  message: z.string().nullable(),
  failure_code: z.string().nullable(),
  remote_id: z.string().nullable(),
  /** What the customer got. */
  vended: z
    .object({
      token: z.string().nullable(),
      amount_of_power: z.string().nullable(),
      pins: z.array(z.object({ serial_number: z.string(), pin: z.string(), expires_on: z.string() })),
    })
    .nullable(),
  status_queries: z.int(),
  due_at: timestamp.nullable(),
  created: timestamp,
  modified: timestamp,
})

/** A purchase that passed all checks but two: that its reference is new, and that there is money enough. */
export interface NewPurchase
  extends Pick<
    Purchase,
    | 'organization'
    | 'account'
    | 'agent_reference'
    | 'agent_id'
    | 'biller'
    | 'kind'
    | 'service_type'
    | 'account_number'
    | 'phone'
    | 'amount'
    | 'details'
    | 'scenario'
    | 'metadata'
    | 'author'
  > {
  /** The pin that is taken off the stock. */
  pin: Product | null
}

/**
 * Writes purchases down and holds their money, all or none: who lacks money or pins has left nothing. A purchase whose
 * reference was used before is refused alone, whatever became of the first (BX0023). Rows are locked before money, and
 * money before the stock, here as everywhere.
 * @returns the ids, in the order of the purchases.
 * @throws BillRefusal EXC00102 or BX0003 for the whole batch, which is then to be repeated one by one.
 */
export async function createPurchases(
  tx: Tx,
  now: Date,
  purchases: readonly NewPurchase[],
): Promise<ItemResult<number>[]> {
  const priced = await addFees(tx, purchases)
  const ids = await insertPurchases(tx, now, priced)
  // Of twins in one batch the first wins, as if it had come in a batch of its own.
  const fresh = priced.map((one) => {
    const key = referenceKey(one)
    const id = ids.get(key)
    ids.delete(key)
    return id
  })
  const taken = priced.flatMap((one, index) => (fresh[index] === undefined ? [] : [{ ...one, id: fresh[index] }]))
  await holdMoney(tx, now, taken.map(toHold)).catch((error: unknown) => {
    throw error instanceof Invalid ? new BillRefusal('EXC00102') : error
  })
  for (const { pin, details } of taken.toSorted((one, other) => (one.pin?.id ?? 0) - (other.pin?.id ?? 0)))
    if (pin) await takePinsFromStock(tx, pin, details.pins ?? 1)
  return fresh.map((id) =>
    id === undefined ? { ok: false, error: new BillRefusal('BX0023') } : { ok: true, value: id },
  )
}

/** The hold of a purchase, which is also what settles or releases it. */
export function toHold(
  purchase: Pick<
    Purchase,
    'id' | 'organization' | 'account' | 'amount' | 'fee' | 'kind' | 'agent_reference' | 'author'
  >,
): Hold {
  const { id, organization, account, amount, fee, kind, agent_reference, author } = purchase
  return {
    reference: `bill:${id}`,
    kind: 'bill_payment',
    currency: BILL_CURRENCY,
    description: `Bill payment ${agent_reference} (${kind})`,
    ...{ organization, account, amount, fee, author },
  }
}

/** These purchases, by id. */
export async function findPurchasesById(db: Reader, ids: readonly number[]): Promise<Map<number, Purchase>> {
  const rows = await db<PurchaseRow[]>`select ${columns()} from bill_purchases where id = any(${ids}::bigint[])`
  return new Map(rows.map((row) => [row.id, toPurchase(row)]))
}

/** The purchase that an organization made under this reference, which may also be our own number of it. */
export async function findPurchase(
  db: Reader,
  organization: number,
  by: { agent_reference: string } | { id: number },
): Promise<Purchase | undefined> {
  const [row] = await db<PurchaseRow[]>`
    select ${columns()} from bill_purchases where organization = ${organization}
      and ${'id' in by ? sql`id = ${by.id}` : sql`agent_reference = ${by.agent_reference}`}`
  return row && toPurchase(row)
}

/** Locks those of these purchases that are still open, in id order. */
export async function lockOpenPurchases(tx: Tx, ids: readonly number[]): Promise<Map<number, Purchase>> {
  const rows = await tx<PurchaseRow[]>`
    select ${columns()} from bill_purchases where id = any(${ids}::bigint[]) order by id for update`
  return new Map(rows.filter(({ status }) => status === 'pending').map((row) => [row.id, toPurchase(row)]))
}

export interface PurchaseFilters {
  organization?: number
  status?: PurchaseStatus
  kind?: Category
  agent_reference?: string
}

/** Purchases: the newest, unless a page says otherwise. */
export async function listPurchases(
  db: Reader,
  filters: PurchaseFilters,
  limit: number,
  { offset = 0, descending = true } = {},
): Promise<Purchase[]> {
  const rows = await db<PurchaseRow[]>`
    select ${columns()} from bill_purchases where ${matchesFilters(filters)}
    order by id ${descending ? sql`desc` : sql`asc`} limit ${limit} offset ${offset}`
  return rows.map(toPurchase)
}

/** How many purchases `listPurchases` has on all its pages. */
export async function countPurchases(db: Reader, filters: PurchaseFilters): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*) from bill_purchases where ${matchesFilters(filters)}`
  return row!.count
}

function matchesFilters({ organization, status, kind, agent_reference }: PurchaseFilters) {
  return sql`${organization === undefined ? sql.always : sql`organization = ${organization}`}
    and ${status === undefined ? sql.always : sql`status = ${status}`}
    and ${kind === undefined ? sql.always : sql`kind = ${kind}`}
    and ${agent_reference === undefined ? sql.always : sql`agent_reference = ${agent_reference}`}`
}

type PricedPurchase = NewPurchase & { fee: Amount }

/** What each purchase costs, by the rates of now; they are those of every network, for bills go through none. */
async function addFees(tx: Tx, purchases: readonly NewPurchase[]): Promise<PricedPurchase[]> {
  const rates = await readFeeRates(
    tx,
    purchases.map(({ organization }) => ({ organization, kind: 'bill', currency: BILL_CURRENCY, network: null })),
  )
  return purchases.map((one, index) => ({ ...one, fee: calculateFee(rates[index], one.amount, BILL_CURRENCY) }))
}

async function insertPurchases(tx: Tx, now: Date, purchases: readonly PricedPurchase[]): Promise<Map<string, number>> {
  // In one order everywhere, so that two batches with the same references wait for each other instead of locking up.
  const sorted = purchases
    .map((one, index) => ({ ...one, index, key: referenceKey(one) }))
    .sort((one, other) => (one.key === other.key ? one.index - other.index : one.key < other.key ? -1 : 1))
  const rows = await tx<{ id: number; organization: number; agent_reference: string }[]>`
    insert into bill_purchases (organization, account, agent_reference, agent_id, reference, biller, kind, service_type,
      account_number, phone, amount, fee, currency, details, scenario, metadata, status, due_at, created, author, modified)
    select p.organization, p.account, p.agent_reference, p.agent_id, p.reference, p.biller, p.kind, p.service_type,
      p.account_number, p.phone, p.amount, p.fee, ${BILL_CURRENCY}, p.details::json, p.scenario, p.metadata::json, 'pending',
      ${now}, ${truncateToSecond(now)}, p.author, ${truncateToSecond(now)}
    from unnest(${sorted.map((p) => p.organization)}::bigint[], ${sorted.map((p) => p.account)}::bigint[],
      ${sorted.map((p) => p.agent_reference)}::text[], ${sorted.map((p) => p.agent_id)}::text[],
      ${sorted.map(() => generateReference())}::text[], ${sorted.map((p) => p.biller)}::text[],
      ${sorted.map((p) => p.kind)}::text[], ${sorted.map((p) => p.service_type)}::text[],
      ${sorted.map((p) => p.account_number)}::text[], ${sorted.map((p) => p.phone)}::text[],
      ${sorted.map((p) => formatAmount(p.amount))}::numeric[], ${sorted.map((p) => formatAmount(p.fee))}::numeric[],
      ${sorted.map((p) => encodeDetails(p.details))}::text[],
      ${sorted.map((p) => p.scenario)}::text[], ${sorted.map((p) => JSON.stringify(p.metadata))}::text[],
      ${sorted.map((p) => p.author)}::bigint[])
      as p(organization, account, agent_reference, agent_id, reference, biller, kind, service_type, account_number, phone,
        amount, fee, details, scenario, metadata, author)
    on conflict (organization, agent_reference) do nothing
    returning id, organization, agent_reference`
  return new Map(rows.map((row) => [referenceKey(row), row.id]))
}

function referenceKey({ organization, agent_reference }: { organization: number; agent_reference: string }): string {
  return `${organization}:${agent_reference}`
}

/** At most 40 characters, as every counter takes; another installation at the same biller never draws the same. */
function generateReference(): string {
  return `KB${randomUUID().replaceAll('-', '')}`
}

type PurchaseRow = Omit<Purchase, 'details'> & {
  details: Omit<VendDetails, 'pin_value' | 'tariff'> & { pin_value?: string; tariff?: string }
}

/** In JSON an amount is a text. */
function encodeDetails(details: VendDetails): string {
  return JSON.stringify(details, (_name, value: unknown) => (typeof value === 'bigint' ? formatAmount(value) : value))
}

function toPurchase(row: PurchaseRow): Purchase {
  const { pin_value, tariff, ...details } = row.details
  return {
    ...row,
    details: {
      ...details,
      ...(pin_value !== undefined && { pin_value: parseAmount(pin_value) }),
      ...(tariff !== undefined && { tariff: parseAmount(tariff) }),
    },
  }
}

function columns() {
  return sql`id, organization, account, agent_reference, agent_id, reference, biller, kind, service_type, account_number,
    phone, amount, fee, currency, details, scenario, metadata, status, outcome, message, remote_id, vended, failure_code, sent,
    status_queries, due_at, created, author, modified, updated_by`
}

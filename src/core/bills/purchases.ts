import { randomUUID } from 'node:crypto'
import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { insert, type NewRow } from '../../db/table.ts'
import {
  type AnyEffect,
  type Effect,
  idsFrom,
  type Query,
  together,
  type Work,
  workApart,
} from '../../db/unit-of-work.ts'
import type { ItemResult } from '../../lib/batches/batch.ts'
import { WriteConflict } from '../../lib/batches/write-conflict.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { type NetworkOrder, newOrders, orderIds, toNetworkOrder } from '../connections/network-orders.ts'
import { claimKey, type DuplicateKeyClaim, keyClaims, linkedKeys, releasedKeys } from '../idempotency.ts'
import { calculateFee, feesOf, findFee } from '../ledger/fees.ts'
import { type Hold, heldAccounts, heldMoney } from '../ledger/holds.ts'
import { Invalid, isRefusal } from '../refusals.ts'
import { approvalRules, countRequiredApprovals } from '../spending/approval-rules.ts'
import { limitChecks } from '../spending/limits.ts'
import { changedCostsError, type ReviewedCosts } from '../spending/review-token.ts'
import { type Category, type Product, takePinsFromStock } from './catalogue.ts'
import type { ChosenSeller } from './choose-seller.ts'
import { toLimited } from './limits.ts'
import {
  type CurrentAttempt,
  encodeDetails,
  type Purchase,
  type PurchaseRow,
  type PurchaseStatus,
  purchaseTable,
  type StoredPurchase,
  toPurchase,
} from './purchase.ts'
import { BillRefusal } from './refusals.ts'
import { BILL_CURRENCY, DEFAULT_COUNTRY } from './wallets.ts'

export { type Purchase, type PurchaseStatus, purchaseStatuses, type StoredPurchase, withAttempt } from './purchase.ts'

/** True if a purchase waits for an approval: it was not sent, and its money is on hold. */
export function awaitsApproval({ status, approvals, approvals_required }: Purchase): boolean {
  return status === 'pending' && approvals < approvals_required
}

/** A purchase that has passed all checks except two: that its reference is new, and that the wallet has enough money. */
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
    >,
    Partial<Pick<Purchase, 'country' | 'currency' | 'remote_service' | 'remote_product' | 'cost'>> {
  /** Costs that a person has seen: at others it is refused. Undefined without a review. */
  reviewed?: ReviewedCosts | undefined
  /** The pin product whose stock decreases; null for other purchases. */
  pin: Product | null
  /** Unless given, the organization decides. */
  send_token?: boolean | undefined
  claim?: DuplicateKeyClaim
}

/**
 * Creates purchases, each alone as `createPurchase` does.
 * @returns for each purchase its id or its refusal: Duplicate, BillRefusal or Invalid
 * @throws BillRefusal EXC00102 or BX0003 if money or pins are missing for all of them, or WriteConflict. Nothing is
 *   written, and the caller tries the batch again, and then in parts.
 */
export function createPurchases(tx: Tx, now: Date, purchases: readonly NewPurchase[]): Promise<ItemResult<number>[]> {
  return workApart({ tx, now, effects: newPurchaseEffects }, isRefusal, purchases, createPurchase)
}

/**
 * Creates a purchase and holds its money. One with a Duplicate-Check-Key or a reference that was used before is refused,
 * even if the first purchase failed. A refused purchase uses up no key. One above an approval rule is not due until it
 * is approved.
 * @returns its id
 * @throws Duplicate. BillRefusal BX0023, EXC00127. Invalid for other costs than those reviewed
 */
async function createPurchase(work: Work, item: NewPurchase): Promise<number> {
  const { organization, claim, reviewed, biller: connection, currency = BILL_CURRENCY, pin, ...given } = item
  const {
    country = DEFAULT_COUNTRY,
    remote_service = null,
    remote_product = null,
    cost = null,
    send_token = null,
    ...fields
  } = given
  const limited = toLimited({ ...item, currency })
  const { duplicate, id, order, rates, rules, is_used, checkLimits, accounts } = await together({
    duplicate: claimKey(work, purchaseKeys, item),
    id: work.load(purchaseIds, {}),
    order: work.load(orderIds, {}),
    rates: work.load(feesOf, organization),
    rules: work.load(approvalRules, organization),
    is_used: work.lock(usedReferences, referenceKey(item)),
    checkLimits: work.load(limitChecks, limited),
    accounts: work.load(heldAccounts, organization),
  })
  if (duplicate) throw duplicate
  if (is_used) throw new BillRefusal('BX0023')
  const { amount } = item
  const fee = calculateFee(findFee(rates, { kind: 'bill', currency, network: null }), amount, currency)
  const changed = reviewed && changedCostsError(currency, reviewed, { amount, fee })
  if (changed) throw changed
  const over = checkLimits(limited)
  if (over) throw new BillRefusal('EXC00127', over.fields.amount?.join(' '))

  const approvals_required = countRequiredApprovals([{ currency, amount }], rules)
  const purchase = { ...fields, send_token, id, organization, country, currency, fee, approvals_required }
  const vend = toVend(
    { ...purchase, attempt: 1 },
    { connection, remote_service, remote_product, cost },
    order,
    work.now,
  )
  work.add(newPurchases, purchase)
  work.add(newOrders, approvals_required > 0 ? { ...vend, due_at: null } : vend)
  work.add(linkedKeys, { claim, object: id })
  work.add(purchaseMoney, { hold: toHold(purchase), accounts })
  if (pin) work.add(takenPins, { pin, count: item.details.pins ?? 1 })
  return id
}

const purchaseIds = idsFrom('bill_purchases_id_seq')
const purchaseKeys = keyClaims('billpayment')

/** References by `referenceKey`: true for one that an earlier purchase has used. Two items of a transaction share none. */
const usedReferences: Query<string, boolean> = {
  async read(tx, keys) {
    const references = keys.map((key) => {
      const end = key.indexOf(':')
      return { key, organization: Number(key.slice(0, end)), agent_reference: key.slice(end + 1) }
    })
    const isUsed = await findUsedReferences(tx, references)
    return new Map(references.map((one) => [one.key, isUsed(one)]))
  },
}

/** Finds which of the references are already used by purchases of their organizations. */
export async function findUsedReferences(
  db: Reader,
  purchases: readonly OwnReference[],
): Promise<(purchase: OwnReference) => boolean> {
  const wanted = rows(purchases, { organization: 'bigint', agent_reference: 'text' })
  const used = await db<OwnReference[]>`
    select p.organization, p.agent_reference from ${wanted.as('w')}
    join bill_purchases p on p.organization = w.organization and p.agent_reference = w.agent_reference`
  const keys = new Set(used.map(referenceKey))
  return (purchase) => keys.has(referenceKey(purchase))
}

/** The hold of a purchase. The same value creates, settles and releases it. */
export function toHold(
  purchase: Pick<
    Purchase,
    'id' | 'organization' | 'account' | 'amount' | 'fee' | 'currency' | 'kind' | 'agent_reference' | 'author'
  >,
): Hold {
  const { id, organization, account, amount, fee, currency, kind, agent_reference, author } = purchase
  return {
    reference: `bill:${id}`,
    kind: 'bill_payment',
    connection: null,
    description: `Bill payment ${agent_reference} (${kind})`,
    organization,
    account,
    amount,
    fee,
    currency,
    author,
  }
}

export async function findPurchasesById(db: AnyReader, ids: readonly number[]): Promise<Map<number, Purchase>> {
  const found = await selectPurchases(db, sql`p.id = any(${ids}::bigint[])`)
  return new Map(found.map((purchase) => [purchase.id, purchase]))
}

/** The purchase of an organization with this reference or this id, or undefined. */
export async function findPurchase(
  db: Reader,
  organization: number,
  by: { agent_reference: string } | { id: number },
): Promise<Purchase | undefined> {
  const is_it = 'id' in by ? sql`p.id = ${by.id}` : sql`p.agent_reference = ${by.agent_reference}`
  const [purchase] = await selectPurchases(db, sql`p.organization = ${organization} and ${is_it}`)
  return purchase
}

/** Locks these purchases in id order and returns them as they are stored now, by id. */
export async function lockPurchases(tx: Tx, ids: readonly number[]): Promise<Map<number, Purchase>> {
  const [, purchases] = await Promise.all([lockStoredPurchases(tx, ids), findPurchasesById(tx, ids)])
  return purchases
}

/** As `lockPurchases`, without the current attempts. */
export async function lockStoredPurchases(tx: Tx, ids: readonly number[]): Promise<Map<number, StoredPurchase>> {
  const rows = await tx<PurchaseRow[]>`
    select ${purchaseTable.columns} from bill_purchases where id = any(${ids}::bigint[]) order by id for update`
  return new Map(rows.map((row) => [row.id, toPurchase(row)]))
}

interface PurchaseFilters {
  organization?: number
  status?: PurchaseStatus
  kind?: Category
  agent_reference?: string
}

/** Lists purchases that match the filters, newest first by default. */
export async function listPurchases(
  db: AnyReader,
  filters: PurchaseFilters,
  limit: number,
  { offset = 0, descending = true } = {},
): Promise<Purchase[]> {
  return selectPurchases(
    db,
    sql`${matchesFilters(filters)} order by p.id ${descending ? sql`desc` : sql`asc`} limit ${limit} offset ${offset}`,
  )
}

/** The number of purchases on all pages of `listPurchases`. */
export async function countPurchases(db: AnyReader, filters: PurchaseFilters): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*) from bill_purchases p where ${matchesFilters(filters)}`
  return row!.count
}

function matchesFilters({ organization, status, kind, agent_reference }: PurchaseFilters) {
  return sql`${organization === undefined ? sql.always : sql`p.organization = ${organization}`}
    and ${status === undefined ? sql.always : sql`p.status = ${status}`}
    and ${kind === undefined ? sql.always : sql`p.kind = ${kind}`}
    and ${agent_reference === undefined ? sql.always : sql`p.agent_reference = ${agent_reference}`}`
}

type PurchaseToInsert = Omit<NewRow<typeof purchaseTable>, 'details' | 'status' | 'created' | 'modified'> &
  Pick<Purchase, 'id' | 'details'>

/** Writes purchases. @throws WriteConflict when another transaction has used one of the references first. The next try reads it. */
const newPurchases: Effect<PurchaseToInsert> = {
  async write(tx, now, purchases) {
    // The order is the same everywhere, so two batches with the same references wait for each other without a deadlock.
    const sorted = purchases.toSorted((one, other) => (referenceKey(one) < referenceKey(other) ? -1 : 1))
    const created = truncateToSecond(now)
    const inserted = await tx`
      ${insert(purchaseTable, sorted, {
        id: ({ id }) => id,
        details: ({ details }) => encodeDetails(details),
        status: 'pending',
        created,
        modified: created,
      })}
      on conflict (organization, agent_reference) do nothing`
    if (inserted.count < purchases.length) throw new WriteConflict('Another transaction used a reference first.')
  },
}

const purchaseMoney: typeof heldMoney = {
  async write(tx, now, held) {
    try {
      await heldMoney.write(tx, now, held)
    } catch (error) {
      throw error instanceof Invalid ? new BillRefusal('EXC00102') : error
    }
  },
}

/** Pins that leave the stock, in the order of their products. */
const takenPins: Effect<{ pin: Product; count: number }> = {
  async write(tx, _, taken) {
    for (const { pin, count } of taken.toSorted((one, other) => one.pin.id - other.pin.id))
      await takePinsFromStock(tx, pin, count)
  },
}

/** The effects of new purchases, in the order in which they are written: rows, money, stock. */
const newPurchaseEffects: readonly AnyEffect[] = [
  newPurchases,
  newOrders,
  linkedKeys,
  purchaseMoney,
  takenPins,
  releasedKeys,
]

/** The order of an attempt to buy at a provider, which begins and is due now. */
export function toVend(
  purchase: Pick<Purchase, 'id' | 'organization' | 'attempt' | 'phone' | 'amount' | 'currency'>,
  seller: ChosenSeller,
  id: number,
  now: Date,
): NetworkOrder {
  const { id: bill_purchase, organization, attempt, phone: phonenumber, amount, currency } = purchase
  const order = { organization, bill_purchase, attempt, phonenumber, amount, currency, receiver: '', reason: '' }
  const begun = toNetworkOrder({ ...order, ...seller, kind: 'vend', reference: generateReference() }, id, now)
  return { ...begun, created: truncateToSecond(now) }
}

/** A reference of an organization, which is unique for all time. */
type OwnReference = Pick<Purchase, 'organization' | 'agent_reference'>

/** Returns the name of a reference among all organizations. */
export function referenceKey({ organization, agent_reference }: OwnReference): string {
  return `${organization}:${agent_reference}`
}

/** A reference of at most 40 characters, as every biller accepts. It is unique across installations at the same biller. */
function generateReference(): string {
  return `KB${randomUUID().replaceAll('-', '')}`
}

/** Purchases with their current attempts. */
async function selectPurchases(db: AnyReader, where: Fragment): Promise<Purchase[]> {
  const found = await db<(PurchaseRow & CurrentAttempt)[]>`
    select p.id, p.organization, p.account, p.agent_reference, p.agent_id, o.reference, o.connection as biller, p.attempt,
      o.remote_service, o.remote_product, o.cost, p.kind, p.service_type, p.country, p.account_number, p.phone, p.amount,
      p.fee, p.currency, p.details, p.scenario, p.metadata, p.send_token, p.status, p.outcome, o.message, o.remote_id,
      p.vended, o.charged, o.charged_currency, p.failure_code, o.sent_real as sent, o.sent as started, o.restored,
      o.network_calls as status_queries, p.approvals_required, p.approvals, o.due_at, p.created, p.author, p.modified,
      p.updated_by, o.attested, o.attention
    from bill_purchases p ${currentAttempt} where ${where}`
  return found.map(toPurchase)
}

/** SQL: the order `o` of the current attempt of a purchase `p`. */
export const currentAttempt = sql`join network_orders o on o.bill_purchase = p.id and o.attempt = p.attempt`

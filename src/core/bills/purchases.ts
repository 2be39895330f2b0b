import { randomUUID } from 'node:crypto'
import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import type { VendDetails, VendedGoods } from '../../lib/adapter-types.ts'
import type { ItemResult } from '../../lib/batches/batch.ts'
import { WriteConflict } from '../../lib/batches/write-conflict.ts'
import { zip } from '../../lib/batches/zip.ts'
import { type Amount, formatAmount, parseAmount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { claimDuplicateKeys, type DuplicateKeyClaim, findDuplicates, linkKeysToObjects } from '../idempotency.ts'
import { calculateFee, readFeeRates } from '../ledger/fees.ts'
import { findHeldAccounts, type Hold, holdMoney } from '../ledger/holds.ts'
import { type Duplicate, Invalid } from '../refusals.ts'
import { countRequiredApprovals, readApprovalRules } from '../spending/approval-rules.ts'
import { type Category, type Product, takePinsFromStock } from './catalogue.ts'
import { type ReviewablePurchase, refuseByCosts } from './limits.ts'
import { type BillCode, BillRefusal } from './refusals.ts'
import { BILL_CURRENCY, DEFAULT_COUNTRY } from './wallets.ts'

export const purchaseStatuses = ['pending', 'success', 'failed'] as const
export type PurchaseStatus = (typeof purchaseStatuses)[number]

const purchaseTable = table('bill_purchases', {
  id: column.id(),
  organization: column.bigint(),
  account: column.bigint(),
  agent_reference: column.text(),
  agent_id: column.text().nullable(),
  /** Reference for the provider of the current attempt. */
  reference: column.text(),
  /** The slug of the connection to this provider. */
  biller: column.text(),
  /** Number of providers tried, with the current one. */
  attempt: column.integer().default(1),
  /** Provider's names of the service; null if it uses ours. */
  remote_service: column.text().nullable(),
  remote_product: column.text().nullable(),
  /** Cost at the provider, if known. */
  cost: column.numeric().nullable(),
  kind: column.text<Category>(),
  service_type: column.text(),
  /** ISO 3166-1: where the service is sold. */
  country: column.text().default('NG').given(),
  account_number: column.text(),
  phone: column.text(),
  amount: column.numeric(),
  /** The fee of the service. It is held and settled together with the amount. */
  fee: column.numeric().default(0n).given(),
  currency: column.text(),
  details: column.json<PurchaseDetails>(),
  scenario: column.text().nullable(),
  metadata: column.json<Record<string, unknown>>(),
  /** True if the customer gets the token in an SMS; null if the organization's setting decides. */
  send_token: column.boolean().nullable(),
  status: column.text<PurchaseStatus>(),
  /** The last answer of the biller; null before the first one. */
  outcome: column.text<'accepted' | 'successful' | 'failed' | 'unknown' | 'not_found'>().later(),
  message: column.text().later(),
  remote_id: column.text().later(),
  vended: column.json<VendedGoods>().later(),
  /** Charge to our float that the provider reports, and its currency; null if it has not said. */
  charged: column.numeric('38,4').later(),
  charged_currency: column.text().later(),
  failure_code: column.text<BillCode>().later(),
  /** Time when the order was sent, in real time. After that the service only checks its status. */
  sent: column.timestamptz().later(),
  /** Time when the current attempt was sent, on the service's clock; null before that. */
  started: column.timestamptz().later(),
  /** A restore found it unsent. It may have been sent all the same, at an unknown time: it only gets status queries. */
  restored: column.boolean().default(false),
  status_queries: column.integer().default(0),
  /** Number of approvals required, and given. */
  approvals_required: column.integer().default(0).given(),
  approvals: column.integer().default(0),
  /** Time of the next sending or status query; null when it has ended, and while it waits for an approval. */
  due_at: column.timestamptz().nullable(),
  created: column.timestamptz(),
  author: column.bigint(),
  modified: column.timestamptz(),
  updated_by: column.bigint().later(),
  /** Outcome that people have attested and approved (core/attestations). */
  attested: column.text<'successful' | 'failed'>().later(),
  /** Reason why a person must look at it; null if nobody must. */
  attention: column.text().later(),
  leased_until: column.timestamptz().later(),
})

const storedPurchase = purchaseTable.omit('leased_until')

/** A purchase as its table has it. */
export type PurchaseRow = Row<typeof storedPurchase>

/** A bill purchase of an organization for a customer. Its money is on hold while it is `pending`. */
export interface Purchase extends Omit<PurchaseRow, 'details'> {
  details: VendDetails
}

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
    Partial<Pick<Purchase, 'country' | 'currency' | 'remote_service' | 'remote_product' | 'cost'>>,
    ReviewablePurchase {
  /** The pin product whose stock decreases; null for other purchases. */
  pin: Product | null
  /** Unless given, the organization decides. */
  send_token?: boolean | undefined
  claim?: DuplicateKeyClaim
}

/** The type of a purchase in the refusals of duplicates: the first word of its events. */
const PURCHASE_TYPE = 'billpayment'

/**
 * Creates purchases and holds their money, all or none: if money or pins are missing, nothing is written. A purchase
 * with a Duplicate-Check-Key or a reference that was used before is refused alone (Duplicate, BX0023), even if the
 * first purchase failed. A refused purchase uses up no key. One above an approval rule is not due until it is approved.
 *
 * The lock order is the same everywhere: keys, rows, money, stock. The ids are drawn before the rows are written, so
 * that rows and holds travel together.
 * @returns for each purchase its id or its refusal.
 * @throws BillRefusal EXC00102 or BX0003, or WriteConflict, for the whole batch. The caller then tries the batch again,
 *   and then in parts.
 */
export async function createPurchases(
  tx: Tx,
  now: Date,
  purchases: readonly NewPurchase[],
): Promise<ItemResult<number>[]> {
  const held_accounts = findHeldAccounts(tx, purchases)
  const [priced, ids, refusals, rules] = await Promise.all([
    addFees(tx, purchases),
    drawIds(tx, purchases.length),
    refuseDuplicates(tx, now, purchases),
    readApprovalRules(tx, purchases),
    held_accounts,
  ])
  await refuseByCosts(tx, now, priced, refusals)
  const decided = zip(ids, refusals).map(([id, refusal]) => ({ id, refusal }))
  const accepted = zip(priced, decided).flatMap(([one, { id, refusal }]) =>
    refusal ? [] : [{ ...one, id, approvals_required: countRequiredApprovals({ ...one, sums: [one] }, rules) }],
  )
  const links = accepted.map(({ claim, id }) => ({ claim, object: id }))
  await Promise.all([
    insertPurchases(tx, now, accepted),
    linkKeysToObjects(tx, links),
    holdMoney(tx, now, accepted.map(toHold), held_accounts).catch((error: unknown) => {
      throw error instanceof Invalid ? new BillRefusal('EXC00102') : error
    }),
  ])
  for (const { pin, details } of accepted.toSorted((one, other) => (one.pin?.id ?? 0) - (other.pin?.id ?? 0)))
    if (pin) await takePinsFromStock(tx, pin, details.pins ?? 1)
  return decided.map(({ id, refusal }) => (refusal ? { ok: false, error: refusal } : { ok: true, value: id }))
}

/** Draws the ids of new purchases. Ids of purchases that are refused after all stay unused. */
async function drawIds(tx: Tx, count: number): Promise<number[]> {
  const drawn = await tx<{ id: number }[]>`
    select nextval('bill_purchases_id_seq') as id from generate_series(1, ${count})`
  return drawn.map(({ id }) => id)
}

/**
 * Claims the keys of purchases, and refuses those whose key or reference was used before. Of several purchases of a
 * batch with one reference the first is accepted, as if it had a batch of its own. The key of a purchase whose
 * reference was used before stays free.
 * @throws WriteConflict when purchases of a batch with keys have the same key or reference: in parts, each is checked
 *   against the outcome of those before it.
 */
async function refuseDuplicates(
  tx: Tx,
  now: Date,
  purchases: readonly NewPurchase[],
): Promise<(Duplicate | BillRefusal | Invalid | undefined)[]> {
  const with_keys = purchases.filter(({ claim }) => claim)
  const keys = new Set(with_keys.map(({ organization, claim }) => `${organization}:${claim!.hash}`))
  const references = new Set(purchases.map(referenceKey))
  if (with_keys.length > 0 && (keys.size < with_keys.length || references.size < purchases.length))
    throw new WriteConflict('Purchases of one batch have the same key or reference.')
  const isUsed = await findUsedReferences(tx, purchases)
  const repeats = purchases.map((one) => isUsed(one) || !references.delete(referenceKey(one)))
  const claims = purchases.map(({ claim }, index) => (repeats[index] ? undefined : claim))
  const [used_keys, claimed] = [
    await findDuplicates(
      tx,
      now,
      purchases.map(({ claim }, index) => (repeats[index] ? claim : undefined)),
    ),
    await claimDuplicateKeys(tx, now, PURCHASE_TYPE, claims),
  ]
  return purchases.map((_, index) =>
    repeats[index] ? (used_keys[index] ?? new BillRefusal('BX0023')) : claimed[index],
  )
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
    ...{ organization, account, amount, fee, currency, author },
  }
}

export async function findPurchasesById(db: AnyReader, ids: readonly number[]): Promise<Map<number, Purchase>> {
  const rows = await db<PurchaseRow[]>`select ${purchaseColumns} from bill_purchases where id = any(${ids}::bigint[])`
  return new Map(rows.map((row) => [row.id, toPurchase(row)]))
}

/** The purchase of an organization with this reference or this id, or undefined. */
export async function findPurchase(
  db: Reader,
  organization: number,
  by: { agent_reference: string } | { id: number },
): Promise<Purchase | undefined> {
  const [row] = await db<PurchaseRow[]>`
    select ${purchaseColumns} from bill_purchases where organization = ${organization}
      and ${'id' in by ? sql`id = ${by.id}` : sql`agent_reference = ${by.agent_reference}`}`
  return row && toPurchase(row)
}

/** Locks these purchases in id order and returns them as they are stored now, by id. */
export async function lockPurchases(tx: Tx, ids: readonly number[]): Promise<Map<number, Purchase>> {
  const rows = await tx<PurchaseRow[]>`
    select ${purchaseColumns} from bill_purchases where id = any(${ids}::bigint[]) order by id for update`
  return new Map(rows.map((row) => [row.id, toPurchase(row)]))
}

export interface PurchaseFilters {
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
  const rows = await db<PurchaseRow[]>`
    select ${purchaseColumns} from bill_purchases where ${matchesFilters(filters)}
    order by id ${descending ? sql`desc` : sql`asc`} limit ${limit} offset ${offset}`
  return rows.map(toPurchase)
}

/** The number of purchases on all pages of `listPurchases`. */
export async function countPurchases(db: AnyReader, filters: PurchaseFilters): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*) from bill_purchases where ${matchesFilters(filters)}`
  return row!.count
}

function matchesFilters({ organization, status, kind, agent_reference }: PurchaseFilters) {
  return sql`${organization === undefined ? sql.always : sql`organization = ${organization}`}
    and ${status === undefined ? sql.always : sql`status = ${status}`}
    and ${kind === undefined ? sql.always : sql`kind = ${kind}`}
    and ${agent_reference === undefined ? sql.always : sql`agent_reference = ${agent_reference}`}`
}

type PricedPurchase = NewPurchase & { fee: Amount; currency: string }

/** Adds the fee of each purchase by the current rates. Bills use no network, so the rates are those for all networks. */
async function addFees(tx: Tx, purchases: readonly NewPurchase[]): Promise<PricedPurchase[]> {
  const in_currency = purchases.map(({ currency = BILL_CURRENCY, ...one }) => ({ ...one, currency }))
  const rates = await readFeeRates(
    tx,
    in_currency.map(({ organization, currency }) => ({ organization, kind: 'bill', currency, network: null })),
  )
  return in_currency.map((one, index) => ({ ...one, fee: calculateFee(rates[index], one.amount, one.currency) }))
}

/** @throws WriteConflict when another transaction has used one of the references first. The next try reads it. */
async function insertPurchases(
  tx: Tx,
  now: Date,
  purchases: readonly (PricedPurchase & Pick<Purchase, 'id' | 'approvals_required'>)[],
): Promise<void> {
  if (purchases.length === 0) return
  // The order is the same everywhere, so two batches with the same references wait for each other without a deadlock.
  const sorted = purchases
    .map((one) => ({ ...one, key: referenceKey(one) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
  const created = truncateToSecond(now)
  const inserted = await tx`
    ${insert(purchaseTable, sorted, {
      id: ({ id }) => id,
      reference: () => generateReference(),
      country: ({ country = DEFAULT_COUNTRY }) => country,
      details: ({ details }) => encodeDetails(details),
      status: 'pending',
      due_at: ({ approvals_required }) => (approvals_required === 0 ? now : null),
      created,
      modified: created,
    })}
    on conflict (organization, agent_reference) do nothing`
  if (inserted.count < purchases.length) throw new WriteConflict('Another transaction used a reference first.')
}

/** A reference of an organization, which is unique for all time. */
type OwnReference = Pick<Purchase, 'organization' | 'agent_reference'>

function referenceKey({ organization, agent_reference }: OwnReference): string {
  return `${organization}:${agent_reference}`
}

/** A reference of at most 40 characters, as every biller accepts. It is unique across installations at the same biller. */
export function generateReference(): string {
  return `KB${randomUUID().replaceAll('-', '')}`
}

/** Details as they are stored. */
type PurchaseDetails = Omit<VendDetails, 'pin_value' | 'tariff'> & { pin_value?: string; tariff?: string }

/** Encodes details: in JSON an amount is a text. */
function encodeDetails({ pin_value, tariff, ...details }: VendDetails): PurchaseDetails {
  return {
    ...details,
    ...(pin_value !== undefined && { pin_value: formatAmount(pin_value) }),
    ...(tariff !== undefined && { tariff: formatAmount(tariff) }),
  }
}

/** The purchase that a row is. */
export function toPurchase(row: PurchaseRow): Purchase {
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
/** The columns of a `PurchaseRow`. */
export const purchaseColumns = storedPurchase.columns

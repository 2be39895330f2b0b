import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, displayAmount, formatAmount, parseAmount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { isOnlyOrganization } from '../access/organizations.ts'
import { id, timestamp } from '../fields.ts'
import { MAX_COUNTED } from '../queues.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { addOffer, changeOffer, getOffer, removeOffer } from './offers.ts'
import { nameServices } from './service-names.ts'

/*
 * Differences between a provider's catalogue and our offers. Nothing changes for buyers before a person approves a
 * difference. There is one exception: a product that has become much dearer, or is gone, is not sold
 * (docs/decisions/0034).
 */

export const differenceKinds = ['new', 'gone', 'price', 'limits'] as const
type DifferenceKind = (typeof differenceKinds)[number]
export const differenceStates = ['waiting', 'approved', 'rejected', 'superseded'] as const
export type DifferenceState = (typeof differenceStates)[number]

/** The terms on which something is sold. In JSON an amount is a text. */
const Terms = z.object({
  price: z.string().nullable(),
  commission_percent: z.string().nullable(),
  min: z.string().nullable(),
  max: z.string().nullable(),
})
export type Terms = z.output<typeof Terms>

/** A difference as the console and the CLI show it. */
export const Difference = z.object({
  id,
  /** The slug of the connection. */
  connection: z.string(),
  kind: z.enum(differenceKinds),
  bill_kind: z.string(),
  country: z.string(),
  currency: z.string(),
  remote_service: z.string(),
  remote_product: z.string().nullable(),
  name: z.string(),
  /** Existing offer; null for a new product. */
  offer: id.nullable(),
  before: Terms.nullable(),
  after: Terms.nullable(),
  /** Service and product that a new remote product may belong to, guessed from the names. */
  suggested_service: id.nullable(),
  suggested_product: id.nullable(),
  suggestion: z.string().nullable(),
  state: z.enum(differenceStates),
  found: timestamp,
  decided: timestamp.nullable(),
  decided_by: z.string().nullable(),
})
export type Difference = z.output<typeof Difference>

interface DifferenceFilters {
  connection?: string | undefined
  /** Limits the list to these connections. */
  connections?: readonly string[] | undefined
  kind?: DifferenceKind | undefined
  state?: DifferenceState | undefined
}

/** Lists differences, newest first, with the count of all matches. */
export async function listDifferences(
  db: Reader,
  { connection, connections, kind, state }: DifferenceFilters,
  page: { limit: number; offset: number },
): Promise<{ rows: Difference[]; count: number }> {
  const where = sql`${connection === undefined ? sql.always : sql`d.connection = ${connection}`}
    and ${connections === undefined ? sql.always : sql`d.connection = any(${[...connections]}::text[])`}
    and ${kind === undefined ? sql.always : sql`d.kind = ${kind}`}
    and ${state === undefined ? sql.always : sql`d.state = ${state}`}`
  const [found, [total]] = await Promise.all([
    db<Difference[]>`
      select ${columns} from ${source} where ${where} order by d.id desc limit ${page.limit} offset ${page.offset}`,
    db<{ count: number }[]>`select count(*) from bill_differences d where ${where}`,
  ])
  return { rows: [...found], count: total!.count }
}

/** Counts the differences that wait for a decision. */
export async function countWaitingDifferences(db: Reader): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from (select from bill_differences where state = 'waiting' limit ${MAX_COUNTED}) waiting`
  return row!.count
}

/** Reads one difference. @throws NotFound */
export async function getDifference(db: Reader, id: number): Promise<Difference> {
  const [row] = await db<Difference[]>`select ${columns} from ${source} where d.id = ${id}`
  if (!row) throw new NotFound(getMessage('reconciliation.no_difference', { finding: id }))
  return row
}

const columns = sql`d.id, d.connection, d.kind, d.bill_kind, d.country, d.currency, d.remote_service, d.remote_product, d.name,
  d.offer, d.before, d.after, d.suggested_service, d.suggested_product,
  case when s.id is not null then s.category || '/' || s.service_type || coalesce('/' || p.code, '') end as suggestion,
  d.state, d.found, d.decided, d.decided_by`
const source = sql`bill_differences d left join catalogue_services s on s.id = d.suggested_service
  left join catalogue_products p on p.id = d.suggested_product`

/** Connection to a bill provider. */
export interface BillConnection {
  slug: string
  /** Null for the operator's. */
  organization: number | null
}

/** Lists the slugs of the connections of an organization and, where it is the only one, of the operator. */
export async function ownBillConnections(
  db: Reader,
  connections: readonly BillConnection[],
  organization: number,
): Promise<string[]> {
  const operates = await isOnlyOrganization(db, organization)
  return connections.flatMap((one) =>
    one.organization === organization || (one.organization === null && operates) ? [one.slug] : [],
  )
}

/** A difference that a sync has found. */
export type FoundDifference = Omit<
  Difference,
  'id' | 'connection' | 'suggestion' | 'state' | 'found' | 'decided' | 'decided_by'
>

/** Locks the differences of a connection that wait for a decision, before the offers that they are about. */
export async function lockWaitingDifferences(tx: Tx, connection: string): Promise<void> {
  const waiting = await tx<{ id: number }[]>`
    select id from bill_differences where connection = ${connection} and state = 'waiting'`
  await tx`
    select id from bill_differences where id = any(${waiting.map(({ id }) => id)}::bigint[]) order by id for update`
}

/**
 * Stores the current differences of a connection. One that waits already stays. One that is gone or has changed is
 * superseded. One that a person has rejected does not come again.
 * @returns how many are new
 */
export async function storeDifferences(
  tx: Tx,
  now: Date,
  connection: string,
  found: readonly FoundDifference[],
): Promise<number> {
  const known = await tx<(Pick<Difference, 'id' | 'state'> & FoundDifference)[]>`
    select distinct on (remote_service, remote_product, kind, offer) *
    from bill_differences where connection = ${connection} and state in ('waiting', 'rejected')
    order by remote_service, remote_product, kind, offer, id desc`
  const keys = new Set(found.map(contentOf))
  const outdated = known.filter((one) => one.state === 'waiting' && !keys.has(contentOf(one)))
  const at = truncateToSecond(now)
  await tx`
    update bill_differences set state = 'superseded', decided = ${at}
    where id = any(${outdated.map(({ id }) => id)}::bigint[]) and state = 'waiting'`
  const known_contents = new Set(known.filter((one) => !outdated.includes(one)).map(contentOf))
  const fresh = found.filter((one) => !known_contents.has(contentOf(one)))
  if (fresh.length === 0) return 0
  await tx`${insert(differenceTable, fresh, { connection, state: 'waiting', found: at })} on conflict do nothing`
  return fresh.length
}

const differenceTable = table('bill_differences', {
  id: column.id(),
  connection: column.text(),
  kind: column.text<DifferenceKind>(),
  bill_kind: column.text(),
  country: column.text(),
  currency: column.text(),
  remote_service: column.text(),
  remote_product: column.text().nullable(),
  name: column.text(),
  offer: column.bigint().nullable(),
  before: column.jsonb<Terms>().nullable(),
  after: column.jsonb<Terms>().nullable(),
  suggested_service: column.bigint().nullable(),
  suggested_product: column.bigint().nullable(),
  state: column.text<DifferenceState>(),
  found: column.timestamptz(),
  decided: column.timestamptz().later(),
  decided_by: column.text().later(),
})

/** Returns the content by which two differences are the same. */
function contentOf(one: FoundDifference): string {
  const { kind, remote_service, remote_product, offer, after } = one
  const terms = after && [after.price, after.commission_percent, after.min, after.max]
  return JSON.stringify([kind, remote_service, remote_product, offer, terms])
}

/** Approval of a `new` difference: an offer of this service and product, instead of the suggested ones. */
export interface Approval {
  service?: number | undefined
  product?: number | null | undefined
  priority?: number | undefined
}

/**
 * Applies a waiting difference to our offers. An offer at the price of the provider gets its new price; other prices of
 * ours stay.
 * @param by the person who decides
 * @throws NotFound, Invalid
 */
export async function approveDifference(
  tx: Tx,
  now: Date,
  id: number,
  by: string,
  as: Approval = {},
): Promise<Difference> {
  const difference = await lockWaiting(tx, id)
  const { kind, offer } = difference
  if (kind === 'new') await addNewOffer(tx, now, difference, as)
  else if (offer !== null) {
    const after = readTerms(difference.after)
    if (kind === 'gone') await removeOffer(tx, offer)
    if (kind === 'limits') await changeOffer(tx, now, offer, { min: after.min, max: after.max })
    if (kind === 'price') {
      const before = await getOffer(tx, offer)
      const { price, commission_percent } = after
      await changeOffer(tx, now, offer, { price, commission_percent, off_sale: null })
      if (before.product !== null && before.price !== null && price !== null)
        await followPrice(tx, before.product, before.price, price)
    }
  }
  return decide(tx, now, id, 'approved', by)
}

/**
 * Sells a product at the new price of its provider where it was sold at the old one. Several months follow where their price
 * was the usual multiple (`pricesPerMonth`).
 */
async function followPrice(tx: Tx, product: number, before: Amount, after: Amount): Promise<void> {
  await tx`
    update catalogue_prices set price = ${formatAmount(after)}::numeric * ${USUAL_MULTIPLE}
    where product = ${product} and price = ${formatAmount(before)}::numeric * ${USUAL_MULTIPLE}`
}

const USUAL_MULTIPLE = sql`(case when months between 2 and 10 then months when months = 12 then 11 else 1 end)`

/**
 * Rejects a waiting difference: our offers stay as they are. A product that was taken off sale stays so.
 * @throws NotFound, Invalid
 */
export async function rejectDifference(tx: Tx, now: Date, id: number, by: string): Promise<Difference> {
  await lockWaiting(tx, id)
  return decide(tx, now, id, 'rejected', by)
}

async function lockWaiting(tx: Tx, id: number): Promise<Difference> {
  await tx`select id from bill_differences where id = ${id} for update`
  const difference = await getDifference(tx, id)
  if (difference.state !== 'waiting')
    throw new Invalid({ state: [getMessage('reconciliation.difference_already', { state: difference.state })] })
  return difference
}

async function decide(tx: Tx, now: Date, id: number, state: 'approved' | 'rejected', by: string): Promise<Difference> {
  await tx`
    update bill_differences set state = ${state}, decided = ${truncateToSecond(now)}, decided_by = ${by} where id = ${id}`
  return getDifference(tx, id)
}

async function addNewOffer(tx: Tx, now: Date, difference: Difference, as: Approval): Promise<void> {
  const service = as.service ?? difference.suggested_service
  const product =
    as.product === undefined && as.service === undefined ? difference.suggested_product : (as.product ?? null)
  if (service === null) throw new Invalid({ service: [getMessage('bills.say_services')] })
  const [known] = await tx<{ category: string; country: string; currency: string }[]>`
    select category, country, currency from catalogue_services where id = ${service}`
  if (!known) throw new Invalid({ service: [getMessage('bills.no_service_2', { id: service })] })
  if (known.currency !== difference.currency)
    throw new Invalid({
      service: [getMessage('bills.sold_provider_sells', { currency: known.currency, other: difference.currency })],
    })
  if (known.country !== difference.country)
    throw new Invalid({
      service: [getMessage('bills.service_provider_sells', { country: known.country, other: difference.country })],
    })
  if (known.category !== difference.bill_kind)
    throw new Invalid({
      service: [getMessage('bills.provider_sells', { category: known.category, bill_kind: difference.bill_kind })],
    })
  const { connection, remote_service, remote_product } = difference
  const terms = readTerms(difference.after)
  const { priority } = as
  await addOffer(tx, now, {
    service,
    product,
    connection,
    remote_service,
    remote_product,
    ...terms,
    ...(priority !== undefined && { priority }),
  })
}

function readTerms(terms: Terms | null) {
  const read = (text: string | null | undefined): Amount | null => (text == null ? null : (parseAmount(text) ?? null))
  return {
    price: read(terms?.price),
    min: read(terms?.min),
    max: read(terms?.max),
    commission_percent: terms?.commission_percent ?? null,
  }
}

/** Describe the terms of an offer, such as `price 1,500, commission 2 %`. */
export function describeTerms(terms: Terms | null): string | null {
  if (!terms) return null
  const { price, commission_percent, min, max } = terms
  const parts = [
    price && `price ${shown(price)}`,
    commission_percent && `commission ${commission_percent} %`,
    (min || max) && `${shown(min) ?? ''}–${shown(max) ?? ''}`,
  ]
  return parts.filter(Boolean).join(', ') || 'any amount'
}

function shown(amount: string | null): string | null {
  return amount === null ? null : displayAmount(parseAmount(amount) ?? 0n)
}

/** `electricity/ikeja_electric_prepaid` → its category and the name of the service; a product stays as it is. */
export async function nameSuggestions<One extends { id: number; suggestion: string | null }>(
  db: Reader,
  rows: readonly One[],
) {
  const suggested = rows.flatMap(({ id, suggestion }) => {
    const [kind, service_type, ...product] = suggestion?.split('/') ?? []
    return kind === undefined || service_type === undefined ? [] : [{ id, kind, service_type, product }]
  })
  const named = new Map((await nameServices(db, suggested)).map((one) => [one.id, one]))
  return rows.map((row) => {
    const one = named.get(row.id)
    return { ...row, suggestion_name: one ? [one.kind, one.service_name, ...one.product] : null }
  })
}

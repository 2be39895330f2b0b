import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import type { Amount } from '../../lib/money.ts'
import { currentAttempt } from '../bills/purchases.ts'
import { serviceName } from '../bills/service-names.ts'
import { amount, id } from '../fields.ts'
import { isOwn } from './own.ts'

/** Cause of a transfer, and the other side of it. */
export const Cause = z.object({
  /** Kind of the cause: `none` for entries of an operator. */
  object: z.enum(['collection', 'payment', 'purchase', 'none']),
  /** The id of the collection, the payment or the bill purchase. */
  id: id.nullable(),
  /** True if it is the fee for it. */
  is_fee: z.boolean(),
  /** Purpose of a payment: `payment`, or `refund` or `return` of a collection. */
  purpose: z.enum(['payment', 'refund', 'return']).nullable(),
  collection_request: id.nullable(),
  invoice: id.nullable(),
  /** Collection that a refund pays back. */
  refunded_collection: id.nullable(),
  name: z.string(),
  /** E.164; another text where the number was erased. */
  phonenumber: z.string(),
  network: z.string(),
  /** The slug of the connection. */
  connection: z.string(),
  /** The reference of the network. */
  remote_id: z.string(),
  /** Author of an entry by hand: the name of a user, or `an operator`; null for everything else. */
  entered_by: z.string().nullable(),
  /** Charge of the network for it, as it is booked: on its first line only, so that a sum counts it once. */
  network_fee: amount.nullable(),
})
export type Cause = z.output<typeof Cause>

const NONE: Cause = {
  object: 'none',
  id: null,
  is_fee: false,
  purpose: null,
  collection_request: null,
  invoice: null,
  refunded_collection: null,
  name: '',
  phonenumber: '',
  network: '',
  connection: '',
  remote_id: '',
  entered_by: null,
  network_fee: null,
}

/** Author of an entry that names no user. */
export const AN_OPERATOR = 'an operator'

interface Origin {
  kind: 'collection' | 'payment' | 'bill'
  /** The id of the collection, of the recipient of a payment, or of the bill purchase. */
  id: number
  is_fee: boolean
}

/**
 * Reads the object that the reference of a transfer names: `collection:7:fee`, `end:payment:3`,
 * `reversal:bill:5:part:X1`.
 */
export function readOrigin(reference: string): Origin | undefined {
  const parts = /^(?:(?:hold|end|late|reversal):)?(?:(collection|payment|bill):)?(\d+)(:fee)?(?::part:.*)?$/s.exec(
    reference.replace(/^suspense:/, 'collection:'),
  )
  if (!parts) return undefined
  const [, kind, id, fee] = parts
  // A reversal without a word belongs to a collection.
  if (kind === undefined && !reference.startsWith('reversal:')) return undefined
  return { kind: (kind ?? 'collection') as Origin['kind'], id: Number(id), is_fee: fee !== undefined }
}

/** Reads the causes of these transactions, by their ids. */
export async function causesOf(db: AnyReader, transactions: readonly number[]): Promise<Map<number, Cause>> {
  if (transactions.length === 0) return new Map()
  // The author of an entry of the command line without a user is the service.
  const found = await db<{ id: number; reference: string; entered_by: string | null }[]>`
    select t.id, t.reference, case when t.kind in ('admin_funds_update', 'float_adjustment', 'float_settlement') then
      case u.kind when 'person' then u.name else ${AN_OPERATOR} end end as entered_by
    from transfers t left join users u on u.id = t.author where t.id = any(${[...new Set(transactions)]}::bigint[])`
  const origins = new Map(found.map(({ id: transfer, reference }) => [transfer, readOrigin(reference)]))
  const idsOf = (kind: Origin['kind']) => [
    ...new Set([...origins.values()].flatMap((origin) => (origin?.kind === kind ? [origin.id] : []))),
  ]
  const [collections, payments, bills] = await Promise.all([
    readCollections(db, idsOf('collection')),
    readRecipients(db, idsOf('payment')),
    readPurchases(db, idsOf('bill')),
  ])
  const causes = { collection: collections, payment: payments, bill: bills }
  return new Map(
    found.map(({ id: transfer, reference, entered_by }) => {
      const origin = origins.get(transfer)
      const cause = origin && causes[origin.kind].get(origin.id)
      if (!cause) return [transfer, { ...NONE, entered_by }]
      const { is_fee } = origin
      const is_first = !is_fee && /^(?:collection|hold):/.test(reference)
      return [transfer, { ...cause, is_fee, network_fee: is_first ? cause.network_fee : null }]
    }),
  )
}

/** Row of the look-ups below; `key` is the id in the reference of the transfer. */
interface CauseRow {
  key: number
  object_id: number
  purpose: Cause['purpose']
  collection_request: number | null
  invoice: number | null
  refunded_collection: number | null
  name: string
  phonenumber: string
  network: string
  connection: string
  remote_id: string
  network_fee: Amount | null
}

function toCauses(found: readonly CauseRow[], object: Cause['object']): Map<number, Cause> {
  const others = { object, is_fee: false, entered_by: null }
  return new Map(found.map(({ key, object_id, ...cause }) => [key, { ...cause, ...others, id: object_id }]))
}

/** The fee of the network, where the organization may see it. */
function fee(organization: string): Fragment {
  return sql`case when ${isOwn(sql`e.organization`, sql.identifier(organization))} then f.amount end as network_fee`
}

async function readCollections(db: AnyReader, ids: readonly number[]): Promise<Map<number, Cause>> {
  if (ids.length === 0) return new Map()
  const found = await db<CauseRow[]>`
    select c.id as key, c.id as object_id, null as purpose, c.collection_request, i.invoice,
      null::bigint as refunded_collection, coalesce(nullif(nullif(concat_ws(' ', t.first_name, t.last_name), 'Anonymous Contact'), ''),
        t.name_on_network, '') as name,
      c.phonenumber, c.network, c.connection, c.remote_transaction_id as remote_id, ${fee('c.organization')}
    from collections c left join contacts t on t.id = c.contact
    left join invoice_requests i on i.request = c.collection_request
    left join transfers f on f.reference = 'network_fee:collection:' || c.id left join accounts e on e.id = f.from_account
    where c.id = any(${ids}::bigint[])`
  return toCauses(found, 'collection')
}

async function readRecipients(db: AnyReader, ids: readonly number[]): Promise<Map<number, Cause>> {
  if (ids.length === 0) return new Map()
  const found = await db<CauseRow[]>`
    select r.id as key, p.id as object_id, p.purpose, null::bigint as collection_request, null::bigint as invoice,
      p.collection as refunded_collection, coalesce(nullif(nullif(concat_ws(' ', t.first_name, t.last_name), 'Anonymous Contact'), ''),
        t.name_on_network, '') as name,
      r.phonenumber, r.network, r.connection, coalesce(r.remote_transaction_id, r.remote_id, '') as remote_id,
      ${fee('r.organization')}
    from payment_recipients r join payments p on p.id = r.payment left join contacts t on t.id = r.contact
    left join transfers f on f.reference = 'network_fee:recipient:' || r.id left join accounts e on e.id = f.from_account
    where r.id = any(${ids}::bigint[])`
  return toCauses(found, 'payment')
}

async function readPurchases(db: AnyReader, ids: readonly number[]): Promise<Map<number, Cause>> {
  if (ids.length === 0) return new Map()
  const found = await db<CauseRow[]>`
    select p.id as key, p.id as object_id, null as purpose, null::bigint as collection_request, null::bigint as invoice,
      null::bigint as refunded_collection, concat_ws(' ', ${serviceName('p')}, account_number) as name, phone as phonenumber,
      o.connection as network, o.connection, coalesce(o.remote_id, '') as remote_id, null::numeric as network_fee
    from bill_purchases p ${currentAttempt} where p.id = any(${ids}::bigint[])`
  return toCauses(found, 'purchase')
}

import { z } from 'zod'
import type { AnyReader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { column, insert, table } from '../../db/table.ts'
import { groupsOf } from '../../lib/batches/groups.ts'
import { WriteConflict } from '../../lib/batches/write-conflict.ts'
import type { Amount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { amount, documented, id, timestamp } from '../fields.ts'
import { type Kept, spreadLosses } from './losses.ts'

/**
 * Reasons to allocate money to an object. A payer typed its number; the customer has only this open invoice with the
 * amount; the payer pays for this customer only; it is more than was asked for; credit has paid the next invoice; or a
 * person chose it.
 */
const allocationReasons = [
  'invoice_number',
  'link_number',
  'customer_number',
  'same_amount',
  'only_customer',
  'surplus',
  'credit',
  'person',
] as const
export type AllocationReason = (typeof allocationReasons)[number]

/** An allocation as the API shows it. */
export const Allocation = z
  .object({
    id,
    collection: documented(id, 'The collection.'),
    invoice: documented(id.nullable(), 'The invoice that it pays.', 12),
    payment_link: documented(id.nullable(), 'The payment link that it pays.', null),
    contact: documented(id.nullable(), 'The customer whose credit it is.', null),
    amount: documented(amount, 'Amount of the allocation.', '85000.0000'),
    reason: z.enum(allocationReasons).meta({
      description:
        'Why: `invoice_number`, `link_number`, `customer_number`: the payer typed it. `same_amount`: the only open invoice of the customer with this amount. `only_customer`: the phone pays for this customer only. `surplus`: more than was open. `credit`: credit of the customer. `person`: a person chose it.',
      examples: ['invoice_number'],
    }),
    note: documented(z.string(), 'Note of this person.', ''),
    author: documented(id.nullable(), 'The person; null for the service.', null),
    created: timestamp,
  })
  .meta({ id: 'Allocation' })
export type Allocation = z.output<typeof Allocation>

/** Manual match of a large sum that a second manager has not confirmed yet. */
export const PendingMatch = z
  .object({
    id: documented(id, 'The change, as managers find it in the console.', 7),
    description: documented(z.string(), 'The change in words.', 'Match collection 12 (UGX 2,000,000 …'),
    author: documented(id.nullable(), 'The user who asks for it.', 3),
    author_name: documented(z.string().nullable(), 'The name of this user.', 'Grace'),
    created: timestamp,
    expires: documented(timestamp, 'When it expires, unless a manager confirms it.', '2030-01-18T08:00:00Z'),
  })
  .meta({ id: 'PendingMatch' })
export type PendingMatch = z.output<typeof PendingMatch>

/** Allocations of a collection, and the part of it without a purpose yet. */
export const CollectionAllocations = z
  .object({
    allocations: documented(z.array(Allocation), 'Its allocations.', []),
    amount_unmatched: documented(amount, 'Unmatched part of the amount.', '35000.0000'),
    pending: documented(
      z.array(PendingMatch),
      'Changes that wait for a second manager, because the amount is large.',
      [],
    ),
  })
  .meta({ id: 'CollectionAllocations' })
export type CollectionAllocations = z.output<typeof CollectionAllocations>

/** Target of an allocation: one of the three. */
export type Target = { invoice: number } | { payment_link: number } | { contact: number }

/** An allocation to store. */
export interface NewAllocation {
  target: Target
  amount: Amount
  reason: AllocationReason
  note?: string
  author?: number | null
}

const allocationTable = table('allocations', {
  id: column.id(),
  organization: column.bigint(),
  collection: column.bigint(),
  invoice: column.bigint().nullable(),
  payment_link: column.bigint().nullable(),
  contact: column.bigint().nullable(),
  amount: column.numeric(),
  reason: column.text<AllocationReason>(),
  note: column.text().default('').given(),
  author: column.bigint().nullable(),
  created: column.timestamptz(),
  ended: column.timestamptz().later(),
})
const { columns, columnsOf } = allocationTable.omit('organization', 'ended')

/** Collection, with the parts taken of its money. */
interface DividedMoney {
  id: number
  organization: number
  amount: Amount
  refunded: Amount
  reversed_in_parts: Amount
  allocated: Amount
}

/** Computes the free part of a collection, without regard to requests and claims. */
export function freeAmount(row: Omit<DividedMoney, 'id' | 'organization'>): Amount {
  const free = row.amount - row.refunded - row.reversed_in_parts - row.allocated
  return free > 0n ? free : 0n
}

/** The allocations of collections that count, by the collection, in the order of their ids. */
export async function readAllocations(
  db: AnyReader,
  collections: readonly number[],
): Promise<Map<number, Allocation[]>> {
  const found = await db<Allocation[]>`
    select ${columns} from allocations where collection = any(${[...collections]}::bigint[]) and ended is null order by id`
  return Map.groupBy(found, ({ collection }) => collection)
}

/**
 * Allocates parts of a collection, which the caller has locked together with the invoices that get them.
 * @throws WriteConflict when less of it is free
 */
export async function allocate(
  tx: Tx,
  now: Date,
  collection: DividedMoney,
  items: readonly NewAllocation[],
): Promise<void> {
  if (items.length === 0) return
  const sum = items.reduce((total, item) => total + item.amount, 0n)
  if (sum > freeAmount(collection)) throw new WriteConflict()
  const at = truncateToSecond(now)
  await tx`
    ${insert(allocationTable, items, {
      organization: collection.organization,
      collection: collection.id,
      invoice: ({ target }) => ('invoice' in target ? target.invoice : null),
      payment_link: ({ target }) => ('payment_link' in target ? target.payment_link : null),
      contact: ({ target }) => ('contact' in target ? target.contact : null),
      note: ({ note = '' }) => note,
      created: at,
    })}`
  await tx`
    update collections set allocated = allocated + ${sum}, modified = ${at} where id = ${collection.id}`
}

/** Takes allocations back. Their collections and invoices are locked. */
export async function endAllocations(tx: Tx, now: Date, allocations: readonly Allocation[]): Promise<void> {
  if (allocations.length === 0) return
  const r = rows(allocations, { id: 'bigint', collection: 'bigint', amount: 'numeric' })
  const at = truncateToSecond(now)
  await tx`update allocations a set ended = ${at} from ${r.as('r')} where a.id = r.id and a.ended is null`
  await tx`
    update collections c set allocated = c.allocated - e.amount, modified = ${at}
    from (select collection, sum(amount) as amount from ${r.as('r')} group by collection) e where c.id = e.collection`
}

/** Reads the allocations to the objects of a condition, with the parts that were reversed or refunded. */
export async function readKept(db: AnyReader, condition: Fragment): Promise<Kept<Allocation>[]> {
  const found = await db<(Allocation & { total: Amount; reversed: Amount; refunded: Amount; is_meant: boolean })[]>`
    select ${columnsOf('a')}, c.amount as total, c.refunded, ${condition} as is_meant,
      case c.status when 'reversed' then c.amount else c.reversed_in_parts end as reversed
    from allocations a join collections c on c.id = a.collection
    where a.ended is null and a.collection in (select collection from allocations a where ${condition} and a.ended is null)
    order by a.id`
  return groupsOf(found, ({ collection }) => collection).flatMap((group) => {
    const { total, reversed, refunded } = group[0]
    return spreadLosses({ amount: total, reversed, refunded }, group).filter(({ row }) => row.is_meant)
  })
}

/** Money of an invoice that no request of it asked for. */
export function readKeptOfInvoice(db: AnyReader, invoice: number): Promise<Kept<Allocation>[]> {
  return readKept(db, sql`coalesce(a.invoice = ${invoice}, false)`)
}

/** Reads the credit of a customer, oldest first, without reversed or refunded money. */
export async function readCredit(db: AnyReader, contact: number): Promise<(Kept<Allocation> & { left: Amount })[]> {
  const kept = await readKept(db, sql`coalesce(a.contact = ${contact}, false)`)
  return kept.map((one) => ({ ...one, left: one.arrived - one.refunded })).filter(({ left }) => left > 0n)
}

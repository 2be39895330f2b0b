import { z } from 'zod'
import { beforeCommit } from '../../db/before-commit.ts'
import type { Tx } from '../../db/client.ts'
import { lockName } from '../../db/name-locks.ts'
import { sql } from '../../db/sql.ts'
import { encode } from '../../lib/encoding/encode.ts'
import { type Amount, smallerAmount } from '../../lib/money.ts'
import { recordEvents } from '../events/events.ts'
import { amount, documented, id } from '../fields.ts'
import { type Allocation, readCredit, readKept } from './allocations.ts'
import type { Kept } from './losses.ts'

/** Content of an event about the account of a customer. */
export const CreditChange = z
  .object({
    id: documented(id, 'The customer.', 3),
    customer_number: documented(z.string().nullable(), 'Its customer number; null for none.', 'P5-017'),
    currency: documented(z.string(), 'Three-letter code.', 'BXC'),
    amount: documented(
      amount,
      'The amount added; negative when it was used, moved, refunded or reversed.',
      '15000.0000',
    ),
    balance: documented(amount, 'The credit of the customer in this currency afterwards.', '15000.0000'),
    collection: documented(id, 'The payment whose money it is.', 12),
    invoice: documented(
      id.nullable(),
      'The invoice that the credit paid, or that had the money before; null for none.',
      null,
    ),
  })
  .meta({ id: 'CreditChange' })
export type CreditChange = z.output<typeof CreditChange>

type Parts = readonly Kept<Allocation>[]

/** Parts of the collections of a transaction before it changed them. */
const watched = new WeakMap<Tx, Map<number, Parts>>()

/**
 * Announces how this transaction changes the credit of customers: with an event for each change, once its work is done. Call it
 * for collections that are locked, before they or their allocations change.
 */
export async function watchCredit(tx: Tx, now: Date, collections: readonly number[]): Promise<void> {
  const known = watched.get(tx) ?? new Map<number, Parts>()
  if (!watched.has(tx)) {
    watched.set(tx, known)
    beforeCommit(tx, () => announce(tx, now, known))
  }
  const fresh = collections.filter((one) => !known.has(one))
  const parts = await readParts(tx, fresh)
  for (const collection of fresh) known.set(collection, parts.get(collection) ?? [])
}

async function readParts(tx: Tx, collections: readonly number[]): Promise<Map<number, Parts>> {
  if (collections.length === 0) return new Map()
  const kept = await readKept(tx, sql`a.collection = any(${[...collections]}::bigint[])`)
  return Map.groupBy(kept, ({ row }) => row.collection)
}

/** A change of one customer's credit. */
type Change = Pick<CreditChange, 'collection' | 'invoice' | 'amount'> & { contact: number }

async function announce(tx: Tx, now: Date, before: ReadonlyMap<number, Parts>): Promise<void> {
  const after = await readParts(tx, [...before.keys()])
  const changes = [...before].flatMap(([collection, parts]) =>
    compareParts(collection, parts, after.get(collection) ?? []),
  )
  if (changes.length === 0) return
  const contacts = [...new Set(changes.map(({ contact }) => contact))].sort((a, b) => a - b)
  // Another transaction may change the credit of the same customers. This one waits for it, so that balances follow each other.
  for (const contact of contacts) await lockName(tx, `credit of contact ${contact}`)
  const collections = await tx<{ id: number; currency: string }[]>`
    select id, currency from collections where id = any(${changes.map(({ collection }) => collection)}::bigint[])`
  const currencyOf = new Map(collections.map((row) => [row.id, row.currency]))
  const customers = await tx<{ id: number; organization: number; author: number; number: string | null }[]>`
    select id, organization, author, number from contacts where id = any(${contacts}::bigint[])`
  const balances = await readBalances(tx, contacts)
  const key = ({ contact, collection }: Change) => `${contact} ${currencyOf.get(collection)}`
  for (const change of changes) balances.set(key(change), (balances.get(key(change)) ?? 0n) - change.amount)
  const events = changes.map((change) => {
    const { contact, ...rest } = change
    const { organization, author, number: customer_number } = customers.find((one) => one.id === contact)!
    const balance = balances.get(key(change))! + change.amount
    balances.set(key(change), balance)
    const currency = currencyOf.get(change.collection)!
    const data = encode(CreditChange, { id: contact, customer_number, currency, balance, ...rest })
    return { organization, type: 'contact.credit_changed' as const, data, author }
  })
  await recordEvents(tx, now, events)
}

/** The credit of customers, by contact and currency. */
async function readBalances(tx: Tx, contacts: readonly number[]): Promise<Map<string, Amount>> {
  const balances = new Map<string, Amount>()
  for (const contact of contacts) {
    const credit = await readCredit(tx, contact)
    const found = await tx<{ id: number; currency: string }[]>`
      select id, currency from collections where id = any(${credit.map(({ row }) => row.collection)}::bigint[])`
    const currencyOf = new Map(found.map((row) => [row.id, row.currency]))
    for (const { row, left } of credit) {
      const key = `${contact} ${currencyOf.get(row.collection)}`
      balances.set(key, (balances.get(key) ?? 0n) + left)
    }
  }
  return balances
}

/**
 * Compares the credit of each customer in a collection before and after, split by the invoices that the money went to
 * or came from.
 */
function compareParts(collection: number, before: Parts, after: Parts): Change[] {
  const differences = (name: 'contact' | 'invoice') => {
    const sums = new Map<number, Amount>()
    const add = (parts: Parts, sign: bigint) => {
      for (const { row, arrived, refunded } of parts)
        if (row[name] !== null) sums.set(row[name], (sums.get(row[name]) ?? 0n) + sign * (arrived - refunded))
    }
    add(after, 1n)
    add(before, -1n)
    return sums
  }
  const invoices = differences('invoice')
  return [...differences('contact')].flatMap(([contact, change]) => {
    const sign = change < 0n ? -1n : 1n
    let left = change * sign
    const parts: Change[] = []
    for (const [invoice, difference] of invoices) {
      const moved = smallerAmount(left, -difference * sign)
      if (moved <= 0n) continue
      parts.push({ contact, collection, invoice, amount: moved * sign })
      invoices.set(invoice, difference + moved * sign)
      left -= moved
    }
    return left === 0n ? parts : [...parts, { contact, collection, invoice: null, amount: left * sign }]
  })
}

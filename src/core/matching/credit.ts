import type { Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, table } from '../../db/table.ts'
import { type Amount, smallerAmount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import {
  allocate,
  endAllocations,
  type NewAllocation,
  readCredit,
  readKeptOfInvoice,
} from '../allocations/allocations.ts'
import { type LockedInvoice, openAmount } from '../invoices/invoice.ts'
import type { ReadOptions } from '../invoices/invoices.ts'
import { lockSettled } from '../invoices/states.ts'
import { type OpenInvoice, oldestFirst } from './decide.ts'
import { lockWatchedCollection } from './lock-collection.ts'
import { readMatchingSettings } from './settings.ts'

/** Maximum number of open invoices: more than a person settles with one payment. */
const MAX_INVOICES = 50

/**
 * Open invoices of customers, the oldest due date first. Nothing is locked.
 * @param amount invoices that ask for just this come first, so that none of them is missing
 */
export async function findOpenInvoices(
  tx: Tx,
  contacts: readonly number[],
  currency: string,
  amount?: Amount,
): Promise<number[]> {
  const fitting_first = amount === undefined ? sql`` : sql`total - amount_paid <> ${amount}::numeric, `
  const found = await tx<{ id: number }[]>`
    select id from invoices where contact = any(${[...contacts]}::bigint[]) and state = 'issued' and currency = ${currency}
    order by ${fitting_first}due_date, id limit ${MAX_INVOICES}`
  return found.map(({ id }) => id)
}

/** Converts a locked invoice to its open amount. */
export function toOpenInvoice(invoice: LockedInvoice): OpenInvoice {
  const { id, contact, due_date, state, open_request } = invoice
  const is_void = state === 'void' || state === 'draft'
  return { id, contact, due_date, open: openAmount(invoice), is_void, is_asked: open_request !== undefined }
}

const returnTable = table('surplus_returns', {
  collection: column.bigint().key(),
  problem: column.text().later(),
  created: column.timestamptz(),
})

/** Notes that the rest of a collection is to be sent back. It is sent after this transaction (`jobs/invoices`). */
export async function planReturn(tx: Tx, now: Date, collection: number): Promise<void> {
  await tx`${insert(returnTable, [{ collection }], { created: truncateToSecond(now) })} on conflict do nothing`
}

/**
 * Takes back the allocations to an invoice beyond its total. A part came to the till while a request for all of it was
 * open, and the request was paid, too. The excess becomes credit, is sent back, or is free again, as the organization
 * has chosen. The newest allocation goes first. The invoice is locked.
 *
 * Reversals by a network are spread again, so other invoices of that money are counted again.
 */
export async function releaseExcess(tx: Tx, invoice: LockedInvoice, options: ReadOptions): Promise<void> {
  let excess = invoice.amount_paid - invoice.total
  if (excess <= 0n || invoice.state === 'draft') return
  const { now } = options
  const found = await readKeptOfInvoice(tx, invoice.id)
  const collections = [...new Set(found.map(({ row }) => row.collection))].sort((a, b) => a - b)
  const others = await findOthers(tx, invoice.id, collections)
  for (const id of others) await lockSettled(tx, id, options)
  for (const id of collections) await lockWatchedCollection(tx, now, id)
  // A network may have taken money back before the locks were granted.
  const kept = await readKeptOfInvoice(tx, invoice.id)
  const { overpayment } = await readMatchingSettings(tx, invoice.organization)
  for (const { row, arrived, refunded } of kept.toReversed()) {
    if (excess === 0n || refunded > 0n || arrived === 0n) continue
    const taken = smallerAmount(excess, arrived)
    excess -= taken
    await endAllocations(tx, now, [row])
    const { reason, note, author } = row
    const parts: NewAllocation[] = []
    if (arrived > taken) parts.push({ target: { invoice: invoice.id }, amount: arrived - taken, reason, note, author })
    if (overpayment === 'credit') parts.push({ target: { contact: invoice.contact }, amount: taken, reason: 'surplus' })
    await allocate(tx, now, (await lockWatchedCollection(tx, now, row.collection))!, parts)
    if (overpayment === 'return') await planReturn(tx, now, row.collection)
  }
  await lockSettled(tx, invoice.id, options)
  for (const id of others) await releaseExcess(tx, await lockSettled(tx, id, options), options)
}

/** Finds the other invoices of partly reversed collections. */
async function findOthers(tx: Tx, invoice: number, collections: readonly number[]): Promise<number[]> {
  const found = await tx<{ invoice: number }[]>`
    select distinct a.invoice from allocations a join collections c on c.id = a.collection
    where a.collection = any(${[...collections]}::bigint[]) and a.ended is null and a.invoice <> ${invoice}
      and c.reversed_in_parts > 0
    order by a.invoice`
  return found.map((one) => one.invoice)
}

/** Lets credit of a customer pay the open invoices, the oldest due date first. The rest stays credit. */
export async function applyCredit(tx: Tx, contact: number, options: ReadOptions): Promise<void> {
  const { now } = options
  const credits = await readCredit(tx, contact)
  const currencies = await tx<{ id: number; currency: string }[]>`
    select id, currency from collections where id = any(${credits.map(({ row }) => row.collection)}::bigint[])`
  for (const currency of new Set(currencies.map((one) => one.currency))) {
    const open: OpenInvoice[] = []
    for (const id of (await findOpenInvoices(tx, [contact], currency)).sort((a, b) => a - b))
      open.push(toOpenInvoice(await lockSettled(tx, id, options)))
    const own = currencies.filter((one) => one.currency === currency).map(({ id }) => id)
    for (const id of own.sort((a, b) => a - b)) await lockWatchedCollection(tx, now, id)
    // A network may have taken money back before the locks were granted.
    const left = (await readCredit(tx, contact)).filter(({ row }) => own.includes(row.collection))
    const waiting = oldestFirst(open).filter((invoice) => invoice.open > 0n && !invoice.is_asked)
    for (const credit of left) {
      const parts: { target: { invoice: number }; amount: Amount; reason: 'credit' }[] = []
      let rest = credit.left
      for (const invoice of waiting) {
        const amount = smallerAmount(invoice.open, rest)
        if (amount === 0n) continue
        parts.push({ target: { invoice: invoice.id }, amount, reason: 'credit' })
        invoice.open -= amount
        rest -= amount
      }
      if (parts.length === 0) continue
      await endAllocations(tx, now, [credit.row])
      const collection = (await lockWatchedCollection(tx, now, credit.row.collection))!
      const { reason, note, author } = credit.row
      const kept = rest > 0n ? [{ target: { contact }, amount: rest, reason, note, author }] : []
      await allocate(tx, now, collection, [...parts, ...kept])
    }
    for (const { id } of open) await lockSettled(tx, id, options)
  }
}

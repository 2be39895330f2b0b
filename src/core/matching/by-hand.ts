import type { Tx } from '../../db/client.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import type { AuditAction } from '../access/audit.ts'
import {
  type Allocation,
  allocate,
  endAllocations,
  freeAmount,
  lockCollection,
  readAllocations,
  type Target,
} from '../allocations/allocations.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { openAmount } from '../invoices/invoice.ts'
import type { ReadOptions } from '../invoices/invoices.ts'
import { lockSettled } from '../invoices/states.ts'
import { decimalsError } from '../ledger/currencies.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { isForNothing } from './match.ts'

/** A part of money that a person gives to an object. Without an amount it is all that is left, or all that an invoice asks for. */
export interface ChosenPart {
  target: Target
  amount?: Amount | undefined
}

/** The person who matches money, and the entry that the audit log gets in the same transaction. */
export interface MatchingPerson {
  organization: number
  /** Null for an operator at the command line. */
  user: number | null
  audit(tx: Tx, action: AuditAction): Promise<void>
}

export interface AllocationInput {
  collection: number
  parts: readonly ChosenPart[]
  note?: string | undefined
  by: MatchingPerson
}

/**
 * Allocates money that is for nothing to invoices, customers and payment links, as a person chose. Several parts split it; what
 * is left stays unmatched. Invoices are locked before the collection, in the order of their ids.
 * @returns what the collection is for now
 * @throws NotFound, Invalid with the reason why a part is not possible. Then nothing is written
 */
export async function allocateByHand(tx: Tx, input: AllocationInput, options: ReadOptions): Promise<Allocation[]> {
  const { by, note = '' } = input
  const invoices = await lockInvoices(tx, input, options)
  const collection = await lockFree(tx, input)
  const parts = []
  let free = freeAmount(collection)
  for (const { target, amount: chosen } of input.parts) {
    const open = await readOpen(tx, collection, target, invoices)
    const amount = chosen ?? (open !== undefined && open < free ? open : free)
    const error = amountError(collection, { amount, free, open })
    if (error) throw new Invalid({ amount: [error] })
    free -= amount
    if (open !== undefined && 'invoice' in target)
      invoices.set(target.invoice, { currency: collection.currency, open: open - amount })
    parts.push({ target, amount, reason: 'person' as const, note, author: by.user })
  }
  await allocate(tx, options.now, collection, parts)
  for (const id of invoices.keys()) await lockSettled(tx, id, options)
  const { currency } = collection
  await by.audit(tx, {
    action: 'allocate collection',
    object_type: 'collection',
    object: collection.id,
    details: { parts: parts.map(({ target, amount }) => describe(target, amount, currency)).join(', '), note },
  })
  return (await readAllocations(tx, [collection.id])).get(collection.id) ?? []
}

/**
 * Takes an allocation back: the money is for nothing again, and its invoice is open again.
 * @throws NotFound if the collection has no such allocation
 */
export async function endAllocation(
  tx: Tx,
  input: { collection: number; allocation: number; by: MatchingPerson },
  options: ReadOptions,
): Promise<void> {
  const { by } = input
  const [found] =
    (await readAllocations(tx, [input.collection]))
      .get(input.collection)
      ?.filter(({ id }) => id === input.allocation) ?? []
  const invoice = found?.invoice ?? null
  if (invoice !== null) await lockSettled(tx, invoice, options)
  const collection = await lockCollection(tx, input.collection)
  if (collection?.organization !== by.organization) throw new NotFound(`There is no collection ${input.collection}.`)
  // Another transaction may have ended it before the lock was granted.
  const allocation = (await readAllocations(tx, [collection.id]))
    .get(collection.id)
    ?.find(({ id }) => id === input.allocation)
  if (!allocation) throw new NotFound(`Collection ${collection.id} has no allocation ${input.allocation}.`)
  await endAllocations(tx, options.now, [allocation])
  if (invoice !== null) await lockSettled(tx, invoice, options)
  await by.audit(tx, {
    action: 'end allocation',
    object_type: 'collection',
    object: collection.id,
    details: { part: describe(targetOf(allocation), allocation.amount, collection.currency) },
  })
}

/** What an allocation is for. */
function targetOf({ invoice, payment_link, contact }: Allocation): Target {
  if (invoice !== null) return { invoice }
  return payment_link !== null ? { payment_link } : { contact: contact! }
}

function describe(target: Target, amount: Amount, currency: string): string {
  const [[kind, id]] = Object.entries(target) as [[string, number]]
  return `${currency} ${displayAmount(amount)} for ${kind.replace('_', ' ')} ${id}`
}

/** Locks the invoices of the parts, with what each still asks for. @throws NotFound, Invalid */
async function lockInvoices(
  tx: Tx,
  { by, parts }: AllocationInput,
  options: ReadOptions,
): Promise<Map<number, { currency: string; open: Amount }>> {
  const ids = parts.flatMap(({ target }) => ('invoice' in target ? target.invoice : []))
  const locked = new Map<number, { currency: string; open: Amount }>()
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const invoice = await lockSettled(tx, id, options)
    if (invoice.organization !== by.organization) throw new NotFound(`There is no invoice ${id}.`)
    if (invoice.state !== 'issued')
      throw new Invalid({ invoice: [`Invoice ${id} is ${invoice.state}. Nothing is to be paid.`] })
    locked.set(id, { currency: invoice.currency, open: openAmount(invoice) })
  }
  return locked
}

/** Locks a collection of which something is for nothing. @throws NotFound, Invalid with the reason */
async function lockFree(tx: Tx, { by, collection: id }: AllocationInput): Promise<CollectionRow> {
  const row = await lockCollection(tx, id)
  if (row?.organization !== by.organization) throw new NotFound(`There is no collection ${id}.`)
  if (!isForNothing(row)) throw new Invalid({ collection: [whyTaken(row)] })
  if (freeAmount(row) === 0n) throw new Invalid({ collection: [`Nothing of collection ${id} is left.`] })
  return row
}

function whyTaken({ id, status, collection_request, claimed_by }: CollectionRow): string {
  if (collection_request !== null) return `Collection ${id} has fulfilled request ${collection_request}.`
  if (claimed_by !== null) return `Collection ${id} was claimed by user ${claimed_by}.`
  return `Collection ${id} is ${status}.`
}

/** What an invoice still asks for; undefined for customers and links, which take any amount. @throws NotFound, Invalid */
async function readOpen(
  tx: Tx,
  { organization, currency }: CollectionRow,
  target: Target,
  invoices: ReadonlyMap<number, { currency: string; open: Amount }>,
): Promise<Amount | undefined> {
  if ('invoice' in target) {
    const invoice = invoices.get(target.invoice)!
    if (invoice.currency !== currency)
      throw new Invalid({ invoice: [`Invoice ${target.invoice} is in ${invoice.currency}, the money in ${currency}.`] })
    return invoice.open
  }
  if ('contact' in target) {
    const [contact] = await tx`
      select 1 from contacts where id = ${target.contact} and organization = ${organization} and erased is null`
    if (!contact) throw new Invalid({ contact: [`There is no contact ${target.contact}.`] })
    return undefined
  }
  const [link] = await tx<{ currency: string }[]>`
    select currency from payment_links where id = ${target.payment_link} and organization = ${organization}`
  if (!link) throw new Invalid({ payment_link: [`There is no payment link ${target.payment_link}.`] })
  if (link.currency !== currency)
    throw new Invalid({
      payment_link: [`Payment link ${target.payment_link} is in ${link.currency}, the money in ${currency}.`],
    })
  return undefined
}

function amountError(
  { currency }: CollectionRow,
  { amount, free, open }: { amount: Amount; free: Amount; open: Amount | undefined },
): string | undefined {
  if (amount <= 0n) return 'Nothing is left for it.'
  if (amount > free) return `Only ${currency} ${displayAmount(free)} of the money is left.`
  if (open !== undefined && amount > open) return `Only ${currency} ${displayAmount(open)} is still to be paid.`
  return decimalsError(amount, currency)
}

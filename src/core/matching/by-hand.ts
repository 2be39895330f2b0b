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
import { type LockedInvoice, openAmount } from '../invoices/invoice.ts'
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
  /** An allocation of this collection that is taken back first: its money moves. */
  instead_of?: number | undefined
  note?: string | undefined
  by: MatchingPerson
}

/**
 * Allocates money that is for nothing to invoices, customers and payment links, as a person chose. Several parts split it; what
 * is left stays unmatched. With `instead_of` an allocation is taken back in the same transaction, and its money moves.
 * @returns what the collection is for now
 * @throws NotFound, Invalid with the reason why a part is not possible. Then nothing is written
 */
export async function allocateByHand(tx: Tx, input: AllocationInput, options: ReadOptions): Promise<Allocation[]> {
  const { by, note = '', instead_of: allocation } = input
  const chosen = input.parts.flatMap(({ target }) => ('invoice' in target ? target.invoice : []))
  const locked = await lockMoney(tx, { ...input, allocation, invoices: chosen }, options)
  const { collection, ended } = locked
  requireFree(collection)
  const invoices = readAsked(by, chosen, locked.invoices)
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
    details: {
      parts: parts.map(({ target, amount }) => describe(target, amount, currency)).join(', '),
      ...(ended && { instead_of: describe(targetOf(ended), ended.amount, currency) }),
      note,
    },
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
  const { collection, ended } = await lockMoney(tx, { ...input, invoices: [] }, options)
  await input.by.audit(tx, {
    action: 'end allocation',
    object_type: 'collection',
    object: collection.id,
    details: { part: describe(targetOf(ended!), ended!.amount, collection.currency) },
  })
}

interface LockedMoney {
  collection: CollectionRow
  invoices: Map<number, LockedInvoice>
  /** The allocation that was taken back. */
  ended: Allocation | undefined
}

/**
 * Locks invoices in the order of their ids and then the collection, and takes an allocation of it back if one is named.
 * @throws NotFound if the collection or the allocation does not exist
 */
async function lockMoney(
  tx: Tx,
  input: { collection: number; allocation?: number | undefined; invoices: readonly number[]; by: MatchingPerson },
  options: ReadOptions,
): Promise<LockedMoney> {
  const { collection: id, allocation, by } = input
  const find = async () => (await readAllocations(tx, [id])).get(id)?.find((one) => one.id === allocation)
  const invoices = new Map<number, LockedInvoice>()
  const lock = async (invoice: number) => invoices.set(invoice, await lockSettled(tx, invoice, options))
  const ids = new Set([...input.invoices, ...[(await find())?.invoice ?? []].flat()])
  for (const invoice of [...ids].sort((a, b) => a - b)) await lock(invoice)
  const collection = await lockCollection(tx, id)
  if (collection?.organization !== by.organization) throw new NotFound(`There is no collection ${id}.`)
  if (allocation === undefined) return { collection, invoices, ended: undefined }
  // Another transaction may have ended it before the locks were granted.
  const ended = await find()
  if (!ended) throw new NotFound(`Collection ${id} has no allocation ${allocation}.`)
  await endAllocations(tx, options.now, [ended])
  if (ended.invoice !== null) await lock(ended.invoice)
  return { collection: (await lockCollection(tx, id))!, invoices, ended }
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

/** What each chosen invoice still asks for. @throws NotFound, Invalid */
function readAsked(
  { organization }: MatchingPerson,
  chosen: readonly number[],
  locked: ReadonlyMap<number, LockedInvoice>,
): Map<number, { currency: string; open: Amount }> {
  return new Map(
    chosen.map((id) => {
      const invoice = locked.get(id)!
      if (invoice.organization !== organization) throw new NotFound(`There is no invoice ${id}.`)
      if (invoice.state !== 'issued')
        throw new Invalid({ invoice: [`Invoice ${id} is ${invoice.state}. Nothing is to be paid.`] })
      return [id, { currency: invoice.currency, open: openAmount(invoice) }]
    }),
  )
}

/** @throws Invalid with the reason why nothing of a collection can be allocated */
function requireFree(row: CollectionRow): void {
  if (!isForNothing(row)) throw new Invalid({ collection: [whyTaken(row)] })
  if (freeAmount(row) === 0n) throw new Invalid({ collection: [`Nothing of collection ${row.id} is left.`] })
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

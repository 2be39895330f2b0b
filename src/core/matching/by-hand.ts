import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import type { AuditAction } from '../access/audit.ts'
import {
  type Allocation,
  allocate,
  endAllocations,
  freeAmount,
  readAllocations,
  type Target,
} from '../allocations/allocations.ts'
import { spreadLosses } from '../allocations/losses.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { type LockedInvoice, openAmount } from '../invoices/invoice.ts'
import type { ReadOptions } from '../invoices/invoices.ts'
import { lockSettled } from '../invoices/states.ts'
import { decimalsError } from '../ledger/currencies.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { lockWatchedCollection } from './lock-collection.ts'
import { isFree } from './match.ts'

/**
 * Part of money that a person gives to an object. Without an amount it is the whole rest, or the open amount of an
 * invoice.
 */
export interface ChosenPart {
  target: Target
  amount?: Amount | undefined
}

/**
 * Decision of a person about a collection: allocate parts of it, take an allocation back, or both, which moves money.
 */
interface MatchInput {
  organization: number
  collection: number
  parts: readonly ChosenPart[]
  /** An allocation of this collection that is taken back first. */
  instead_of?: number | undefined
}

/** Allocations to make and to take back. The collection and the invoices are locked. */
export interface MatchPlan {
  collection: CollectionRow
  parts: { target: Target; amount: Amount }[]
  ended: Allocation | undefined
  /** Other allocations of the collection that shrink, each to the amount that its invoice still needs. */
  shrunk: { allocation: Allocation; amount: Amount }[]
  /** The locked invoices, which may have other sums afterwards. */
  invoices: number[]
}

/**
 * Decides the amount of each part: given by the person, or the open amount of its invoice, or all that is left.
 * Invoices are locked in the order of their ids, and then the collection. Nothing is allocated yet.
 * @throws NotFound, Invalid with the reason why a part is not possible
 */
export async function planMatch(tx: Tx, input: MatchInput, options: ReadOptions): Promise<MatchPlan> {
  const chosen = input.parts.flatMap(({ target }) => ('invoice' in target ? target.invoice : []))
  const { collection, invoices, ended } = await lockMoney(tx, input, chosen, options)
  const allocations = (await readAllocations(tx, [collection.id])).get(collection.id) ?? []
  const shrunk = ended ? shrinkToTotals(collection, allocations, ended, invoices) : []
  const plan = { collection, parts: [] as MatchPlan['parts'], ended, shrunk, invoices: [...invoices.keys()] }
  if (input.parts.length === 0) return plan
  let free = freeAmount({ ...collection, allocated: collection.allocated - (ended?.amount ?? 0n) })
  requireFree(collection, free)
  const changes = changesOf(collection, allocations, ended)
  const asked = readAsked(input.organization, chosen, invoices, changes)
  for (const { target, amount: given } of input.parts) {
    const open = await readOpen(tx, collection, target, asked)
    const amount = given ?? (open !== undefined && open < free ? open : free)
    const error = amountError(collection, { amount, free, open })
    if (error) throw new Invalid({ amount: [error] })
    free -= amount
    if (open !== undefined && 'invoice' in target)
      asked.set(target.invoice, { currency: collection.currency, open: open - amount })
    plan.parts.push({ target, amount })
  }
  return plan
}

/** Carries out a plan in the transaction that made it, for its author; null is an operator. */
export async function applyMatch(
  tx: Tx,
  { collection, parts, ended, shrunk, invoices }: MatchPlan,
  { author, note = '' }: { author: number | null; note?: string | undefined },
  options: ReadOptions,
): Promise<void> {
  if (ended) await endAllocations(tx, options.now, [ended, ...shrunk.map(({ allocation }) => allocation)])
  const smaller = shrunk.filter(({ amount }) => amount > 0n)
  if (smaller.length > 0) {
    const items = smaller.map(({ allocation, amount }) => {
      const { reason, note, author } = allocation
      return { target: targetOf(allocation), amount, reason, note, author }
    })
    await allocate(tx, options.now, (await lockWatchedCollection(tx, options.now, collection.id))!, items)
  }
  if (parts.length > 0) {
    const items = parts.map((part) => ({ ...part, reason: 'person' as const, note, author }))
    await allocate(tx, options.now, (await lockWatchedCollection(tx, options.now, collection.id))!, items)
  }
  for (const id of invoices) await lockSettled(tx, id, options)
}

/** Returns the sum that a plan moves. */
export function plannedAmount({ parts, ended }: MatchPlan): Amount {
  return parts.length === 0 ? (ended?.amount ?? 0n) : parts.reduce((sum, { amount }) => sum + amount, 0n)
}

/** Describes a plan for the audit log, which is never changed: the note of the person stays with the allocations. */
export function describePlan({ collection, parts, ended }: MatchPlan): AuditAction {
  const { id: object, currency } = collection
  const about = { object_type: 'collection', object } as const
  const taken = ended && describe(targetOf(ended), ended.amount, currency)
  if (parts.length === 0) return { ...about, action: 'end allocation', details: { part: taken! } }
  const details = {
    parts: parts.map(({ target, amount }) => describe(target, amount, currency)).join(', '),
    ...(taken !== undefined && { instead_of: taken }),
  }
  return { ...about, action: 'allocate collection', details }
}

interface LockedMoney {
  collection: CollectionRow
  invoices: Map<number, LockedInvoice>
  /** The allocation that is to be taken back. */
  ended: Allocation | undefined
}

/**
 * Locks invoices in the order of their ids and then the collection: the chosen ones, and all that the collection pays
 * if an allocation is taken back.
 * @throws NotFound if the collection or the allocation does not exist
 */
async function lockMoney(
  tx: Tx,
  { collection: id, organization, instead_of }: MatchInput,
  chosen: readonly number[],
  options: ReadOptions,
): Promise<LockedMoney> {
  const read = async () => (await readAllocations(tx, [id])).get(id) ?? []
  const paidBy = (rows: readonly Allocation[]) => rows.flatMap(({ invoice }) => invoice ?? [])
  const invoices = new Map<number, LockedInvoice>()
  const ids = new Set([...chosen, ...(instead_of === undefined ? [] : paidBy(await read()))])
  for (const invoice of [...ids].sort((a, b) => a - b)) invoices.set(invoice, await lockSettled(tx, invoice, options))
  const collection = await lockWatchedCollection(tx, options.now, id)
  if (collection?.organization !== organization) throw new NotFound(getMessage('collections.none', { id }))
  if (instead_of === undefined) return { collection, invoices, ended: undefined }
  // Another transaction may have changed them before the locks were granted.
  const allocations = await read()
  const ended = allocations.find((one) => one.id === instead_of)
  if (!ended) throw new NotFound(getMessage('matching.no_allocation', { id, allocation: instead_of }))
  if (paidBy(allocations).some((invoice) => !invoices.has(invoice)))
    throw new Invalid({ collection: [getMessage('matching.just_matched', { id })] })
  return { collection, invoices, ended }
}

function targetOf({ invoice, payment_link, contact }: Allocation): Target {
  if (invoice !== null) return { invoice }
  return payment_link !== null ? { payment_link } : { contact: contact! }
}

function describe(target: Target, amount: Amount, currency: string): string {
  const [[kind, id]] = Object.entries(target) as [[string, number]]
  return `${currency} ${displayAmount(amount)} for ${kind.replace('_', ' ')} ${id}`
}

/**
 * Returns the change for each invoice of a collection once an allocation is taken back. A reversal by the network is then
 * spread again, so that invoices besides its own may gain.
 */
function changesOf(
  collection: CollectionRow,
  allocations: readonly Allocation[],
  ended: Allocation | undefined,
): Map<number, Amount> {
  const changes = new Map<number, Amount>()
  const add = (rows: readonly Allocation[], sign: bigint) => {
    for (const { row, arrived } of spreadLosses(lossesOf(collection), rows))
      if (row.invoice !== null) changes.set(row.invoice, (changes.get(row.invoice) ?? 0n) + sign * arrived)
  }
  add(
    allocations.filter((one) => one.id !== ended?.id),
    1n,
  )
  add(allocations, -1n)
  return changes
}

/**
 * Returns the allocations that shrink when another one is taken back. The free money then bears what the network has
 * reversed, so an invoice gets back a part that other money has paid meanwhile: it must not get more than its total.
 */
function shrinkToTotals(
  collection: CollectionRow,
  allocations: readonly Allocation[],
  ended: Allocation,
  invoices: ReadonlyMap<number, LockedInvoice>,
): MatchPlan['shrunk'] {
  const arrivedFor = (rows: readonly Allocation[], invoice: number) =>
    spreadLosses(lossesOf(collection), rows).reduce(
      (sum, { row, arrived }) => (row.invoice === invoice ? sum + arrived : sum),
      0n,
    )
  let rows = allocations.filter((one) => one.id !== ended.id)
  const excessOf = ({ id, amount_paid, total }: LockedInvoice) => {
    const gain = arrivedFor(rows, id) - arrivedFor(allocations, id)
    const excess = amount_paid + gain - total
    if (excess > gain) return gain
    return excess
  }
  for (;;) {
    const over = [...invoices.values()].find((invoice) => excessOf(invoice) > 0n)
    if (!over) break
    const newest = spreadLosses(lossesOf(collection), rows).findLast(
      ({ row, arrived }) => row.invoice === over.id && arrived > 0n,
    )!
    const excess = excessOf(over)
    const amount = newest.arrived > excess ? newest.arrived - excess : 0n
    rows = rows.flatMap((row) => (row.id === newest.row.id ? (amount > 0n ? [{ ...row, amount }] : []) : [row]))
  }
  return allocations.flatMap((allocation) => {
    const amount = rows.find(({ id }) => id === allocation.id)?.amount ?? 0n
    return allocation.id === ended.id || amount === allocation.amount ? [] : [{ allocation, amount }]
  })
}

function lossesOf({ amount, status, reversed_in_parts, refunded }: CollectionRow) {
  return { amount, reversed: status === 'reversed' ? amount : reversed_in_parts, refunded }
}

/** Computes the open amount of each chosen invoice after these changes. @throws NotFound, Invalid */
function readAsked(
  organization: number,
  chosen: readonly number[],
  locked: ReadonlyMap<number, LockedInvoice>,
  changes: ReadonlyMap<number, Amount>,
): Map<number, { currency: string; open: Amount }> {
  return new Map(
    chosen.map((id) => {
      const invoice = locked.get(id)!
      if (invoice.organization !== organization) throw new NotFound(getMessage('invoices.none', { id }))
      const amount_paid = invoice.amount_paid + (changes.get(id) ?? 0n)
      const opens_again = invoice.state === 'paid' && amount_paid < invoice.total
      if (invoice.state !== 'issued' && !opens_again)
        throw new Invalid({ invoice: [getMessage('matching.invoice_ended', { id, state: invoice.state })] })
      return [id, { currency: invoice.currency, open: openAmount({ ...invoice, state: 'issued', amount_paid }) }]
    }),
  )
}

/** @throws Invalid with the reason why nothing of a collection can be allocated */
function requireFree(row: CollectionRow, free: Amount): void {
  if (!isFree(row)) throw new Invalid({ collection: [whyTaken(row)] })
  if (free === 0n) throw new Invalid({ collection: [getMessage('matching.nothing_unmatched', { id: row.id })] })
}

function whyTaken({ id, status, collection_request, claimed_by }: CollectionRow): string {
  if (collection_request !== null) return getMessage('matching.fulfilled', { id, request: collection_request })
  if (claimed_by !== null) return getMessage('matching.claimed', { id, user: claimed_by })
  return getMessage('matching.status', { id, status })
}

/**
 * Reads the open amount of an invoice; undefined for customers and links, which take any amount.
 * @throws NotFound, Invalid
 */
async function readOpen(
  tx: Tx,
  { organization, currency }: CollectionRow,
  target: Target,
  invoices: ReadonlyMap<number, { currency: string; open: Amount }>,
): Promise<Amount | undefined> {
  if ('invoice' in target) {
    const invoice = invoices.get(target.invoice)!
    if (invoice.currency !== currency)
      throw new Invalid({
        invoice: [
          getMessage('matching.invoice_currency', {
            invoice: target.invoice,
            currency: invoice.currency,
            other: currency,
          }),
        ],
      })
    return invoice.open
  }
  if ('contact' in target) {
    const [contact] = await tx`
      select 1 from contacts where id = ${target.contact} and organization = ${organization} and erased is null`
    if (!contact) throw new Invalid({ contact: [getMessage('contacts.none', { contact: target.contact })] })
    return undefined
  }
  const [link] = await tx<{ currency: string }[]>`
    select currency from payment_links where id = ${target.payment_link} and organization = ${organization}`
  if (!link) throw new Invalid({ payment_link: [getMessage('matching.no_link', { link: target.payment_link })] })
  if (link.currency !== currency)
    throw new Invalid({
      payment_link: [
        getMessage('matching.link_currency', { link: target.payment_link, currency: link.currency, other: currency }),
      ],
    })
  return undefined
}

function amountError(
  { currency }: CollectionRow,
  { amount, free, open }: { amount: Amount; free: Amount; open: Amount | undefined },
): string | undefined {
  if (amount <= 0n) return getMessage('matching.no_money_left')
  if (amount > free) return getMessage('matching.only_left', { amount: `${currency} ${displayAmount(free)}` })
  if (open !== undefined && amount > open)
    return getMessage('invoices.only_due', { amount: `${currency} ${displayAmount(open)}` })
  return decimalsError(amount, currency)
}

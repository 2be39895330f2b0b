import { type Amount, smallerAmount } from '../../lib/money.ts'
import type { AllocationReason, Target } from '../allocations/allocations.ts'

/*
 * Purpose of incoming money that fulfils no request:
 *
 *   names one invoice          → the invoice; the rest is surplus
 *   names several              → the invoices that are named and those of customers that are named, if their open amounts add up
 *                                to the money; otherwise a person decides. An invoice and its own customer are one
 *   names one customer         → the open invoices of the customer, the oldest due date first; the rest is surplus
 *   names one payment link     → the link, if it takes the amount
 *   names nothing              → the only open invoice with this amount among the customers of the phone
 *   … and there is none        → the account of the phone's only customer, if the organization keeps credit and nothing was typed
 *                                that looks like a number
 *   otherwise                  → unmatched: a person decides
 *
 * An invoice whose request may still be paid is paid only by money that names it, so that nothing is taken twice.
 *
 * Surplus becomes credit of the customer, is sent back, or stays unmatched, as the organization has chosen. It never guesses
 * between two.
 */

/** Rules for money beyond the amount asked for. */
export const overpaymentRules = ['keep', 'credit', 'return'] as const
export type OverpaymentRule = (typeof overpaymentRules)[number]

/** An invoice in the currency of the money. `open` is zero for paid ones. */
export interface OpenInvoice {
  id: number
  contact: number
  open: Amount
  due_date: string
  is_void: boolean
  /** A request for its money may still be paid. Only money that names it pays it meanwhile. */
  is_asked: boolean
}

/** A payment link in the currency of the money. */
export interface NamedLink {
  id: number
  /** True if it can be paid with this amount now. */
  takes: boolean
}

/** Free money, with the facts that may decide about it. Objects in other currencies are left out. */
export interface MoneyFacts {
  free: Amount
  /** Objects that the payer's typed text names; more than one if the text is ambiguous. */
  named: { invoices: readonly OpenInvoice[]; contacts: readonly number[]; links: readonly NamedLink[]; count: number }
  /** Open invoices of the customers that are named, and of those that the phone pays for. */
  invoices: readonly OpenInvoice[]
  /** Customers that the phone pays for. */
  customers: readonly number[]
  /** The payer typed something that looks like a number. */
  typed_number: boolean
  rule: OverpaymentRule
}

/** Part of the money and its target. */
export interface Part {
  target: Target
  amount: Amount
  reason: AllocationReason
}

/** Decision about money. `returns`: the rest is sent back. */
export interface Decision {
  parts: Part[]
  returns: boolean
}

const NOTHING: Decision = { parts: [], returns: false }

/** Decides the target of money. See the table above. */
export function decide(money: MoneyFacts): Decision {
  const { rule } = money
  const named = withoutOwners(money.named)
  if (named.count > 1) return decideSeveral({ ...money, named })
  if (named.count === 1) {
    const [invoice] = named.invoices
    const [contact] = named.contacts
    const [link] = named.links
    if (invoice) return invoice.is_void ? NOTHING : payInvoice(money, invoice)
    if (contact !== undefined) return payAccount(money, contact, 'customer_number')
    if (link?.takes)
      return {
        parts: [{ target: { payment_link: link.id }, amount: money.free, reason: 'link_number' }],
        returns: false,
      }
    return NOTHING
  }
  const customers = new Set(money.customers)
  const fitting = money.invoices.filter(({ contact, open }) => customers.has(contact) && open === money.free)
  const [fit] = fitting
  if (fitting.length === 1 && fit && !fit.is_asked)
    return {
      parts: [{ target: { invoice: fit.id }, amount: money.free, reason: 'same_amount' }],
      returns: false,
    }
  const [only, ...others] = customers
  if (fit || rule !== 'credit' || only === undefined || others.length > 0 || money.typed_number) return NOTHING
  return payAccount(money, only, 'only_customer')
}

/** Drops the customers with a named invoice: the text names the same object twice. */
function withoutOwners(named: MoneyFacts['named']): MoneyFacts['named'] {
  const owners = new Set(named.invoices.map(({ contact }) => contact))
  const contacts = named.contacts.filter((contact) => !owners.has(contact))
  return { ...named, contacts, count: named.count - named.contacts.length + contacts.length }
}

/** Several objects are named. Only open amounts that add up to the money leave no doubt. */
function decideSeveral({ free, named, invoices }: MoneyFacts): Decision {
  const { contacts, count } = named
  const of_contacts = contacts.map((contact) => invoices.filter((one) => one.contact === contact && !one.is_asked))
  const is_plain =
    named.invoices.length + contacts.length === count &&
    named.invoices.every(({ open, is_void }) => open > 0n && !is_void) &&
    of_contacts.every((owed) => owed.length > 0)
  const owed = of_contacts.flat()
  if (!is_plain || sum([...named.invoices, ...owed]) !== free) return NOTHING
  const pay = (some: readonly OpenInvoice[], reason: AllocationReason): Part[] =>
    some.map(({ id, open }) => ({ target: { invoice: id }, amount: open, reason }))
  return { parts: [...pay(named.invoices, 'invoice_number'), ...pay(owed, 'customer_number')], returns: false }
}

function payInvoice(money: MoneyFacts, { id, contact, open }: OpenInvoice): Decision {
  const share = smallerAmount(open, money.free)
  const parts: Part[] = share > 0n ? [{ target: { invoice: id }, amount: share, reason: 'invoice_number' }] : []
  const left = money.free - share
  if (left === 0n || money.rule === 'keep') return { parts, returns: false }
  if (money.rule === 'return') return { parts, returns: true }
  const others = money.invoices.filter((other) => other.id !== id)
  const rest = payAccount({ ...money, free: left, invoices: others }, contact, 'surplus')
  return { parts: [...parts, ...rest.parts], returns: false }
}

/** Pays the open invoices of a customer, the oldest due date first. The rest is surplus. */
function payAccount(money: MoneyFacts, contact: number, reason: AllocationReason): Decision {
  const parts: Part[] = []
  let left = money.free
  for (const { id, open } of oldestFirst(money.invoices.filter((one) => one.contact === contact && !one.is_asked))) {
    if (left === 0n) break
    const share = smallerAmount(open, left)
    if (share === 0n) continue
    parts.push({ target: { invoice: id }, amount: share, reason })
    left -= share
  }
  if (left === 0n || money.rule === 'keep') return { parts, returns: false }
  if (money.rule === 'return') return { parts, returns: parts.length > 0 }
  return { parts: [...parts, { target: { contact }, amount: left, reason }], returns: false }
}

/** Open invoices in the order in which credit pays them. */
export function oldestFirst(invoices: readonly OpenInvoice[]): OpenInvoice[] {
  return invoices.toSorted((a, b) => (a.due_date === b.due_date ? a.id - b.id : a.due_date < b.due_date ? -1 : 1))
}

function sum(invoices: readonly OpenInvoice[]): Amount {
  return invoices.reduce((total, { open }) => total + open, 0n)
}

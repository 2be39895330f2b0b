import type { Amount } from '../../../lib/money.ts'
import { spreadLosses } from '../../allocations/losses.ts'
import type { AccountFacts, AccountInvoice, AccountMoney, Loss } from './account-facts.ts'

/**
 * Kinds of entries on the account of a customer. `moved`: money that is no longer for an invoice, or credit that was
 * used. `adjustment`: refunded money that is not asked for again, or is after all.
 */
export const entryKinds = ['invoice', 'void', 'payment', 'moved', 'reversal', 'refund', 'adjustment'] as const
export type EntryKind = (typeof entryKinds)[number]

/** An entry on the account of a customer. */
export interface AccountEntry {
  at: Date
  kind: EntryKind
  /** The invoice that it is about; null for credit. */
  invoice: AccountInvoice | null
  money: AccountMoney | null
  /** The payment that refunded it. */
  refund: number | null
  /** Positive for an increase of the customer's debt. */
  amount: Amount
  /** Balance that the customer owes after it; negative for credit. */
  balance: Amount
}

/** Target of money: an invoice by its id, or credit. */
type Target = number | 'credit'

/** Money that arrived for a target and was not reversed by the network, and the refunded part of it. */
interface Standing {
  arrived: Amount
  refunded: Amount
}

const NOTHING: Standing = { arrived: 0n, refunded: 0n }

/** Event at one time, in the order of `ranks` for equal times. */
type Moment = { at: Date; id: number } & (
  | { kind: 'issue' | 'void'; invoice: AccountInvoice }
  | { kind: 'allocation'; money: Money }
  | { kind: 'loss'; money: Money; loss: Loss }
)

const ranks = { issue: 0, allocation: 1, loss: 2, void: 3 } as const

/** Money while the account is written: the losses so far, and the state of its shares. */
interface Money {
  facts: AccountMoney
  reversed: Amount
  refunded: Amount
  standings: ReadonlyMap<Target, Standing>
}

/**
 * Writes the account of a customer up to a time, from its events: each change of the customer's debt is an entry. The
 * balance is the open sum of the invoices, less credit and overpayments. Refunded money is not asked for again, as
 * everywhere.
 * @param until the first moment that does not belong to it
 */
export function writeAccount(
  { invoices, moneys }: AccountFacts,
  contact: number,
  until: Date,
): { entries: AccountEntry[]; open: Amount } {
  const account = new Account(contact, invoices)
  const moments: Moment[] = [
    ...invoices.flatMap((invoice): Moment[] => [
      { at: invoice.issued, id: invoice.id, kind: 'issue', invoice },
      ...(invoice.voided ? [{ at: invoice.voided, id: invoice.id, kind: 'void' as const, invoice }] : []),
    ]),
    ...moneys.flatMap(momentsOf),
  ]
  for (const moment of moments.filter(({ at }) => at < until).sort(inOrder)) account.enter(moment)
  return { entries: account.entries, open: account.open() }
}

function momentsOf(facts: AccountMoney): Moment[] {
  const { id, shares, losses } = facts
  const money: Money = { facts, reversed: 0n, refunded: 0n, standings: new Map() }
  const times = new Set(
    shares.flatMap(({ created, ended }) => [created.getTime(), ...(ended ? [ended.getTime()] : [])]),
  )
  return [
    ...[...times].map((time): Moment => ({ at: new Date(time), id, kind: 'allocation', money })),
    ...losses.map((loss): Moment => ({ at: loss.at, id, kind: 'loss', money, loss })),
  ]
}

function inOrder(a: Moment, b: Moment): number {
  return a.at.getTime() - b.at.getTime() || ranks[a.kind] - ranks[b.kind] || a.id - b.id
}

class Account {
  readonly entries: AccountEntry[] = []
  readonly #contact: number
  readonly #invoices: ReadonlyMap<number, AccountInvoice>
  readonly #standings = new Map<Target, Standing>()
  /** The issued invoices that are not void. */
  readonly #asked = new Set<number>()
  #balance: Amount = 0n

  constructor(contact: number, invoices: readonly AccountInvoice[]) {
    this.#contact = contact
    this.#invoices = new Map(invoices.map((invoice) => [invoice.id, invoice]))
  }

  enter(moment: Moment): void {
    if ('invoice' in moment) this.#enterInvoice(moment)
    else this.#enterMoney(moment.at, moment.money, moment.kind === 'loss' ? moment.loss : undefined)
  }

  /** Sums the open amounts of the invoices. */
  open(): Amount {
    return [...this.#asked].reduce((sum, invoice) => sum + this.#openOf(invoice), 0n)
  }

  #enterMoney(at: Date, money: Money, loss: Loss | undefined): void {
    if (loss?.kind === 'reversal') money.reversed += loss.amount
    if (loss?.kind === 'refund') money.refunded += loss.amount
    const before = money.standings
    money.standings = this.#standingsOf(money, at)
    for (const target of new Set([...before.keys(), ...money.standings.keys()]))
      this.#change(target, before.get(target) ?? NOTHING, money.standings.get(target) ?? NOTHING, {
        at,
        kind: loss?.kind,
        money: money.facts,
        refund: loss?.payment ?? null,
      })
  }

  #enterInvoice({ at, kind, invoice }: { at: Date; kind: 'issue' | 'void'; invoice: AccountInvoice }): void {
    const about = { at, invoice, money: null, refund: null }
    const before = this.#balanceOf(invoice.id)
    if (kind === 'issue') this.#asked.add(invoice.id)
    else this.#asked.delete(invoice.id)
    const change = this.#balanceOf(invoice.id) - before
    const amount = kind === 'void' ? change : invoice.total
    this.#write({ ...about, kind: kind === 'void' ? 'void' : 'invoice', amount })
    this.#write({ ...about, kind: 'adjustment', amount: change - amount })
  }

  /** Adds up the parts of a collection that concern this customer. */
  #standingsOf({ facts, reversed, refunded }: Money, at: Date): Map<Target, Standing> {
    const active = facts.shares.filter(({ created, ended }) => created <= at && (ended === null || ended > at))
    const standings = new Map<Target, Standing>()
    for (const { row, ...kept } of spreadLosses({ amount: facts.amount, reversed, refunded }, active)) {
      const target = row.contact === this.#contact ? 'credit' : row.invoice
      if (target === null || (target !== 'credit' && !this.#invoices.has(target))) continue
      const sum = standings.get(target) ?? NOTHING
      standings.set(target, { arrived: sum.arrived + kept.arrived, refunded: sum.refunded + kept.refunded })
    }
    return standings
  }

  /** Enters the change of a target, and the resulting change of the open sum. */
  #change(
    target: Target,
    before: Standing,
    after: Standing,
    { kind, ...about }: Pick<AccountEntry, 'at' | 'money' | 'refund'> & { kind: Loss['kind'] | undefined },
  ): void {
    const arrived = after.arrived - before.arrived
    const refunded = after.refunded - before.refunded
    const owed_before = this.#balanceOf(target)
    const standing = this.#standings.get(target) ?? NOTHING
    this.#standings.set(target, { arrived: standing.arrived + arrived, refunded: standing.refunded + refunded })
    const change = this.#balanceOf(target) - owed_before
    const amount = refunded - arrived
    const invoice = target === 'credit' ? null : this.#invoices.get(target)!
    this.#write({ ...about, invoice, kind: kind ?? (amount < 0n ? 'payment' : 'moved'), amount })
    this.#write({ ...about, invoice, kind: 'adjustment', amount: change - amount })
  }

  #write(entry: Omit<AccountEntry, 'balance'>): void {
    if (entry.amount === 0n) return
    this.#balance += entry.amount
    this.entries.push({ ...entry, balance: this.#balance })
  }

  /** Computes the customer's debt for a target: negative for credit and for overpayment. */
  #balanceOf(target: Target): Amount {
    const { arrived, refunded } = this.#standings.get(target) ?? NOTHING
    if (target === 'credit') return refunded - arrived
    const asked = this.#asked.has(target) ? this.#invoices.get(target)!.total : 0n
    const too_much = arrived - refunded - asked
    return this.#openOf(target) - (too_much > 0n ? too_much : 0n)
  }

  #openOf(invoice: number): Amount {
    const { arrived } = this.#standings.get(invoice) ?? NOTHING
    const asked = this.#asked.has(invoice) ? this.#invoices.get(invoice)!.total : 0n
    return asked > arrived ? asked - arrived : 0n
  }
}

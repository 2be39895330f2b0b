import { z } from 'zod'
import { type Amount, formatAmount } from '../../lib/money.ts'
import type { StatementLine } from '../../lib/statements/statement-line.ts'
import type { BookEntry } from '../ledger/reconciliation.ts'

/** Money that both sides of a comparison moved in one currency, without reversed money. */
export const ComparedSum = z.object({
  /** Empty where neither side names the currency. */
  currency: z.string(),
  stated_received: z.string(),
  booked_received: z.string(),
  stated_sent: z.string(),
  booked_sent: z.string(),
})
export type ComparedSum = z.output<typeof ComparedSum>

/** The sums of a comparison, as it goes on. */
export class ComparedSums {
  readonly #usual_currency: string
  readonly #sums = new Map<string, Record<Exclude<keyof ComparedSum, 'currency'>, Amount>>()

  /** @param usual_currency of lines that name none */
  constructor(usual_currency: string | undefined) {
    this.#usual_currency = usual_currency ?? ''
  }

  /** Adds a line of the statement, with the entry of the ledger that it was compared with. */
  addLine(line: StatementLine, books: BookEntry | null): void {
    const currency = line.currency ?? books?.currency ?? this.#usual_currency
    if (line.status === 'successful') this.#in(currency)[line.sent ? 'stated_sent' : 'stated_received'] += line.amount
    if (books) this.addEntry(books, books.what === 'reversal' ? line.sent : books.what === 'payment')
  }

  /** Adds an entry of the ledger. */
  addEntry({ currency, amount, status }: BookEntry, sent: boolean): void {
    if (status !== 'reversed') this.#in(currency)[sent ? 'booked_sent' : 'booked_received'] += amount
  }

  toJSON(): ComparedSum[] {
    return [...this.#sums].map(([currency, sums]) => ({
      currency,
      stated_received: formatAmount(sums.stated_received),
      booked_received: formatAmount(sums.booked_received),
      stated_sent: formatAmount(sums.stated_sent),
      booked_sent: formatAmount(sums.booked_sent),
    }))
  }

  #in(currency: string) {
    const known = this.#sums.get(currency)
    if (known) return known
    const made = { stated_received: 0n, booked_received: 0n, stated_sent: 0n, booked_sent: 0n }
    this.#sums.set(currency, made)
    return made
  }
}

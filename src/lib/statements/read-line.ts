import { getMessage, type MessageKey } from '../messages/message.ts'
import { expandNumber } from '../sheets/expand-number.ts'
import type { SheetCell } from '../sheets/sheet.ts'
import { type Person, readPerson } from './people.ts'
import { isCharge, type Portal, readDirection, readState } from './portal.ts'
import { readCurrency, readStatedAmount, type StatedAmount } from './stated-amounts.ts'
import { type DateOrder, readStatedDate } from './stated-dates.ts'
import type { StatementColumn, StatementLine, UnreadableLine } from './statement-line.ts'

/** Position of each column of a table; -1 for a missing one. */
export interface Layout {
  titles: readonly string[]
  indexes: Readonly<Record<StatementColumn, number>>
}

/** Rules for understanding the cells of a line. */
export interface LineRules {
  portal: Portal
  layout: Layout
  order: DateOrder
  /** The time zone of times that name none. */
  zone: string
  /** ISO 3166-1: phone numbers without country code belong to it. */
  country: string | null
}

/** Part of a line that cannot be read. The message names the column in the words of the file. */
class LineProblem extends Error {
  override name = 'LineProblem'
}

/** Reads one line below the titles. It never throws, whatever the file has there. */
export function readLine(cells: readonly SheetCell[], line: number, rules: LineRules): StatementLine | UnreadableLine {
  const reader = new LineReader(cells, rules)
  let remote_id = ''
  try {
    remote_id = reader.id('remote_id')
    if (remote_id === '') throw new LineProblem('the id of the payment is missing')
    return { line, remote_id, ...reader.read() }
  } catch (error) {
    if (!(error instanceof LineProblem)) throw error
    return { line, remote_id, problem: error.message }
  }
}

/** The id of the payment of a line, as `readLine` reads it; empty where it cannot be read. */
export function readId(cells: readonly SheetCell[], rules: LineRules): string {
  return readLine(cells, 0, rules).remote_id
}

/** The charge that a line lists, and the payment that it belongs to. Undefined for a line that is no charge. */
export function readCharge(
  cells: readonly SheetCell[],
  rules: LineRules,
): { payment: string; amount: bigint } | undefined {
  const reader = new LineReader(cells, rules)
  if (!isCharge(reader.text('details'), rules.portal)) return undefined
  const line = readLine(cells, 0, rules)
  if ('problem' in line || !line.sent) return undefined
  return { payment: line.reversal_of ?? line.remote_id, amount: line.amount }
}

/** True if a row below the titles is no payment: a total, a note at the end, or the titles again. */
export function isNoPayment(cells: readonly SheetCell[], { indexes, titles }: Layout): boolean {
  if (titles.every((title, index) => (cells[index]?.text ?? '') === title)) return true
  const texts = cells.map(({ text }) => (NOTHING.test(text) ? '' : text))
  const filled = texts.filter((text) => text !== '')
  if (filled.length === 0) return true
  const has = (column: StatementColumn) => (texts[indexes[column]] ?? '') !== ''
  if (has('paid_at') || (has('status') && has('remote_id'))) return false
  const [first] = filled as [string]
  if (SUMMARY.test(first)) return true
  return has('remote_id') ? filled.length === 1 && /\s/.test(first) : !has('status')
}

const SUMMARY =
  /^(?:(?:grand|sub|net)[ -]?)?totals?\b|^(?:sum|jumla|totaux)\b|^(?:opening|closing|available|current|ending) balance|^(?:end of|page \d|generated|printed|number of|no\. of|notes?:)/i

/** Texts that portals and databases write into a cell that has nothing. */
const NOTHING = /^(?:[-–—]+|n\/?a|nil|null|\(null\)|\\n|none|nan)$/i

class LineReader {
  readonly #cells: readonly SheetCell[]
  readonly #rules: LineRules

  constructor(cells: readonly SheetCell[], rules: LineRules) {
    this.#cells = cells
    this.#rules = rules
  }

  /** The text of a cell as a person sees it; empty for a word that stands for nothing. */
  text(column: StatementColumn): string {
    const cell = this.#cells[this.#rules.layout.indexes[column]]
    if (!cell) return ''
    // Spreadsheets keep the zeros before a number so.
    const quoted = /^="([^"]*)"$/.exec(cell.text)
    if (quoted) return quoted[1]!.trim()
    const text = cell.text.replace(UNSEEN, '').trim()
    return NOTHING.test(text) ? '' : text
  }

  id(column: StatementColumn): string {
    const text = this.#plain(column)
    const is_number = this.#cells[this.#rules.layout.indexes[column]]?.kind === 'number'
    const id = is_number ? expandNumber(text) : text.replace(/^'/, '')
    if (/^\d(?:[.,]\d+)?E\+\d+$/i.test(id) || (is_number && id.length > 15))
      throw this.#problem(column, 'statements.lost_digits')
    return id
  }

  read(): Omit<StatementLine, 'line' | 'remote_id'> {
    const { portal } = this.#rules
    const { amount, sent, currency } = this.#amount()
    const word = this.#plain('status')
    const status = this.#has('status') ? readState(word, portal) : 'successful'
    if (!status) throw this.#problem('status', word === '' ? 'statements.empty_cell' : 'statements.unknown_state')
    const fee = this.#money('fee')?.amount ?? 0n
    return {
      amount,
      sent,
      status,
      currency: readCurrency(this.#plain('currency')) ?? currency,
      paid_at: this.#paidAt(),
      reversal_of: this.id('reversal_of') || null,
      fee: fee === 0n ? null : fee < 0n ? -fee : fee,
      ...this.#person(sent),
    }
  }

  #has(column: StatementColumn): boolean {
    return this.#rules.layout.indexes[column] >= 0
  }

  /** The text of a cell that is no formula and no error. */
  #plain(column: StatementColumn): string {
    const text = this.text(column)
    const kind = this.#cells[this.#rules.layout.indexes[column]]?.kind
    if (kind === 'error' || (kind === 'formula' && text.startsWith('=')))
      throw this.#problem(column, kind === 'error' ? 'statements.error_cell' : 'statements.formula')
    return text
  }

  #problem(column: StatementColumn, key: MessageKey): LineProblem {
    const { layout } = this.#rules
    const title = layout.titles[layout.indexes[column]] ?? column
    const value = JSON.stringify(this.text(column).slice(0, 100))
    return new LineProblem(getMessage(key, { column: title, value }))
  }

  #money(column: StatementColumn): StatedAmount | undefined {
    const text = this.#plain(column)
    if (text === '') return undefined
    const is_number = this.#cells[this.#rules.layout.indexes[column]]?.kind === 'number'
    const amount = readStatedAmount(is_number ? expandNumber(text) : text, is_number)
    if (!amount) throw this.#problem(column, 'statements.no_amount')
    return amount
  }

  /**
   * Money received is in `amount`. Money sent is there below zero, or in `paid_out` with either sign, or marked in
   * `direction`.
   */
  #amount(): { amount: bigint; sent: boolean; currency: string | null } {
    const [paid_in, out] = [this.#money('amount'), this.#money('paid_out')]
    const moved = paid_in?.amount ? paid_in : out?.amount ? out : undefined
    if (!moved) throw new LineProblem(getMessage('statements.amount_missing'))
    if (paid_in?.amount && out?.amount) throw new LineProblem(getMessage('statements.both_amounts'))
    const says_sent = readDirection(this.text('direction'), this.#rules.portal)
    const sent = moved === out || moved.amount < 0n || says_sent === true
    return { amount: moved.amount < 0n ? -moved.amount : moved.amount, sent, currency: moved.currency }
  }

  #paidAt(): Date | null {
    const text = this.#plain('paid_at')
    if (text === '') return null
    const { order, zone, layout } = this.#rules
    const time = layout.indexes.time === layout.indexes.paid_at ? '' : this.text('time')
    const whole = time !== '' && !/\d:\d/.test(text) ? `${text} ${time}` : text
    const date = readStatedDate(whole, order, zone)
    if (!date) throw this.#problem('paid_at', 'statements.no_date')
    return date
  }

  /** The other side of the payment. */
  #person(sent: boolean): Person {
    const { country } = this.#rules
    const [side, side_name] = sent ? (['payee', 'payee_name'] as const) : (['payer', 'payer_name'] as const)
    const own = readPerson(this.text(side), country)
    const other = readPerson(this.text('phonenumber'), country)
    return {
      phonenumber: own.phonenumber ?? other.phonenumber,
      name: this.text(side_name) || this.text('name') || own.name || other.name || null,
    }
  }
}

const UNSEEN = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\u00ad]/g

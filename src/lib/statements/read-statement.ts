import { getMessage } from '../messages/message.ts'
import { readSheet } from '../sheets/read-sheet.ts'
import {
  FileRefused,
  isEmptyCell,
  type SheetCell,
  type SheetFacts,
  type SheetLimits,
  SheetNotChosen,
  type SheetRow,
} from '../sheets/sheet.ts'
import { type Portal, plainTitle, titlesOf } from './portal.ts'
import { isNoPayment, type Layout, type LineRules, readCharge, readId, readLine } from './read-line.ts'
import { type DateOrder, dateOrders, isUndecided, orderOf } from './stated-dates.ts'
import {
  type StatementChunk,
  type StatementColumn,
  type StatementLine,
  StatementQuestion,
  statementColumns,
  type UnreadableLine,
  WrongStatement,
} from './statement-line.ts'

export interface StatementOptions {
  limits: SheetLimits
  portal: Portal
  /** The time zone of times that name none. */
  zone: string
  /** ISO 3166-1: phone numbers without country code belong to it. */
  country?: string | null
  /** The titles of columns that have other ones than usual. */
  names?: Partial<Record<StatementColumn, string>>
  /** Order of dates such as 05/06/2026, if a person has said it. */
  dates?: DateOrder | undefined
  /** The sheet of a workbook that a person has chosen. */
  sheet?: string | undefined
}

/** A statement whose table is found, and whose dates are understood. */
export interface OpenedStatement {
  /** Facts about the file besides its rows: encoding, and hidden parts. */
  facts: SheetFacts
  /** The time zone of its times. */
  zone: string
  /** Number of rows of the file. */
  rows: number
  /** Yields the lines that are payments, in the order of the file, with those that cannot be read. */
  chunks(): AsyncGenerator<StatementChunk>
}

/**
 * Opens a statement that a network has written: CSV or XLSX. The first row that has the required titles begins the table. The file is
 * read twice: a line anywhere may say in which order dates are written, and a charge stands before or after its payment.
 * @throws WrongStatement for a file that is none. StatementQuestion where a person must choose the sheet, or the order of dates
 */
export async function openStatement(bytes: Uint8Array, options: StatementOptions): Promise<OpenedStatement> {
  const survey = new Survey(options)
  let facts: SheetFacts | undefined
  let rows = 0
  for await (const chunk of readRows(bytes, options)) {
    for (const row of chunk.rows) survey.add(row)
    survey.requireWhole(chunk.facts)
    rows += chunk.rows.length
    facts = chunk.facts
  }
  const rules = survey.end()
  const fees = survey.fees(rules)
  return { facts: facts!, zone: options.zone, rows, chunks: () => readLines(bytes, options, fees, rules) }
}

async function* readRows(bytes: Uint8Array, { limits, sheet }: StatementOptions) {
  try {
    yield* readSheet(bytes, { limits, sheet })
  } catch (error) {
    if (error instanceof SheetNotChosen)
      throw new StatementQuestion('sheet', error.message, { hint: 'Name it with --sheet.', choices: error.sheets })
    throw error instanceof FileRefused ? new WrongStatement(error.message) : error
  }
}

/** Survey of the whole file before its lines are read. */
class Survey {
  readonly #options: StatementOptions
  #layout: Layout | undefined
  /** The rows of the titles and of the last payment, by their numbers. */
  #first_row = 0
  #last_row = 0
  /** The row that is nearest to one with titles, for the error. */
  #nearest: { titles: string[]; known: number } | undefined
  #order: DateOrder | undefined
  #undecided: string | undefined
  readonly #turned = new TurnedDates()
  /** Lines whose details say that they are charges. They are few. */
  readonly #charges: (readonly SheetCell[])[] = []
  /** The ids of all other lines, where a line may be a charge. */
  readonly #ids = new Set<string>()

  constructor(options: StatementOptions) {
    this.#options = options
    this.#order = options.dates
  }

  add({ number, cells, problem }: SheetRow): void {
    if (problem !== undefined) return
    if (!this.#layout) {
      this.#findTitles(cells)
      this.#first_row = number
      this.#last_row = number
      return
    }
    if (isNoPayment(cells, this.#layout)) return
    this.#last_row = number
    const { paid_at, details } = this.#layout.indexes
    this.#decide(cells[paid_at]?.text ?? '')
    this.#turned.add(cells[paid_at])
    if (details < 0) return
    const rules = this.#rules(this.#layout)
    if (readCharge(cells, rules)) this.#charges.push(cells)
    else this.#ids.add(readId(cells, rules))
  }

  /**
   * Requires that no cells of the table are merged. Banners above it and notes below it may be. The merged cells are known with the
   * last rows. @throws WrongStatement
   */
  requireWhole({ merged_cells }: SheetFacts): void {
    const inside = merged_cells.find((cells) => {
      const [first = 0, last = first] = [...cells.matchAll(/\d+/g)].map(Number)
      return this.#layout !== undefined && last >= this.#first_row && first <= this.#last_row
    })
    if (inside !== undefined) throw new WrongStatement(getMessage('files.merged_cells', { cells: inside }))
  }

  /** @throws WrongStatement without titles or with turned dates, StatementQuestion about the dates */
  end(): LineRules {
    if (!this.#layout) throw this.#noTitles()
    const turned = this.#turned.found()
    if (turned) throw new WrongStatement(getMessage('reconciliation.turned_dates', turned))
    if (this.#order === undefined && this.#undecided !== undefined)
      throw new StatementQuestion(
        'dates',
        getMessage('reconciliation.two_dates', { date: JSON.stringify(this.#undecided) }),
        { hint: 'Say it with --dates day or --dates month.', choices: dateOrders },
      )
    return this.#rules(this.#layout)
  }

  /** The sums of charges by the id of their payment, which the file has too. */
  fees(rules: LineRules): Map<string, bigint> {
    const fees = new Map<string, bigint>()
    for (const cells of this.#charges) {
      const charge = readCharge(cells, rules)
      if (charge && this.#ids.has(charge.payment))
        fees.set(charge.payment, (fees.get(charge.payment) ?? 0n) + charge.amount)
    }
    return fees
  }

  #rules(layout: Layout): LineRules {
    const { portal, zone, country = null } = this.#options
    return { portal, layout, zone, country, order: this.#order ?? 'day' }
  }

  #decide(text: string): void {
    if (this.#order !== undefined) return
    const order = orderOf(text)
    if (order === 'day' || order === 'month') this.#order = order
    else if (isUndecided(text)) this.#undecided ??= text
  }

  #findTitles(cells: readonly SheetCell[]): void {
    const titles = cells.map(({ text }) => text)
    const layout = layoutOf(titles, this.#options)
    if (layout.missing === undefined) {
      this.#layout = layout
      return
    }
    // A period above the table says how dates are written, too.
    for (const title of titles) for (const [date] of title.matchAll(DATES)) this.#decide(date)
    this.#undecided = undefined
    const known = Object.values(layout.indexes).filter((index) => index >= 0).length
    if (titles.filter(Boolean).length > 1 && (!this.#nearest || known > this.#nearest.known))
      this.#nearest = { titles, known }
  }

  #noTitles(): WrongStatement {
    if (!this.#nearest) return new WrongStatement(getMessage('reconciliation.empty'))
    const { titles } = this.#nearest
    const { missing } = layoutOf(titles, this.#options)
    const column = missing!
    const only = titles.filter(Boolean).map((title) => title.slice(0, 60))
    return new WrongStatement(
      getMessage('statements.no_column', { column: this.#options.names?.[column] ?? column, only: only.join(', ') }),
      `Name the column with --column ${column}=<name>.`,
    )
  }
}

/**
 * Dates of which a spreadsheet has exchanged the day and the month. One that reads the month first makes dates of all days up to the
 * 12th, each in a wrong month, and leaves the other days as texts.
 */
class TurnedDates {
  #date: string | undefined
  #text: string | undefined
  #is_certain = false

  add(cell: SheetCell | undefined): void {
    if (!cell) return
    if (cell.kind === undefined && DAY_OR_MONTH.has(orderOf(cell.text))) this.#text ??= cell.text
    if (cell.kind !== 'date') return
    this.#date ??= cell.text.slice(0, 10)
    // A day after the 12th was read as a day.
    if (Number(cell.text.slice(8, 10)) > 12) this.#is_certain = true
  }

  /** An exchanged date, and a text that proves it; undefined where nothing does. */
  found(): { date: string; text: string } | undefined {
    const [date, text] = [this.#date, this.#text]
    return date === undefined || text === undefined || this.#is_certain ? undefined : { date, text }
  }
}

const DAY_OR_MONTH: ReadonlySet<ReturnType<typeof orderOf>> = new Set(['day', 'month'])

const DATES = /\d{1,2}([-/.])\d{1,2}\1(?:\d{4}|\d\d)(?!\d)/g

/** Finds the columns in a row of titles. `missing` names one that a table needs and this row lacks. */
function layoutOf(
  titles: readonly string[],
  { names = {}, portal }: StatementOptions,
): Layout & { missing: StatementColumn | undefined } {
  const plain = titles.map(plainTitle)
  const exact = titles.map((title) => title.trim().toLowerCase())
  const indexOf = (column: StatementColumn): number => {
    const named = names[column]
    if (named !== undefined) return exact.indexOf(named.trim().toLowerCase())
    const found = titlesOf(column, portal).find((title) => title !== '' && plain.includes(title))
    return found === undefined ? -1 : plain.indexOf(found)
  }
  const indexes = Object.fromEntries(statementColumns.map((column) => [column, indexOf(column)])) as Layout['indexes']
  const needed = statementColumns.filter((column) => column === 'remote_id' || names[column] !== undefined)
  const missing =
    needed.find((column) => indexes[column] < 0) ??
    (indexes.amount < 0 && indexes.paid_out < 0 ? ('amount' as const) : undefined)
  return { titles, indexes, missing }
}

async function* readLines(
  bytes: Uint8Array,
  options: StatementOptions,
  fees: ReadonlyMap<string, bigint>,
  rules: LineRules,
): AsyncGenerator<StatementChunk> {
  let is_table = false
  let row = 0
  for await (const { rows } of readRows(bytes, options)) {
    const lines: StatementLine[] = []
    const unreadable: UnreadableLine[] = []
    for (const { number, cells, problem } of rows) {
      if (!is_table) is_table = problem === undefined && layoutOf(textsOf(cells), options).missing === undefined
      else if (problem !== undefined) unreadable.push({ line: number, remote_id: '', problem })
      else if (!cells.every(isEmptyCell) && !isNoPayment(cells, rules.layout)) {
        const line = readLine(cells, number, rules)
        const charge = readCharge(cells, rules)
        if ('problem' in line) unreadable.push(line)
        else if (!charge) lines.push(withFee(line, fees))
        else if (!fees.has(charge.payment)) {
          if (line.reversal_of === null) lines.push(line)
          else unreadable.push({ line: number, remote_id: line.remote_id, problem: describeLoneCharge(charge.payment) })
        }
      }
    }
    row += rows.length
    yield { lines, unreadable, row }
  }
}

const textsOf = (cells: readonly SheetCell[]) => cells.map(({ text }) => text)

const describeLoneCharge = (payment: string) =>
  `it is a charge of the payment ${payment}, which this statement does not list`

function withFee(line: StatementLine, fees: ReadonlyMap<string, bigint>): StatementLine {
  const charged = fees.get(line.remote_id)
  return charged === undefined ? line : { ...line, fee: (line.fee ?? 0n) + charged }
}

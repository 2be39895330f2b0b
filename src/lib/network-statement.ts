import { Readable } from 'node:stream'
import { CsvError, type Options, parse } from 'csv-parse'
import { type Amount, parseDisplayedAmount } from './money.ts'
import { parseFilterDate, truncateToSecond } from './time.ts'

/** What reconciling needs to know of each line; all but the first two only as far as the statement has them. */
export const statementColumns = ['remote_id', 'amount', 'paid_out', 'status', 'currency', 'paid_at'] as const
export type StatementColumn = (typeof statementColumns)[number]

/** One payment as its network lists it. */
export interface StatementLine {
  /** Where it stands in the file, from 1. */
  line: number
  remote_id: string
  /** Above zero, whichever way the money went. */
  amount: Amount
  /** Whether the money was sent rather than received: its amount is below zero, or stands in a column of its own. */
  sent: boolean
  status: 'successful' | 'reversed' | 'failed' | 'pending'
  currency: string | null
  paid_at: Date | null
}

/** The file is no statement that can be read; the message names the line. */
export class WrongStatement extends Error {
  override name = 'WrongStatement'
}

/** What networks and people call the columns, in lower case. */
const defaultColumnNames: Readonly<Record<StatementColumn, readonly string[]>> = {
  remote_id: ['remote_id', 'remote_transaction_id', 'transaction_id', 'transaction id', 'receipt no.', 'receipt', 'id'],
  amount: ['amount', 'paid in', 'credit'],
  paid_out: ['paid_out', 'paid out', 'withdrawn', 'debit'],
  status: ['status', 'transaction status', 'state'],
  currency: ['currency'],
  paid_at: ['paid_at', 'payment_date', 'completion time', 'transaction date', 'date', 'time'],
}

const REQUIRED_COLUMNS: readonly StatementColumn[] = ['remote_id', 'amount']

const statuses: [RegExp, StatementLine['status']][] = [
  [/^(successful|success|succeeded|complete|completed|paid|settled|ok|ts)$/, 'successful'],
  [/^(reversed|reversal|refunded)$/, 'reversed'],
  [/^(failed|failure|cancelled|canceled|declined|rejected|expired|tf)$/, 'failed'],
  [/^(pending|processing|initiated|in progress|tip)$/, 'pending'],
]

/** The most lines of one piece. */
const MAX_CHUNK_LINES = 1_000

const CSV_OPTIONS: Options = {
  bom: true,
  info: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  skip_empty_lines: true,
  trim: true,
}

/**
 * Reads a statement, a piece at a time, whatever its size: comma, semicolon or tab between fields, columns by their names
 * in the first line.
 * @param names which column is which, where it has another than the usual names
 * @throws WrongStatement at the first line that cannot be read
 */
export async function* readStatement(
  source: Readable,
  names: Partial<Record<StatementColumn, string>> = {},
): AsyncGenerator<StatementLine[]> {
  const { start, rest } = await readFirstLine(source)
  const parser = parse({ ...CSV_OPTIONS, delimiter: delimiterOf(start) })
  const text = Readable.from(joinText(start, rest))
  text.on('error', (error) => parser.destroy(error))
  text.pipe(parser)
  let places: Record<StatementColumn, number> | undefined
  let piece: StatementLine[] = []
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (!places) {
        places = findColumns(record, names)
        continue
      }
      piece.push(readLine(record, places, info.lines))
      if (piece.length < MAX_CHUNK_LINES) continue
      yield piece
      piece = []
    }
  } catch (error) {
    throw error instanceof CsvError ? new WrongStatement(`Line ${error.lines}: ${error.message}.`) : error
  } finally {
    text.destroy()
    source.destroy()
  }
  if (!places) throw new WrongStatement('The statement is empty: its first line must name the columns.')
  if (piece.length > 0) yield piece
}

/** The first line of a text, and perhaps more of it, and what follows. */
async function readFirstLine(source: Readable): Promise<{ start: string; rest: AsyncIterator<string> }> {
  const rest: AsyncIterator<string> = source.setEncoding('utf8')[Symbol.asyncIterator]()
  let start = ''
  while (!/[\r\n]/.test(start)) {
    const next = await rest.next()
    if (next.done) break
    start += next.value
  }
  return { start, rest }
}

/** Whatever separates most names in the first line. */
function delimiterOf(start: string): string {
  const header = start.split(/[\r\n]/, 1)[0]!
  const counts = [',', ';', '\t'].map((delimiter): [string, number] => [delimiter, header.split(delimiter).length])
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}

async function* joinText(start: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield start
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

function findColumns(header: string[], names: Partial<Record<StatementColumn, string>>) {
  const titles = header.map((title) => title.toLowerCase())
  const place = (column: StatementColumn): number => {
    const named = names[column]
    const found = (named === undefined ? defaultColumnNames[column] : [named.toLowerCase()])
      .map((name) => titles.indexOf(name))
      .find((index) => index >= 0)
    if (found === undefined && (named !== undefined || REQUIRED_COLUMNS.includes(column)))
      throw new WrongStatement(
        `There is no column ${named ?? column}; there are ${header.join(', ')}. Say which it is with --column ${column}=<name>.`,
      )
    return found ?? -1
  }
  return Object.fromEntries(statementColumns.map((column) => [column, place(column)])) as Record<
    StatementColumn,
    number
  >
}

function readLine(record: string[], places: Record<StatementColumn, number>, line: number): StatementLine {
  const cell = (column: StatementColumn) => record[places[column]] ?? ''
  const wrong = (what: string) => new WrongStatement(`Line ${line}: ${what}.`)
  const remote_id = cell('remote_id')
  if (remote_id === '') throw wrong('the id of the payment is missing')
  const { amount, sent } = readAmount(cell('amount'), cell('paid_out'), wrong)
  const word = cell('status').toLowerCase()
  const status = places.status < 0 ? 'successful' : statuses.find(([pattern]) => pattern.test(word))?.[1]
  if (!status) throw wrong(`${JSON.stringify(cell('status'))} is no status that is known`)
  const date = cell('paid_at')
  const moment = parseFilterDate(date)
  if (date !== '' && !moment) throw wrong(`${JSON.stringify(date)} is no date such as 2030-01-31 18:00:00`)
  const currency = cell('currency').toUpperCase() || null
  // The books keep whole seconds.
  return { line, remote_id, amount, sent, status, currency, paid_at: moment ? truncateToSecond(moment) : null }
}

/** What came in stands in `amount`; what went out stands there below zero, or in a column of its own, of either sign. */
function readAmount(amount: string, paid_out: string, wrong: (what: string) => WrongStatement) {
  const read = (text: string): Amount => {
    const sum = text === '' ? 0n : parseDisplayedAmount(text)
    if (sum === undefined) throw wrong(`${JSON.stringify(text)} is no amount`)
    return sum
  }
  const [came, went] = [read(amount), read(paid_out)]
  if (came === 0n && went === 0n) throw wrong('the amount is missing or zero')
  if (came !== 0n && went !== 0n) throw wrong('money came in and went out at once')
  const sum = came === 0n ? went : came
  return { amount: sum < 0n ? -sum : sum, sent: came <= 0n }
}

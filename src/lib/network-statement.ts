import { Readable } from 'node:stream'
import { CsvError, type Options, parse } from 'csv-parse'
import { type Amount, parseDisplayedAmount } from './money.ts'
import { parseFilterDate, truncateToSecond } from './time.ts'

/** The columns that the reconciliation reads. Only the first two are required. */
export const statementColumns = [
  'remote_id',
  'amount',
  'paid_out',
  'status',
  'currency',
  'paid_at',
  'reversal_of',
  'fee',
] as const
export type StatementColumn = (typeof statementColumns)[number]

/** One payment as its network lists it. */
export interface StatementLine {
  /** The line number in the file, from 1. */
  line: number
  remote_id: string
  /** Above zero for both directions. */
  amount: Amount
  /** Whether we sent the money: its amount is below zero in the file, or in the column `paid_out`. */
  sent: boolean
  status: 'successful' | 'reversed' | 'failed' | 'pending'
  currency: string | null
  paid_at: Date | null
  /** The id of the transaction of which this line takes back a part; null for all other lines. */
  reversal_of: string | null
  /** What the network charged for it, above zero; missing or null where the statement does not say so. */
  fee?: Amount | null
  /**
   * Who paid, and for what. Only the statement that a driver has fetched from its network has it, never a file: money is booked
   * on the word of the network only.
   */
  payment?: StatementPayment
}

/** What a network's own statement says about received money besides its amount. */
export interface StatementPayment {
  receiver: string
  /** E.164. */
  phonenumber: string
  /** The reference of our order, where the line names one. */
  order_reference: string | null
  /** What the customer typed as the reference, if anything. */
  reference: string | null
}

/** The file is not a readable statement; the message names the line. */
export class WrongStatement extends Error {
  override name = 'WrongStatement'
  /** What is wrong, without the hint for the command line. */
  readonly problem: string
  constructor(problem: string, hint?: string) {
    super(hint === undefined ? problem : `${problem} ${hint}`)
    this.problem = problem
  }
}

/** The usual names of the columns, in lower case. */
const defaultColumnNames: Readonly<Record<StatementColumn, readonly string[]>> = {
  remote_id: ['remote_id', 'remote_transaction_id', 'transaction_id', 'transaction id', 'receipt no.', 'receipt', 'id'],
  amount: ['amount', 'paid in', 'credit'],
  paid_out: ['paid_out', 'paid out', 'withdrawn', 'debit'],
  status: ['status', 'transaction status', 'state'],
  currency: ['currency'],
  paid_at: ['paid_at', 'payment_date', 'completion time', 'transaction date', 'date', 'time'],
  fee: ['fee', 'charge', 'charges', 'transaction fee', 'transaction charge'],
  reversal_of: ['reversal_of', 'linked transaction id', 'original transaction id'],
}

const REQUIRED_COLUMNS: readonly StatementColumn[] = ['remote_id', 'amount']

const statuses: [RegExp, StatementLine['status']][] = [
  [/^(successful|success|succeeded|complete|completed|paid|settled|ok|ts)$/, 'successful'],
  [/^(reversed|reversal|refunded)$/, 'reversed'],
  [/^(failed|failure|cancelled|canceled|declined|rejected|expired|tf)$/, 'failed'],
  [/^(pending|processing|initiated|in progress|tip)$/, 'pending'],
]

/** The most lines of one chunk. */
const MAX_CHUNK_LINES = 1_000

const CSV_OPTIONS: Options = {
  bom: true,
  info: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  skip_empty_lines: true,
  trim: true,
}

/**
 * Reads a statement of any size in chunks. Fields are separated by comma, semicolon or tab, and the first line has the
 * names of the columns.
 * @param names the names of columns that do not have a usual name
 * @throws WrongStatement at the first line that is not readable
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
  let indexes: Record<StatementColumn, number> | undefined
  let chunk: StatementLine[] = []
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (!indexes) {
        indexes = findColumns(record, names)
        continue
      }
      chunk.push(readLine(record, indexes, info.lines))
      if (chunk.length < MAX_CHUNK_LINES) continue
      yield chunk
      chunk = []
    }
  } catch (error) {
    throw error instanceof CsvError ? new WrongStatement(`Line ${error.lines}: ${error.message}.`) : error
  } finally {
    text.destroy()
    source.destroy()
  }
  if (!indexes) throw new WrongStatement('The statement is empty: its first line must name the columns.')
  if (chunk.length > 0) yield chunk
}

/** Reads at least the first line. `rest` yields what follows `start`. */
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

/** The delimiter that separates the most names in the first line. */
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
  const indexOf = (column: StatementColumn): number => {
    const named = names[column]
    const found = (named === undefined ? defaultColumnNames[column] : [named.toLowerCase()])
      .map((name) => titles.indexOf(name))
      .find((index) => index >= 0)
    if (found === undefined && (named !== undefined || REQUIRED_COLUMNS.includes(column)))
      throw new WrongStatement(
        `There is no column ${named ?? column}, only ${header.join(', ')}.`,
        `Name the column with --column ${column}=<name>.`,
      )
    return found ?? -1
  }
  return Object.fromEntries(statementColumns.map((column) => [column, indexOf(column)])) as Record<
    StatementColumn,
    number
  >
}

function readLine(record: string[], indexes: Record<StatementColumn, number>, line: number): StatementLine {
  const cell = (column: StatementColumn) => record[indexes[column]] ?? ''
  const wrong = (what: string) => new WrongStatement(`Line ${line}: ${what}.`)
  const remote_id = cell('remote_id')
  if (remote_id === '') throw wrong('the id of the payment is missing')
  const { amount, sent } = readAmount(cell('amount'), cell('paid_out'), wrong)
  const word = cell('status').toLowerCase()
  const status = indexes.status < 0 ? 'successful' : statuses.find(([pattern]) => pattern.test(word))?.[1]
  if (!status) throw wrong(`${JSON.stringify(cell('status'))} is not a known status`)
  const date = cell('paid_at')
  const timestamp = parseFilterDate(date)
  if (date !== '' && !timestamp) throw wrong(`${JSON.stringify(date)} is not a date such as 2030-01-31 18:00:00`)
  const currency = cell('currency').toUpperCase() || null
  // The database has whole seconds.
  const paid_at = timestamp ? truncateToSecond(timestamp) : null
  const fee = readFee(cell('fee'), wrong)
  return { line, remote_id, amount, sent, status, currency, paid_at, reversal_of: cell('reversal_of') || null, fee }
}

/** What the network charged, with either sign; null where the field is empty or zero. */
function readFee(text: string, wrong: (what: string) => WrongStatement): Amount | null {
  if (text === '') return null
  const parsed = parseDisplayedAmount(text)
  if (parsed === undefined) throw wrong(`the fee ${JSON.stringify(text)} is not an amount`)
  if (parsed === 0n) return null
  return parsed < 0n ? -parsed : parsed
}

/** Money received is in `amount`. Money sent is there below zero, or in `paid_out` with either sign. */
function readAmount(amount: string, paid_out: string, wrong: (what: string) => WrongStatement) {
  const read = (text: string): Amount => {
    const parsed = text === '' ? 0n : parseDisplayedAmount(text)
    if (parsed === undefined) throw wrong(`${JSON.stringify(text)} is not an amount`)
    return parsed
  }
  const [paid_in, out] = [read(amount), read(paid_out)]
  if (paid_in === 0n && out === 0n) throw wrong('the amount is missing or zero')
  if (paid_in !== 0n && out !== 0n) throw wrong('the line has both a received and a sent amount')
  const moved = paid_in === 0n ? out : paid_in
  return { amount: moved < 0n ? -moved : moved, sent: paid_in <= 0n }
}

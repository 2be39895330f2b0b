import type { AnyReader } from '../../db/client.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import {
  type PaperTable,
  type Table,
  type TableHeading,
  type TableRow,
  titleColumns,
} from '../../lib/table-files/table.ts'
import { fillTemplate } from '../../lib/template.ts'
import { countryDay } from '../../lib/text/country-dates.ts'
import type { Language } from '../../lib/text/languages.ts'
import type { Period } from '../../lib/text/zoned-times.ts'
import type { Account } from '../ledger/accounts.ts'
import { streamTransactions, type Transaction } from '../ledger/transactions.ts'
import { AN_OPERATOR, type Cause, causesOf } from './causes.ts'
import { paperColumns, statementColumns, walletStatementWords } from './wallet-statement-words.ts'

/** Line of a statement: a transaction, the balance after it, and its cause. */
export interface StatementEntry {
  transaction: Transaction
  balance: Amount
  cause: Cause
}

/** Statement of a wallet: the balance before the period, and its changes, oldest first. */
interface WalletStatement {
  opening: Amount
  chunks: AsyncGenerator<StatementEntry[]>
}

const MAX_CHUNK_ROWS = 1_000

/**
 * Reads the statement of a wallet. The balances follow from its own lines: the opening balance and the amounts up to
 * each line. So the closing balance is the last line's, also while money moves.
 */
export async function walletStatement(
  db: AnyReader,
  wallet: Pick<Account, 'id' | 'organization'>,
  { from, until }: Pick<Period, 'from' | 'until'>,
): Promise<WalletStatement> {
  const opening = await balanceBefore(db, wallet.id, from)
  const filters = { account: wallet.id, start_date: from, end_date: until }
  return { opening, chunks: entries() }

  async function* entries(): AsyncGenerator<StatementEntry[]> {
    let balance = opening
    for await (const chunk of streamTransactions(db, wallet.organization, filters, MAX_CHUNK_ROWS)) {
      const causes = await causesOf(
        db,
        chunk.map(({ id }) => id),
      )
      yield chunk.map((transaction) => {
        balance += transaction.amount
        return { transaction, balance, cause: causes.get(transaction.id)! }
      })
    }
  }
}

/**
 * Reads the balance of a wallet at the beginning of a time: the present one without the changes since. One statement,
 * so both fit.
 */
async function balanceBefore(db: AnyReader, wallet: number, from: Date): Promise<Amount> {
  const [row] = await db<{ balance: Amount }[]>`
    select (a.balance
      - coalesce((select sum(amount) from transfers where to_account = a.id and created >= ${from}), 0)
      + coalesce((select sum(amount) from transfers
        where from_account = a.id and kind <> 'mobile_collection' and created >= ${from}), 0))::numeric(38,4) as balance
    from accounts a where a.id = ${wallet}`
  return row!.balance
}

/** The statement on paper: eight columns. The type and the cause of a line stand in its description. */
const paperOf = (language: Language): PaperTable => ({
  columns: titleColumns(paperColumns, walletStatementWords[language].paper),
  toRow(row) {
    const cells = Object.fromEntries(statementColumns.map(({ name }, index) => [name, row[index] ?? null]))
    const { time, transaction, network_reference, description, counterparty_name, counterparty_phone } = cells
    return [
      time ?? null,
      network_reference || transaction || null,
      description ?? null,
      [counterparty_name, counterparty_phone].filter(Boolean).join(' '),
      cells.money_in ?? null,
      cells.money_out ?? null,
      cells.network_fee ?? null,
      cells.balance ?? null,
    ]
  },
  balance: { column: 'balance', label: 'description' },
})

/** Return the words for the cause of a transaction. */
function objectOf({ object, purpose, is_fee }: Cause, language: Language): string {
  const { objects, fee_of } = walletStatementWords[language]
  if (object === 'none') return ''
  const what = objects[purpose === 'refund' || purpose === 'return' ? purpose : object]
  return is_fee ? fillTemplate(fee_of, { object: what }) : what
}

/** The statement of a wallet as a table: the first line is the opening balance, the last one sums up. */
export async function statementTable(
  db: AnyReader,
  wallet: Pick<Account, 'id' | 'organization' | 'name' | 'currency'>,
  period: Period,
  about: TableHeading,
): Promise<Table> {
  const { opening, chunks } = await walletStatement(db, wallet, period)
  const { language = 'en' } = about
  const words = walletStatementWords[language]
  const day = (text: string) => countryDay(text, about.country ?? null)
  const sums = { money_in: 0n, money_out: 0n, balance: opening }
  const line = (cells: Partial<Record<string, TableRow[number]>>): TableRow =>
    statementColumns.map(({ name }) => cells[name] ?? null)
  async function* rows(): AsyncGenerator<TableRow[]> {
    const { from: time } = period
    yield [line({ time, description: words.opening, balance: opening, currency: wallet.currency })]
    for await (const chunk of chunks) {
      for (const { transaction, balance } of chunk) {
        if (transaction.amount > 0n) sums.money_in += transaction.amount
        else sums.money_out -= transaction.amount
        sums.balance = balance
      }
      yield chunk.map((entry) => line(cellsOf(entry, language)))
    }
  }
  return {
    name: `statement-${wallet.id}-${period.first_day}-${period.last_day}`,
    title: fillTemplate(words.title, { wallet: wallet.name }),
    organization: about.organization,
    facts: [
      [words.wallet, `${wallet.name} (${wallet.id})`],
      [words.period, fillTemplate(words.days, { from: day(period.first_day), to: day(period.last_day) })],
      [words.currency, wallet.currency],
      [words.opening, `${wallet.currency} ${displayAmount(opening)}`],
    ],
    columns: titleColumns(statementColumns, words.columns),
    chunks: rows(),
    totals: () => [line({ description: words.closing, ...sums, currency: wallet.currency })],
    zone: period.zone,
    created: about.now,
    letterhead: about.letterhead,
    country: about.country,
    language,
    paper: paperOf(language),
  }
}

function cellsOf(
  { transaction, balance, cause }: StatementEntry,
  language: Language,
): Partial<Record<string, TableRow[number]>> {
  const { id, created, type, description, amount, currency } = transaction
  return {
    time: created,
    transaction: id,
    type,
    description,
    balance,
    currency,
    counterparty_name: cause.entered_by === null ? cause.name : enteredBy(cause.entered_by, language),
    counterparty_phone: cause.phonenumber,
    network: cause.network,
    network_reference: cause.remote_id,
    ...(amount > 0n ? { money_in: amount } : { money_out: -amount }),
    network_fee: cause.network_fee,
    object: objectOf(cause, language),
    object_id: cause.id,
    invoice: cause.invoice,
  }
}

function enteredBy(name: string, language: Language): string {
  const { entered_by, entered_by_operator } = walletStatementWords[language]
  return name === AN_OPERATOR ? entered_by_operator : fillTemplate(entered_by, { name })
}

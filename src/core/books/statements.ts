import type { AnyReader } from '../../db/client.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import type { PaperTable, Table, TableColumn, TableHeading, TableRow } from '../../lib/table-files/table.ts'
import { countryDay } from '../../lib/text/country-dates.ts'
import type { Period } from '../../lib/text/zoned-times.ts'
import type { Account } from '../ledger/accounts.ts'
import { streamTransactions, type Transaction } from '../ledger/transactions.ts'
import { type Cause, causesOf } from './causes.ts'

/** Line of a statement: a transaction, the balance after it, and its cause. */
export interface StatementEntry {
  transaction: Transaction
  balance: Amount
  cause: Cause
}

/** Statement of a wallet: the balance before the period, and its changes, oldest first. */
export interface WalletStatement {
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

const columns: readonly TableColumn[] = [
  { name: 'time', title: 'Time', kind: 'time' },
  { name: 'transaction', title: 'Transaction', kind: 'count', width: 1.3 },
  { name: 'type', title: 'Type', kind: 'text' },
  { name: 'description', title: 'Description', kind: 'text', width: 1.4 },
  { name: 'counterparty_name', title: 'Name', kind: 'text', width: 1.2 },
  { name: 'counterparty_phone', title: 'Phone number', kind: 'code', width: 1.1 },
  { name: 'network', title: 'Network', kind: 'text' },
  { name: 'network_reference', title: 'Network reference', kind: 'code', width: 1.2 },
  { name: 'money_in', title: 'Money in', kind: 'amount' },
  { name: 'money_out', title: 'Money out', kind: 'amount' },
  { name: 'balance', title: 'Balance', kind: 'amount', width: 1.1 },
  { name: 'currency', title: 'Currency', kind: 'text', width: 0.7 },
  { name: 'network_fee', title: 'Fee of the network', kind: 'amount', width: 0.9 },
  { name: 'object', title: 'Caused by', kind: 'text' },
  { name: 'object_id', title: 'Its id', kind: 'count' },
  { name: 'invoice', title: 'Invoice', kind: 'count' },
]

/** The statement on paper: eight columns. The type and the cause of a line stand in its description. */
const paper: PaperTable = {
  columns: [
    { name: 'time', title: 'Date and time', kind: 'time' },
    { name: 'reference', title: 'Reference', kind: 'code' },
    { name: 'description', title: 'Description', kind: 'text' },
    { name: 'counterparty', title: 'Name and phone number', kind: 'text' },
    { name: 'money_in', title: 'Money in', kind: 'amount' },
    { name: 'money_out', title: 'Money out', kind: 'amount' },
    { name: 'network_fee', title: 'Network fee', kind: 'amount' },
    { name: 'balance', title: 'Balance', kind: 'amount' },
  ],
  toRow(row) {
    const cells = Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]))
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
}

/** Returns the words for the cause of a transaction. */
function objectOf({ object, purpose, is_fee }: Cause): string {
  const what = purpose === 'refund' || purpose === 'return' ? purpose : object === 'none' ? '' : object
  return is_fee ? `fee of ${what}` : what
}

/** The statement of a wallet as a table: the first line is the opening balance, the last one sums up. */
export async function statementTable(
  db: AnyReader,
  wallet: Pick<Account, 'id' | 'organization' | 'name' | 'currency'>,
  period: Period,
  about: TableHeading,
): Promise<Table> {
  const { opening, chunks } = await walletStatement(db, wallet, period)
  const day = (text: string) => countryDay(text, about.country ?? null)
  const sums = { money_in: 0n, money_out: 0n, balance: opening }
  const line = (cells: Partial<Record<string, TableRow[number]>>): TableRow =>
    columns.map(({ name }) => cells[name] ?? null)
  async function* rows(): AsyncGenerator<TableRow[]> {
    const { from: time } = period
    yield [line({ time, description: 'Opening balance', balance: opening, currency: wallet.currency })]
    for await (const chunk of chunks) {
      for (const { transaction, balance } of chunk) {
        if (transaction.amount > 0n) sums.money_in += transaction.amount
        else sums.money_out -= transaction.amount
        sums.balance = balance
      }
      yield chunk.map((entry) => line(cellsOf(entry)))
    }
  }
  return {
    name: `statement-${wallet.id}-${period.first_day}-${period.last_day}`,
    title: `Statement of ${wallet.name}`,
    organization: about.organization,
    facts: [
      ['Wallet', `${wallet.name} (${wallet.id})`],
      ['Period', `${day(period.first_day)} to ${day(period.last_day)}`],
      ['Currency', wallet.currency],
      ['Opening balance', `${wallet.currency} ${displayAmount(opening)}`],
    ],
    columns,
    chunks: rows(),
    totals: () => [line({ description: 'Closing balance', ...sums, currency: wallet.currency })],
    zone: period.zone,
    created: about.now,
    letterhead: about.letterhead,
    country: about.country,
    paper,
  }
}

function cellsOf({ transaction, balance, cause }: StatementEntry): Partial<Record<string, TableRow[number]>> {
  const { id, created, type, description, amount, currency } = transaction
  return {
    ...{ time: created, transaction: id, type, description, balance, currency },
    ...{
      counterparty_name: cause.entered_by === null ? cause.name : `Entered by ${cause.entered_by}`,
      counterparty_phone: cause.phonenumber,
      network: cause.network,
    },
    network_reference: cause.remote_id,
    ...(amount > 0n ? { money_in: amount } : { money_out: -amount }),
    // The line of a fee would count the fee of the network a second time.
    network_fee: cause.is_fee ? null : cause.network_fee,
    ...{ object: objectOf(cause), object_id: cause.id, invoice: cause.invoice },
  }
}

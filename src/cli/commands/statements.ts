import type { Command } from 'commander'
import { readPeriod } from '../../actions/report-period.ts'
import type { App } from '../../app.ts'
import { getOrganization, type Organization } from '../../core/access/organizations.ts'
import { statementTable } from '../../core/books/statements.ts'
import { readTableHeading } from '../../core/checkout/letterhead.ts'
import { transactionStatement } from '../../core/collections/statements.ts'
import { findAccount } from '../../core/ledger/accounts.ts'
import { countTransactions, type TransactionFilters } from '../../core/ledger/transactions.ts'
import { csvLines } from '../../lib/csv.ts'
import type { Table } from '../../lib/table-files/table.ts'
import type { Language } from '../../lib/text/languages.ts'
import { typedDay } from '../../lib/text/time-zones.ts'
import { readPast, toCount } from '../arguments.ts'
import { addCommand } from '../command.ts'
import { CommandError } from '../errors.ts'
import { startProgress } from '../progress.ts'
import { languageOption, PERIOD, TABLE_FILE, writeTable, writeWhole } from '../table-output.ts'
import type { Terminal } from '../terminal.ts'
import { required, typed } from '../typed.ts'

export function addStatements(program: Command, terminal: Terminal): void {
  const statements = program.command('statements').description('the transactions of wallets')

  addCommand(statements, terminal, {
    name: 'export',
    description: 'write all transactions to a CSV file, oldest first',
    typed: {
      file: typed('<file.csv>', 'the file to write'),
      account: typed('--account <id>', 'only those of this wallet', toCount),
      type: typed('--type <type>', 'only those of one type, such as mobile_collection'),
      from: typed('--from <date>', 'the first day, in the time zone of the organization'),
      to: typed('--to <date>', 'the last day'),
    },
    organization: 'one',
    help: EXAMPLES,
    async run(app, { file, ...typed }, { owner }) {
      const count = await exportStatement(terminal, app, file, owner.id, readFilters(typed, app.clock.now(), owner))
      const text = `${count} ${count === 1 ? 'transaction' : 'transactions'} written to ${file}.`
      return { shown: { file, count }, text }
    },
  })
  addCommand(statements, terminal, {
    name: 'wallet',
    description: 'write the statement of a wallet, with opening, running and closing balance',
    typed: {
      target: TABLE_FILE,
      account: required(typed('--account <id>', 'the wallet', toCount)),
      ...PERIOD,
      language: languageOption(),
    },
    async run(app, { target, ...wanted }) {
      await writeTable(terminal, await walletStatement(app, wanted), target)
      return target && { shown: { file: target.path }, text: `The statement was written to ${target.path}.` }
    },
  })
}

/** Write the file and return the number of transactions. */
async function exportStatement(
  terminal: Terminal,
  app: App,
  file: string,
  id: number,
  filters: TransactionFilters,
): Promise<number> {
  const { columns, chunks } = transactionStatement(app.reads.exports, id, filters)
  const progress = await startProgress(terminal, await countTransactions(app.db, id, filters), 'transactions')
  let count = 0
  async function* lines() {
    yield csvLines([columns])
    for await (const chunk of chunks) {
      yield csvLines(chunk)
      count += chunk.length
      progress.update(count)
    }
  }
  await writeWhole(file, lines()).finally(() => progress.stop())
  return count
}

interface TypedFilters {
  account: number | undefined
  type: string | undefined
  from: string | undefined
  to: string | undefined
}

/** Return the filters. Days and times are in the time zone of the organization, unless they name another. */
function readFilters(
  { account, type, from, to }: TypedFilters,
  now: Date,
  { time_zone }: Organization,
): TransactionFilters {
  const start = from === undefined ? undefined : readPast(from, now, time_zone)
  const end = to === undefined ? undefined : readPast(to, now, time_zone, true)
  if ((from !== undefined && !start) || (to !== undefined && !end))
    throw new CommandError('--from and --to must be dates such as 2030-01-31 or 2030-01-31T18:00.')
  // A time includes its second.
  const is_day = to === undefined || typedDay(to) !== undefined
  const end_date = is_day ? end : new Date(end!.getTime() + 1_000)
  return { account, type, start_date: start, end_date, created_after: undefined, created_before: undefined }
}

interface WalletOptions {
  account: number
  from: string | undefined
  to: string | undefined
  language: Language | undefined
}

/** @throws CommandError when there is no such wallet, Invalid when the days are in the wrong order */
async function walletStatement(app: App, { account, from, to, language }: WalletOptions): Promise<Table> {
  const wallet = await findAccount(app.db, account)
  if (!wallet) throw new CommandError(`There is no wallet ${account}.`)
  const owner = await getOrganization(app.db, wallet.organization)
  const about = await readTableHeading(app.db, owner, app.clock.now(), language)
  const period = await readPeriod(app, wallet.organization, { from, to })
  return statementTable(app.reads.exports, wallet, period, about)
}

const EXAMPLES = `
Examples:
  $ npx kusanya statements export 2030-01.csv --from 2030-01-01 --to 2030-01-31
  $ npx kusanya statements export bxc.csv --account 5
  $ npx kusanya statements wallet bxc.pdf --account 5 --from 2030-01-01 --to 2030-01-31
  $ npx kusanya statements wallet --account 5 | head
  $ npx kusanya statements wallet bxc.pdf --account 5 --language sw`

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { getOrganization } from '../../core/access/organizations.ts'
import { statementTable } from '../../core/books/statements.ts'
import { transactionStatement } from '../../core/collections/statements.ts'
import { findAccount } from '../../core/ledger/accounts.ts'
import { countTransactions, type TransactionFilters, transactionFilters } from '../../core/ledger/transactions.ts'
import { csvLines } from '../../lib/csv.ts'
import { TooManyRows, tableFormats } from '../../lib/table-files/table.ts'
import { tableFile } from '../../lib/table-files/table-file.ts'
import { isoDay } from '../../lib/text/time-zones.ts'
import { periodOf } from '../../lib/text/zoned-times.ts'
import { chooseOrganization, jsonOption, organizationOption, toCount } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { printResult } from '../print.ts'
import { startProgress } from '../progress.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addStatements(program: Command, terminal: Terminal): void {
  const statements = program.command('statements').description('the transactions of wallets')

  statements
    .command('export')
    .description('write all transactions to a CSV file, oldest first')
    .argument('<file.csv>', 'the file to write')
    .addOption(organizationOption())
    .option('--account <id>', 'only those of this wallet', toCount)
    .option('--type <type>', 'only those of one type, such as mobile_collection')
    .option('--from <date>', 'only those of this day or later')
    .option('--to <date>', 'only those of this day or earlier')
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((file: string, options: Options) =>
      withApp(terminal, async (app) => {
        const count = await exportStatement(terminal, app, file, options)
        const text = `${count} ${count === 1 ? 'transaction' : 'transactions'} written to ${file}.`
        printResult(terminal, { file, count }, { ...options, text })
      }),
    )
  addWalletStatement(statements, terminal)
}

interface Options {
  organization?: number
  account?: number
  type?: string
  from?: string
  to?: string
  json?: boolean
}

/** Writes the file and returns the number of transactions. */
async function exportStatement(terminal: Terminal, app: App, file: string, options: Options): Promise<number> {
  const { id } = await chooseOrganization(app.db, options.organization)
  const filters = readFilters(options)
  const { columns, chunks } = transactionStatement(app.reads.exports, id, filters)
  const out = createWriteStream(file)
  await once(out, 'open').catch((error: Error) => {
    throw new CommandError(`The file ${file} cannot be written: ${error.message}`)
  })
  const write = async (text: string) => {
    if (!out.write(text)) await once(out, 'drain')
  }
  const progress = await startProgress(terminal, await countTransactions(app.db, id, filters), 'transactions')
  let count = 0
  try {
    await write(csvLines([columns]))
    for await (const chunk of chunks) {
      await write(csvLines(chunk))
      count += chunk.length
      progress.update(count)
    }
  } finally {
    progress.stop()
    out.end()
  }
  await once(out, 'finish')
  return count
}

function readFilters({ account, type, from, to }: Options): TransactionFilters {
  const read = z
    .object(transactionFilters)
    .safeParse({ account: account?.toString(), type, start_date: from, end_date: to })
  if (!read.success) throw new CommandError('--from and --to must be dates such as 2030-01-31 or 2030-01-31T18:00.')
  return read.data
}

/** The command for the statement of one wallet, as the console writes it. */
function addWalletStatement(statements: Command, terminal: Terminal): void {
  statements
    .command('wallet')
    .description('write the statement of a wallet, with opening, running and closing balance')
    .argument('<file>', 'the file to write: .csv, .xlsx or .pdf')
    .requiredOption('--account <id>', 'the wallet', toCount)
    .requiredOption('--from <day>', 'the first day, in the time zone of the organization', toDay)
    .requiredOption('--to <day>', 'the last day', toDay)
    .addOption(jsonOption())
    .action((file: string, options: WalletOptions) =>
      withApp(terminal, async (app) => {
        await writeWalletStatement(app, file, options)
        printResult(terminal, { file }, { ...options, text: `The statement was written to ${file}.` })
      }),
    )
}

interface WalletOptions {
  account: number
  from: string
  to: string
  json?: boolean
}

function toDay(text: string): string {
  const day = isoDay(text)
  if (day === undefined) throw new InvalidArgumentError('It must be a day such as 2030-01-31.')
  return day
}

/** @throws CommandError when the file has another ending, is too long for it, or cannot be written, or there is no such wallet */
async function writeWalletStatement(app: App, file: string, { account, from, to }: WalletOptions): Promise<void> {
  const format = tableFormats.find((one) => file.toLowerCase().endsWith(`.${one}`))
  if (!format) throw new CommandError(`The file must end in ${tableFormats.map((one) => `.${one}`).join(', ')}.`)
  if (to < from) throw new CommandError('--from must not be after --to.')
  const wallet = await findAccount(app.db, account)
  if (!wallet) throw new CommandError(`There is no wallet ${account}.`)
  const { name: organization, time_zone } = await getOrganization(app.db, wallet.organization)
  const about = { organization, now: app.clock.now() }
  const table = await statementTable(app.reads.exports, wallet, periodOf(from, to, time_zone), about)
  const content = await tableFile(table, format).catch((error: unknown) => {
    throw error instanceof TooManyRows ? new CommandError(error.message) : error
  })
  await writeFile(file, content).catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === undefined ? error : new CommandError(`The file ${file} cannot be written: ${error.message}`)
  })
}

const EXAMPLES = `
Examples:
  $ npx kusanya statements export 2030-01.csv --from 2030-01-01 --to 2030-01-31
  $ npx kusanya statements export bxc.csv --account 5
  $ npx kusanya statements wallet bxc.pdf --account 5 --from 2030-01-01 --to 2030-01-31`

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Command } from 'commander'
import { z } from 'zod'
import { readPeriod } from '../../actions/report-period.ts'
import type { App } from '../../app.ts'
import { getOrganization } from '../../core/access/organizations.ts'
import { statementTable } from '../../core/books/statements.ts'
import { readTableHeading } from '../../core/checkout/letterhead.ts'
import { transactionStatement } from '../../core/collections/statements.ts'
import { findAccount } from '../../core/ledger/accounts.ts'
import { countTransactions, type TransactionFilters, transactionFilters } from '../../core/ledger/transactions.ts'
import { csvLines } from '../../lib/csv.ts'
import type { Table } from '../../lib/table-files/table.ts'
import type { Language } from '../../lib/text/languages.ts'
import { chooseOrganization, jsonOption, organizationOption, toCount } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { printResult } from '../print.ts'
import { startProgress } from '../progress.ts'
import { withApp } from '../service/with-app.ts'
import { languageOption, TABLE_FILE, type TableTarget, toDay, toTableTarget, writeTable } from '../table-output.ts'
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

/** Write the file and return the number of transactions. */
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
    .argument('[file]', TABLE_FILE, toTableTarget)
    .requiredOption('--account <id>', 'the wallet', toCount)
    .option(
      '--from <day>',
      'the first day, in the time zone of the organization; the first of the month unless given',
      toDay,
    )
    .option('--to <day>', 'the last day; today unless given', toDay)
    .addOption(languageOption())
    .addOption(jsonOption())
    .action((target: TableTarget | undefined, options: WalletOptions) =>
      withApp(terminal, async (app) => {
        await writeTable(terminal, await walletStatement(app, options), target)
        if (!target) return
        const text = `The statement was written to ${target.path}.`
        printResult(terminal, { file: target.path }, { ...options, text })
      }),
    )
}

interface WalletOptions {
  account: number
  from?: string
  to?: string
  language?: Language
  json?: boolean
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

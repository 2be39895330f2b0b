import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Command } from 'commander'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { transactionStatement } from '../../core/collections/statements.ts'
import { countTransactions, type TransactionFilters, transactionFilters } from '../../core/ledger/transactions.ts'
import { csvLines } from '../../lib/csv.ts'
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

const EXAMPLES = `
Examples:
  $ npx kusanya statements export 2030-01.csv --from 2030-01-01 --to 2030-01-31
  $ npx kusanya statements export bxc.csv --account 5`

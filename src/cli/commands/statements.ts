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
  const statements = program.command('statements').description('what moved the balances of wallets')

  statements
    .command('export')
    .description('write all transactions to a file, as CSV, oldest first')
    .argument('<file.csv>', 'where to')
    .addOption(organizationOption())
    .option('--account <id>', 'of this wallet only', toCount)
    .option('--type <type>', 'of one type only, such as mobile_collection')
    .option('--from <date>', 'not what is earlier than this day')
    .option('--to <date>', 'not what is later than this day')
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

/** Returns how many transactions were written. */
async function exportStatement(terminal: Terminal, app: App, file: string, options: Options): Promise<number> {
  const { id } = await chooseOrganization(app.db, options.organization)
  const filters = readFilters(options)
  const { columns, chunks: pieces } = transactionStatement(app.db, id, filters)
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
    for await (const piece of pieces) {
      await write(csvLines(piece))
      count += piece.length
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

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
import { toCount } from '../arguments.ts'
import { addCommand } from '../command.ts'
import { CommandError } from '../errors.ts'
import { startProgress } from '../progress.ts'
import { languageOption, PERIOD, TABLE_FILE, writeTable } from '../table-output.ts'
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
      from: typed('--from <date>', 'only those of this day or later'),
      to: typed('--to <date>', 'only those of this day or earlier'),
    },
    organization: 'one',
    help: EXAMPLES,
    async run(app, { file, ...typed }, { owner }) {
      const count = await exportStatement(terminal, app, file, owner.id, readFilters(typed))
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

interface TypedFilters {
  account: number | undefined
  type: string | undefined
  from: string | undefined
  to: string | undefined
}

function readFilters({ account, type, from, to }: TypedFilters): TransactionFilters {
  const read = z
    .object(transactionFilters)
    .safeParse({ account: account?.toString(), type, start_date: from, end_date: to })
  if (!read.success) throw new CommandError('--from and --to must be dates such as 2030-01-31 or 2030-01-31T18:00.')
  return read.data
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

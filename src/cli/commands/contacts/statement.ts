import type { Command } from 'commander'
import { readPeriod } from '../../../actions/report-period.ts'
import type { App } from '../../../app.ts'
import { getOrganization } from '../../../core/access/organizations.ts'
import { readCustomerStatement, readStatementLanguage } from '../../../core/books/receivables/customer-statement.ts'
import { customerStatementTable, statementPdf } from '../../../core/books/receivables/statement-files.ts'
import { findContact } from '../../../core/contacts/details.ts'
import { NotFound } from '../../../core/refusals.ts'
import { withSnapshot } from '../../../db/snapshot.ts'
import type { Language } from '../../../lib/text/languages.ts'
import { jsonOption, toCount } from '../../arguments.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import {
  languageOption,
  TABLE_FILE,
  type TableTarget,
  toDay,
  toTableTarget,
  writeTable,
  writeTarget,
} from '../../table-output.ts'
import type { Terminal } from '../../terminal.ts'

interface Options {
  from?: string
  to?: string
  currency?: string
  language?: Language
  json?: boolean
}

/** Add the command `contacts statement`: invoices and payments of a customer. */
export function addContactStatement(contacts: Command, terminal: Terminal): void {
  contacts
    .command('statement')
    .description('write the statement of a customer: invoices, payments, credit and balance')
    .argument('<id>', 'as `contacts list` shows it', toCount)
    .argument('[file]', TABLE_FILE, toTableTarget)
    .option(
      '--from <day>',
      'the first day, in the time zone of the organization; the first of the month unless given',
      toDay,
    )
    .option('--to <day>', 'the last day; today unless given', toDay)
    .option('--currency <code>', 'the currency; default: the currency of the newest invoice')
    .addOption(languageOption('the language of the file; default: English, of a PDF that of the newest invoice'))
    .addOption(jsonOption())
    .action((id: number, target: TableTarget | undefined, options: Options) =>
      withApp(terminal, (app) => writeStatement(terminal, app, id, target, options)),
    )
}

/** @throws NotFound, Invalid when the days are in the wrong order, CommandError when the file cannot be written */
async function writeStatement(
  terminal: Terminal,
  app: App,
  id: number,
  target: TableTarget | undefined,
  { from, to, currency, language, json }: Options,
): Promise<void> {
  const contact = await findContact(app.db, id)
  if (!contact) throw new NotFound(`There is no contact ${id}.`)
  const { organization } = contact
  const period = await readPeriod(app, organization, { from, to })
  const account = { organization, contact: id }
  const statement = await withSnapshot(app.db, (tx) => readCustomerStatement(tx, account, { period, currency }))
  if (!target && json) return printResult(terminal, statement, { json, text: '' })
  const { name, country } = await getOrganization(app.db, organization)
  const now = app.clock.now()
  if (target?.format === 'pdf') {
    const chosen = { language: language ?? (await readStatementLanguage(app.db, id)), now }
    await writeTarget(target, statementPdf(app.db, { id: organization, name }, statement, chosen))
  } else
    await writeTable(
      terminal,
      customerStatementTable(statement, { organization: name, now, country, language }),
      target,
    )
  if (!target) return
  printResult(terminal, { file: target.path }, { json, text: `The statement was written to ${target.path}.` })
}

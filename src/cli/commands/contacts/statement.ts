import type { Command } from 'commander'
import { readPeriod } from '../../../actions/report-period.ts'
import type { App } from '../../../app.ts'
import { getOrganization } from '../../../core/access/organizations.ts'
import { readCustomerStatement, readStatementLanguage } from '../../../core/books/receivables/customer-statement.ts'
import { customerStatementTable, statementPdf } from '../../../core/books/receivables/statement-files.ts'
import { findContact } from '../../../core/contacts/details.ts'
import { NotFound } from '../../../core/refusals.ts'
import { withSnapshot } from '../../../db/snapshot.ts'
import { toCount } from '../../arguments.ts'
import { addCommand, type Call, type Told } from '../../command.ts'
import { languageOption, PERIOD, TABLE_FILE, writeTable, writeTarget } from '../../table-output.ts'
import type { Terminal } from '../../terminal.ts'
import { type Given, typed } from '../../typed.ts'

const STATEMENT = {
  id: typed('<id>', 'as `contacts list` shows it', toCount),
  target: TABLE_FILE,
  ...PERIOD,
  currency: typed('--currency <code>', 'the currency; default: the currency of the newest invoice'),
  language: languageOption('the language of the file; default: English; for a PDF, the language of the newest invoice'),
}

/** Add the command `contacts statement`: invoices and payments of a customer. */
export function addContactStatement(contacts: Command, terminal: Terminal): void {
  addCommand(contacts, terminal, {
    name: 'statement',
    description: 'write the statement of a customer: invoices, payments, credit and balance',
    typed: STATEMENT,
    run: writeStatement,
  })
}

/** @throws NotFound, Invalid when the days are in the wrong order, CommandError when the file cannot be written */
async function writeStatement(
  app: App,
  { id, target, from, to, currency, language }: Given<typeof STATEMENT>,
  { terminal, json }: Call<unknown>,
): Promise<Told | undefined> {
  const contact = await findContact(app.db, id)
  if (!contact) throw new NotFound(`There is no contact ${id}.`)
  const { organization } = contact
  const period = await readPeriod(app, organization, { from, to })
  const account = { organization, contact: id }
  const statement = await withSnapshot(app.db, (tx) => readCustomerStatement(tx, account, { period, currency }))
  if (!target && json) return { shown: statement, text: '' }
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
  return target && { shown: { file: target.path }, text: `The statement was written to ${target.path}.` }
}

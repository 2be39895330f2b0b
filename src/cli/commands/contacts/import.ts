import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { importContacts } from '../../../actions/contact-import.ts'
import { contactImportList } from '../../../actions/lists/contacts.ts'
import { operatorFor } from '../../../actions/run.ts'
import { checkContactRows } from '../../../core/contacts/import/check.ts'
import { type ContactFile, importColumns, readContactFile } from '../../../core/contacts/import/columns.ts'
import type { CheckedRow } from '../../../core/contacts/import/read-row.ts'
import type { ContactImport } from '../../../core/contacts/import/row.ts'
import { chooseMember, chooseOrganization, jsonOption, organizationOption } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addListCommand } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

interface ImportOptions {
  organization?: number
  user?: string
  update?: true
  check?: true
  sheet?: string
  json?: boolean
}

/** The commands for contacts from a file: `contacts import` and `contacts imports`. */
export function addContactImport(contacts: Command, terminal: Terminal): void {
  contacts
    .command('import')
    .description('import contacts from a CSV or Excel file')
    .argument('<file>', 'with titles such as phone number, name, customer number, class, mother phone')
    .option('--update', 'update contacts that already have a name; without it they stay as they are')
    .option('--sheet <name>', 'the sheet to read, of a workbook with several')
    .option('--check', 'only report problems of the rows, and which contacts exist')
    .addOption(organizationOption())
    .option('--user <email>', 'the user whose contacts they are; not needed while the organization has one user')
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((path: string, options: ImportOptions) =>
      withApp(terminal, async (app) => {
        const organization = await chooseOrganization(app.db, options.organization)
        const file = await readContactFile({
          name: basename(path),
          bytes: await readFile(path),
          sheet: options.sheet,
        })
        const rows = await checkContactRows(app.db, organization.id, file.rows)
        if (options.check) {
          printResult(terminal, rows.map(toShownRow), { ...options, text: describeChecked(rows, file) })
          return
        }
        if (rows.every(({ state }) => state === 'refused'))
          throw new CommandError(`${describeRefused(rows)}\nNo row of this file can be imported.`)
        const member = await chooseMember(app.db, organization, options.user)
        const known = options.update ? 'update' : 'skip'
        const actor = operatorFor(organization.id, member)
        const done = await importContacts(app, actor, { file, rows, known })
        const refused = rows.filter(({ state }) => state === 'refused').map(toShownRow)
        printResult(terminal, { ...done, refused_rows: refused }, { ...options, text: describeDone(done, rows) })
      }),
    )

  addListCommand(contacts, terminal, contactImportList)
}

/** A row as --json prints it. */
function toShownRow({ read: _, ...row }: CheckedRow) {
  return row
}

function describeDone({ id, added, updated, unchanged, refused }: ContactImport, rows: readonly CheckedRow[]): string {
  return [
    `Contact import ${id}: ${added} added, ${updated} updated, ${unchanged} left as they were, ${refused} refused.`,
    ...(refused > 0 ? [describeRefused(rows)] : []),
  ].join('\n')
}

function describeChecked(rows: readonly CheckedRow[], { name, ignored_columns, notes }: ContactFile): string {
  const count = (...states: CheckedRow['state'][]) => rows.filter(({ state }) => states.includes(state)).length
  return [
    `${name}: ${rows.length} rows, ${count('new')} new, ${count('unnamed')} contacts that get a name, ${count('unnumbered')} that get a number, ${count('known')} contacts that exist, ${count('refused')} refused.`,
    ...notes,
    ...(ignored_columns.length > 0 ? [`Columns that are not used: ${ignored_columns.join(', ')}.`] : []),
    ...(count('refused') > 0 ? [describeRefused(rows)] : []),
    'Nothing was imported.',
  ].join('\n')
}

/** Maximum number of printed problems. */
const MAX_SHOWN = 50

function describeRefused(rows: readonly CheckedRow[]): string {
  const lines = rows.flatMap(({ number, problems }) =>
    problems.map(({ column, message }) => `  row ${number}, ${importColumns.titles[column]}: ${message}`),
  )
  const more = lines.length - MAX_SHOWN
  return [
    ...lines.slice(0, MAX_SHOWN),
    ...(more > 0 ? [`  … and ${more} more; --check --json prints all rows.`] : []),
  ].join('\n')
}

const HELP = `
Rows with problems are left out and printed. A contact without a name gets that of the file, with and without --update. The
same file again changes nothing.

Examples:
  $ npx kusanya contacts import customers.xlsx --check
  $ npx kusanya contacts import customers.xlsx --update`

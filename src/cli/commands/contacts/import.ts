import type { Command } from 'commander'
import { importContacts } from '../../../actions/contact-import.ts'
import { contactImportList } from '../../../actions/lists/contacts.ts'
import { operatorFor } from '../../../actions/run.ts'
import { checkContactRows } from '../../../core/contacts/import/check.ts'
import { type ContactFile, importColumns, readContactFile } from '../../../core/contacts/import/columns.ts'
import type { CheckedRow } from '../../../core/contacts/import/read-row.ts'
import type { ContactImport } from '../../../core/contacts/import/row.ts'
import { chooseMember } from '../../arguments.ts'
import { readNamedFile } from '../../batch-commands.ts'
import { addCommand } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { addListCommand } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'

/** The commands for contacts from a file: `contacts import` and `contacts imports`. */
export function addContactImport(contacts: Command, terminal: Terminal): void {
  addCommand(contacts, terminal, {
    name: 'import',
    description: 'import contacts from a CSV or Excel file',
    typed: {
      path: typed('<file>', 'with titles such as phone number, name, customer number, class, mother phone'),
      update: typed('--update', 'update contacts that already have a name; without it they stay as they are'),
      sheet: typed('--sheet <name>', 'the sheet to read, of a workbook with several'),
      check: typed('--check', 'only report problems of the rows, and which contacts exist'),
      user: typed('--user <email>', 'the user whose contacts they are; not needed while the organization has one user'),
    },
    organization: 'one',
    help: HELP,
    async run(app, { path, sheet, check, update, user }, { owner }) {
      const file = await readContactFile({ ...(await readNamedFile(path)), sheet })
      const rows = await checkContactRows(app.db, owner.id, file.rows)
      if (check) return { shown: rows.map(toShownRow), text: describeChecked(rows, file) }
      if (rows.every(({ state }) => state === 'refused'))
        throw new CommandError(`${describeRefused(rows)}\nNo row of this file can be imported.`)
      const actor = operatorFor(owner.id, await chooseMember(app.db, owner, user))
      const done = await importContacts(app, actor, { file, rows, known: update ? 'update' : 'skip' })
      const refused_rows = rows.filter(({ state }) => state === 'refused').map(toShownRow)
      return { shown: { ...done, refused_rows }, text: describeDone(done, rows) }
    },
  })

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

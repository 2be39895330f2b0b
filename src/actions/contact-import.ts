import type { App } from '../app.ts'
import type { Actor } from '../core/access/action.ts'
import { importContactsAction, importRowsAction } from '../core/contacts/actions.ts'
import { type NewContactImport, readImport } from '../core/contacts/import/imports.ts'
import type { ContactImport } from '../core/contacts/import/row.ts'
import { runAction } from './run.ts'

/**
 * Import a file, some rows in each transaction. A repeated call with the Duplicate-Check-Key of the same file continues
 * where that import ended, and answers for the whole file. So after a lost answer or an interruption, the same call is
 * enough.
 * @throws Duplicate for a key of something else
 */
export async function importContacts(
  app: App,
  actor: Actor,
  given: Pick<NewContactImport, 'file' | 'rows' | 'known'>,
  key?: string,
): Promise<ContactImport> {
  const { id } = await runAction(app, actor, importContactsAction, given, key)
  let more = true
  while (more) ({ more } = await runAction(app, actor, importRowsAction, { id, rows: given.rows }))
  return readImport(app.db, actor.organization!, id)
}

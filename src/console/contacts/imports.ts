import { z } from 'zod'
import { importContacts } from '../../actions/contact-import.ts'
import { addView } from '../../actions/lists/views.ts'
import { actorOf, keyOf } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { checkContactRows } from '../../core/contacts/import/check.ts'
import { importColumns, importWorkbook, readContactFile } from '../../core/contacts/import/columns.ts'
import { findImportsOf, readImport } from '../../core/contacts/import/imports.ts'
import { readRefusedRows, toRefusedFile } from '../../core/contacts/import/refused-rows.ts'
import { CheckedFile, ContactImport, knownChoices } from '../../core/contacts/import/row.ts'
import { RefusedRows, refusedRowsOf } from '../../core/files/refused-rows.ts'
import { MAX_UPLOAD_BYTES } from '../../core/files/row-file.ts'
import { Invalid } from '../../core/refusals.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { addTemplates, uploadedFile, uploadFields } from '../file-uploads.ts'

const path = '/console/api/contacts/imports'
const permission = 'manage_contacts'

const Upload = z.object(uploadFields)
const Import = z.object({ ...uploadFields, known: z.enum(knownChoices) })

/** The routes for contacts from a file: templates, check, import, and the imports that were made. */
export function addContactImports(server: Server, app: App): void {
  addTemplates(server, path, 'contacts', importColumns, importWorkbook)
  addCheck(server, app)
  addImport(server, app)
  addRefusedRows(server, app)
}

/** The refused rows of an import, for those who may import them again. */
function addRefusedRows(server: Server, app: App): void {
  addView(server, app, {
    url: `${path}/:id/refused`,
    permission,
    answer: RefusedRows,
    async read(db, { organization, params }) {
      const { id: contact_import } = await readImport(db, organization, params.id)
      return toRefusedFile(await readRefusedRows(db, { organization, contact_import }))
    },
  })
}

/** Check a file and store nothing. */
function addCheck(server: Server, app: App): void {
  server.post(`${path}/check`, {
    config: { permission },
    bodyLimit: MAX_UPLOAD_BYTES,
    schema: { body: Upload, response: { 200: CheckedFile } },
    handler: async ({ caller: { organization }, body }) => {
      const file = await readContactFile(uploadedFile(body))
      const rows = await checkContactRows(app.db, organization, file.rows)
      return {
        rows,
        refused: refusedRowsOf(file, rows),
        ignored_columns: file.ignored_columns,
        notes: file.notes,
        same_file: await findImportsOf(app.db, organization, file.digest),
      }
    },
  })
}

/** Import a file. A repeated call with the same Duplicate-Check-Key continues. */
function addImport(server: Server, app: App): void {
  server.post(path, {
    config: { permission },
    bodyLimit: MAX_UPLOAD_BYTES,
    schema: { body: Import, response: { 201: ContactImport } },
    handler: async (request, reply) => {
      const { known } = request.body
      const file = await readContactFile(uploadedFile(request.body))
      const rows = await checkContactRows(app.db, request.caller.organization, file.rows)
      if (rows.every(({ state }) => state === 'refused'))
        throw new Invalid({ file: [getMessage('contacts.nothing_to_import')] })
      return reply
        .code(201)
        .send(await importContacts(app, actorOf(request, ''), { file, rows, known }, keyOf(request)))
    },
  })
}

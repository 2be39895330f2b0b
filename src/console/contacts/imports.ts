import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { networkOfContact } from '../../connections/contact-network.ts'
import { checkContactRows } from '../../core/contacts/import/check.ts'
import { importColumns, importWorkbook, readContactFile } from '../../core/contacts/import/columns.ts'
import {
  beginImport,
  findImportsOf,
  importNextRows,
  isImportOf,
  listImports,
  type NewContactImport,
  readImport,
} from '../../core/contacts/import/imports.ts'
import { readRefusedRows, toRefusedFile } from '../../core/contacts/import/refused-rows.ts'
import { CheckedFile, ContactImport, knownChoices } from '../../core/contacts/import/row.ts'
import { RefusedRows, refusedRowsOf } from '../../core/files/refused-rows.ts'
import { MAX_UPLOAD_BYTES } from '../../core/files/row-file.ts'
import { claimDuplicateKeys, createDuplicateKeyClaim, linkKeysToObjects } from '../../core/idempotency.ts'
import { Invalid } from '../../core/refusals.ts'
import { begin, type Tx } from '../../db/client.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Phone } from '../../lib/phone.ts'
import { recordRequestAction } from '../audit.ts'
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
  server.get(path, {
    config: { permission: 'view', allow: 'GET, POST, HEAD, OPTIONS' },
    schema: { querystring: listQuery({}), response: { 200: listOf(ContactImport) } },
    handler: async (request) => {
      const page = readPage(request.query, orderings)
      const slice = { limit: page.limit, offset: page.offset, descending: page.ordering.descending }
      const list = await app.reads.snapshot((tx) => listImports(tx, request.caller.organization, slice))
      return answerPage(app, request, page, list)
    },
  })
  addRefusedRows(server, app)
}

/** The refused rows of an import, for those who may import them again. */
function addRefusedRows(server: Server, app: App): void {
  const url = `${path}/:id/refused`
  server.get(url, {
    config: { permission },
    schema: { params: idParams, response: { 200: RefusedRows } },
    handler: ({ caller: { organization }, params }) =>
      app.reads.snapshot(async (tx) => {
        const { id: contact_import } = await readImport(tx, organization, params.id)
        return toRefusedFile(await readRefusedRows(tx, { organization, contact_import }))
      }),
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

/**
 * Import a file, some rows in each transaction. A repeated call with the Duplicate-Check-Key of the same file continues
 * where that import ended, and answers for the whole file. So after a lost answer or an interruption, the same call is
 * enough.
 */
function addImport(server: Server, app: App): void {
  server.post(path, {
    config: { permission, allow: 'GET, POST, HEAD, OPTIONS' },
    bodyLimit: MAX_UPLOAD_BYTES,
    schema: { body: Import, response: { 201: ContactImport } },
    handler: async (request, reply) => {
      const { organization, user: author } = request.caller
      const { known } = request.body
      const file = await readContactFile(uploadedFile(request.body))
      const rows = await checkContactRows(app.db, organization, file.rows)
      if (rows.every(({ state }) => state === 'refused'))
        throw new Invalid({ file: [getMessage('contacts.nothing_to_import')] })
      const id = await beginOnce(app, request, { organization, author, file, rows, known })
      const network = (phone: Phone) => networkOfContact(app.connections, organization, phone)
      let more = true
      while (more) {
        more = await begin(app.db, async (tx) => {
          const result = await importNextRows(tx, app.clock.now(), { organization, id }, rows, network)
          if (result.finished) await recordEnd(tx, app, request, await readImport(tx, organization, id))
          return result.more
        })
        app.wake()
      }
      return reply.code(201).send(await readImport(app.db, organization, id))
    },
  })
}

/**
 * Begin an import, or find the one that this key has begun with the same file. @throws Duplicate for a key of something
 * else
 */
function beginOnce(app: App, request: FastifyRequest, given: NewContactImport): Promise<number> {
  const { organization, file, known, rows } = given
  const key = request.headers['duplicate-check-key']
  const claim = typeof key === 'string' && key ? createDuplicateKeyClaim(organization, key) : undefined
  return begin(app.db, async (tx) => {
    const now = app.clock.now()
    const [duplicate] = await claimDuplicateKeys(tx, now, 'contactimport', [claim])
    if (duplicate) {
      const { type, id } = duplicate
      if (type === 'contactimport' && (await isImportOf(tx, { organization, id }, file, known))) return id
      throw duplicate
    }
    const id = await beginImport(tx, now, given)
    linkKeysToObjects(tx, [{ claim, object: id }])
    const details = { contact_import: id, file: file.name, sha256: file.digest, known, rows: rows.length }
    await recordRequestAction(tx, app, request, { action: 'import contacts', details })
    return id
  })
}

function recordEnd(
  tx: Tx,
  app: App,
  request: FastifyRequest,
  { id, file_name: file, added, updated, unchanged, refused }: ContactImport,
): Promise<void> {
  const details = { contact_import: id, file, added, updated, unchanged, refused }
  return recordRequestAction(tx, app, request, { action: 'finish import of contacts', details })
}

import { z } from 'zod'
import { makeInvoices } from '../../actions/invoice-batches.ts'
import { actorOf, keyOf } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { duplicateChoices, InvoiceBatch } from '../../core/batches/batch.ts'
import { digestOf, findBatchesOf } from '../../core/batches/batches.ts'
import { booleanField, choiceError } from '../../core/fields.ts'
import { refusedRowsOf } from '../../core/files/refused-rows.ts'
import { MAX_UPLOAD_BYTES } from '../../core/files/row-file.ts'
import { CheckedFile } from '../../core/invoices/batches/batch.ts'
import {
  type CheckedInvoices,
  checkInvoiceRows,
  fileChoiceFields,
  readFileChoices,
} from '../../core/invoices/batches/check.ts'
import {
  type InvoiceFile,
  invoiceColumns,
  invoiceWorkbook,
  readInvoiceFile,
} from '../../core/invoices/batches/columns.ts'
import { collectionCurrencies } from '../../core/ledger/currencies.ts'
import { Invalid } from '../../core/refusals.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { addTemplates, uploadedFile, uploadFields } from '../file-uploads.ts'

const path = '/console/api/invoices/files'
const permission = 'initiate_collections'
const kind = 'invoices'

/** The routes for invoices from a file: templates, check, and the invoices. */
export function addInvoiceFiles(server: Server, app: App): void {
  addTemplates(server, path, 'invoices', invoiceColumns, invoiceWorkbook)
  const upload = z.object({ ...uploadFields, ...fileChoiceFields(collectionCurrencies(app.config)) })
  addCheck(server, app, upload)
  addCreate(server, app, upload)
}

type Upload = z.ZodObject<typeof uploadFields & ReturnType<typeof fileChoiceFields>>

function addCheck(server: Server, app: App, upload: Upload): void {
  server.post(`${path}/check`, {
    config: { permission },
    bodyLimit: MAX_UPLOAD_BYTES,
    schema: { body: upload, response: { 200: CheckedFile } },
    handler: async ({ caller, body }) => {
      const { file, checked } = await readAndCheck(app, caller, body)
      const { rows, all, without_duplicates } = checked
      const same_file = await findBatchesOf(app.db, { kind, organization: caller.organization, digest: file.digest })
      const { ignored_columns, notes } = file
      const refused = refusedRowsOf(file, rows)
      return { rows, all, without_duplicates, refused, same_file, ignored_columns, notes }
    },
  })
}

async function readAndCheck(
  app: App,
  { organization, time_zone }: { organization: number; time_zone: string },
  body: z.output<Upload>,
): Promise<{ file: InvoiceFile; checked: CheckedInvoices; asked: object }> {
  const now = app.clock.now()
  const { file_name, content, sheet, ...choice } = body
  const choices = readFileChoices(choice, collectionCurrencies(app.config), { now, time_zone })
  const file = await readInvoiceFile(uploadedFile({ file_name, content, sheet }))
  const checked = await checkInvoiceRows(app.db, organization, file.rows, choices, now)
  return { file, checked, asked: { file: file.digest, ...choices } }
}

/** Make the invoices of a file. A repeated call with the same Duplicate-Check-Key continues. */
function addCreate(server: Server, app: App, upload: Upload): void {
  const body = upload.extend({
    duplicates: z.enum(duplicateChoices, { error: choiceError(duplicateChoices) }),
    issue: booleanField,
  })
  server.post(path, {
    config: { permission },
    bodyLimit: MAX_UPLOAD_BYTES,
    schema: { body, response: { 201: InvoiceBatch } },
    handler: async (request, reply) => {
      const { duplicates, issue, ...given } = request.body
      const { file, checked, asked } = await readAndCheck(app, request.caller, given)
      const { planned, rows } = checked
      if (planned.length === 0) throw new Invalid({ file: [getMessage('invoices.no_row')] })
      const { name, digest } = file
      const counts = { rows: rows.length, refused: rows.filter(({ state }) => state === 'refused').length }
      const chosen = { asked: digestOf({ ...asked, duplicates, issue }), duplicates, issue }
      const batch = { source: 'file', name, digest, ...chosen, ...counts } as const
      return reply.code(201).send(await makeInvoices(app, actorOf(request, ''), batch, planned, keyOf(request)))
    },
  })
}

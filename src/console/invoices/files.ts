import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { networkOfContact } from '../../connections/contact-network.ts'
import { duplicateChoices, InvoiceBatch } from '../../core/batches/batch.ts'
import { beginBatch, digestOf, findBatchesOf, readBatch } from '../../core/batches/batches.ts'
import { booleanField, choiceError } from '../../core/fields.ts'
import { refusedRowsOf } from '../../core/files/refused-rows.ts'
import { MAX_UPLOAD_BYTES } from '../../core/files/row-file.ts'
import { createDuplicateKeyClaim } from '../../core/idempotency.ts'
import { CheckedFile } from '../../core/invoices/batches/batch.ts'
import { makeNextInvoices } from '../../core/invoices/batches/batches.ts'
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
import { begin } from '../../db/client.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Phone } from '../../lib/phone.ts'
import { recordRequestAction } from '../audit.ts'
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

/**
 * Make the invoices of a file, some in each transaction. A repeated call with the same Duplicate-Check-Key continues
 * where that batch ended, and answers for the whole file. So after a lost answer or an interruption, the same call is
 * enough.
 */
function addCreate(server: Server, app: App, upload: Upload): void {
  const body = upload.extend({
    duplicates: z.enum(duplicateChoices, { error: choiceError(duplicateChoices) }),
    issue: booleanField,
  })
  server.post(path, {
    config: { permission, allow: 'POST, OPTIONS' },
    bodyLimit: MAX_UPLOAD_BYTES,
    schema: { body, response: { 201: InvoiceBatch } },
    handler: async (request, reply) => {
      const { organization, user } = request.caller
      const { duplicates, issue, ...given } = request.body
      const { file, checked, asked } = await readAndCheck(app, request.caller, given)
      const { planned } = checked
      if (planned.length === 0) throw new Invalid({ file: [getMessage('invoices.no_row')] })
      const id = await beginOnce(app, request, {
        file,
        checked,
        duplicates,
        issue,
        asked: digestOf({ ...asked, duplicates, issue }),
      })
      const networkName = (phone: Phone) => networkOfContact(app.connections, organization, phone)
      const options = { now: app.clock.now(), base_url: app.address.url, user, networkName }
      let more = true
      while (more) {
        const made = await begin(app.db, (tx) => makeNextInvoices(tx, { organization, id }, planned, options))
        more = made.more
        app.wake()
      }
      return reply.code(201).send(await readBatch(app.db, { kind, organization, id }))
    },
  })
}

interface Given {
  file: InvoiceFile
  checked: CheckedInvoices
  asked: string
  duplicates: (typeof duplicateChoices)[number]
  issue: boolean
}

function beginOnce(app: App, request: FastifyRequest, given: Given): Promise<number> {
  const { organization, user: author } = request.caller
  const { file, checked, asked, duplicates, issue } = given
  const key = request.headers['duplicate-check-key']
  const claim = typeof key === 'string' && key ? createDuplicateKeyClaim(organization, key) : undefined
  const { name, digest } = file
  const rows = checked.rows.length
  const refused = checked.rows.filter(({ state }) => state === 'refused').length
  return begin(app.db, async (tx) => {
    const batch = {
      kind: 'invoices' as const,
      organization,
      author,
      source: 'file' as const,
      name,
      digest,
      asked,
      duplicates,
      issue,
      rows,
      refused,
    }
    const { id, is_new } = await beginBatch(tx, app.clock.now(), batch, claim)
    if (!is_new) return id
    const details = { batch: id, file: name, sha256: digest, rows, refused, issue: String(issue) }
    await recordRequestAction(tx, app, request, { action: 'make invoices from a file', details })
    return id
  })
}

import { z } from 'zod'
import { makeRequests } from '../../actions/request-batches.ts'
import { actorOf, keyOf } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { chargeNetworks } from '../../connections/request-actions.ts'
import { duplicateChoices, RequestBatch } from '../../core/batches/batch.ts'
import { findBatchesOf } from '../../core/batches/batches.ts'
import { choiceError } from '../../core/fields.ts'
import { refusedRowsOf } from '../../core/files/refused-rows.ts'
import { MAX_UPLOAD_BYTES } from '../../core/files/row-file.ts'
import { collectionCurrencies } from '../../core/ledger/currencies.ts'
import { CheckedRequests } from '../../core/request-batches/batch.ts'
import { checkRequestFile, readRequestChoices, requestChoiceFields } from '../../core/request-batches/check.ts'
import { readRequestFile, requestColumns, requestWorkbook } from '../../core/request-batches/columns.ts'
import type { Server } from '../../http/server.ts'
import { addTemplates, uploadedFile, uploadFields } from '../file-uploads.ts'

const PATH = '/console/api/collectionrequests/files'
const permission = 'initiate_collections'

/**
 * Add collection requests from a file: templates, check, and the requests. The API has those for a tag, and the
 * batches.
 */
export function addRequestFiles(server: Server, app: App): void {
  addTemplates(server, PATH, 'requests', requestColumns, requestWorkbook)
  const upload = z.object({ ...uploadFields, ...requestChoiceFields(collectionCurrencies(app.config)) })
  server.post(`${PATH}/check`, {
    config: { permission },
    bodyLimit: MAX_UPLOAD_BYTES,
    schema: { body: upload, response: { 200: CheckedRequests } },
    handler: async ({ caller, body }) => {
      const { file, checked } = await check(app, caller, body)
      const { digest, notes, ignored_columns } = file
      const { rows, all, without_duplicates } = checked
      const { organization } = caller
      const same_file = await findBatchesOf(app.db, { kind: 'requests', organization, digest })
      const refused = refusedRowsOf(file, rows)
      return { rows, all, without_duplicates, refused, same_file, ignored_columns, notes }
    },
  })
  const duplicates = z.enum(duplicateChoices, { error: choiceError(duplicateChoices) })
  server.post(PATH, {
    config: { permission },
    bodyLimit: MAX_UPLOAD_BYTES,
    schema: { body: upload.extend({ duplicates }), response: { 201: RequestBatch } },
    handler: async (request, reply) => {
      const { file, checked, asked } = await check(app, request.caller, request.body)
      const { name, digest } = file
      const { duplicates } = request.body
      const batch = { source: 'file', name, digest, checked, asked, duplicates } as const
      return reply.code(201).send(await makeRequests(app, actorOf(request, ''), batch, keyOf(request)))
    },
  })
}

type Upload = z.output<z.ZodObject<typeof uploadFields & ReturnType<typeof requestChoiceFields>>>

async function check(
  app: App,
  { organization, user: author, time_zone }: { organization: number; user: number; time_zone: string },
  { file_name, content, sheet, currency, reason, expiry_date, send_instructions }: Upload,
) {
  const now = app.clock.now()
  const chosen = { currency, reason, expiry_date, send_instructions }
  const choices = readRequestChoices(chosen, collectionCurrencies(app.config), { now, time_zone })
  const file = await readRequestFile(uploadedFile({ file_name, content, sheet }))
  const context = { now, organization, author, chooseNetwork: chargeNetworks(app.connections.list()) }
  const checked = await checkRequestFile(app.db, file, choices, context)
  return { file, checked, asked: { file: file.digest, ...chosen } }
}

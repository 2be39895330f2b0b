import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { chargeNetworks } from '../../connections/request-actions.ts'
import { duplicateChoices, RequestBatch } from '../../core/batches/batch.ts'
import { beginBatch, digestOf, findBatchesOf, listBatches, readBatch } from '../../core/batches/batches.ts'
import { choiceError } from '../../core/fields.ts'
import { MAX_UPLOAD_BYTES } from '../../core/files/row-file.ts'
import { createDuplicateKeyClaim } from '../../core/idempotency.ts'
import { Invalid } from '../../core/refusals.ts'
import { CheckedRequests } from '../../core/request-batches/batch.ts'
import { makeNextRequests } from '../../core/request-batches/batches.ts'
import {
  type CheckedRows,
  checkRequestFile,
  checkTagged,
  readRequestChoices,
  requestChoiceFields,
  tagFields,
} from '../../core/request-batches/check.ts'
import { readRequestFile, requestColumns, requestWorkbook } from '../../core/request-batches/columns.ts'
import { begin } from '../../db/client.ts'
import { answerPage, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'
import { recordRequestAction } from '../audit.ts'
import { addTemplates, uploadedFile, uploadFields } from '../file-uploads.ts'
import { currenciesOf } from '../invoices/files.ts'

const FILES = '/console/api/collectionrequests/files'
const TAGS = '/console/api/collectionrequests/tags'
const BATCHES = '/console/api/collectionrequests/batches'
const permission = 'initiate_collections'
const kind = 'requests'

/** The routes for collection requests from a file and for all customers with a tag: templates, check, the requests, and the batches. */
export function addRequestBatches(server: Server, app: App): void {
  addTemplates(server, FILES, 'requests', requestColumns, requestWorkbook)
  const choices = requestChoiceFields(currenciesOf(app))
  const file = z.object({ ...uploadFields, ...choices })
  addWay(server, app, FILES, file, (caller, body) => checkFile(app, caller, body))
  const tag = z.object({ ...tagFields, ...choices })
  addWay(server, app, TAGS, tag, (caller, body) => checkTag(app, caller, body))
  addList(server, app)
}

type Caller = FastifyRequest['caller']
type Choices = ReturnType<typeof requestChoiceFields>

/** Checked requests, and where they come from. */
interface Checked {
  checked: CheckedRows
  source: 'file' | 'tag'
  /** The name of the file, or the tag. */
  name: string
  digest: string | null
  notes: string[]
  ignored_columns: string[]
  /** All that was asked for. */
  asked: object
}

async function checkFile(
  app: App,
  caller: Caller,
  body: z.output<z.ZodObject<typeof uploadFields & Choices>>,
): Promise<Checked> {
  const { file_name, content, sheet, ...chosen } = body
  const { name, digest, notes, ignored_columns, rows } = await readRequestFile(
    uploadedFile({ file_name, content, sheet }),
  )
  const checked = await checkRequestFile(app.db, { rows }, choicesOf(app, caller, chosen), contextOf(app, caller))
  return { checked, source: 'file', name, digest, notes, ignored_columns, asked: { file: digest, ...chosen } }
}

async function checkTag(
  app: App,
  caller: Caller,
  body: z.output<z.ZodObject<typeof tagFields & Choices>>,
): Promise<Checked> {
  const { tag, amount, ...chosen } = body
  const checked = await checkTagged(app.db, { tag, amount }, choicesOf(app, caller, chosen), contextOf(app, caller))
  return { checked, source: 'tag', name: tag.trim(), digest: null, notes: [], ignored_columns: [], asked: body }
}

function choicesOf(app: App, { time_zone }: Caller, chosen: z.output<z.ZodObject<Choices>>) {
  return readRequestChoices(chosen, currenciesOf(app), { now: app.clock.now(), time_zone })
}

function contextOf(app: App, { organization, user }: Caller) {
  return { now: app.clock.now(), organization, author: user, chooseNetwork: chargeNetworks(app.connections.list()) }
}

/** Adds the check of a source of requests, and the requests from it. */
function addWay<Fields extends z.ZodRawShape>(
  server: Server,
  app: App,
  path: string,
  body: z.ZodObject<Fields>,
  check: (caller: Caller, body: z.output<z.ZodObject<Fields>>) => Promise<Checked>,
): void {
  server.post(`${path}/check`, {
    config: { permission },
    bodyLimit: MAX_UPLOAD_BYTES,
    schema: { body, response: { 200: CheckedRequests } },
    handler: async ({ caller, body: given }) => {
      const { checked, digest, notes, ignored_columns } = await check(caller, given as z.output<typeof body>)
      const { rows, all, without_duplicates } = checked
      const { organization } = caller
      const same_file = digest === null ? [] : await findBatchesOf(app.db, { kind, organization, digest })
      return { rows, all, without_duplicates, same_file, ignored_columns, notes }
    },
  })
  const duplicates = z.enum(duplicateChoices, { error: choiceError(duplicateChoices) })
  server.post(path, {
    config: { permission, allow: 'POST, OPTIONS' },
    bodyLimit: MAX_UPLOAD_BYTES,
    schema: { body: z.intersection(body, z.object({ duplicates })), response: { 201: RequestBatch } },
    handler: async (request, reply) => {
      const given = request.body as z.output<typeof body> & { duplicates: z.output<typeof duplicates> }
      const checked = await check(request.caller, given)
      return reply.code(201).send(await makeRequests(app, request, checked, given.duplicates))
    },
  })
}

/**
 * Makes the requests, some in each transaction. A call with a Duplicate-Check-Key that was used for the same goes on where that batch
 * ended, and answers what became of it: so a lost answer or an interruption needs only the same call again.
 */
async function makeRequests(
  app: App,
  request: FastifyRequest,
  { checked, source, name, digest, asked }: Checked,
  duplicates: (typeof duplicateChoices)[number],
): Promise<RequestBatch> {
  const { organization, user: author } = request.caller
  const { planned } = checked
  if (planned.length === 0)
    throw new Invalid({ [source]: [`No ${source === 'file' ? 'row' : 'customer'} can become a request.`] })
  const key = request.headers['duplicate-check-key']
  const claim = typeof key === 'string' && key ? createDuplicateKeyClaim(organization, key) : undefined
  const rows = checked.rows.length
  const refused = rows - planned.length
  const from = { kind, organization, author, source, name, digest } as const
  const batch = { ...from, asked: digestOf({ ...asked, duplicates }), duplicates, issue: null, rows, refused }
  const id = await begin(app.db, async (tx) => {
    const begun = await beginBatch(tx, app.clock.now(), batch, claim)
    if (!begun.is_new) return begun.id
    const action = source === 'file' ? 'make requests from a file' : 'make requests for a tag'
    const details = { batch: begun.id, from: name, ...(digest !== null && { sha256: digest }), rows, refused }
    await recordRequestAction(tx, app, request, { action, details })
    return begun.id
  })
  let more = true
  while (more) {
    const made = await begin(app.db, (tx) => makeNextRequests(tx, { organization, id }, planned, app.clock.now()))
    more = made.more
    app.wake('request_created')
  }
  return readBatch(app.db, { kind, organization, id })
}

function addList(server: Server, app: App): void {
  server.get(BATCHES, {
    config: { permission: 'view' },
    schema: { querystring: listQuery({}), response: { 200: listOf(RequestBatch) } },
    handler: async (request) => {
      const page = readPage(request.query, orderings)
      const slice = { limit: page.limit, offset: page.offset, descending: page.ordering.descending }
      const { organization } = request.caller
      const list = await app.reads.snapshot((tx) => listBatches(tx, { kind, organization }, slice))
      return answerPage(app, request, page, list)
    },
  })
}

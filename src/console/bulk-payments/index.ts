import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { networksForPayouts } from '../../connections/payout-networks.ts'
import type { AuditAction } from '../../core/access/audit.ts'
import { peopleSearch } from '../../core/contacts/people-search.ts'
import { booleanField, integer, optional, requiredText } from '../../core/fields.ts'
import { RefusedRows } from '../../core/files/refused-rows.ts'
import { MAX_UPLOAD_BYTES } from '../../core/files/row-file.ts'
import { claimDuplicateKeys, createDuplicateKeyClaim, linkKeysToObjects } from '../../core/idempotency.ts'
import { paymentColumns, readPaymentFile } from '../../core/payments/bulk/columns.ts'
import {
  type BulkPaymentRow,
  createDraft,
  decideRows,
  deleteDraft,
  lockBulkPayment,
  type NewBulkPayment,
  readFailedRows,
  recheckDraft,
  requireEditable,
} from '../../core/payments/bulk/drafts.ts'
import { requestNames } from '../../core/payments/bulk/names.ts'
import {
  listBulkPayments,
  listRows,
  readBulkPayment,
  readRefusedPayments,
  rowFilters,
} from '../../core/payments/bulk/read.ts'
import { BulkPayment, BulkPaymentDetail, BulkRow, decisions } from '../../core/payments/bulk/row.ts'
import { startBulkPayment } from '../../core/payments/bulk/start.ts'
import { paymentWorkbook } from '../../core/payments/bulk/template.ts'
import { begin, type Tx } from '../../db/client.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'
import { displayAmount } from '../../lib/money.ts'
import { recordRequestAction } from '../audit.ts'
import { addTemplates, uploadedFile, uploadFields } from '../file-uploads.ts'
import { errorOfReview } from '../payments/reviews.ts'
import { addBulkDecisions } from './decisions.ts'
import { addBulkReview } from './review.ts'

const path = '/console/api/bulk-payments'
const permission = 'initiate_payments'

/** Add the routes for payments from a file: upload, rows, decisions, names, start, and results. */
export function addBulkPayments(server: Server, app: App): void {
  addTemplates(server, path, 'payments', paymentColumns, paymentWorkbook)
  addLists(server, app)
  addUpload(server, app)
  addRetry(server, app)
  addRows(server, app)
  addDraftActions(server, app)
  addBulkReview(server, app)
  addStart(server, app)
  addBulkDecisions(server, app)
}

function addLists(server: Server, app: App): void {
  server.get(path, {
    config: { permission: 'view', allow: 'GET, POST, HEAD, OPTIONS' },
    schema: { querystring: listQuery({}), response: { 200: listOf(BulkPayment) } },
    handler: async (request) => {
      const page = readPage(request.query, orderings)
      const slice = { limit: page.limit, offset: page.offset, descending: page.ordering.descending }
      const list = await app.reads.snapshot((tx) => listBulkPayments(tx, request.caller.organization, slice))
      return answerPage(app, request, page, list)
    },
  })
  server.get(`${path}/:id`, {
    config: { permission: 'view', allow: 'GET, DELETE, HEAD, OPTIONS' },
    schema: { params: idParams, response: { 200: BulkPaymentDetail } },
    handler: ({ caller, params }) => app.reads.snapshot((tx) => readBulkPayment(tx, caller.organization, params.id)),
  })
}

const Upload = z.object({
  ...uploadFields,
  description: requiredText(500),
  account: optional(integer({ min: 1 })),
  send_sms_message: optional(booleanField),
})

function addUpload(server: Server, app: App): void {
  const chooseNetwork = networksForPayouts(app.connections)
  server.post(path, {
    config: { permission, allow: 'GET, POST, HEAD, OPTIONS' },
    bodyLimit: MAX_UPLOAD_BYTES,
    schema: { body: Upload, response: { 201: BulkPaymentDetail } },
    handler: async (request, reply) => {
      const { organization, user: author } = request.caller
      const { description, account = null, send_sms_message = false } = request.body
      const file = await readPaymentFile(uploadedFile(request.body))
      const draft = { organization, author, description, account, send_sms_message, file }
      return reply.code(201).send(await storeDraft(app, request, draft, chooseNetwork))
    },
  })
}

/** Store a draft once for each Duplicate-Check-Key, with its entry in the audit log. */
async function storeDraft(
  app: App,
  request: FastifyRequest,
  draft: NewBulkPayment,
  chooseNetwork: ReturnType<typeof networksForPayouts>,
): Promise<BulkPaymentDetail> {
  const { organization, file } = draft
  const key = request.headers['duplicate-check-key']
  const claim = typeof key === 'string' && key ? createDuplicateKeyClaim(organization, key) : undefined
  return begin(app.db, async (tx) => {
    const now = app.clock.now()
    const [duplicate] = await claimDuplicateKeys(tx, now, 'bulkpayment', [claim])
    if (duplicate) throw duplicate
    const id = await createDraft(tx, now, draft, chooseNetwork)
    linkKeysToObjects(tx, [{ claim, object: id }])
    const details = { rows: file.rows.length, sha256: file.digest, ...(draft.retry_of && { retry_of: draft.retry_of }) }
    await record(tx, app, request, { action: 'upload bulk payment', object: id, details })
    return readBulkPayment(tx, organization, id)
  })
}

function record(tx: Tx, app: App, request: FastifyRequest, action: Omit<AuditAction, 'object_type'>): Promise<void> {
  return recordRequestAction(tx, app, request, { ...action, object_type: 'bulkpayment' })
}

/** Put the rows that failed into a new draft. */
function addRetry(server: Server, app: App): void {
  const chooseNetwork = networksForPayouts(app.connections)
  server.post(`${path}/:id/retry`, {
    config: { permission },
    schema: { params: idParams, response: { 201: BulkPaymentDetail } },
    handler: async (request, reply) => {
      const { organization, user: author } = request.caller
      const { source, file } = await begin(app.db, async (tx) => {
        const locked = await lockBulkPayment(tx, organization, request.params.id)
        return { source: locked, file: await readFailedRows(tx, locked) }
      })
      const { description, account, send_sms_message, id: retry_of } = source
      const draft = { organization, author, description, account, send_sms_message, file, retry_of }
      return reply.code(201).send(await storeDraft(app, request, draft, chooseNetwork))
    },
  })
}

function addRows(server: Server, app: App): void {
  const url = `${path}/:id/rows`
  server.get(url, {
    config: { permission: 'view', allow: 'GET, POST, HEAD, OPTIONS' },
    schema: {
      params: idParams,
      querystring: listQuery({ show: z.enum(rowFilters).optional(), search: peopleSearch }),
      response: { 200: listOf(BulkRow) },
    },
    handler: async (request) => {
      const { caller, params, query } = request
      const page = readPage(query, orderings)
      const bulk = { organization: caller.organization, id: params.id }
      const list = await app.reads.snapshot(async (tx) => {
        await readBulkPayment(tx, bulk.organization, bulk.id)
        return listRows(tx, bulk, query, page)
      })
      return answerPage(app, request, page, list)
    },
  })

  server.get(`${path}/:id/refused`, {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: RefusedRows } },
    handler: ({ caller: { organization }, params: { id } }) =>
      app.reads.snapshot(async (tx) => {
        await readBulkPayment(tx, organization, id)
        return readRefusedPayments(tx, { organization, id })
      }),
  })

  const Decisions = z.object({
    rows: z.union([z.array(z.int()).max(1_000), z.enum(['warned', 'wrong'])]),
    decision: z.enum(decisions).nullable(),
  })
  server.post(url, {
    config: { permission, allow: 'GET, POST, HEAD, OPTIONS' },
    schema: { params: idParams, body: Decisions, response: { 200: z.object({ changed: z.int() }) } },
    handler: (request) =>
      withDraft(app, request, async (tx, draft) => {
        const { rows, decision } = request.body
        const changed = await decideRows(tx, draft, request.body)
        const which = typeof rows === 'string' ? rows : rows.slice(0, 20).map(String)
        const details = { rows: which, changed, decision }
        await record(tx, app, request, { action: 'decide rows of bulk payment', object: draft.id, details })
        return { changed }
      }),
  })
}

/** Work on a file of the caller's organization, which is locked. */
function withDraft<Answer>(
  app: App,
  request: FastifyRequest,
  work: (tx: Tx, draft: BulkPaymentRow) => Promise<Answer>,
) {
  const { id } = request.params as { id: number }
  return begin(app.db, async (tx) => work(tx, await lockBulkPayment(tx, request.caller.organization, id)))
}

function addDraftActions(server: Server, app: App): void {
  const chooseNetwork = networksForPayouts(app.connections)
  server.delete(`${path}/:id`, {
    config: { permission, allow: 'GET, DELETE, HEAD, OPTIONS' },
    schema: { params: idParams },
    handler: async (request, reply) => {
      await withDraft(app, request, async (tx, draft) => {
        await deleteDraft(tx, draft)
        await record(tx, app, request, { action: 'delete bulk payment', object: draft.id })
      })
      return reply.code(204).send()
    },
  })

  server.post(`${path}/:id/check`, {
    config: { permission },
    schema: { params: idParams, response: { 200: BulkPaymentDetail } },
    handler: (request) =>
      withDraft(app, request, async (tx, draft) => {
        requireEditable(draft)
        await recheckDraft(tx, app.clock.now(), draft, chooseNetwork)
        return readBulkPayment(tx, draft.organization, draft.id)
      }),
  })

  server.post(`${path}/:id/names`, {
    config: { permission },
    schema: { params: idParams, response: { 200: BulkPaymentDetail } },
    handler: async (request) => {
      const { organization, user: author } = request.caller
      const { id } = request.params
      let after: number | null = 0
      while (after !== null) {
        const from: number = after
        after = await withDraft(app, request, (tx, draft) =>
          requestNames(tx, app.clock.now(), draft, { author, after: from }),
        )
      }
      app.wake()
      return app.reads.snapshot((tx) => readBulkPayment(tx, organization, id))
    },
  })
}

function addStart(server: Server, app: App): void {
  const chooseNetwork = networksForPayouts(app.connections)
  server.post(`${path}/:id/start`, {
    config: { permission },
    schema: { params: idParams, response: { 200: BulkPaymentDetail } },
    handler: async (request) => {
      const { organization, user } = request.caller
      const start = {
        organization,
        bulk_payment: request.params.id,
        user,
        reviewError: (digest: string) => errorOfReview(app, request, digest),
      }
      const { refusal, detail } = await begin(app.db, async (tx) => {
        const result = await startBulkPayment(tx, app.clock.now(), start, chooseNetwork)
        const detail = await readBulkPayment(tx, organization, start.bulk_payment)
        if (result.started) {
          const details = { funds: detail.funds.map(({ currency, needed }) => `${currency} ${displayAmount(needed)}`) }
          await record(tx, app, request, { action: 'start bulk payment', object: detail.id, details })
        }
        return { ...result, detail }
      })
      if (refusal) throw refusal
      app.wake()
      return detail
    },
  })
}

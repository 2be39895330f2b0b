import { z } from 'zod'
import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { booleanField, integer, optional, requiredText } from '../../core/fields.ts'
import { RefusedRows } from '../../core/files/refused-rows.ts'
import { MAX_UPLOAD_BYTES } from '../../core/files/row-file.ts'
import {
  requestNamesAction,
  reviewBulkPaymentAction,
  startBulkPaymentAction,
  uploadBulkPaymentAction,
} from '../../core/payments/bulk/actions.ts'
import { paymentColumns, readPaymentFile } from '../../core/payments/bulk/columns.ts'
import { readBulkPayment, readRefusedPayments } from '../../core/payments/bulk/read.ts'
import { BulkPaymentDetail } from '../../core/payments/bulk/row.ts'
import { paymentWorkbook } from '../../core/payments/bulk/template.ts'
import { findWaitingFile, WaitingFile } from '../../core/payments/bulk/waiting-files.ts'
import { withSnapshot } from '../../db/snapshot.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { addTemplates, uploadedFile, uploadFields } from '../file-uploads.ts'
import { queueOf } from '../payments/approvals.ts'
import { errorOfReview, SignedReview, sign } from '../payments/reviews.ts'

const path = '/console/api/bulk-payments'
const permission = 'initiate_payments'

/** Add the routes for payments from a file: upload, rows, names, review, start, and results. */
export function addBulkPayments(server: Server, app: App): void {
  addTemplates(server, path, 'payments', paymentColumns, paymentWorkbook)
  addLists(server, app)
  addUpload(server, app)
  addRows(server, app)
  addDraftActions(server, app)
}

function addLists(server: Server, app: App): void {
  server.get(`${path}/:id`, {
    config: { permission: 'view' },
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
  server.post(path, {
    config: { permission },
    bodyLimit: MAX_UPLOAD_BYTES,
    schema: { body: Upload, response: { 201: BulkPaymentDetail } },
    handler: async (request, reply) => {
      const { description, account, send_sms_message } = request.body
      const file = await readPaymentFile(uploadedFile(request.body))
      const input = { file, description, account, send_sms_message }
      const { detail } = await performAction(app, request, uploadBulkPaymentAction, { input })
      return reply.code(201).send(detail)
    },
  })

  server.post(`${path}/:id/retry`, {
    config: { permission },
    schema: { params: idParams, response: { 201: BulkPaymentDetail } },
    handler: async (request, reply) => {
      const input = { retry_of: request.params.id }
      const { detail } = await performAction(app, request, uploadBulkPaymentAction, { input })
      return reply.code(201).send(detail)
    },
  })
}

function addRows(server: Server, app: App): void {
  server.get(`${path}/:id/refused`, {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: RefusedRows } },
    handler: ({ caller: { organization }, params: { id } }) =>
      app.reads.snapshot(async (tx) => {
        await readBulkPayment(tx, organization, id)
        return readRefusedPayments(tx, { organization, id })
      }),
  })
}

/** Add the routes that need what only the request has: the names of all rows, and the review before the start. */
function addDraftActions(server: Server, app: App): void {
  const read = ({ caller, params }: { caller: { organization: number }; params: { id: number } }) =>
    app.reads.snapshot((tx) => readBulkPayment(tx, caller.organization, params.id))
  server.post(`${path}/:id/names`, {
    config: { permission },
    schema: { params: idParams, response: { 200: BulkPaymentDetail } },
    handler: async (request) => {
      let after: number | null = 0
      while (after !== null) {
        const input: { id: number; after: number } = { id: request.params.id, after }
        after = await performAction(app, request, requestNamesAction, { input })
      }
      return read(request)
    },
  })

  server.post(`${path}/:id/review`, {
    config: { permission },
    schema: { params: idParams, response: { 200: SignedReview } },
    handler: async (request) => {
      const reviewed = await performAction(app, request, reviewBulkPaymentAction)
      if ('refusal' in reviewed) throw reviewed.refusal
      return sign(app, request, reviewed.review, reviewed.digest)
    },
  })

  server.post(`${path}/:id/start`, {
    config: { permission },
    schema: { params: idParams, response: { 200: BulkPaymentDetail } },
    handler: async (request) => {
      const reviewError = (digest: string) => errorOfReview(app, request, digest)
      const input = { id: request.params.id, reviewError }
      const { refusal, detail } = await performAction(app, request, startBulkPaymentAction, { input })
      if (refusal) throw refusal
      return detail
    },
  })

  server.get(`${path}/:id/approval`, {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: z.object({ file: WaitingFile.nullable() }) } },
    handler: ({ caller, params: { id } }) =>
      withSnapshot(app.db, async (tx) => {
        await readBulkPayment(tx, caller.organization, id)
        return { file: await findWaitingFile(tx, app.clock.now(), queueOf(caller), id) }
      }),
  })
}

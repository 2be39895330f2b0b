import { z } from 'zod'
import { addView } from '../../actions/lists/views.ts'
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
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { addAction } from '../actor.ts'
import { addTemplates, uploadedFile, uploadFields } from '../file-uploads.ts'
import { queueOf } from '../payments/approvals.ts'
import { errorOfReview, SignedReview, sign } from '../payments/reviews.ts'

const path = '/console/api/bulk-payments'
const permission = 'initiate_payments'

/** Add the routes for payments from a file: upload, rows, names, review, start, and results. */
export function addBulkPayments(server: Server, app: App): void {
  addTemplates(server, path, 'payments', paymentColumns, paymentWorkbook)
  addViews(server, app)
  addUpload(server, app)
  addDraftActions(server, app)
}

function addViews(server: Server, app: App): void {
  addView(server, app, {
    url: `${path}/:id`,
    permission: 'view',
    answer: BulkPaymentDetail,
    read: (db, { organization, params }) => readBulkPayment(db, organization, params.id),
  })
  addView(server, app, {
    url: `${path}/:id/refused`,
    permission: 'view',
    answer: RefusedRows,
    async read(db, { organization, params: { id } }) {
      await readBulkPayment(db, organization, id)
      return readRefusedPayments(db, { organization, id })
    },
  })
  addView(server, app, {
    url: `${path}/:id/approval`,
    permission: 'view',
    answer: z.object({ file: WaitingFile.nullable() }),
    source: 'primary',
    async read(tx, { organization, params: { id }, request, now }) {
      await readBulkPayment(tx, organization, id)
      return { file: await findWaitingFile(tx, now, queueOf(request.caller), id) }
    },
  })
}

const Upload = z.object({
  ...uploadFields,
  description: requiredText(500),
  account: optional(integer({ min: 1 })),
  send_sms_message: optional(booleanField),
})

function addUpload(server: Server, app: App): void {
  const made = { method: 'POST', answer: BulkPaymentDetail, status: 201 } as const
  addAction(server, app, uploadBulkPaymentAction, {
    ...made,
    url: path,
    bodyLimit: MAX_UPLOAD_BYTES,
    body: Upload,
    async input({ body: { description, account, send_sms_message, ...upload } }) {
      return { file: await readPaymentFile(uploadedFile(upload)), description, account, send_sms_message }
    },
    view: ({ detail }) => detail,
  })
  addAction(server, app, uploadBulkPaymentAction, {
    ...made,
    url: `${path}/:id/retry`,
    input: ({ params: { id } }) => ({ retry_of: id }),
    view: ({ detail }) => detail,
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

  addAction(server, app, reviewBulkPaymentAction, {
    method: 'POST',
    url: `${path}/:id/review`,
    answer: SignedReview,
    view(reviewed, request) {
      if ('refusal' in reviewed) throw reviewed.refusal
      return sign(app, request, reviewed.review, reviewed.digest)
    },
  })
  addAction(server, app, startBulkPaymentAction, {
    method: 'POST',
    url: `${path}/:id/start`,
    answer: BulkPaymentDetail,
    input(request) {
      const reviewError = (digest: string) => errorOfReview(app, request, digest)
      return { id: request.params.id, reviewError }
    },
    view({ refusal, detail }) {
      if (refusal) throw refusal
      return detail
    },
  })
}

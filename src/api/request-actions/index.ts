import type { FastifyRequest } from 'fastify'
import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { prepareRefund } from '../../connections/refunds.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { PaymentLink } from '../../core/checkout/payment-link.ts'
import { CollectionRequest } from '../../core/collections/collection-request.ts'
import { requestsById } from '../../core/collections/requests.ts'
import { remindCustomerAction, retryRequestAction, sendPaymentLinkAction } from '../../core/follow-ups/actions.ts'
import { claimDuplicateKeys, createDuplicateKeyClaim, linkKeysToObjects } from '../../core/idempotency.ts'
import { newRefundBody } from '../../core/payments/new-refund.ts'
import { Payment } from '../../core/payments/payments.ts'
import { refundCollection } from '../../core/payments/refunds.ts'
import { Invalid } from '../../core/refusals.ts'
import { type RefundReason, RequestAction, readActions } from '../../core/request-actions.ts'
import { begin, type Tx } from '../../db/client.ts'
import { recordRequestAction } from '../../http/audit.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { writeHeaders } from '../headers.ts'
import { actionBody, sentLinkBody } from './bodies.ts'

const TAG = 'Collection requests'
const PATH = '/api/collectionrequests/:id'
const collects = { permission: 'initiate_collections' } as const

/** Add the actions on a collection request: remind, retry, send a payment link, refund, and their list. */
export function addRequestActions(server: Server, app: App): void {
  addReminder(server, app)
  addRetry(server, app)
  addSentLink(server, app)
  addRefund(server, app)
  addList(server, app)
}

/** Action of the caller on a request, with its key. */
interface Call {
  request: FastifyRequest
  id: number
  /** Type of the answer, for the refusal of a second call with the same key. */
  creates: 'requestaction' | 'collectionrequest' | 'paymentlink' | 'payment'
  /** Action in the audit log. It has no free text, because an erasure could not reach it there. */
  action: string
  reason?: RefundReason
}

/**
 * Act on a request in one transaction, with its Duplicate-Check-Key and its audit entry. The key comes first, so that a
 * repeated call returns the first result, whatever would refuse it by now.
 */
async function act<Made extends { id: number }>(app: App, call: Call, work: (tx: Tx, now: Date) => Promise<Made>) {
  const { request, id, creates, action, reason } = call
  const { organization } = request.caller
  const key = request.headers['duplicate-check-key']
  const claim = typeof key === 'string' && key ? createDuplicateKeyClaim(organization, key) : undefined
  const now = app.clock.now()
  const made = await begin(app.db, async (tx) => {
    requireOwned(organization, (await requestsById(tx, [id])).get(id))
    const [duplicate] = await claimDuplicateKeys(tx, now, creates, [claim])
    if (duplicate) throw duplicate
    const result = await work(tx, now)
    linkKeysToObjects(tx, [{ claim, object: result.id }])
    const details = { [creates]: result.id, ...(reason && { reason }) }
    await recordRequestAction(tx, app, request, { action, object_type: 'collectionrequest', object: id, details })
    return result
  })
  app.wake()
  return made
}

function addReminder(server: Server, app: App): void {
  server.post(`${PATH}/remind`, {
    config: collects,
    schema: {
      tags: [TAG],
      operationId: 'remindCustomer',
      summary: 'Resend the instructions of an open request',
      description:
        'Sends the SMS with the instructions again, and brings a next prompt forward. Limits and quiet hours apply; the refusal says when the next reminder is possible.',
      headers: writeHeaders,
      params: idParams,
      body: actionBody,
      response: { 201: RequestAction },
    },
    handler: async (request, reply) => {
      const { made } = await performAction(app, request, remindCustomerAction)
      return reply.code(201).send(made)
    },
  })
}

function addRetry(server: Server, app: App): void {
  server.post(`${PATH}/retry`, {
    config: collects,
    schema: {
      tags: [TAG],
      operationId: 'retryCollectionRequest',
      summary: 'Retry a failed or expired request',
      description:
        'Creates a new request with the same phone, amount, reason and metadata. It is refused while the old one may still be paid, or is paid.',
      headers: writeHeaders,
      params: idParams,
      body: actionBody,
      response: { 201: CollectionRequest },
    },
    handler: async (request, reply) => {
      const { made } = await performAction(app, request, retryRequestAction)
      return reply.code(201).send(made)
    },
  })
}

function addSentLink(server: Server, app: App): void {
  server.post(`${PATH}/paymentlink`, {
    config: collects,
    schema: {
      tags: [TAG],
      operationId: 'sendPaymentLink',
      summary: 'Send a payment link for a failed or expired request',
      description:
        'Creates a single-use payment link for the same amount, and sends it to the customer by SMS. It expires after seven days, or at `expiry_date`.',
      headers: writeHeaders,
      params: idParams,
      body: sentLinkBody,
      response: { 201: PaymentLink },
    },
    handler: async (request, reply) => {
      const { made } = await performAction(app, request, sendPaymentLinkAction)
      return reply.code(201).send(made)
    },
  })
}

/** A refund is a payment, so it needs the permission for payments and may need an approval. */
function addRefund(server: Server, app: App): void {
  server.post(`${PATH}/refund`, {
    config: { permission: 'initiate_payments', allow: 'POST, OPTIONS' },
    schema: {
      tags: [TAG],
      operationId: 'refundCollectionRequest',
      summary: 'Refund a request, in full or in part',
      description:
        'Creates a payment to the phone that paid, with the approvals, limits and fees of every payment. All refunds of a request never exceed what was paid.',
      headers: writeHeaders,
      params: idParams,
      body: newRefundBody,
      response: { 201: Payment },
    },
    // The body has required fields, but a caller must first hear that the request belongs to another organization.
    preValidation: async (request) => {
      const id = idParams.safeParse(request.params).data?.id
      if (id !== undefined) requireOwned(request.caller.organization, (await requestsById(app.db, [id])).get(id))
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const { amount, reason, comment = '' } = request.body
      const { organization, user: author } = request.caller
      const money = (await requestsById(app.db, [id])).get(id)?.collection ?? null
      const prepared = await prepareRefund(app, { collection: money, amount })
      const made = await act(
        app,
        { request, id, creates: 'payment', action: 'refund request', reason },
        async (tx, now) => {
          const { collection, status } = (await requestsById(tx, [id])).get(id)!
          if (collection === null || status !== 'successful')
            throw new Invalid({ collection_request: [getMessage('requests.request_only_paid', { id, status })] })
          const { reviewed } = request
          const refund = { organization, collection, author, amount, reason, comment, reviewed }
          return refundCollection(tx, now, { ...prepared, ...refund })
        },
      )
      return reply.code(201).send(made)
    },
  })
}

function addList(server: Server, app: App): void {
  server.get(`${PATH}/actions`, {
    config: { permission: 'view', allow: 'GET, HEAD, OPTIONS' },
    schema: {
      tags: [TAG],
      operationId: 'listRequestActions',
      summary: 'List the actions on a request',
      description: 'Returns reminders, retries, payment links and refunds of a request, with user and comment.',
      params: idParams,
      querystring: listQuery({}),
      response: { 200: listOf(RequestAction) },
    },
    handler: async (request) => {
      const { id } = request.params
      const found = await app.reads.read((db) => requestsById(db, [id]))
      requireOwned(request.caller.organization, found.get(id))
      const page = readPage(request.query, orderings)
      const all = await app.reads.read((db) => readActions(db, { request: id }))
      const sorted = page.ordering.descending ? all.reverse() : all
      const rows = sorted.slice(page.offset, page.offset + page.limit)
      return answerPage(app, request, page, { rows, count: all.length })
    },
  })
}

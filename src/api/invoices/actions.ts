import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { networksForInvoices } from '../../connections/invoice-networks.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { documented, optional, phonenumber, positiveAmount, text } from '../../core/fields.ts'
import { claimDuplicateKeys, createDuplicateKeyClaim, linkKeysToObjects } from '../../core/idempotency.ts'
import { collectInvoice } from '../../core/invoices/collecting.ts'
import { Invoice } from '../../core/invoices/invoice.ts'
import { readInvoices } from '../../core/invoices/invoices.ts'
import { issueInvoice } from '../../core/invoices/issuing.ts'
import { invoiceSendBody, sendInvoice } from '../../core/invoices/sending.ts'
import { lockSettled, voidInvoice } from '../../core/invoices/states.ts'
import { begin, type Tx } from '../../db/client.ts'
import { recordRequestAction } from '../../http/audit.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { writeHeaders } from '../headers.ts'
import { readOptions, readOwned } from './reading.ts'

const PATH = '/api/invoices/:id'
const config = { permission: 'initiate_collections', allow: 'POST, OPTIONS' } as const

const voidBody = z.preprocess(
  (body) => body ?? {},
  z
    .object({ reason: optional(documented(text(200), 'Reason in your own words, kept on record.', 'Wrong price')) })
    .meta({ id: 'NewInvoiceVoid' }),
)

const collectBody = z.preprocess(
  (body) => body ?? {},
  z
    .object({
      amount: optional(documented(positiveAmount, 'At most what is open. Default: all of it.', '500')),
      phonenumber: optional(phonenumber.meta({ description: 'Who is asked. Default: the customer.' })),
    })
    .meta({ id: 'NewInvoiceCollection' }),
)

/** Add the actions on an invoice: issue, void, send, and request its money. */
export function addInvoiceActions(server: Server, app: App): void {
  addIssue(server, app)
  addVoid(server, app)
  addSend(server, app)
  addCollect(server, app)
}

/**
 * Act on an invoice in one transaction, with its Duplicate-Check-Key and its audit entry. The key comes first, so that
 * a repeated call returns the first result, whatever would refuse it by now.
 */
async function act(
  app: App,
  request: FastifyRequest,
  action: string,
  work: (tx: Tx, id: number) => Promise<{ details?: Record<string, string | number> } | undefined>,
) {
  const { organization } = request.caller
  const { id } = request.params as { id: number }
  const key = request.headers['duplicate-check-key']
  const claim = typeof key === 'string' && key ? createDuplicateKeyClaim(organization, key) : undefined
  const invoice = await begin(app.db, async (tx) => {
    requireOwned(organization, (await readInvoices(tx, [id]))[0])
    const [duplicate] = await claimDuplicateKeys(tx, app.clock.now(), 'invoice', [claim])
    if (duplicate) throw duplicate
    const done = await work(tx, id)
    linkKeysToObjects(tx, [{ claim, object: id }])
    await recordRequestAction(tx, app, request, { action, object_type: 'invoice', object: id, ...done })
    return readOwned(app, tx, organization, id)
  })
  app.wake()
  return invoice
}

function addIssue(server: Server, app: App): void {
  server.post(`${PATH}/issue`, {
    config,
    schema: {
      tags: ['Invoices'],
      operationId: 'issueInvoice',
      summary: 'Issue a draft; it gets its number and can no longer be changed',
      description: 'Gives the draft its number and its page. Credit of the customer pays it at once.',
      headers: writeHeaders,
      params: idParams,
      response: { 200: Invoice },
    },
    handler: (request) =>
      act(app, request, 'issue invoice', async (tx, id) => {
        await issueInvoice(tx, id, { ...readOptions(app), user: request.caller.user })
        return undefined
      }),
  })
}

function addVoid(server: Server, app: App): void {
  server.post(`${PATH}/void`, {
    config,
    schema: {
      tags: ['Invoices'],
      operationId: 'voidInvoice',
      summary: 'Void an issued invoice; it keeps its number',
      description:
        'Ends the invoice. It is refused while a request may still be paid, and when money arrived that is not refunded.',
      headers: writeHeaders,
      params: idParams,
      body: voidBody,
      response: { 200: Invoice },
    },
    handler: (request) =>
      act(app, request, 'void invoice', async (tx, id) => {
        const reason = request.body.reason?.trim() ?? ''
        await voidInvoice(tx, id, { ...readOptions(app), user: request.caller.user, reason })
        return undefined
      }),
  })
}

function addSend(server: Server, app: App): void {
  server.post(`${PATH}/send`, {
    config,
    schema: {
      tags: ['Invoices'],
      operationId: 'sendInvoice',
      summary: 'Send an issued invoice by SMS or e-mail',
      description: 'Sends its page to the customer, or to the phone or e-mail address in the body.',
      headers: writeHeaders,
      params: idParams,
      body: invoiceSendBody,
      response: { 200: Invoice },
    },
    handler: (request) =>
      act(app, request, 'send invoice', async (tx, id) => {
        const options = { ...readOptions(app), has_mail: app.mailer !== null, user: request.caller.user }
        const invoice = await lockSettled(tx, id, options)
        const { channel } = await sendInvoice(tx, invoice, request.body, options)
        return { details: { channel } }
      }),
  })
}

function addCollect(server: Server, app: App): void {
  const chooseNetwork = networksForInvoices(app.connections)
  server.post(`${PATH}/collect`, {
    config,
    schema: {
      tags: ['Invoices'],
      operationId: 'collectInvoice',
      summary: 'Collect the open amount, or part of it, from the customer now',
      description:
        'Creates a collection request for what is open, or for `amount`. It is refused while another request of the invoice may be paid.',
      headers: writeHeaders,
      params: idParams,
      body: collectBody,
      response: { 200: Invoice },
    },
    handler: (request) =>
      act(app, request, 'collect invoice', async (tx, id) => {
        const { amount, phonenumber: phone } = request.body
        const author = request.caller.user
        const made = await collectInvoice(tx, id, { ...readOptions(app), chooseNetwork, author, amount, phone })
        return { details: { collectionrequest: made.id } }
      }),
  })
}

import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { changePaymentLinkAction, createPaymentLinkAction } from '../../core/checkout/actions.ts'
import { newPaymentLinkBody, paymentLinkChangesBody } from '../../core/checkout/new-link.ts'
import { PaymentLink, withUrl } from '../../core/checkout/payment-link.ts'
import { findPaymentLink, linkFilters, listPaymentLinks } from '../../core/checkout/payment-links.ts'
import { collectionCurrencies } from '../../core/ledger/currencies.ts'
import { answerList, idParams, listOf, listQuery } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { writeHeaders } from '../headers.ts'

/** Column of each ordering. A link may have no amount of its own. */
const columns = { id: 'id', created: 'created', modified: 'modified', amount: 'id' } as const

/** Add the payment links: pages on which customers pay. The pages themselves are in `src/pay`. */
export function addPaymentLinks(server: Server, app: App): void {
  addCreate(server, app)
  addList(server, app)
  addGet(server, app)
  addChange(server, app)
}

function addCreate(server: Server, app: App): void {
  server.post('/api/paymentlinks', {
    config: { permission: 'initiate_collections' },
    schema: {
      tags: ['Payment links'],
      operationId: 'createPaymentLink',
      summary: 'Create a payment link',
      description:
        'Creates a page on which customers type their phone number and pay. The amount is fixed, chosen from a list, or typed by the customer.',
      headers: writeHeaders,
      body: newPaymentLinkBody(collectionCurrencies(app.config)),
      response: { 201: PaymentLink },
    },
    handler: async (request, reply) => reply.code(201).send(await performAction(app, request, createPaymentLinkAction)),
  })
}

function addList(server: Server, app: App): void {
  server.get('/api/paymentlinks', {
    config: { permission: 'view' },
    schema: {
      tags: ['Payment links'],
      operationId: 'listPaymentLinks',
      summary: 'List payment links',
      description: 'Returns your payment links with their addresses and states.',
      querystring: listQuery(linkFilters),
      response: { 200: listOf(PaymentLink) },
    },
    handler: async (request) => {
      const { query, caller } = request
      return answerList(app, request, columns, async (slice) => {
        const { rows, count } = await app.reads.snapshot((tx) =>
          listPaymentLinks(tx, app.clock.now(), caller.organization, query, slice),
        )
        return { rows: rows.map((row) => withUrl(row, app.address.url)), count }
      })
    },
  })
}

function addGet(server: Server, app: App): void {
  server.get('/api/paymentlinks/:id', {
    config: { permission: 'view' },
    schema: {
      tags: ['Payment links'],
      operationId: 'getPaymentLink',
      summary: 'Get one payment link',
      description: 'Returns the payment link with its address and state.',
      params: idParams,
      response: { 200: PaymentLink },
    },
    handler: async ({ caller, params }) => {
      const found = await app.reads.read((db) => findPaymentLink(db, app.clock.now(), params.id))
      return withUrl(requireOwned(caller.organization, found), app.address.url)
    },
  })
}

function addChange(server: Server, app: App): void {
  server.patch('/api/paymentlinks/:id', {
    config: { permission: 'initiate_collections' },
    schema: {
      tags: ['Payment links'],
      operationId: 'changePaymentLink',
      summary: 'Change, close or open a payment link',
      description: 'Changes the fields that the body has. `state` closes the link, or opens it again.',
      params: idParams,
      body: paymentLinkChangesBody,
      response: { 200: PaymentLink },
    },
    handler: (request) => performAction(app, request, changePaymentLinkAction),
  })
}

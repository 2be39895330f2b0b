import { z } from 'zod'
import type { App } from '../app.ts'
import { askAgain } from '../core/bills/vends.ts'
import { countPurchases, listPurchases, PurchaseView, purchaseStatuses, purchasesById } from '../core/bills/purchases.ts'
import { categories, listServices, PriceList, readPriceList, ServiceView } from '../core/bills/catalogue.ts'
import { texts } from '../core/fields.ts'
import { exactly } from '../core/filters.ts'
import { owned } from '../core/access/organizations.ts'
import { Invalid } from '../core/refusals.ts'
import { begin } from '../db/client.ts'
import { snapshot } from '../db/snapshot.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../http/lists.ts'
import { readPage } from '../http/pages.ts'
import { closeAddress } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import { recordDeed } from './audit.ts'

/** As at the counter itself: whoever sees a purchase sees its token and pins, which are as good as money. */
const permission = 'pay_bills'

/** What is on sale, what was bought, and asking the biller about it. */
export function addBillDesk(server: Server, app: App): void {
  addCatalogue(server, app)
  addPurchases(server, app)
  addRequery(server, app)
}

const choiceOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: (issue) => texts.choice(issue.input) }).optional()

function addCatalogue(server: Server, app: App): void {
  server.get('/console/api/services', {
    config: { permission },
    schema: {
      querystring: listQuery({ category: choiceOf(categories) }),
      response: { 200: listOf(ServiceView) },
    },
    handler: async (request) => {
      const page = readPage(request.query, orderings)
      const services = await listServices(app.db, request.query.category)
      const rows = services.slice(page.offset, page.offset + page.limit)
      return answerPage(app, request, page, { rows, count: services.length })
    },
  })
  closeAddress(server, '/console/api/services', ['GET'])

  server.get('/console/api/services/:id', {
    config: { permission },
    schema: { params: idParams, response: { 200: PriceList } },
    handler: ({ params }) => snapshot(app.db, (tx) => readPriceList(tx, params.id)),
  })
  closeAddress(server, '/console/api/services/:id', ['GET'])
}

function addPurchases(server: Server, app: App): void {
  const url = '/console/api/purchases'
  server.get(url, {
    config: { permission },
    schema: {
      querystring: listQuery({
        status: choiceOf(purchaseStatuses),
        kind: choiceOf(categories),
        agent_reference: exactly('The reference of the buyer.', 'TILL-7'),
      }),
      response: { 200: listOf(PurchaseView) },
    },
    handler: async (request) => {
      const { status, kind, agent_reference } = request.query
      const page = readPage(request.query, orderings)
      const slice = { offset: page.offset, descending: page.ordering.descending }
      const filters = { organization: request.caller.organization, status, kind, agent_reference }
      const list = await snapshot(app.db, async (tx) => ({
        rows: await listPurchases(tx, filters, page.limit, slice),
        count: await countPurchases(tx, filters),
      }))
      return answerPage(app, request, page, list)
    },
  })
  closeAddress(server, url, ['GET'])

  server.get(`${url}/:id`, {
    config: { permission },
    schema: { params: idParams, response: { 200: PurchaseView } },
    handler: async ({ caller, params }) =>
      owned(caller.organization, (await purchasesById(app.db, [params.id])).get(params.id)),
  })
  closeAddress(server, `${url}/:id`, ['GET'])
}

function addRequery(server: Server, app: App): void {
  const url = '/console/api/purchases/:id/requery'
  server.post(url, {
    config: { permission },
    schema: { params: idParams },
    handler: async (request, reply) => {
      const { id } = request.params
      await begin(app.db, async (tx) => {
        const { status } = owned(request.caller.organization, (await purchasesById(tx, [id])).get(id))
        if (!(await askAgain(tx, app.clock.now(), id)))
          throw new Invalid({ status: [`The purchase is settled: ${status}.`] })
        await recordDeed(tx, app, request, { action: 'requery purchase', object_type: 'purchase', object: id })
      })
      app.wake()
      return reply.code(204).send()
    },
  })
  closeAddress(server, url, ['POST'])
}

import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { categories, listServices, PriceList, readPriceList, ServiceView } from '../../core/bills/catalogue.ts'
import { PurchaseView } from '../../core/bills/purchase-view.ts'
import { countPurchases, findPurchasesById, listPurchases, purchaseStatuses } from '../../core/bills/purchases.ts'
import { nameServices } from '../../core/bills/service-names.ts'
import { listGoodsSms } from '../../core/bills/token-sms.ts'
import { listAttempts } from '../../core/bills/vends/attempts.ts'
import { choice } from '../../core/fields.ts'
import { exactText } from '../../core/filters.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'
import { addProviders } from './providers.ts'
import { PurchaseDetail, withAccountFormat } from './views.ts'

/** The same permission as for buying: a purchase shows its token and pins, which have the value of money. */
const permission = 'pay_bills'

/** Add the routes for the catalogue, purchases, and what providers sell. */
export function addBills(server: Server, app: App): void {
  addCatalogue(server, app)
  addPurchases(server, app)
  addProviders(server, app)
}

function addCatalogue(server: Server, app: App): void {
  server.get('/console/api/services', {
    config: { permission },
    schema: {
      querystring: listQuery({ category: choice(categories).optional() }),
      response: { 200: listOf(ServiceView) },
    },
    handler: async (request) => {
      const page = readPage(request.query, orderings)
      const services = await listServices(app.db, request.query.category)
      const rows = services.slice(page.offset, page.offset + page.limit).map(withAccountFormat)
      return answerPage(app, request, page, { rows, count: services.length })
    },
  })

  server.get('/console/api/services/:id', {
    config: { permission },
    schema: { params: idParams, response: { 200: PriceList } },
    handler: async ({ params }) => withAccountFormat(await app.reads.snapshot((tx) => readPriceList(tx, params.id))),
  })
}

function addPurchases(server: Server, app: App): void {
  const url = '/console/api/purchases'
  server.get(url, {
    config: { permission },
    schema: {
      querystring: listQuery({
        status: choice(purchaseStatuses).optional(),
        kind: choice(categories).optional(),
        agent_reference: exactText('The reference of the buyer.', 'TILL-7'),
      }),
      response: { 200: listOf(PurchaseView) },
    },
    handler: async (request) => {
      const { status, kind, agent_reference } = request.query
      const page = readPage(request.query, orderings)
      const slice = { offset: page.offset, descending: page.ordering.descending }
      const filters = { organization: request.caller.organization, status, kind, agent_reference }
      const list = await app.reads.snapshot(async (tx) => ({
        rows: await nameServices(tx, await listPurchases(tx, filters, page.limit, slice)),
        count: await countPurchases(tx, filters),
      }))
      return answerPage(app, request, page, list)
    },
  })
  // The scope of the resources adds POST (src/api/bills/buying.ts).

  server.get(`${url}/:id`, {
    config: { permission },
    schema: { params: idParams, response: { 200: PurchaseDetail } },
    handler: async ({ caller, params }) => {
      const purchases = await app.reads.read((db) => findPurchasesById(db, [params.id]))
      const purchase = requireOwned(caller.organization, purchases.get(params.id))
      const [attempts, sms, named] = await app.reads.read((db) =>
        Promise.all([listAttempts(db, purchase), listGoodsSms(db, purchase.id), nameServices(db, [purchase])]),
      )
      return { ...named[0]!, attempts, sms }
    },
  })
}

import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { PriceList, readPriceList } from '../../core/bills/catalogue.ts'
import { findPurchasesById } from '../../core/bills/purchases.ts'
import { nameServices } from '../../core/bills/service-names.ts'
import { listGoodsSms } from '../../core/bills/token-sms.ts'
import { listAttempts } from '../../core/bills/vends/attempts.ts'
import { idParams } from '../../http/lists.ts'
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
  server.get('/console/api/services/:id', {
    config: { permission },
    schema: { params: idParams, response: { 200: PriceList } },
    handler: async ({ params }) => withAccountFormat(await app.reads.snapshot((tx) => readPriceList(tx, params.id))),
  })
}

function addPurchases(server: Server, app: App): void {
  const url = '/console/api/purchases'
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

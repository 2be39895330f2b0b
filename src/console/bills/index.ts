import { addView } from '../../actions/lists/views.ts'
import type { App } from '../../app.ts'
import { PriceList, readPriceList } from '../../core/bills/catalogue.ts'
import { findPurchasesById } from '../../core/bills/purchases.ts'
import { nameServices } from '../../core/bills/service-names.ts'
import { listGoodsSms } from '../../core/bills/token-sms.ts'
import { listAttempts } from '../../core/bills/vends/attempts.ts'
import type { Server } from '../../http/server.ts'
import { addProviders } from './providers.ts'
import { PurchaseDetail, withAccountFormat } from './views.ts'

/** The same permission as for buying: a purchase shows its token and pins, which have the value of money. */
const permission = 'pay_bills'

/** Add the routes for the catalogue, purchases, and what providers sell. src/api/bills/buying.ts adds POST. */
export function addBills(server: Server, app: App): void {
  addView(server, app, {
    url: '/console/api/services/:id',
    permission,
    answer: PriceList,
    read: async (db, { params }) => withAccountFormat(await readPriceList(db, params.id)),
  })
  addView(server, app, {
    url: '/console/api/purchases/:id',
    permission,
    answer: PurchaseDetail,
    source: 'statement',
    of: async (db, { id }) => (await findPurchasesById(db, [id])).get(id),
    async read(db, { of: purchase }) {
      const [attempts, sms, named] = await Promise.all([
        listAttempts(db, purchase),
        listGoodsSms(db, purchase.id),
        nameServices(db, [purchase]),
      ])
      return { ...named[0]!, attempts, sms }
    },
  })
  addProviders(server, app)
}

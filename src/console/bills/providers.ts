import { z } from 'zod'
import { addView } from '../../actions/lists/views.ts'
import type { App } from '../../app.ts'
import { listBillConnections } from '../../connections/bill-sellers.ts'
import { approveDifferencesAction } from '../../core/bills/actions.ts'
import { ownBillConnections } from '../../core/bills/differences.ts'
import { listProviderFloats } from '../../core/bills/provider-floats.ts'
import type { Server } from '../../http/server.ts'
import { addAction } from '../actor.ts'
import { ProviderFloatView } from './views.ts'

/** Offers and differences decide where each product is bought, so only managers see and decide them. */
const permission = 'manage_organization'

/** Add the routes about bill providers: our floats there, our offers, and the differences from their catalogues. */
export function addProviders(server: Server, app: App): void {
  addView(server, app, {
    url: '/console/api/bill-floats',
    permission,
    answer: z.object({ results: z.array(ProviderFloatView) }),
    source: 'statements',
    async read(db, { organization }) {
      const own = await ownBillConnections(db, listBillConnections(app), organization)
      return { results: await listProviderFloats(db, own) }
    },
  })
  addAction(server, app, approveDifferencesAction, {
    method: 'POST',
    url: '/console/api/bill-differences/:id/approve',
    input: ({ params }) => params,
  })
}

import { addApiLists, addApiObjects } from '../actions/lists/routes.ts'
import { addApiActions } from '../actions/routes.ts'
import type { App } from '../app.ts'
import { withOtherMethods } from '../http/methods.ts'
import type { Server, SignReview } from '../http/server.ts'
import type { StreamAccess } from '../http/stream-access.ts'
import { createApiKeyCache } from './api-key-cache.ts'
import { authenticate, authorize } from './authenticate.ts'
import { addBillBuying } from './bills/buying.ts'
import { addBills } from './bills/index.ts'
import { addCallbacks } from './callbacks.ts'
import { addCollectionRequests } from './collection-requests.ts'
import { addCollections } from './collections.ts'
import { addEventStream } from './event-stream.ts'
import { createGuard } from './guard.ts'
import { addInvoices, addIssuedInvoices } from './invoices/index.ts'
import { addKey } from './keys/key.ts'
import { addMatching } from './matching/index.ts'
import { addPayments } from './payments.ts'
import { addReceivables } from './receivables/index.ts'
import { addRequestRefund } from './request-actions/index.ts'
import { addRequestBatches } from './request-batches/index.ts'
import { addSimulator } from './simulator/simulator.ts'
import { addWebhooks } from './webhooks.ts'

/** Add the API: all routes under `/api`. All need an API key, except the callback addresses of networks. */
export function addApi(server: Server, app: App): void {
  const api_keys = createApiKeyCache(app)
  server.addHook('onClose', () => api_keys.close())
  const guard = createGuard(app)
  addCallbacks(server, app)
  addBills(server, app, { api_keys, guard })

  server.register(async (scope) => {
    const guarded = scope as unknown as Server
    guarded.addHook('onRequest', (request, reply) =>
      guard(request, reply, () => authenticate(request, api_keys, app.config.CELL)),
    )
    withOtherMethods(guarded, () => {
      addKey(guarded, app)
      addResources(guarded, app, {
        kind: 'API key',
        readerId: (request) => request.caller.key,
        checkAccess: async (request) =>
          authorize(await authenticate(request, api_keys, app.config.CELL), 'view', 'GET'),
      })
    })
  })
}

/** Add the resources to the session scope of the console, with what only people do: purchases, and invoices issued at once. */
export function addConsoleResources(guarded: Server, app: App, readers: StreamAccess, signReview: SignReview): void {
  addResources(guarded, app, readers)
  addBillBuying(guarded, app, signReview)
  addIssuedInvoices(guarded, app)
}

/** Add the resources of the interface to a scope that authenticates its requests: the API or the console. */
export function addResources(guarded: Server, app: App, readers: StreamAccess): void {
  addApiObjects(guarded, app)
  addCollectionRequests(guarded, app)
  addRequestRefund(guarded, app)
  addRequestBatches(guarded, app)
  addCollections(guarded, app)
  addMatching(guarded, app)
  addPayments(guarded, app)
  addInvoices(guarded, app)
  addEventStream(guarded, app, readers)
  addWebhooks(guarded, app)
  addReceivables(guarded, app)
  addSimulator(guarded, app)
  addApiActions(guarded, app)
  addApiLists(guarded, app)
}

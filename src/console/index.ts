import cookie from '@fastify/cookie'
import { addConsoleLists } from '../actions/lists/routes.ts'
import { addActionRoute } from '../actions/routes.ts'
import { actions } from '../actions/table.ts'
import type { App } from '../app.ts'
import { withOtherMethods } from '../http/methods.ts'
import type { Server, SignReview } from '../http/server.ts'
import type { StreamAccess } from '../http/stream-access.ts'
import { addAccount } from './access/account.ts'
import { addCellDirectory, openCellGuide } from './access/cells.ts'
import { addSignIn } from './access/sign-in.ts'
import { door } from './actor.ts'
import { addAudit } from './audit.ts'
import { addBills } from './bills/index.ts'
import { addBulkPayments } from './bulk-payments/index.ts'
import { addClock } from './clock.ts'
import { addConnections } from './connections/index.ts'
import { addContactPages } from './contacts/index.ts'
import { addChanges } from './control/changes.ts'
import { createConsoleGuard, createSessionReaders, requireRouteGuard } from './guard.ts'
import { addHome } from './home/home.ts'
import { addIncoming } from './incoming.ts'
import { addInvoicePages } from './invoices/index.ts'
import { addKeys } from './keys.ts'
import { addLinks } from './links.ts'
import { addOrders } from './orders/orders.ts'
import { addPages } from './pages.ts'
import { addPaymentLinkPages } from './payment-links/index.ts'
import { addApprovals } from './payments/approvals.ts'
import { addPaymentDetails } from './payments/details.ts'
import { addReviews, createPurchaseReviewSigner, requireReviews } from './payments/reviews.ts'
import { addPlans } from './plans.ts'
import { addReceiptSettings } from './receipts/index.ts'
import { addReconciliation } from './reconciliation/index.ts'
import { addReports } from './reports/index.ts'
import { addRequestFiles } from './requests/files.ts'
import { addRoles } from './roles.ts'
import { addSavedViews } from './saved-views/index.ts'
import { addSearch } from './search.ts'
import { addMaintenance } from './service/maintenance.ts'
import { addSending } from './service/sending.ts'
import { addSettings } from './settings.ts'
import { addSmsSettings } from './sms/index.ts'
import { addTimelines } from './timelines.ts'
import { createInputCompletion } from './typed-input.ts'
import { addUsers } from './users.ts'
import { addWallets } from './wallets/index.ts'
import { addWebhooks } from './webhooks/index.ts'

/** Size limit for bodies of strangers: enough for every form of signing in. */
const MAX_OPEN_BODY_BYTES = 16_384

/**
 * Add the web console. Its pages are at `/console`, and their API under `/console/api`, with the cookie of a session.
 * `addResources` adds the routes of the interface there a second time, so that the console can do everything that the
 * API does.
 */
export function addConsole(
  server: Server,
  app: App,
  addResources: (server: Server, app: App, readers: StreamAccess, signReview: SignReview) => void,
): void {
  addPages(server, app)

  server.register(async (scope) => {
    const guarded = scope as unknown as Server
    await guarded.register(cookie)
    guarded.addHook('onRoute', requireRouteGuard)
    guarded.addHook('onRoute', (route) => {
      if (route.config?.open) route.bodyLimit ??= MAX_OPEN_BODY_BYTES
    })
    guarded.addHook('onRequest', createConsoleGuard(app))
    guarded.addHook('preValidation', createInputCompletion(app))
    withOtherMethods(guarded, () => {
      addRooms(guarded, app)
      guarded.register(
        async (inner) => {
          const resources = inner as unknown as Server
          requireReviews(resources, app)
          addResources(resources, app, createSessionReaders(app), createPurchaseReviewSigner(app))
        },
        { prefix: '/console' },
      )
    })
  })
}

/** Rooms that only the console has, each by the function that adds its routes. */
const rooms: readonly ((guarded: Server, app: App) => void)[] = [
  addConsoleLists,
  addCellDirectory,
  addAccount,
  addUsers,
  addRoles,
  addChanges,
  addAudit,
  addWebhooks,
  addKeys,
  addIncoming,
  addWallets,
  addBills,
  addSettings,
  addMaintenance,
  addSending,
  addConnections,
  addSmsSettings,
  addPaymentDetails,
  addReviews,
  addApprovals,
  addBulkPayments,
  addPaymentLinkPages,
  addReceiptSettings,
  addInvoicePages,
  addRequestFiles,
  addOrders,
  addReconciliation,
  addReports,
  addContactPages,
  addTimelines,
  addSavedViews,
  addPlans,
  addHome,
  addSearch,
  addClock,
]

/** Add the routes that only the console has. */
function addRooms(guarded: Server, app: App): void {
  for (const action of actions) if (action.console) addActionRoute(guarded, app, action, door)
  const guide = openCellGuide(app)
  addSignIn(guarded, app, guide)
  addLinks(guarded, app, guide)
  for (const addRoom of rooms) addRoom(guarded, app)
}

import { actorOf } from '../../actions/routes.ts'
import { testWebhook } from '../../actions/test-notification.ts'
import { TestResult } from '../../actions/test-result.ts'
import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { findWebhook } from '../../core/events/webhooks.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'

/** The route that sends a test notification and answers with its result. */
export function addTestNotification(server: Server, app: App): void {
  const url = '/console/api/webhooks/:id/test'
  server.post(url, {
    config: { permission: 'manage_integrations' },
    schema: { params: idParams, response: { 200: TestResult } },
    handler: async (request) => {
      const webhook = requireOwned(request.caller.organization, await findWebhook(app.db, request.params.id))
      return testWebhook(app, actorOf(request, ''), webhook)
    },
  })
}

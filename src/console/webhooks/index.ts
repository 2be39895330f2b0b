import type { App } from '../../app.ts'
import type { Server } from '../../http/server.ts'
import { addDeliveries } from './deliveries.ts'
import { addWebhookManagement } from './manage.ts'
import { addTestNotification } from './test-notification.ts'

/** The routes for webhooks and their deliveries that the interface does not have. */
export function addWebhooks(server: Server, app: App): void {
  addWebhookManagement(server, app)
  addTestNotification(server, app)
  addDeliveries(server, app)
}

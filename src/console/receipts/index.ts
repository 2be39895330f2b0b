import type { App } from '../../app.ts'
import { ReceiptSettings, readReceiptSettings } from '../../core/receipts/settings.ts'
import type { Server } from '../../http/server.ts'

/** The settings of receipts, which the interface does not have. */
export function addReceiptSettings(server: Server, app: App): void {
  const path = '/console/api/receipts/settings'

  server.get(path, {
    config: { permission: 'view' },
    schema: { response: { 200: ReceiptSettings } },
    handler: ({ caller }) => readReceiptSettings(app.db, caller.organization),
  })
}

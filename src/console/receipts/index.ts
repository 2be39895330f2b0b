import { addView } from '../../actions/lists/views.ts'
import type { App } from '../../app.ts'
import { ReceiptSettings, readReceiptSettings } from '../../core/receipts/settings.ts'
import type { Server } from '../../http/server.ts'

/** The settings of receipts, which the interface does not have. */
export function addReceiptSettings(server: Server, app: App): void {
  addView(server, app, {
    url: '/console/api/receipts/settings',
    permission: 'view',
    answer: ReceiptSettings,
    source: 'statements',
    read: (db, { organization }) => readReceiptSettings(db, organization),
  })
}

import type { App } from '../../app.ts'
import { ReceiptSettings, readReceiptSettings, setReceiptSettings } from '../../core/receipts/settings.ts'
import { begin } from '../../db/client.ts'
import { recordRequestAction } from '../../http/audit.ts'
import type { Server } from '../../http/server.ts'

/** The settings of receipts, which the interface does not have. */
export function addReceiptSettings(server: Server, app: App): void {
  const path = '/console/api/receipts/settings'

  server.get(path, {
    config: { permission: 'view' },
    schema: { response: { 200: ReceiptSettings } },
    handler: ({ caller }) => readReceiptSettings(app.db, caller.organization),
  })

  server.put(path, {
    config: { permission: 'manage_organization' },
    schema: { body: ReceiptSettings, response: { 200: ReceiptSettings } },
    handler: (request) =>
      begin(app.db, async (tx) => {
        const settings = await setReceiptSettings(tx, app.clock.now(), request.caller.organization, request.body)
        await recordRequestAction(tx, app, request, {
          action: 'change receipt settings',
          object_type: 'organization',
          object: request.caller.organization,
          details: settings,
        })
        return settings
      }),
  })
}

import type { App } from '../app.ts'
import { type ChangeResult, requestChange } from '../core/control/changes.ts'
import type { ControlRequest } from '../core/control/kinds.ts'
import { begin } from '../db/client.ts'
import { changeContext } from '../http/change-context.ts'

/**
 * Makes an operator's change of who may move money and how much. It waits for nobody, is recorded in the audit log, and
 * those concerned are told by mail. @throws as requestChange
 */
export async function makeOperatorChange(
  app: App,
  organization: number,
  change: ControlRequest,
): Promise<ChangeResult> {
  const result = await begin(app.db, (tx) =>
    requestChange(tx, changeContext(app), { organization, user: null }, change),
  )
  // The service sends the mails.
  app.wake()
  return result
}

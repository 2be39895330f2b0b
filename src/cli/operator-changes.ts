import type { App } from '../app.ts'
import { type ChangeResult, requestChange } from '../core/control/changes.ts'
import type { ControlRequest } from '../core/control/kinds.ts'
import { begin } from '../db/client.ts'
import { changeContext } from '../http/change-context.ts'

/**
 * Make an operator's change of limits or of the permission to move money. It waits for nobody, enters the audit log,
 * and notifies the users concerned by mail. @param by a user, whose change may wait, or the name of the operator
 * @throws as requestChange
 */
export async function makeOperatorChange(
  app: App,
  organization: number,
  change: ControlRequest,
  by: { user: number | null; operator?: string } = { user: null },
): Promise<ChangeResult> {
  const result = await begin(app.db, (tx) => requestChange(tx, changeContext(app), { organization, ...by }, change))
  // The service sends the mails.
  app.wake()
  return result
}

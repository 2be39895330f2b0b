import type { App } from '../app.ts'
import { type AuditAction, recordAudit } from '../core/access/audit.ts'
import type { Tx } from '../db/client.ts'

/**
 * Records an operator's action on an organization, in the transaction of the action. The organization's audit log shows
 * it beside the actions of its own users, with the same words.
 * @param organization null for an action that concerns the whole installation
 */
export async function recordOperatorAction(
  tx: Tx,
  app: App,
  organization: number | null,
  action: AuditAction,
): Promise<void> {
  const details = { by: 'an operator', ...action.details }
  await recordAudit(tx, app.clock.now(), { organization, user: null, ...action, details })
}

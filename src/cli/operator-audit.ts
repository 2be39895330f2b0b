import type { App } from '../app.ts'
import { type AuditAction, recordAudit } from '../core/access/audit.ts'
import type { Tx } from '../db/client.ts'

/**
 * Record an operator's action on an organization, in the action's transaction. The organization's audit log shows it
 * beside its own users' actions, in the same words.
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

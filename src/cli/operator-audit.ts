import type { App } from '../app.ts'
import { type AuditAction, recordAudit } from '../core/access/audit.ts'
import type { Tx } from '../db/client.ts'

/**
 * Writes down what an operator did to an organization, in the transaction that does it, so that its people find it in their
 * audit log beside what they did themselves, and under the same words.
 */
export async function recordOperatorAction(tx: Tx, app: App, organization: number, deed: AuditAction): Promise<void> {
  const details = { by: 'an operator', ...deed.details }
  await recordAudit(tx, app.clock.now(), { organization, user: null, ...deed, details })
}

import type { Tx } from '../db/client.ts'

/** The channel that notifies processes of changed rules; its text is the organization. */
export const RULES_CHANNEL = 'rules_changed'

/**
 * Notifies the open pages of an organization, when the transaction commits, that its approval rules have changed: the
 * approvals needed, and the limits of each user.
 */
export async function notifyRuleChange(tx: Tx, organization: number): Promise<void> {
  await tx`select pg_notify(${RULES_CHANNEL}, ${String(organization)})`
}

import type { Tx } from '../db/client.ts'

/** The channel that notifies processes of changed rules; its text is the organization. */
export const RULES_CHANNEL = 'rules_changed'

/**
 * Tells the open pages of an organization, when the transaction commits, that the rules have changed by which payments wait: which
 * need approvals, and how much each user may approve.
 */
export async function notifyRuleChange(tx: Tx, organization: number): Promise<void> {
  await tx`select pg_notify(${RULES_CHANNEL}, ${String(organization)})`
}

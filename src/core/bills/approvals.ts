import { z } from 'zod'
import type { AnyReader, Tx } from '../../db/client.ts'
import type { Fragment } from '../../db/sql.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { amount, id, timestamp } from '../fields.ts'
import { Forbidden, Invalid, NotFound } from '../refusals.ts'
import { requireWithinApproverLimits } from '../spending/approver-limits.ts'
import { requireMoneyPermission, requireWaitIsOver } from '../spending/approvers.ts'
import {
  approvalObstacles,
  countWaiting,
  type QueueOf,
  type WaitingCounts,
  waitingFor,
  waitingPurchaseSource,
} from '../spending/waiting.ts'
import { requireWithinLimits } from './limits.ts'
import { awaitsApproval, lockPurchases, type Purchase } from './purchases.ts'
import { serviceName } from './service-names.ts'
import { settlePurchases } from './vends/settle.ts'

/*
 * Purchases obey the approval rules of payments: airtime and pins are as good as cash. One that waits is pending and not due,
 * so nothing sends it; the last approval makes it due in the transaction that counts it.
 */

/** The decision of a person about a purchase of an organization. */
export interface PurchaseDecision {
  organization: number
  purchase: number
  /** The person who decides. */
  user: number
}

/**
 * Approves a purchase that waits. If it needs more approvals, it goes on waiting. Otherwise it is sent, and counts
 * against the limits from now on.
 * @throws NotFound. Forbidden if the user has made the purchase, lacks the permission or the second factor that the
 *   organization demands, is a new approver who still waits, or passes a limit of this approver. Invalid if the
 *   purchase does not wait, if the user has approved it already, or if it passes a limit.
 */
export async function approvePurchase(tx: Tx, now: Date, decision: PurchaseDecision): Promise<void> {
  const { organization, user } = decision
  const purchase = await lockForDecision(tx, decision)
  await requireWaitIsOver(tx, now, decision)
  await requireWithinApproverLimits(tx, now, user, purchase)
  const [added] = await tx`
    insert into bill_approvals (organization, purchase, "user", approved)
    values (${organization}, ${purchase.id}, ${user}, ${now}) on conflict do nothing returning purchase`
  if (!added) throw new Invalid({ status: [getMessage('bills.you_already_approved')] })
  const [counted] = await tx<{ approvals: number }[]>`
    select count(*)::integer as approvals from bill_approvals a
    join memberships m on m.organization = a.organization and m."user" = a."user"
    where a.purchase = ${purchase.id} and a.organization = ${organization} and 'approve_payments' = any(m.permissions)`
  const { approvals } = counted!
  const is_enough = approvals >= purchase.approvals_required
  if (is_enough) await requireWithinLimits(tx, now, purchase)
  await tx`
    update bill_purchases set approvals = ${approvals}, due_at = ${is_enough ? now : null}, updated_by = ${user}
    where id = ${purchase.id} and organization = ${organization}`
  if (is_enough) await forgetNotices(tx, purchase)
}

/** Rejects a purchase that waits: it has failed, and its money is back in the wallet. A new approver need not wait. @throws as approvePurchase */
export async function rejectPurchase(
  tx: Tx,
  now: Date,
  decision: PurchaseDecision & { reason: string },
): Promise<void> {
  const purchase = await lockForDecision(tx, decision)
  const message = `It was not approved: ${decision.reason}`
  await settlePurchases(tx, now, [{ purchase, answer: { outcome: 'failed', reason: 'declined', message } }])
  await tx`update bill_purchases set updated_by = ${decision.user} where id = ${purchase.id}`
  await forgetNotices(tx, purchase)
}

async function lockForDecision(tx: Tx, decision: PurchaseDecision): Promise<Purchase> {
  await requireMoneyPermission(tx, decision, ['approve_payments'])
  const purchase = (await lockPurchases(tx, [decision.purchase])).get(decision.purchase)
  if (purchase?.organization !== decision.organization)
    throw new NotFound(getMessage('bills.no_purchase', { purchase: decision.purchase }))
  if (!awaitsApproval(purchase))
    throw new Invalid({ status: [getMessage('bills.purchase_not_waiting', { status: purchase.status })] })
  if (purchase.author === decision.user) throw new Forbidden(getMessage('bills.user_made_purchase'))
  return purchase
}

async function forgetNotices(tx: Tx, { id: purchase, organization }: Purchase): Promise<void> {
  await tx`delete from bill_approval_notices where purchase = ${purchase} and organization = ${organization}`
}

/** A purchase that waits for approvals, as the queue of a user shows it. */
export const WaitingPurchase = z.object({
  id,
  kind: z.string(),
  service_name: z.string(),
  account_number: z.string(),
  phone: z.string(),
  amount,
  fee: amount,
  currency: z.string(),
  created: timestamp,
  author: id,
  author_name: z.string(),
  approvals_required: z.int(),
  approved_by_names: z.array(z.string()),
  /** Null: it waits for this user. */
  obstacle: z.enum(approvalObstacles).nullable(),
})
export type WaitingPurchase = z.output<typeof WaitingPurchase>

export function countWaitingPurchases(db: AnyReader, now: Date, queue: QueueOf): Promise<WaitingCounts> {
  return countWaiting(db, waitingPurchases(now, queue))
}

/** The purchases that wait for approvals: those for this user first, the oldest first. At most `limit`. */
export async function listWaitingPurchases(
  db: AnyReader,
  now: Date,
  queue: QueueOf,
  limit: number,
): Promise<WaitingPurchase[]> {
  const found = await db<WaitingPurchase[]>`
    select w.id, w.kind, ${serviceName('w')} as service_name, w.account_number, w.phone, w.amount, w.fee, w.currency, w.created, w.author,
      u.name as author_name, w.approvals_required, w.obstacle,
      array(select a_user.name from bill_approvals a join users a_user on a_user.id = a."user"
        where a.purchase = w.id and a.organization = w.organization order by a.approved) as approved_by_names
    from ${waitingPurchases(now, queue)} w join users u on u.id = w.author
    order by w.obstacle is not null, w.id limit ${limit}`
  return [...found]
}

/** SQL for the purchases that wait for approvals, each with the `obstacle` of a user. */
function waitingPurchases(now: Date, queue: QueueOf): Fragment {
  return waitingFor(now, queue, waitingPurchaseSource)
}

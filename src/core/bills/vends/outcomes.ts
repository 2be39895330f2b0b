import type { VendCheck, VendFailureReason } from '../../../lib/adapter-types.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { truncateToSecond } from '../../../lib/time.ts'
import { nextAttemptAt, retrySchedules } from '../../retry-schedules.ts'
import type { Purchase } from '../purchases.ts'
import type { BillCode } from '../refusals.ts'

/*
 * The states of a purchase:
 *
 *                                  provider's refusal: the next provider, once each
 *                             ┌──────────────────────────────────────────────┐
 *     waits for approval ─► unsent ─► sent ─┬─► success                      │
 *            │                              ├─► failed ◄─ no provider is left ┤
 *            └── rejected ─► failed         └────────────────────────────────┘
 *
 * unsent, sent: `pending`, with the money on hold. A purchase is marked as sent before its provider is called, and is sent
 * once. From then on it only gets status queries (docs/decisions/0010). success: the hold is spent. A prepaid purchase
 * is successful only with its token. failed: the hold is released, because the provider says that it did not sell, or
 * never got the order, and cannot get it any more. What has ended does not change: a later sale needs a person.
 */

/** News about a purchase, or about an earlier attempt of it. */
export interface LearntPurchase {
  /** The purchase, with the reference of the attempt that was answered. */
  purchase: Pick<Purchase, 'id' | 'organization' | 'reference'>
  answer:
    | Exclude<VendCheck, { outcome: 'not_found' }>
    /** `final`: the order can no longer be in progress, so the biller did not sell it and never will. */
    | { outcome: 'not_found'; final: boolean }
}

/** Reason why an attempt certainly sold nothing. */
export interface Refusal {
  outcome: 'failed' | 'not_found'
  reason: VendFailureReason
  message: string
  remote_id: string | null
}

/** Change of a purchase by what was learnt. */
export type VendChange =
  /** It is changed, and has ended if its status is not `pending`. `refusal`: another provider may sell it instead. */
  | { does: 'change'; after: Purchase; refusal?: Refusal | undefined }
  /** An earlier attempt, which had refused, has sold after all. */
  | { does: 'report earlier sale'; reference: string }
  /** It has ended, and stays as it is. `is_late`: it was sold after it had failed. `says`: for what people have attested. */
  | { does: 'keep'; is_late: boolean; says: 'successful' | 'failed' | null }
  | { does: 'nothing' }

/** Decides the change by what was learnt about a purchase. @param row the purchase as it is stored now, locked */
export function decideVend(row: Purchase | undefined, { purchase, answer }: LearntPurchase, now: Date): VendChange {
  const { outcome } = answer
  if (row && row.reference !== purchase.reference)
    return outcome === 'successful'
      ? { does: 'report earlier sale', reference: purchase.reference }
      : { does: 'nothing' }
  if (row?.status !== 'pending') {
    const says = outcome === 'successful' || outcome === 'failed' ? outcome : null
    return { does: 'keep', is_late: outcome === 'successful' && row?.status === 'failed', says }
  }
  const after = { ...row, ...changeOf(row, answer), modified: truncateToSecond(now) }
  if (after.status !== 'pending')
    return { does: 'change', after: { ...after, due_at: null }, refusal: refusalOf(answer) }
  const status_queries = row.status_queries + 1
  const due_at = nextAttemptAt(now, retrySchedules.vend_check, status_queries)
  return { does: 'change', after: { ...after, status_queries, due_at } }
}

/** Returns the reason for which another provider may sell: it is about this one, and it sold nothing. */
function refusalOf(answer: LearntPurchase['answer']): Refusal | undefined {
  const refusal: Refusal | undefined =
    answer.outcome === 'failed'
      ? { outcome: answer.outcome, reason: answer.reason, message: answer.message, remote_id: null }
      : answer.outcome === 'not_found'
        ? { outcome: answer.outcome, reason: 'no_answer', message: NOT_SOLD_MESSAGE, remote_id: null }
        : undefined
  return refusal && PROVIDER_REASONS.has(refusal.reason) ? refusal : undefined
}

/** The refusals after which another provider may sell it: they are about the provider, and nothing was sold. */
const PROVIDER_REASONS: ReadonlySet<VendFailureReason> = new Set([
  'no_funds_at_biller',
  'service_inactive',
  'service_blocked',
  'out_of_stock',
  'no_answer',
])

type PurchaseChanges = Pick<Purchase, 'status' | 'outcome' | 'message'> &
  Partial<Pick<Purchase, 'remote_id' | 'vended' | 'failure_code' | 'charged' | 'charged_currency'>>

function changeOf(purchase: Purchase, answer: LearntPurchase['answer']): PurchaseChanges {
  switch (answer.outcome) {
    case 'successful': {
      const { remote_id, vended, charged } = answer
      if (purchase.details.prepaid && vended.token === null)
        return { status: 'pending', outcome: 'accepted', message: getMessage('bills.token_not_yet'), remote_id }
      const charge = { charged: charged?.amount ?? null, charged_currency: charged?.currency ?? null }
      return { status: 'success', outcome: 'successful', message: null, remote_id, vended, ...charge }
    }
    case 'accepted':
      return { status: 'pending', outcome: 'accepted', message: null, remote_id: answer.remote_id }
    case 'failed':
      return { ...failedChanges(answer.outcome, answer.message), failure_code: billCodeOfFailure[answer.reason] }
    case 'not_found':
      return answer.final
        ? { ...failedChanges(answer.outcome, NOT_SOLD_MESSAGE), failure_code: 'BX0024' }
        : { status: 'pending', outcome: 'not_found', message: null }
    case 'unknown':
      return { status: 'pending', outcome: 'unknown', message: answer.message }
  }
}

const NOT_SOLD_MESSAGE = getMessage('bills.provider_not_respond')

function failedChanges(outcome: 'failed' | 'not_found', message: string): PurchaseChanges {
  return { status: 'failed', outcome, message }
}

/** The error code for the caller. It does not reveal that our own account at the biller has no money. */
const billCodeOfFailure: Record<VendFailureReason, BillCode> = {
  declined: 'EXC00107',
  account_not_found: 'BX0025',
  amount_refused: 'EXC00127',
  out_of_stock: 'EXC00131',
  service_blocked: 'EXC00109',
  service_inactive: 'EXC00103',
  no_funds_at_biller: 'EXC00144',
  no_answer: 'BX0024',
  rejected: 'BX0020',
}

import type { VendFailureReason } from '../../../lib/adapter-types.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { truncateToSecond } from '../../../lib/time.ts'
import {
  isClosed,
  type Learnt,
  type NetworkOrder,
  type OrderUpdate,
  type VendNews,
} from '../../connections/network-orders.ts'
import { nextAttemptAt, retrySchedules } from '../../retry-schedules.ts'
import { type Purchase, type StoredPurchase, withAttempt } from '../purchases.ts'
import type { BillCode } from '../refusals.ts'

/*
 * The states of a purchase, and of the order of each attempt to buy it at a provider:
 *
 *     purchase   waits for approval ─► pending ─────────────► success
 *                        │                │ ▲
 *                        └── rejected ────┼─┼───────────────► failed
 *                                         │ └─ the provider's refusal: an order at the next one, once each
 *     order                   new ─► sent ─► accepted ─┬────► successful
 *                                                      ├────► failed      the provider has not sold it
 *                                                      └────► not_sent    it never got it, and cannot get it any more
 *
 * An order is marked as sent before its provider is called, and is sent once. From then on it only gets status queries
 * (docs/decisions/0010): no answer makes it `new` again. The money is on hold while the purchase is pending. It is spent by
 * the first order that is successful, and released when one ends and no other provider may sell. A prepaid purchase is
 * successful only with its token. What has ended does not change: an order that was sold later needs a person.
 */

/** News about an attempt to buy at a provider. */
export interface LearntVend extends Learnt<VendNews> {
  order: NetworkOrder
}

/** The order of an attempt before and after it was settled, and its purchase. */
export interface VendUpdate extends OrderUpdate<VendNews> {
  /** The purchase with the answer; undefined where it stays as it is. */
  purchase?: Purchase
  /** True if another provider may sell it instead: the reason is about this one, and it sold nothing. */
  may_move: boolean
  /** It was sold after all: after its purchase had `failed`, or had `moved` to another provider. */
  late: 'failed' | 'moved' | null
}

/**
 * Decides about an attempt and its purchase by what was learnt.
 * @param before the order as it is stored now, locked with its purchase
 */
export function decideVend(row: StoredPurchase, before: NetworkOrder, learnt: LearntVend, now: Date): VendUpdate {
  if (isClosed(before)) return decideEnded(row, before, learnt, now)
  const { order, ...changes } = changeOf(row, learnt.answer)
  const is_open = changes.status === 'pending'
  const network_calls = before.network_calls + (is_open ? 1 : 0)
  const after: NetworkOrder = {
    ...before,
    ...order,
    network_calls,
    answered: now,
    leased_until: null,
    closed: is_open ? null : now,
    due_at: is_open ? nextAttemptAt(now, retrySchedules.vend_check, network_calls) : null,
  }
  const purchase = withAttempt({ ...row, ...changes, modified: truncateToSecond(now) }, after)
  const may_move = !is_open && isAboutProvider(after) && !mayLackApproval(row, before)
  return { learnt, before, after, purchase, may_move, late: null }
}

/** True if a restore has ended the wait for an approval: perhaps no person has approved the purchase, so no other provider sells it. */
function mayLackApproval({ approvals_required }: StoredPurchase, { restored }: NetworkOrder): boolean {
  return restored && approvals_required > 0
}

/** Decides about an attempt that has ended: only a sale, or a word against what people have attested, changes it. */
function decideEnded(row: StoredPurchase, before: NetworkOrder, learnt: LearntVend, now: Date): VendUpdate {
  const { outcome } = learnt.answer
  const is_sale = outcome === 'successful'
  const is_current = before.attempt === row.attempt
  const after = {
    ...before,
    ...(is_sale && before.state !== 'successful' && { state: 'successful' as const, answered: now }),
    attention: (is_current && contradictionOf(before, outcome)) || before.attention,
    leased_until: null,
  }
  const late = !is_sale || row.status === 'success' ? null : 'failed'
  return { learnt, before, after, may_move: false, late: is_sale && !is_current ? 'moved' : late }
}

/** Describes for a person how a provider contradicts an attestation; null when it does not. */
function contradictionOf({ attested }: NetworkOrder, outcome: VendNews['outcome']): string | null {
  if (attested === 'failed' && outcome === 'successful') return getMessage('bills.biller_says_sold')
  if (attested === 'successful' && outcome === 'failed') return getMessage('bills.biller_says_sold_nothing')
  return null
}

/** True if another provider may sell: the refusal is about this one, and nothing was sold. */
function isAboutProvider({ failure_reason }: NetworkOrder): boolean {
  return PROVIDER_REASONS.has(failure_reason)
}

const PROVIDER_REASONS: ReadonlySet<NetworkOrder['failure_reason']> = new Set<VendFailureReason>([
  'no_funds_at_biller',
  'service_inactive',
  'service_blocked',
  'out_of_stock',
  'no_answer',
])

/** Changes of a purchase and of its order by an answer. */
type Change = Pick<Purchase, 'status' | 'outcome'> &
  Partial<Pick<Purchase, 'vended' | 'failure_code'>> & { order: Partial<NetworkOrder> }

function changeOf({ details }: StoredPurchase, answer: VendNews): Change {
  const { outcome } = answer
  switch (outcome) {
    case 'successful': {
      const { remote_id, vended, charged } = answer
      if (details.prepaid && vended.token === null)
        return {
          status: 'pending',
          outcome: 'accepted',
          order: { state: 'accepted', message: getMessage('bills.token_not_yet'), remote_id },
        }
      const charge = { charged: charged?.amount ?? null, charged_currency: charged?.currency ?? null }
      return {
        status: 'success',
        outcome,
        vended,
        order: { state: 'successful', message: null, remote_id, ...charge },
      }
    }
    case 'accepted':
      return { status: 'pending', outcome, order: { state: 'accepted', message: null, remote_id: answer.remote_id } }
    case 'failed': {
      const { reason: failure_reason, message } = answer
      const failure_code = billCodeOfFailure[failure_reason]
      return { status: 'failed', outcome, failure_code, order: { state: 'failed', failure_reason, message } }
    }
    case 'not_found': {
      if (!answer.final) return { status: 'pending', outcome, order: { message: null } }
      const message = getMessage('bills.provider_not_respond')
      // The code tells it from a refusal by a provider that could not reach its own.
      const order = { state: 'not_sent', failure_reason: 'no_answer', code: outcome, message } as const
      return { status: 'failed', outcome, failure_code: billCodeOfFailure.no_answer, order }
    }
    case 'unknown':
      return { status: 'pending', outcome, order: { message: answer.message } }
  }
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

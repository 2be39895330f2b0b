import { type ChangeContext, changeApproval } from '../../../src/core/approvals/changes/changes.ts'
import { type Decider, decide, type Verdict } from '../../../src/core/approvals/proposals.ts'
import { type AttestationContext, attestationApproval } from '../../../src/core/manual-settlements/attestations.ts'
import { paymentApproval } from '../../../src/core/payments/approvals.ts'
import { fileApproval } from '../../../src/core/payments/bulk/approval.ts'
import type { Tx } from '../../../src/db/client.ts'

/* Decisions of users, in the words of the tests. */

interface Member {
  organization: number
  user: number
}

export async function approvePayment(tx: Tx, now: Date, { payment: id, ...by }: Member & { payment: number }) {
  await decide(tx, { now }, paymentApproval, { id, verdict: 'approve', by })
}

export async function rejectPayment(
  tx: Tx,
  now: Date,
  { payment: id, reason, ...by }: Member & { payment: number; reason: string },
) {
  await decide(tx, { now }, paymentApproval, { id, verdict: 'reject', by, reason })
}

/** @returns the ids of the payments */
export async function decideBulkPayment(
  tx: Tx,
  now: Date,
  verdict: 'approve' | 'reject',
  { bulk_payment: id, reason, ...by }: Member & { bulk_payment: number; reason?: string },
) {
  return (await decide(tx, { now }, fileApproval, { id, verdict, by, reason })).payments
}

export function decideAttestation(
  tx: Tx,
  context: AttestationContext,
  by: Decider,
  { id, verdict, note: reason }: { id: number; verdict: Verdict; note: string | null },
) {
  return decide(tx, context, attestationApproval, { id, verdict, by, reason })
}

export interface ChangeDecision {
  id: number
  verdict: 'confirm' | 'reject' | 'withdraw'
}

export function decideChange(tx: Tx, context: ChangeContext, by: Decider, { id, verdict }: ChangeDecision) {
  return decide(tx, context, changeApproval, { id, verdict: verdict === 'confirm' ? 'approve' : verdict, by })
}

import { z } from 'zod'
import { failureReasons } from '../../lib/adapter-types.ts'
import { formatAmount } from '../../lib/money.ts'
import { type ActionContext, type ActionEntry, action, organizationOf, userOf } from '../access/action.ts'
import { decisionAction } from '../approvals/decisions.ts'
import { choice, integer, optional, positiveAmount, requiredText } from '../fields.ts'
import { Attestation, attestedOutcomes } from './attestation.ts'
import { type AttestationContext, attestationApproval, attestOrder } from './attestations.ts'
import type { SentDocument } from './documents.ts'
import { reviewOrder } from './review.ts'
import { factsOf, findTarget } from './targets.ts'

declare module '../access/action.ts' {
  interface ActionService {
    attestations: Omit<AttestationContext, 'now'>
  }
}

/** The reference of the order or the purchase; at the command line also the id of the order. */
const reference = z.union([z.string().min(1).max(100), z.number()])

/** Attest what a statement says about an open order. Nothing changes until a second person approves it. */
export const attestOrderAction = action({
  name: 'attest order',
  // Core requires the permission to initiate or to approve payments.
  permission: 'view',
  input: z.object({
    reference,
    outcome: choice(attestedOutcomes),
    remote_id: optional(requiredText(100)),
    amount: optional(positiveAmount),
    token: optional(requiredText(100)),
    failure_reason: optional(choice(failureReasons)),
    statement: requiredText(200),
    note: requiredText(2_000),
    document: z.custom<SentDocument>((document) => document !== undefined),
  }),
  run: (tx, context, { reference: order, remote_id, amount, token, failure_reason, ...fields }) =>
    attestOrder(tx, contextOf(context), {
      ...fields,
      organization: organizationOf(context),
      user: userOf(context),
      order,
      remote_id: remote_id ?? null,
      amount: amount ?? null,
      token: token ?? null,
      failure_reason: failure_reason ?? null,
    }),
  audit: attestationEntry,
  wakes: true,
  cli: {
    path: 'orders attest',
    description: "attest what the network's own statement says about an open order; a second person approves it",
    typed: {
      reference: ['<order>', 'the id or the reference, as `orders list` shows them'],
      outcome: ['--outcome <outcome>', 'the end'],
      remote_id: ['--remote-id <id>', 'the id of the money in the statement; if successful'],
      amount: ['--amount <amount>', 'the amount in the statement; if successful'],
      token: ['--token <token>', 'the token of prepaid electricity'],
      failure_reason: ['--reason <reason>', 'why it failed (default: rejected)'],
      statement: ['--statement <text>', 'which statement, and where in it'],
      note: ['--note <text>', 'how you know, for the second person'],
      document: ['--document <file>', 'the statement: PDF, PNG, JPEG, CSV or text, at most 2 MB'],
    },
    text: ({ id, reference }) => `Attestation ${id} of order ${reference} waits for a second person.`,
  },
})

const decision = {
  input: z.object({ id: integer(), note: optional(requiredText(2_000)) }),
  context: contextOf,
  choose: ({ id, note }: { id: number; note?: string | undefined }) => ({ id, reason: note }),
  audit: attestationEntry,
} as const
/** The command of a decision. */
const command = {
  typed: { id: ['<attestation>', 'as `orders attestations` shows it'], note: ['--note <text>', 'why'] },
  text: ({ id, state }: Attestation) => `Attestation ${id} is ${state}.`,
} as const

/** Approve as the second person: the order is settled. */
export const approveAttestationAction = decisionAction(attestationApproval, 'approve', {
  ...decision,
  console: { method: 'POST', path: '/attestations/:id/approve', answer: Attestation },
  cli: { ...command, path: 'orders approve', description: 'approve as the second person: the order is settled' },
})

export const rejectAttestationAction = decisionAction(attestationApproval, 'reject', {
  ...decision,
  console: { method: 'POST', path: '/attestations/:id/reject', answer: Attestation },
  cli: { ...command, path: 'orders reject', description: 'reject as the second person: nothing changes' },
})

/** Withdraw what the user has attested. The author may do so without a permission to move money. */
export const withdrawAttestationAction = decisionAction(attestationApproval, 'withdraw', {
  ...decision,
  console: { method: 'POST', path: '/attestations/:id/withdraw', answer: Attestation },
  cli: {
    ...command,
    path: 'orders withdraw',
    description: 'withdraw what you have attested yourself: nothing changes',
  },
})

/** Note that a person has looked into an ended order. It moves no money. */
export const reviewOrderAction = action({
  name: 'review order',
  permission: 'initiate_payments',
  input: z.object({ reference }),
  async run(tx, { actor }, { reference: order }) {
    const target = await findTarget(tx, order, actor.organization ?? undefined)
    return { ...factsOf(target), attention: await reviewOrder(tx, target) }
  },
  audit: ({ id: object, organization, kind, reference, attention }) => ({
    object,
    object_type: objectType(kind),
    organization,
    details: { reference, attention },
  }),
  console: {
    method: 'POST',
    path: '/orders/:reference/review',
    answer: z.object({ reference: z.string() }),
  },
  cli: {
    path: 'orders review',
    description: 'mark an ended order as reviewed; moves no money',
    typed: { reference: ['<order>', 'the id or the reference'] },
    by: true,
    text: (order) => `Order ${order.reference} no longer needs attention.`,
    view: null,
  },
})

function contextOf({ now, service }: ActionContext): AttestationContext {
  return { now, ...service.attestations }
}

function attestationEntry(attestation: Attestation): ActionEntry {
  const { id, kind, object, organization, reference, outcome, remote_id, amount, statement, document_sha256 } =
    attestation
  return {
    object,
    object_type: objectType(kind),
    organization,
    details: {
      attestation: id,
      reference,
      outcome,
      remote_id,
      statement,
      document_sha256,
      amount: amount === null ? null : formatAmount(amount),
    },
  }
}

function objectType(kind: Attestation['kind']) {
  return kind === 'bill' ? 'purchase' : 'order'
}

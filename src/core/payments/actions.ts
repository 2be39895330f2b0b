import { z } from 'zod'
import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { displayAmount } from '../../lib/money.ts'
import {
  type ActionContext,
  type ActionEntry,
  action,
  makerOf,
  manyAction,
  organizationOf,
  requireOwn,
  userOf,
} from '../access/action.ts'
import { decisionAction } from '../approvals/decisions.ts'
import { integer, positiveAmount, requiredText } from '../fields.ts'
import { refundReasons } from '../request-actions.ts'
import type { ReviewedCosts } from '../spending/review-token.ts'
import { cancelPayment, paymentApproval } from './approvals.ts'
import { requireNoFile } from './bulk/approval.ts'
import { createPayments, type NewPayment } from './create.ts'
import { LatePayout, reviewLatePayouts } from './late-payouts.ts'
import { findPaymentsById, Payment } from './payments.ts'
import { type RefundInput, refundCollection, returnCollection } from './refunds.ts'
import { awaitsApproval } from './transitions.ts'

const ofPayment = {
  object_type: 'payment',
  wakes: true,
  audit: ({ id: object }: Payment): ActionEntry => ({ object }),
} as const
const input = z.object({ id: integer() })
const decided = { typed: { id: ['<id>', 'as `payments list` shows it'] }, text: decisionCommandText } as const
/** The console requires the reason, which the author reads. */
const withReason = input.extend({ reason: requiredText(500).optional() })

/** Send money or airtime: hold the whole amount, and wait for the approvals that it needs. */
export const createPaymentAction = manyAction({
  ...ofPayment,
  name: 'create payment',
  events: ['contact.created', 'payment.status.changed'],
  permission: 'initiate_payments',
  /** The payment with its networks, which the door has chosen. */
  input: z.object({ payment: z.custom<NewPayment>() }),
  runMany: (tx, now, calls) =>
    createPayments(
      tx,
      now,
      calls.map(({ context: { claim }, input: { payment } }) => ({ ...payment, claim })),
    ),
  creates: { type: 'payment', id: ({ id }) => id },
})

/** Parts of the decisions. A person decides about a file as a whole; an operator may decide about one of its payments. */
const ofDecision = {
  object_type: 'payment',
  audit: ofPayment.audit,
  async context(context: ActionContext, { id }: { id: number }, tx: Tx) {
    await readPayment(tx, context, id)
    if (context.actor.user !== null) await requireNoFile(tx, organizationOf(context), id)
    return context
  },
} as const

/** Approve a payment that waits for a second person. It is sent once it has enough approvals. */
export const approvePaymentAction = decisionAction(paymentApproval, 'approve', {
  ...ofDecision,
  events: ['payment.status.changed'],
  input,
  console: { method: 'POST', path: '/payments/:id/approve', answer: Payment },
  cli: {
    ...decided,
    path: 'payments approve',
    description: 'approve a payment that waits for a second person, and send it',
  },
})

export const rejectPaymentAction = decisionAction(paymentApproval, 'reject', {
  ...ofDecision,
  events: ['payment.status.changed'],
  input: withReason,
  console: { method: 'POST', path: '/payments/:id/reject', answer: Payment, requires: ['reason'] },
  cli: {
    ...decided,
    path: 'payments reject',
    description: 'reject a payment that waits for a second person, and release its money',
    typed: { ...decided.typed, reason: ['--reason <text>', 'the reason, for the person who initiated it'] },
  },
})

/** Cancel a payment of which no part was sent. */
export const cancelPaymentAction = action({
  ...ofPayment,
  name: 'cancel payment',
  events: ['payment.status.changed'],
  permission: 'initiate_payments',
  input: withReason,
  async run(tx, context, { id, reason = '' }) {
    const by = { organization: organizationOf(context), user: userOf(context) }
    await cancelPayment(tx, context.now, { ...by, payment: id, reason })
    return readPayment(tx, context, id)
  },
  console: { method: 'POST', path: '/payments/:id/cancel', answer: Payment, requires: ['reason'] },
  cli: {
    ...decided,
    path: 'payments cancel',
    description: 'cancel a payment that is not sent yet, and release its money',
    typed: { ...decided.typed, reason: ['--reason <text>', 'the reason'] },
  },
})

/** Note that a person has looked into the late money of a payment. It moves no money. */
export const reviewLatePayoutsAction = action({
  name: 'review late payout',
  object_type: 'payment',
  permission: 'initiate_payments',
  input,
  async run(tx, context, { id }) {
    const { organization } = await readPayment(tx, context, id)
    return { organization, results: await reviewLatePayouts(tx, context.now, { payment: id, by: context.actor.name }) }
  },
  audit: ({ organization, results }, { id: object }) => ({
    organization,
    object,
    details: { recipients: results.length },
  }),
  console: { method: 'POST', path: '/payments/:id/review', answer: z.object({ results: z.array(LatePayout) }) },
  cli: {
    path: 'payments review',
    description: 'mark the late money of a payment as reviewed; moves no money',
    typed: { id: ['<id>', 'the payment, as `payments late` shows it'] },
    by: true,
    text: (_, { input }) => `Payment ${input.id} no longer needs attention.`,
    view: ({ results }) => results,
  },
})

const ofRefund = {
  object_type: 'collection',
  permission: 'initiate_payments',
  creates: { type: 'payment', id: ({ id }: Payment) => id },
  wakes: true,
} as const
const refundInput = input.extend({
  /** Answers of the network from before the transaction. */
  prepared: z.custom<Pick<RefundInput, 'chooseNetwork' | 'not_found'>>(),
  reviewed: z.custom<ReviewedCosts>().optional(),
})

const sentCommandText = ({ id, currency, amount, state, phone_nos: [to] }: Payment) =>
  `Payment ${id} of ${currency} ${displayAmount(amount)} to ${to!.phonenumber} is ${state}.`

/** Return unmatched money to the phone that sent it. A return is a payment, so it may need approvals. */
export const returnCollectionAction = action({
  ...ofRefund,
  name: 'return collection',
  events: ['payment.status.changed'],
  input: refundInput,
  run: async (tx, context, given) => returnCollection(tx, context.now, await toRefund(tx, context, given)),
  audit: ({ id: payment, organization }, { id: object }) => ({ object, organization, details: { payment } }),
  cli: {
    path: 'collections return',
    description: 'return unmatched money to the phone that sent it',
    typed: { id: ['<id>', 'as `collections list --unmatched` shows it'] },
    text: sentCommandText,
  },
})

/** Refund a collection, in full or in part, to the phone that sent it. */
export const refundCollectionAction = action({
  ...ofRefund,
  name: 'refund collection',
  events: ['payment.status.changed'],
  input: refundInput.extend({
    amount: positiveAmount.optional(),
    reason: z.enum(refundReasons).optional(),
    comment: z.string().optional(),
  }),
  run: async (tx, context, { amount, reason, comment, ...given }) =>
    refundCollection(tx, context.now, { ...(await toRefund(tx, context, given)), amount, reason, comment }),
  audit: ({ id: payment, organization }, { id: object, reason }) => ({
    object,
    organization,
    details: { payment, ...(reason && { reason }) },
  }),
  cli: {
    path: 'collections refund',
    description: 'refund a collection, in full or in part, to the phone that sent it',
    typed: {
      id: ['<id>', 'as `collections list` shows it'],
      reason: ['--reason <reason>', 'the reason, kept on record'],
      comment: ['--comment <text>', 'why, in your own words'],
      amount: ['--amount <amount>', 'a part of it; default: all that is not refunded yet'],
    },
    text: sentCommandText,
  },
})

async function toRefund(
  tx: Tx,
  context: ActionContext,
  { id: collection, prepared, reviewed }: z.output<typeof refundInput>,
): Promise<RefundInput> {
  const organization = organizationOf(context)
  return { ...prepared, organization, collection, author: await makerOf(tx, context), reviewed }
}

/** Describe a payment after a decision, and its next step. */
function decisionCommandText(payment: Payment): string {
  const { id, state, approvals, approvals_required } = payment
  const more = awaitsApproval(payment) ? ` It has ${approvals} of ${approvals_required} approvals.` : ''
  return `Payment ${id} is ${state}.${more}`
}

/** @throws NotFound, Forbidden */
async function readPayment(tx: Tx, context: ActionContext, id: number): Promise<Payment> {
  return requireOwn(context, (await findPaymentsById(tx, [id])).get(id), getMessage('payments.none', { id }))
}

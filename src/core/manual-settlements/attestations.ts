import type { Reader, Tx } from '../../db/client.ts'
import type { FailureReason } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, displayAmount, formatAmount } from '../../lib/money.ts'
import { formatTimestamp } from '../../lib/time.ts'
import { type MailSettings, mailGuardians } from '../approvals/notices.ts'
import type { ApprovalKind, Decision } from '../approvals/proposals.ts'
import { Forbidden, Invalid } from '../refusals.ts'
import { hasOther, requireMoneyPermission } from '../spending/approvers.ts'
import { type Attestation, type AttestedOutcome, getAttestation } from './attestation.ts'
import { checkDocument, type SentDocument } from './documents.ts'
import { applyAttestation, type FindNetwork, requireUnknownMoney } from './effects.ts'
import { noticeOfAttestation } from './notices.ts'
import { factsOf, findTarget, lockTarget, ownerOf, type Target } from './targets.ts'

/*
 * Some orders never get an answer: the network has lost them, or cannot be asked. Then one person attests the reading
 * of the network's own statement, and a second person approves. Only the approval changes anything, in one transaction,
 * by the functions that handle the answers of networks (docs/decisions/0031).
 *
 * Every transaction locks the request or the payment first, then the order, then the attestation.
 */

/** The settings and the clock of an attestation. */
export interface AttestationContext {
  now: Date
  /** Minimum age before people may settle an open order, in milliseconds since it was sent. */
  min_age_ms: number
  /** Null without a mail server: then no mail is sent. */
  mail: MailSettings | null
  findNetwork: FindNetwork
}

/** Reading of a statement by a person. */
export interface NewAttestation {
  /** The organization of the person. */
  organization: number
  user: number
  /** The reference of the order or the purchase, or the id of the order. */
  order: string | number
  outcome: AttestedOutcome
  /** The id of the money in the statement; with `successful` only. */
  remote_id: string | null
  /** Amount moved according to the statement; with `successful` only. */
  amount: Amount | null
  /** The token of prepaid electricity. */
  token?: string | null
  /** Reason why nothing has moved; with `failed` only. */
  failure_reason?: FailureReason | null
  /** Statement, and the place in it. */
  statement: string
  note: string
  document: SentDocument
}

/**
 * Stores a person's attestation about an open order. Nothing else changes until a second person approves it.
 * @throws NotFound. Forbidden without the permission to initiate or to approve payments. Invalid if the order was not
 *   sent, has ended, is too young, or has an attestation that waits; and if a field is missing or wrong.
 */
export async function attestOrder(tx: Tx, context: AttestationContext, input: NewAttestation): Promise<Attestation> {
  const { organization, user } = input
  const found = await findTarget(tx, input.order, organization)
  await requireMoneyPermission(tx, input, ['initiate_payments', 'approve_payments'])
  const target = await lockTarget(tx, found)
  requireOpen(context, target)
  requireFields(target, input)
  const document = checkDocument(input.document)
  await requireUnknownMoney(tx, target, input)
  await requireNoneWaits(tx, target)
  const { outcome, remote_id, amount, token = null, failure_reason, statement, note } = input
  const reason = outcome === 'failed' ? (failure_reason ?? 'rejected') : null
  const [inserted] = await tx<{ id: number }[]>`
    insert into order_attestations (organization, network_order, outcome, remote_id, amount, token,
      failure_reason, statement, note, document, document_name, document_type, document_sha256, state, author, created)
    values (${organization}, ${target.order.id}, ${outcome}, ${remote_id},
      ${amount === null ? null : formatAmount(amount)}, ${token}, ${reason}, ${statement}, ${note}, ${document.bytes},
      ${document.name}, ${document.type}, ${document.sha256}, 'waiting', ${user}, ${context.now})
    returning id`
  const attestation = await getAttestation(tx, inserted!.id)
  await mailGuardians(tx, context, organization, await noticeOf(tx, attestation, { target }))
  return attestation
}

type LockedAttestation = Attestation & { target: Target }

/**
 * Approval of attestations: it settles the order, in this transaction.
 *
 * The second person is another user of the organization with the permission to approve payments. The operator is the
 * second person if the money is on the operator's merchant account, or if the organization has no other such user. An
 * approval is also refused if the order has ended or was sent again since.
 */
export const attestationApproval: ApprovalKind<LockedAttestation, AttestationContext, Attestation> = {
  noun: 'attestation',
  deciders: 'approvers',
  own: 'orders.second_person',
  withdrawal: { refusal: 'orders.only_author' },
  expired: null,
  notice: noticeOf,
  async lock(tx, _, { id, by: { organization } }) {
    const { reference } = await getAttestation(tx, id, organization ?? undefined)
    const target = await lockTarget(tx, await findTarget(tx, reference))
    await tx`select id from order_attestations where id = ${id} for update`
    return { ...(await getAttestation(tx, id)), target }
  },
  closed: ({ state }) =>
    state === 'waiting' ? undefined : { state: [getMessage('orders.attestation_state', { state })] },
  async requireOperator(tx, { target, author, author_name }, { name = '' }) {
    if (name.trim().toLowerCase() === author_name.trim().toLowerCase())
      throw new Forbidden(getMessage('orders.second_person'))
    if (!(await needsOperator(tx, target, author))) throw new Forbidden(getMessage('orders.other_approver'))
  },
  async requireUser(tx, { target, author }) {
    if (await needsOperator(tx, target, author)) throw new Forbidden(getMessage('orders.operator_approves'))
  },
  async approve(tx, context, attestation, decision) {
    const { target } = attestation
    requireOpen(context, target)
    requireNotSentAgain(target, attestation)
    await requireUnknownMoney(tx, target, attestation)
    await close(tx, context, decision)
    await applyAttestation(tx, context, target, attestation)
  },
  reject: (tx, context, _, decision) => close(tx, context, decision),
  read: (tx, _, { id }) => getAttestation(tx, id),
}

async function noticeOf(tx: Tx, attestation: Attestation, { target }: { target: Target }) {
  return noticeOfAttestation(attestation, await needsOperator(tx, target, attestation.author))
}

async function close(tx: Tx, { now }: AttestationContext, { id, verdict, by, reason = null }: Decision): Promise<void> {
  const state = ({ approve: 'approved', reject: 'rejected', withdraw: 'withdrawn' } as const)[verdict]
  await tx`
    update order_attestations set state = ${state}, decided_by = ${by.user},
      decided_by_name = coalesce((select name from users where id = ${by.user}), ${by.name ?? null}::text),
      decided = ${now}, decision_note = ${reason}
    where id = ${id}`
}

/**
 * True if only the operator may be the second person. Either the money is on the operator's merchant account, and the
 * operator must not depend on users of one organization. Or the organization has no other user who may approve.
 */
async function needsOperator(db: Reader, target: Target, author: number): Promise<boolean> {
  const owner = await ownerOf(db, target)
  if (owner === null) return true
  return !(await hasOther(db, factsOf(target).organization, author, 'approve_payments'))
}

/** @throws Invalid */
function requireOpen({ now, min_age_ms }: AttestationContext, target: Target): void {
  const { state, is_open, sent } = factsOf(target)
  if (!is_open || sent === null) {
    const key = sent === null || state === 'new' ? 'orders.not_sent' : 'orders.not_open'
    throw new Invalid({ order: [getMessage(key, { state })] })
  }
  const from = new Date(sent.getTime() + min_age_ms)
  if (now < from)
    throw new Invalid({
      order: [getMessage('orders.may_answer', { time: formatTimestamp(from) })],
    })
}

/** Requires that the order was not sent again since the statement was read. @throws Invalid */
function requireNotSentAgain(target: Target, { created }: Attestation): void {
  const { sent } = factsOf(target)
  if (sent !== null && sent > created) throw new Invalid({ order: [getMessage('orders.sent_again')] })
}

/** @throws Invalid */
function requireFields(target: Target, input: NewAttestation): void {
  const { kind, amount, currency } = factsOf(target)
  const { outcome, token = null, failure_reason = null } = input
  const wrong: Record<string, string[]> = {}
  if (outcome === 'successful') {
    if (input.remote_id === null) wrong.remote_id = [getMessage('orders.id_required')]
    if (input.amount === null || input.amount <= 0n) wrong.amount = [getMessage('orders.amount_required')]
    else if (kind !== 'charge' && input.amount !== amount)
      wrong.amount = [getMessage('orders.other_amount', { amount: `${currency} ${displayAmount(amount)}` })]
    if (failure_reason !== null) wrong.failure_reason = [getMessage('orders.nothing_failed')]
  } else {
    if (input.remote_id !== null) wrong.remote_id = [getMessage('orders.no_id')]
    if (input.amount !== null) wrong.amount = [getMessage('orders.no_amount')]
  }
  const goods = goodsError(target, input)
  if (goods) wrong[goods.field] = [goods.message]
  else if (token !== null && !(target.purchase?.details.prepaid && outcome === 'successful'))
    wrong.token = [getMessage('orders.no_token')]
  if (Object.keys(wrong).length > 0) throw new Invalid(wrong)
}

/** Returns the fault of an attested sale: prepaid electricity needs its token, and pins cannot be attested. */
function goodsError({ purchase }: Target, { outcome, token }: NewAttestation) {
  if (!purchase || outcome !== 'successful') return undefined
  if (purchase.details.prepaid && !token) return { field: 'token', message: getMessage('orders.token_required') }
  if (purchase.kind === 'epin' || purchase.kind === 'exampin')
    return { field: 'outcome', message: getMessage('orders.pins') }
  return undefined
}

/** The order is locked, so that no other attestation of it is made now. @throws Invalid */
async function requireNoneWaits(tx: Tx, { order }: Target): Promise<void> {
  const [waiting] = await tx<{ id: number }[]>`
    select id from order_attestations where state = 'waiting' and network_order = ${order.id}`
  if (waiting) throw new Invalid({ order: [getMessage('orders.attestation_waits', { id: waiting.id })] })
}

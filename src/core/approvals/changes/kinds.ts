import type { Tx } from '../../../db/client.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { type Amount, displayAmount, formatAmount } from '../../../lib/money.ts'
import { controlPermissions, type Permission, permissionNames } from '../../access/api-keys.ts'
import { createInvitation, requireNoPermissions } from '../../access/invitations.ts'
import { getMember, type Member, requiresSecondFactor, setMembership } from '../../access/organizations.ts'
import {
  countSecondFactors,
  hasSecondFactor,
  nameSecondFactors,
  removeSecondFactor,
} from '../../access/second-factors.ts'
import { endSessions, listMemberships } from '../../access/sessions.ts'
import { Invalid } from '../../refusals.ts'
import {
  type ApprovalAmounts,
  type ApprovalStep,
  approvalSteps,
  readApprovalRule,
  readChangedRule,
  setApprovalRule,
} from '../../spending/approval-rules.ts'
import {
  type ApproverLimitAmounts,
  type ApproverLimitKind,
  readApproverLimits,
  requireApproverLimits,
  setApproverLimits,
} from '../../spending/approver-limits.ts'
import {
  type LimitAmounts,
  type LimitKind,
  readPaymentLimits,
  requireLimits,
  setPaymentLimits,
} from '../../spending/limits.ts'
import { type ConnectionRequest, prepareConnectionRequest } from './connection-kinds.ts'
import { type MatchingRequest, prepareMatching } from './matching-kinds.ts'
import type { ControlContext, Prepare, PreparedChange } from './prepared-change.ts'
import { prepareRole, type RoleRequest } from './role-kinds.ts'

/** A change of who may move money and how much. */
export type ControlRequest =
  | { kind: 'permissions'; user: number; permissions: Permission[] }
  | { kind: 'invitation'; email: string; permissions: Permission[] }
  | {
      kind: 'approval_rule'
      currency: string
      threshold: Amount | null
      /** Undefined: it stays as it is. */
      second_threshold?: Amount | null
      third_threshold?: Amount | null
    }
  | ({ kind: 'approver_limits'; user: number; currency: string } & ApproverLimitAmounts)
  | ({ kind: 'payment_limits'; currency: string } & LimitAmounts)
  | { kind: 'second_factor_rule'; required: boolean }
  | { kind: 'second_factor_reset'; user: number }
  | RoleRequest
  | ConnectionRequest
  | MatchingRequest

export type { ControlContext, InvitationLink, PreparedChange } from './prepared-change.ts'

/**
 * Checks a change and describes it. It applies nothing.
 * @throws NotFound, Forbidden, Invalid with all invalid fields
 */
export function prepareChange(
  tx: Tx,
  context: ControlContext,
  organization: number,
  request: ControlRequest,
): Promise<PreparedChange> {
  switch (request.kind) {
    case 'permissions':
      return preparePermissions(tx, organization, request)
    case 'invitation':
      return prepareInvitation(tx, organization, request)
    case 'approval_rule':
      return prepareApprovalRule(tx, organization, request)
    case 'approver_limits':
      return prepareApproverLimits(tx, organization, request)
    case 'payment_limits':
      return prepareLimits(tx, organization, request)
    case 'second_factor_rule':
      return prepareSecondFactorRule(tx, organization, request)
    case 'second_factor_reset':
      return prepareSecondFactorReset(tx, organization, request)
    case 'role':
      return prepareRole(tx, organization, request)
    case 'connection_settings':
    case 'connection_state':
    case 'connection_place':
      return prepareConnectionRequest(tx, organization, request)
    case 'matching_threshold':
    case 'match':
    case 'match_request':
      return prepareMatching(tx, context, organization, request)
  }
}

type Request<Kind extends ControlRequest['kind']> = Extract<ControlRequest, { kind: Kind }>

const preparePermissions: Prepare<Request<'permissions'>> = async (tx, organization, { user, permissions }) => {
  const member = await getMember(tx, organization, user)
  const added = permissions.filter((one) => !member.permissions.includes(one))
  const removed = member.permissions.filter((one) => !permissions.includes(one))
  const parts = [
    ...(added.length > 0 ? [`may also: ${permissionNames(added)}`] : []),
    ...(removed.length > 0 ? [`may no longer: ${permissionNames(removed)}`] : []),
  ]
  return {
    description: `${nameOf(member)} ${parts.join('; ') || 'keeps all permissions'}.`,
    before: member.permissions,
    is_control: [...added, ...removed].some(isControl),
    // Without its other managers, an organization would do everything at once.
    weakens: added.some(isControl) || removed.includes('manage_organization'),
    grants: added,
    concerns: member.email,
    action: {
      action: 'change permissions',
      object_type: 'user',
      object: user,
      details: { email: member.email, before: member.permissions, after: permissions },
    },
    apply: (tx, { now, approver_wait_ms }) =>
      setMembership(tx, now, { organization, user, permissions, approver_wait_ms }),
  }
}

const prepareInvitation: Prepare<Request<'invitation'>> = async (tx, organization, { email, permissions }) => {
  const address = email.trim().toLowerCase()
  await requireNoPermissions(tx, organization, address)
  return {
    description: `${address} is invited and may: ${permissionNames(permissions)}.`,
    before: null,
    is_control: permissions.some(isControl),
    weakens: permissions.some(isControl),
    grants: permissions,
    action: { action: 'invite user', details: { email, permissions } },
    apply: async () => {},
    invite: (tx, { real, author }) => createInvitation(tx, real, { organization, author, email, permissions }),
  }
}

const prepareApprovalRule: Prepare<Request<'approval_rule'>> = async (tx, organization, request) => {
  const { kind: _, ...asked } = request
  const { currency } = request
  const change = { organization, ...asked }
  const after = await readChangedRule(tx, change)
  const before = await readApprovalRule(tx, organization, currency)
  return {
    description: `Payments in ${currency}: ${describeRule(after)} (before: ${describeRule(before)}).`,
    before: approvalSteps.map((step) => toText(before[step])),
    is_control: approvalSteps.some((step) => before[step] !== after[step]),
    weakens: approvalSteps.some((step) => isLooser(before[step], after[step])),
    action:
      after.threshold === null
        ? { action: 'remove approval', details: { currency } }
        : { action: 'set approval', details: { currency, ...writeSteps(after) } },
    apply: (tx) => setApprovalRule(tx, change),
  }
}

const stepNames: Record<ApprovalStep, string> = {
  threshold: 'with approval above',
  second_threshold: 'with a second one above',
  third_threshold: 'with a third one above',
}

function describeRule(rule: ApprovalAmounts): string {
  const parts = approvalSteps.flatMap((step) => {
    const amount = rule[step]
    return amount === null ? [] : [`${stepNames[step]} ${displayAmount(amount)}`]
  })
  return parts.join(', ') || 'without approval'
}

/** The amounts that a rule has, for the audit log. */
function writeSteps(rule: ApprovalAmounts): Record<string, string> {
  return Object.fromEntries(
    approvalSteps.flatMap((step) => {
      const amount = rule[step]
      return amount === null ? [] : [[step, formatAmount(amount)]]
    }),
  )
}

export const approverLimitNames: Record<ApproverLimitKind, string> = {
  per_payment: 'of one payment',
  per_day: 'in 24 hours',
}

const prepareApproverLimits: Prepare<Request<'approver_limits'>> = async (tx, organization, request) => {
  const { kind: _, user, currency, ...limits } = request
  const member = await getMember(tx, organization, user)
  await requireApproverLimits(tx, request)
  const before = await readApproverLimits(tx, { organization, user, currency })
  const { parts, texts, ...compared } = compareLimits(approverLimitNames, before, limits)
  return {
    ...compared,
    description: `${nameOf(member)} may approve in ${currency}: ${parts}.`,
    concerns: member.email,
    action: {
      action: 'set approver limits',
      object_type: 'user',
      object: user,
      details: { email: member.email, currency, ...texts },
    },
    apply: (tx) => setApproverLimits(tx, { organization, user, currency, ...limits }),
  }
}

/** Names of the limits of payments. */
export const limitNames: Record<LimitKind, string> = {
  per_day: 'all together',
  per_recipient: 'to one phone number',
  per_user: 'by one user',
}

const prepareLimits: Prepare<Request<'payment_limits'>> = async (tx, organization, request) => {
  const { kind: _, currency, ...limits } = request
  await requireLimits(tx, request)
  const before = await readPaymentLimits(tx, organization, currency)
  const { parts, texts, ...compared } = compareLimits(limitNames, before, limits)
  return {
    ...compared,
    description: `Payments in ${currency} in 24 hours: ${parts}.`,
    action: { action: 'set payment limits', details: { currency, ...texts } },
    apply: (tx) => setPaymentLimits(tx, { organization, currency, ...limits }),
  }
}

/** Compares limits with those before, in words for people and in texts for the audit log. */
function compareLimits<Kind extends string>(
  names: Record<Kind, string>,
  before: Record<Kind, Amount | null>,
  after: Record<Kind, Amount | null>,
) {
  const kinds = Object.keys(names) as Kind[]
  const changed = kinds.filter((kind) => before[kind] !== after[kind])
  const describe = (amount: Amount | null) => (amount === null ? 'no limit' : `at most ${displayAmount(amount)}`)
  const parts = changed.map((kind) => `${names[kind]} ${describe(after[kind])} (before: ${describe(before[kind])})`)
  return {
    parts: parts.join('; ') || 'as before',
    texts: Object.fromEntries(kinds.map((kind) => [kind, toText(after[kind])])),
    before: kinds.map((kind) => toText(before[kind])),
    is_control: changed.length > 0,
    weakens: changed.some((kind) => isLooser(before[kind], after[kind])),
  }
}

const prepareSecondFactorRule: Prepare<Request<'second_factor_rule'>> = async (tx, organization, { required }) => {
  const before = await requiresSecondFactor(tx, organization)
  return {
    description: `Users who move money or manage ${required ? 'need' : 'no longer need'} a second factor.`,
    before,
    is_control: before !== required,
    weakens: before && !required,
    action: { action: required ? 'demand second factor' : 'demand no second factor' },
    async apply(tx, { author }) {
      if (required && author !== null && !(await hasSecondFactor(tx, author)))
        throw new Invalid({ required: [getMessage('changes.own_second_factor_first')] })
      await tx`update organizations set second_factor_required = ${required} where id = ${organization}`
    },
  }
}

const prepareSecondFactorReset: Prepare<Request<'second_factor_reset'>> = async (tx, organization, { user }) => {
  const member = await getMember(tx, organization, user)
  const factors = await countSecondFactors(tx, user)
  if (!factors.app && factors.passkeys === 0)
    throw new Invalid({ user: [getMessage('changes.without_factor', { user: nameOf(member) })] })
  const is_shared = (await listMemberships(tx, user)).some((one) => one.id !== organization)
  return {
    description: `The second factor of ${nameOf(member)} is removed, so that the password is enough.`,
    // A user who has found the lost one, or has set up another, keeps it.
    before: [member.permissions, await nameSecondFactors(tx, user)],
    is_control: true,
    weakens: true,
    // Who may sign in as somebody gets the permissions of this user.
    grants: member.permissions,
    concerns: member.email,
    ...(is_shared && { operator_only: getMessage('changes.operator_resets') }),
    action: {
      action: 'reset second factor',
      object_type: 'user',
      object: user,
      details: { email: member.email, app: factors.app, passkeys: factors.passkeys },
    },
    async apply(tx) {
      await removeSecondFactor(tx, user)
      await endSessions(tx, user)
    },
  }
}

function isControl(permission: Permission): boolean {
  return controlPermissions.includes(permission)
}

/** True if a limit allows more than before. Null is no limit. */
function isLooser(before: Amount | null, after: Amount | null): boolean {
  return before !== null && (after === null || after > before)
}

function toText(amount: Amount | null): string | null {
  return amount === null ? null : formatAmount(amount)
}

function nameOf({ name, email }: Member): string {
  return `${name} (${email})`
}

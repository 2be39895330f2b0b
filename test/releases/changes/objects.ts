import { expect } from 'vitest'
import { standardRoles } from '../../../src/core/access/roles.ts'
import {
  type AccountOfRelease,
  accountFormatOf,
  addSandboxNetworks,
  addSandboxPlaces,
  type NetworkPage,
  SANDBOX_NETWORK,
  serviceNameOf,
} from './sandbox.ts'

/** What SMS have since they go over several providers. Those of a release went over one, which did not say more. */
const NEW_OF_SMS = {
  ...{
    bill_purchase: null,
    payment: null,
    country: null,
    transactional: true,
    sender_id: null,
    reason: null,
    code: null,
  },
  ...{ encoding: null, parts: null, cost: null, currency: null, delivered_at: null },
}

/** Organizations with wallets of several countries keep UTC. */
const NO_PLACE = { time_zone: 'UTC', country: null }

/** This one has wallets of one country, so that its place is known. */
const IN_UGANDA = { time_zone: 'Africa/Kampala', country: 'UG' }

/** What organizations have that no setting of a release has changed. */
const NEW_OF_ORGANIZATIONS = {
  ...{ second_factor_required: false, send_bill_tokens: false },
  ...NO_PLACE,
}

/** The last sign-in was not stored. People sign in to ask. */
const NEW_OF_USERS = { last_sign_in: expect.toBeOneOf([null, expect.any(String)]) }

/** The role that is shown for permissions of an earlier version. */
function roleOf({ permissions }: Record<string, unknown>): string | null {
  const codes = permissions as string[]
  const found = Object.entries(standardRoles).find(
    ([, role]) => role.length === codes.length && role.every((code) => codes.includes(code)),
  )
  return found?.[0] ?? null
}

/** The state of a webhook. One of the failing receivers of that scenario answered 503, the other 500. */
function stateOf({ failing_since, target }: Record<string, unknown>) {
  if (failing_since === null) return { state: 'active', failure: null }
  return { state: 'failing', failure: String(target).endsWith('/restless') ? '503' : '500' }
}

/** What purchases of earlier versions have in common: one provider, in Nigeria. */
const SOLD_IN_NIGERIA = {
  ...{
    attempt: 1,
    approvals: 0,
    approvals_required: 0,
    country: 'NG',
    send_token: null,
    attention: null,
    charged: null,
    charged_currency: null,
  },
}

/**
 * Objects of answers with other values: which questions have them, and the object now. Events, notifications and rows of
 * tables (`--json` of some commands) stay as they were stored.
 */
export const CHANGED_OBJECTS: readonly { question: RegExp; change(object: Record<string, unknown>): object }[] = [
  {
    question: /^\/(api\/collection|incoming)/,
    change: (object) =>
      object.subscription_settings
        ? { ...object, subscription_settings: JSON.stringify(object.subscription_settings) }
        : object,
  },
  {
    question: /^(\/api\/)?payments/,
    change: (object) =>
      'phone_nos' in object ? { ...object, start_date: object.start_date ?? object.created } : object,
  },
  {
    // Version 0.1.0 knew one approval, and did not show who gave it.
    question: /^(\/api\/|\/)?payments/,
    change: (object) => ('phone_nos' in object ? { ...object, ...approvalsOf(object) } : object),
  },
  {
    question: /^(.settings$|organizations approval list)/,
    change: (object) =>
      'threshold' in object || 'above' in object
        ? { ...object, second_threshold: null, third_threshold: null }
        : object,
  },
  {
    question: /^.home/,
    change: (object) =>
      'wallets' in object
        ? {
            ...without(object, ['days', 'week']),
            ...{ warnings: [], unassigned: [], late_payouts: [], not_instructed: [], attention: expect.any(Array) },
          }
        : object,
  },
  {
    question: /^.home/,
    change: (object) => ('unclear' in object ? { ...object, name: SANDBOX_NETWORK } : object),
  },
  {
    question: /^.incoming/,
    change: (object) =>
      'given_back_by' in object ? { ...object, network_name: SANDBOX_NETWORK, is_stand_in: false } : object,
  },
  {
    question: /timeline$/,
    // The provider of that scenario refused some SMS.
    change: (object) =>
      object.kind === 'text'
        ? { ...object, problem: object.state === 'failed' ? 'The SMS provider answered 400' : null }
        : object,
  },
  {
    question: /timeline$/,
    // What an order and its answers have in a network's own words.
    change: (object) => {
      const text_or_null = expect.toBeOneOf([expect.any(String), null])
      if (object.kind === 'order') return { ...object, attempt: expect.any(Number), receiver: text_or_null }
      if (object.kind !== 'answer') return object
      const [code, source, remote_id] = [text_or_null, text_or_null, text_or_null]
      return { ...object, reason: null, code, source, remote_id, reference: expect.any(String) }
    },
  },
  {
    question: /^texts list/,
    change: (object) => ('phonenumber' in object ? { ...object, ...NEW_OF_SMS } : object),
  },
  {
    question: /^(\/api\/collections|\/incoming|\/collections|collections)/,
    change: (object) =>
      'payment_date' in object
        ? { ...object, reversed_amount: object.status === 'reversed' ? object.amount : '0.0000' }
        : object,
  },
  {
    question: /^(\/api\/|\/)?payments/,
    change: (object) =>
      'payment_id' in object && 'phonenumber' in object
        ? { ...object, reversed_amount: hasComeBack(object) ? object.amount : '0.0000' }
        : object,
  },
  {
    question: /^(?!fees|accounts)[a-z]/,
    change: (object) => ('network' in object ? { ...object, connection: object.network } : object),
  },
  {
    // People act on requests since then.
    question: /^(requests|collections) (list|show)/,
    change: (object) =>
      'send_instructions' in object
        ? { ...object, prompt_again_at: null, ...('moves' in object && { actions: [] }) }
        : object,
  },
  {
    question: /^collections list/,
    change: (object) => ('refunded' in object ? { ...object, network_order: null } : object),
  },
  {
    question: /^accounts /,
    change: ({ network, ...object }) =>
      'number' in object ? { ...object, connection: network } : addSandboxPlaces(object as Partial<AccountOfRelease>),
  },
  {
    question: /^\/(api\/)?networks/,
    change: (object) => ('results' in object ? addSandboxNetworks(object as unknown as NetworkPage) : object),
  },
  {
    question: /^plans list/,
    change: (object) => ('weekdays' in object ? { ...object, paused: null } : object),
  },
  {
    question: /^bills list/,
    change: (object) =>
      'agent_reference' in object
        ? {
            ...object,
            ...SOLD_IN_NIGERIA,
            service_name: serviceNameOf(object),
            attested: null,
            remote_service: null,
            remote_product: null,
            cost: null,
            started: null,
            restored: false,
          }
        : object,
  },
  {
    question: /^.purchases/,
    change: (object) =>
      'agent_reference' in object ? { ...object, ...SOLD_IN_NIGERIA, service_name: serviceNameOf(object) } : object,
  },
  {
    question: /^.services/,
    change: (object) =>
      'service_type' in object
        ? { ...object, country: 'NG', currency: 'NGN', account_format: accountFormatOf(object) }
        : object,
  },
  {
    question: /billers.services/,
    change: (object) =>
      'serviceType' in object ? { ...object, serviceCountry: 'NG', serviceCurrency: 'NGN' } : object,
  },
  {
    // The order of a recipient has a due date of its own.
    question: /^payments list/,
    change: (object) =>
      ['processing', 'pending_confirmation', 'parked'].includes(String(object.state)) && 'due_at' in object
        ? { ...object, due_at: null }
        : object,
  },
  {
    question: /^.audit/,
    change: (object) => ('user_name' in object ? { ...object, key: null, key_name: null } : object),
  },
  {
    question: /^.session$/,
    change: (object) => ('stage' in object ? { ...object, second_factor_missing: false } : object),
  },
  {
    question: /^.session$/,
    change: (object) => ('email' in object ? { ...object, language: null } : object),
  },
  {
    question: /^.users$/,
    change: (object) =>
      'email' in object
        ? {
            ...object,
            ...{ approves_from: null, second_factor: object.email === 'finance@demo.example', ...NEW_OF_USERS },
            ...{ second_factor_missing: false, role: roleOf(object) },
          }
        : object,
  },
  {
    question: /^.settings$/,
    change: (object) =>
      'approval' in object ? { ...object, limits: [], approver_limits: [], second_factor_required: false } : object,
  },
  {
    question: /^.(settings|session)$/,
    // The organization itself, and not the ones to choose from.
    change: (object) =>
      'organization' in object && object.organization !== null && typeof object.organization === 'object'
        ? { ...object, organization: { ...object.organization, ...NO_PLACE } }
        : object,
  },
  {
    question: /^plans list/,
    change: (object) => ('frequencies' in object ? { ...object, time_zone: 'UTC' } : object),
  },
  {
    question: /^organizations list/,
    change: (object) =>
      'service_user' in object
        ? { ...object, ...NEW_OF_ORGANIZATIONS, ...(object.name === 'Mama Grace Shop' ? IN_UGANDA : NO_PLACE) }
        : object,
  },
  {
    question: /^users list/,
    change: (object) =>
      'email' in object ? { ...object, approves_from: null, ...NEW_OF_USERS, role: roleOf(object) } : object,
  },
  {
    question: /^webhooks list/,
    change: (object) => ('failing_since' in object ? { ...object, description: null, paused: null } : object),
  },
  {
    question: /^.webhooks.health/,
    change: (object) =>
      'failing_since' in object ? { ...object, description: null, paused: null, ...stateOf(object) } : object,
  },
  {
    question: /^.invitations$/,
    change: (object) => ('permissions' in object ? { ...object, role: roleOf(object) } : object),
  },
  {
    question: /^simulate prompts/,
    change: (object) => ('receiver' in object ? { ...object, network: 'sandbox' } : object),
  },
]

/** The payment that a second person approved, in the second in which it was made. */
const APPROVED_PAYMENT = { id: 10, approved_by: 3 }

function approvalsOf({ id, state, rejected_by, created }: Record<string, unknown>): object {
  const { approved_by } = APPROVED_PAYMENT
  if (id === APPROVED_PAYMENT.id) return { approvals_required: 1, approvals: 1, approved_by, approved_time: created }
  const waits = state === 'approval_needed' || state === 'approval_requested'
  const approvals_required = waits || rejected_by !== null ? 1 : 0
  return { approvals_required, approvals: 0, approved_by: null, approved_time: null }
}

/** Whether a network has taken back what this recipient of a payment got. */
function hasComeBack({ state, remote_transaction_id }: Record<string, unknown>): boolean {
  return state === 'error' && remote_transaction_id !== null
}

/** An answer without keys that only earlier versions had. */
function without(object: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}

import { z } from 'zod'
import type { Tx } from '../../../db/client.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { type Action, type ActionContext, action, authorOf, type InputOf, organizationOf } from '../../access/action.ts'
import { NewInvitation, permissionList } from '../../access/invitations.ts'
import { listMembers, requireOwned, setMembership } from '../../access/organizations.ts'
import { NewRole } from '../../access/roles.ts'
import { findCollectionRow } from '../../collections/collections.ts'
import { requestsById } from '../../collections/requests.ts'
import type { ConnectionState, TestResult } from '../../connections/connections.ts'
import { anyAmount, booleanField, integer, optional, requiredText, text } from '../../fields.ts'
import { Invalid } from '../../refusals.ts'
import { type ChangeResult, requestChange } from './changes.ts'
import type { ControlRequest } from './kinds.ts'
import type { RequestedPart } from './matching-kinds.ts'

/* Changes of who may move money and how much. Where one weakens control, it waits for a second manager. */

interface Change<Fields extends z.ZodRawShape>
  extends Pick<
    Action<Fields, ChangeResult>,
    'name' | 'input' | 'check' | 'events' | 'console' | 'creates' | 'refreshes'
  > {
  permission?: Action['permission']
  /** False for a change that asks for no confirmation. */
  confirmed?: false
  /** Return what is asked for. @throws Refusal */
  request(input: InputOf<Fields>, context: ActionContext, tx: Tx): ControlRequest | Promise<ControlRequest>
}

function change<Fields extends z.ZodRawShape>({ request, confirmed, ...declared }: Change<Fields>) {
  return action<Fields, ChangeResult, Action['permission']>({
    permission: 'manage_organization',
    ...declared,
    ...(confirmed !== false && { confirmed: true }),
    second_person: 'manager',
    async run(tx, context, input) {
      const { actor, service } = context
      const author = { ...actor, organization: organizationOf(context), user: authorOf(context), operator: actor.name }
      return requestChange(tx, service.changes, author, await request(input, context, tx))
    },
    audit: ({ entry }) => entry,
    wakes: true,
  })
}

/* Users and roles. */

/** Change the permissions of a user. Nobody changes their own, so that at least one user keeps the permission to. */
export const changePermissionsAction = change({
  name: 'change permissions',
  input: z.object({ user: integer(), permissions: permissionList }),
  async request({ user, permissions }, context, tx) {
    const { actor, now } = context
    const organization = organizationOf(context)
    // An operator makes a user of another organization a user of this one.
    if (actor.user === null && !(await listMembers(tx, organization)).some(({ id }) => id === user))
      await setMembership(tx, now, { organization, user, permissions: [] })
    if (user === actor.user) throw new Invalid({ permissions: [getMessage('access.own_permissions')] })
    return { kind: 'permissions', user, permissions }
  },
})

export const inviteUserAction = change({
  name: 'invite user',
  input: NewInvitation,
  request: (invitation) => ({ kind: 'invitation', ...invitation }),
})

/** Remove the second factor of a user who has lost it: only the password remains. */
export const resetSecondFactorAction = change({
  name: 'reset second factor',
  input: z.object({ user: integer() }),
  request({ user }, { actor }) {
    if (user === actor.user) throw new Invalid({ user: [getMessage('access.own_second_factor')] })
    return { kind: 'second_factor_reset', user }
  },
})

/** Create an own role. */
export const createRoleAction = change({
  name: 'create role',
  input: NewRole,
  request: (role) => ({ kind: 'role', role: null, ...role }),
  console: { method: 'POST', path: '/roles' },
})

/** Change an own role: its users get its new permissions. */
export const changeRoleAction = change({
  name: 'change role',
  input: NewRole.extend({ id: integer() }),
  request: ({ id: role, name, permissions }) => ({ kind: 'role', role, name, permissions }),
  console: { method: 'PATCH', path: '/roles/:id' },
})

/* Rules of payments. */

const currency = requiredText(10).transform((code) => code.toUpperCase())
const limit = optional(anyAmount).transform((amount) => amount ?? null)
/** An amount, or null for no limit. A field that is left out stays undefined. */
const limitOrAbsent = z.preprocess((input) => (input === '' ? null : input), z.union([z.null(), anyAmount])).optional()

/** Set the amounts above which payments need approvals. */
export const setApprovalAction = change({
  name: 'set approval',
  input: z.object({
    currency,
    /** Without it the rule is removed. */
    threshold: anyAmount.optional(),
    second_threshold: limitOrAbsent,
    third_threshold: limitOrAbsent,
  }),
  request: ({ threshold = null, ...rule }) => ({ kind: 'approval_rule', threshold, ...rule }),
  console: { method: 'PUT', path: '/settings/approval/:currency', requires: ['threshold'], unset: {} },
})

export const setApproverLimitsAction = change({
  name: 'set approver limits',
  input: z.object({ user: integer(), currency, per_payment: limit, per_day: limit }),
  request: (limits) => ({ kind: 'approver_limits', ...limits }),
  console: { method: 'PUT', path: '/settings/approvers/:user/:currency', unset: { per_payment: null, per_day: null } },
})

export const setPaymentLimitsAction = change({
  name: 'set payment limits',
  input: z.object({ currency, per_day: limit, per_recipient: limit, per_user: limit }),
  request: (limits) => ({ kind: 'payment_limits', ...limits }),
  console: {
    method: 'PUT',
    path: '/settings/limits/:currency',
    unset: { per_day: null, per_recipient: null, per_user: null },
  },
})

/** Demand a second factor of users who move money or manage, or no longer. */
export const demandSecondFactorAction = change({
  name: 'demand second factor',
  input: z.object({ required: booleanField }),
  request: ({ required }) => ({ kind: 'second_factor_rule', required }),
  console: { method: 'PUT', path: '/settings/second-factor' },
})

/** Set the amount above which a second manager confirms what is matched by hand. */
export const setMatchingThresholdAction = change({
  name: 'set matching threshold',
  input: z.object({ currency, threshold: limit }),
  request: (threshold) => ({ kind: 'matching_threshold', ...threshold }),
  console: { method: 'PUT', path: '/settings/matching/:currency' },
})

/* Money that is matched by hand. */

const ofMoney = { permission: 'initiate_collections', confirmed: false } as const

/** Allocate money of a collection, or take an allocation back. A large sum waits. */
export const allocateCollectionAction = change({
  ...ofMoney,
  name: 'allocate collection',
  events: ['contact.credit_changed'],
  input: z.object({
    collection: integer(),
    parts: z.array(z.custom<RequestedPart>()),
    instead_of: integer().optional(),
    note: z.string().optional(),
  }),
  async request(match, context, tx) {
    await requireOwnCollection(tx, context, match.collection)
    return { kind: 'match', ...match }
  },
  creates: { type: 'collection', id: ({ change, entry }) => change?.collection ?? entry.object! },
})

/** Fulfil an open request with money that was not matched. A large sum waits. */
export const matchCollectionAction = change({
  ...ofMoney,
  name: 'match collection',
  events: ['collectionrequest.status.changed'],
  input: z.object({ collection: integer(), collection_request: integer() }),
  async request(match, context, tx) {
    await requireOwnCollection(tx, context, match.collection)
    const asked = (await requestsById(tx, [match.collection_request])).get(match.collection_request)
    requireOwned(organizationOf(context), asked)
    return { kind: 'match_request', ...match }
  },
})

async function requireOwnCollection(tx: Tx, context: ActionContext, id: number): Promise<void> {
  requireOwned(organizationOf(context), await findCollectionRow(tx, id))
}

/* Own connections of an organization. */

const ofConnection = z.object({ slug: z.string() })
const { slug } = ofConnection.shape
const account = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(
    z
      .string()
      .regex(/^\d{1,15}$/, getMessage('wallets.choose'))
      .transform(Number),
  )

declare module '../../access/action.ts' {
  interface ActionService {
    /** @throws Refusal unless the connection may be put into use here, and has passed its test */
    requireReady(organization: number, slug: string): Promise<void>
  }
}

const requireReady: Action<typeof ofConnection.shape>['check'] = (service, { slug }, { organization }) =>
  service.requireReady(organization!, slug)

export const useConnectionAction = stateChange('use own connection', 'activate', 'active')
export const pauseOwnConnectionAction = stateChange('pause own connection', 'pause', 'paused')
export const removeOwnConnectionAction = stateChange('remove own connection', 'remove', 'removed')

function stateChange(name: string, verb: string, state: Exclude<ConnectionState, 'draft'>) {
  return change({
    name,
    input: ofConnection,
    ...(state === 'active' && { check: requireReady }),
    request: ({ slug: connection }) => ({ kind: 'connection_state', connection, state }),
    refreshes: true,
    console: { method: 'POST', path: `/connections/:slug/${verb}` },
  })
}

/** Say how a wallet uses a connection. Without a number the wallet no longer does. */
export const setOwnPlaceAction = change({
  name: 'set place of own connection',
  input: z.object({
    slug,
    account,
    number: requiredText(100)
      .transform((number) => number.trim())
      .optional(),
    country: optional(text(2)).transform((country) => country?.toUpperCase() ?? null),
    collects: booleanField.default(true),
    pays_out: booleanField.default(true),
    unrequested: booleanField.default(true),
  }),
  request({ slug: connection, account, number, ...use }) {
    const place = number === undefined ? null : { number, ...use }
    return { kind: 'connection_place', connection, account, place }
  },
  refreshes: true,
  console: { method: 'PUT', path: '/connections/:slug/places/:account', requires: ['number'], unset: {} },
})

/** Change settings and secrets of an own connection. Its door has checked and tried them. */
export const changeOwnSettingsAction = change({
  name: 'change own connection',
  input: z.object({
    slug,
    settings: z.record(z.string(), z.unknown()),
    sealed_secrets: z.string().nullable(),
    changed: z.array(z.string()),
    last_test: z.array(z.custom<TestResult>()).nullable(),
    based_on: z.string(),
  }),
  request: ({ slug: connection, ...change }) => ({ kind: 'connection_settings', connection, ...change }),
  refreshes: true,
})

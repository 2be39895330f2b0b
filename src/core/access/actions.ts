import { z } from 'zod'
import { getMessage } from '../../lib/messages/message.ts'
import { errorMessage, fieldMessages, id, integer, optional, requiredText } from '../fields.ts'
import { timestampFilter } from '../filters.ts'
import { Forbidden, Invalid } from '../refusals.ts'
import { action, organizationOf } from './action.ts'
import { createKey, findKey, revokeKey } from './api-keys.ts'
import { createPasswordReset, permissionList, revokeInvitation } from './invitations.ts'
import { getMember, renameOrganization, requireOwned, setSendBillTokens } from './organizations.ts'
import { changeOfPlace, readPlace, readPlaceOf, setPlace } from './places.ts'
import { deleteRole } from './roles.ts'

const permission = 'manage_organization'

export const renameOrganizationAction = action({
  name: 'rename organization',
  object_type: 'organization',
  permission,
  input: z.object({ name: requiredText(100) }),
  async run(tx, context, { name }) {
    const organization = organizationOf(context)
    await renameOrganization(tx, context.now, organization, name)
    return organization
  },
  audit: (object, { name }) => ({ object, details: { name } }),
  console: { method: 'PUT', path: '/settings/name' },
})

/** Set the time zone and the country of an organization. Missing members stay. */
export const setPlaceAction = action({
  name: 'set time zone and country',
  object_type: 'organization',
  permission,
  input: z.object({ time_zone: requiredText(64).optional(), country: z.string().nullable().optional() }),
  async run(tx, context, input) {
    const organization = organizationOf(context)
    const current = await readPlaceOf(tx, organization)
    const { time_zone = current.time_zone, country = current.country } = input
    const place = readPlace({ time_zone, country })
    return { organization, place, before: await setPlace(tx, context.now, organization, place) }
  },
  audit: ({ organization, place, before }) => ({ object: organization, details: changeOfPlace(before, place) }),
  console: { method: 'PUT', path: '/settings/place', requires: ['time_zone', 'country'] },
})

/** Let customers get the tokens of prepaid purchases in an SMS, or not. */
export const setBillTokensAction = action({
  name: 'change bill tokens',
  object_type: 'organization',
  permission,
  input: z.object({ send: z.boolean() }),
  async run(tx, context, { send }) {
    const organization = organizationOf(context)
    await setSendBillTokens(tx, context.now, organization, send)
    return organization
  },
  audit: (object, { send }) => ({ object, details: { send } }),
})

/** Delete an own role. Its users keep their permissions. */
export const deleteRoleAction = action({
  name: 'delete role',
  permission,
  input: z.object({ id: integer() }),
  run: (tx, context, { id }) => deleteRole(tx, organizationOf(context), id),
  audit: ({ name: role, permissions }) => ({ details: { role, permissions } }),
  console: { method: 'DELETE', path: '/roles/:id' },
})

const perMinute = optional(integer({ min: 1, max: 1_000_000 }))

/** Create an API key, which acts for a user of the organization. Only the result has the key itself. */
export const createKeyAction = action({
  name: 'create key',
  object_type: 'key',
  permission: 'manage_integrations',
  confirmed: true,
  input: z.object({
    name: requiredText(100),
    permissions: permissionList.nullish(),
    read_only: z.boolean({ error: errorMessage(fieldMessages.boolean) }).default(false),
    expires: optional(timestampFilter('When the key expires.')),
    reads_per_minute: perMinute,
    writes_per_minute: perMinute,
    /** The user that an operator names. */
    user: id.optional(),
  }),
  async run(tx, context, { user, ...input }) {
    const { actor, service } = context
    const excess = input.permissions?.filter((one) => !actor.permissions.has(one)) ?? []
    if (excess.length > 0) throw new Invalid({ permissions: [getMessage('keys.more_permissions')] })
    const owner = { organization: organizationOf(context), user: actor.user ?? user! }
    return createKey(tx, context.now, { ...input, ...owner, max_keys: service.max_keys })
  },
  audit({ row: { id: object, name, read_only, permissions } }) {
    return { object, details: { name, read_only, permissions: permissions ?? 'all' } }
  },
  cli: {
    path: 'keys create',
    description: 'create an API key; it is shown once',
    typed: {
      name: ['--name <name>', 'what it is for, such as "webshop"'],
      read_only: ['--read-only', 'the key can read and cannot change anything'],
      expires: ['--expires <when>', 'such as "30 days" or 2030-01-31; valid until revoked unless given'],
      reads_per_minute: ['--reads-per-minute <count>', 'the limit of this key, instead of READS_PER_MINUTE'],
      writes_per_minute: ['--writes-per-minute <count>', 'the limit of this key, instead of WRITES_PER_MINUTE'],
    },
    organization: 'one',
  },
})

/** Revoke a key for ever. Keys of others belong to managers of the organization. */
export const revokeKeyAction = action({
  name: 'revoke key',
  object_type: 'key',
  permission: 'manage_integrations',
  input: z.object({ id: integer() }),
  async run(tx, { now, actor }, { id }) {
    if (actor.organization !== null) {
      const { user: owner } = requireOwned(actor.organization, await findKey(tx, id))
      if (owner !== actor.user && !actor.permissions.has('manage_organization'))
        throw new Forbidden(getMessage('access.foreign_keys'))
    }
    return revokeKey(tx, now, id)
  },
  audit: ({ id, name, organization }) => ({ organization, object: id, details: { name } }),
  console: { method: 'POST', path: '/keys/:id/revoke' },
  cli: {
    path: 'keys revoke',
    description: 'revoke a key permanently; requests with it get 401 within a second',
    typed: { id: ['<id>', 'as `keys list` shows it'] },
    text: ({ id, name }) => `Revoked the key ${id} (${name}).`,
  },
})

/** Make the link with which a user of the organization chooses a new password. */
export const sendPasswordLinkAction = action({
  name: 'send password link',
  object_type: 'user',
  permission,
  input: z.object({
    id: integer(),
    /** True for a user who has never had a password: the link is valid for a week. */
    first: z.boolean().default(false),
  }),
  async run(tx, context, { id, first }) {
    const member = await getMember(tx, organizationOf(context), id)
    const link = { user: member, author: context.actor.user, first }
    return { member, token: await createPasswordReset(tx, context.real, link) }
  },
  audit: ({ member: { id: object, email } }) => ({ object, details: { email } }),
})

export const revokeInvitationAction = action({
  name: 'revoke invitation',
  permission,
  input: z.object({ id: integer() }),
  run: (tx, context, { id }) => revokeInvitation(tx, context.real, { organization: organizationOf(context), id }),
  audit: ({ email }) => ({ details: { email } }),
  console: { method: 'DELETE', path: '/invitations/:id' },
})

import { z } from 'zod'
import { getMessage } from '../../lib/messages/message.ts'
import { integer, requiredText } from '../fields.ts'
import { Forbidden } from '../refusals.ts'
import { action, organizationOf } from './action.ts'
import { findKey, revokeKey } from './api-keys.ts'
import { renameOrganization, requireOwned, setSendBillTokens } from './organizations.ts'
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
})

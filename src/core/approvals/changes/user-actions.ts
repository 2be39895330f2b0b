import { z } from 'zod'
import { action, organizationOf } from '../../access/action.ts'
import { allPermissions, controlPermissions, type Permission, shortPermissions } from '../../access/api-keys.ts'
import { permissionList } from '../../access/invitations.ts'
import { createOrganization, createUser, getPerson, setMembership, setPassword } from '../../access/organizations.ts'
import { NO_PLACE, readPlace } from '../../access/places.ts'
import { hasSecondFactor, removeSecondFactor } from '../../access/second-factors.ts'
import { endSessions, listMemberships } from '../../access/sessions.ts'
import { clearAttemptsOf } from '../../access/sign-in-attempts.ts'
import { createAccount } from '../../ledger/accounts.ts'
import { requestChange } from './changes.ts'

/* Organizations and users as the operator knows them. */

/** Create a user of an organization. What moves money is given as a change, which those concerned hear of. */
export const createUserAction = action({
  name: 'create user',
  object_type: 'user',
  permission: 'operator',
  input: z.object({ name: z.string(), email: z.string(), permissions: permissionList.optional() }),
  async run(tx, context, { name, email, permissions: given }) {
    const permissions: Permission[] = given ?? ['view']
    const { now, service } = context
    const organization = organizationOf(context)
    const user = await createUser(tx, now, { name, email })
    const is_control = permissions.some((permission) => controlPermissions.includes(permission))
    await setMembership(tx, now, { organization, user: user.id, permissions: is_control ? [] : permissions })
    const made = { user, organization, permissions }
    if (!is_control) return { ...made, entry: undefined }
    const change = { kind: 'permissions', user: user.id, permissions } as const
    const { entry } = await requestChange(tx, service.changes, { organization, user: null }, change)
    return { ...made, entry }
  },
  audit: ({ user, entry, permissions }, { email }) => [
    { object: user.id, details: { email, permissions } },
    ...(entry ? [entry] : []),
  ],
  wakes: true,
  cli: {
    path: 'users create',
    description: 'create a user of an organization',
    typed: {
      name: ['--name <name>', "the person's name"],
      email: ['--email <address>', 'the address they sign in with'],
      permissions: ['--permissions <codes>', `all, none, or some of: ${allPermissions.join(', ')} (default: view)`],
    },
    organization: 'one',
    text: ({ user: { id, name, email }, permissions }, { organization }) =>
      `Created ${name} <${email}> (${id}), a user of ${organization} with the permissions: ` +
      `${shortPermissions(permissions)}.\nSet a password with \`npx kusanya users password ${email}\`.`,
    view: ({ user, organization, permissions }) => ({ ...user, organization, permissions }),
  },
})

/** Create an organization. `owner`: the person who may do everything there; `currency`: of its first wallet. */
export const createOrganizationAction = action({
  name: 'create organization',
  object_type: 'organization',
  permission: 'operator',
  input: z.object({
    name: z.string(),
    time_zone: z.string().optional(),
    country: z.string().optional(),
    owner: z.custom<{ name: string; email: string; password_hash?: string }>().optional(),
    currency: z.string().optional(),
  }),
  async run(tx, { now }, { name, time_zone = NO_PLACE.time_zone, country = null, owner, currency }) {
    const organization = await createOrganization(tx, now, name, readPlace({ time_zone, country }))
    const user = owner && (await createUser(tx, now, owner))
    if (user)
      await setMembership(tx, now, { organization: organization.id, user: user.id, permissions: allPermissions })
    if (user && owner.password_hash !== undefined) await setPassword(tx, user.id, owner.password_hash)
    const wallet = { organization: organization.id, kind: 'local', name: `${currency} wallet` } as const
    if (user && currency) await createAccount(tx, now, { ...wallet, currency, author: user.id })
    return { organization, user }
  },
  audit: ({ organization: { id, name }, user }, { currency }) => ({
    object: id,
    organization: id,
    details: { name, ...(user && { manager: user.email }), ...(currency !== undefined && { currency }) },
  }),
  cli: {
    path: 'organizations create',
    description: 'create an organization, without users and accounts',
    typed: {
      name: ['<name>', 'the name that customers know; SMS show it'],
      time_zone: ['--time-zone <name>', 'in which its days begin, such as Africa/Kampala; UTC unless given'],
      country: ['--country <code>', 'whose phone numbers need no country code, such as UG; none unless given'],
    },
    text: ({ organization: { id, name } }) => `Created the organization ${name} with the id ${id}.`,
    view: ({ organization }) => organization,
  },
})

/** Remove all second factors of a user, so that the password is enough. Managers of the first organization hear of it. */
export const removeSecondFactorAction = action({
  name: 'reset second factor of user',
  object_type: 'user',
  permission: 'operator',
  input: z.object({ email: z.string() }),
  async run(tx, { service }, { email }) {
    const user = await getPerson(tx, email)
    const { id } = user
    if (!(await hasSecondFactor(tx, id))) return { user, others: [] }
    const [first, ...others] = await listMemberships(tx, id)
    await clearAttemptsOf(tx, user)
    if (first) {
      const author = { organization: first.id, user: null }
      const { entry } = await requestChange(tx, service.changes, author, { kind: 'second_factor_reset', user: id })
      return { user, others, entry: { ...entry, organization: first.id } }
    }
    await removeSecondFactor(tx, id)
    await endSessions(tx, id)
    return { user, others }
  },
  audit: ({ user: { id: object, email }, others, entry }) => [
    ...(entry ? [entry] : []),
    ...others.map(({ id }) => ({
      action: 'reset second factor',
      object,
      organization: id,
      details: { email },
    })),
  ],
  wakes: true,
})

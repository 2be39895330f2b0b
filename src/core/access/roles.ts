import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { id, requiredText } from '../fields.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { allPermissions, type Permission } from './api-keys.ts'
import { permissionList } from './invitations.ts'
import type { Member } from './organizations.ts'

/*
 * A role is a name for a set of permissions. Users have permissions, and no role: they are shown with the role that has exactly
 * their permissions (docs/decisions/0056-roles.md). No two roles of an organization have the same permissions, so there is one at most.
 */

/** The roles that every organization has, by their codes. */
export const standardRoles = {
  owner: allPermissions,
  finance: ['view', 'initiate_collections', 'initiate_payments', 'approve_payments', 'pay_bills', 'manage_contacts'],
  payment_maker: ['view', 'initiate_payments', 'manage_contacts'],
  payment_checker: ['view', 'approve_payments'],
  support: ['view', 'initiate_collections', 'manage_contacts'],
  developer: ['view', 'initiate_collections', 'manage_integrations'],
  viewer: ['view'],
} as const satisfies Record<string, readonly Permission[]>

/** Label for a user without a role; no role may have this name. */
const CUSTOM = 'custom'

/** A role of an organization. */
export const Role = z.object({
  /** Null for a standard role. */
  id: id.nullable(),
  /** A standard role has its code here, such as `finance`. */
  name: z.string(),
  permissions: z.array(z.string()),
  /** Number of users with exactly these permissions. */
  users: z.int(),
})
export type Role = z.output<typeof Role>

/** An own role as it is stored. */
export type OwnRole = Row<typeof ownRole>
const roleTable = table('roles', {
  id: column.id(),
  organization: column.bigint(),
  name: column.text(),
  permissions: column.texts<Permission>(),
  created: column.timestamptz(),
  modified: column.timestamptz(),
})
const ownRole = roleTable.pick('id', 'name', 'permissions')

/** The body that creates or changes an own role. */
export const NewRole = z.object({
  name: requiredText(40).transform((name) => name.trim()),
  permissions: permissionList,
})
export type NewRole = z.output<typeof NewRole>

/** A role with its permissions, standard or own. */
interface NamedSet {
  name: string
  permissions: readonly Permission[]
}

/** The standard roles and the own roles of an organization, in this order. */
export async function listRoleSets(db: Reader, organization: number): Promise<NamedSet[]> {
  const standard = Object.entries(standardRoles).map(([name, permissions]) => ({ name, permissions }))
  return [...standard, ...(await listOwnRoles(db, organization))]
}

/** The name of the role that has exactly these permissions; null for none. A user without permissions has no role. */
export function roleOf(roles: readonly NamedSet[], permissions: readonly string[]): string | null {
  return roles.find((role) => isSameSet(role.permissions, permissions))?.name ?? null
}

/** The own roles of an organization, by name. */
export async function listOwnRoles(db: Reader, organization: number): Promise<OwnRole[]> {
  return [
    ...(await db<OwnRole[]>`
      select ${ownRole.columns} from roles where organization = ${organization} order by lower(name), id`),
  ]
}

/** All roles of an organization with the number of their users. @param members as `listMembers` returns them */
export async function listRoles(db: Reader, organization: number, members: readonly Member[]): Promise<Role[]> {
  const own = new Map((await listOwnRoles(db, organization)).map((role) => [role.name, role.id]))
  const sets = await listRoleSets(db, organization)
  return sets.map(({ name, permissions }) => ({
    id: own.get(name) ?? null,
    name,
    permissions: [...permissions],
    users: members.filter((member) => isSameSet(member.permissions, permissions)).length,
  }))
}

/** Finds a role by its name or code, without regard to case. @throws Invalid */
export async function findRole(db: Reader, organization: number, name: string): Promise<NamedSet> {
  const roles = await listRoleSets(db, organization)
  const found = roles.find((role) => role.name.toLowerCase() === name.trim().toLowerCase())
  if (!found)
    throw new Invalid({
      role: [getMessage('access.no_such_role', { name, roles: roles.map((one) => one.name).join(', ') })],
    })
  return found
}

/** Reads an own role. @throws NotFound */
export async function getOwnRole(db: Reader, organization: number, role: number): Promise<OwnRole> {
  const [row] = await db<OwnRole[]>`
    select ${ownRole.columns} from roles where organization = ${organization} and id = ${role}`
  if (!row) throw new NotFound(getMessage('access.no_role', { role }))
  return row
}

/**
 * Checks that no other role has this name or these permissions.
 * @param role the own role that gets them; null for a new one
 * @throws Invalid
 */
export async function requireNewRole(
  db: Reader,
  organization: number,
  { name, permissions }: NewRole,
  role: number | null,
): Promise<void> {
  const own = (await listOwnRoles(db, organization)).filter((one) => one.id !== role)
  const others: NamedSet[] = [
    ...Object.entries(standardRoles).map(([code, of_role]) => ({ name: code, permissions: of_role })),
    ...own,
  ]
  const names = [CUSTOM, ...others.map((one) => one.name.toLowerCase())]
  if (names.includes(name.toLowerCase())) throw new Invalid({ name: [getMessage('access.role_name_taken')] })
  if (permissions.length === 0) throw new Invalid({ permissions: [getMessage('access.role_without_permission')] })
  const equal = roleOf(others, permissions)
  if (equal !== null) throw new Invalid({ permissions: [getMessage('access.equal_role', { name: equal })] })
}

/** Creates an own role, or changes it. `requireNewRole` has checked it. @returns its id */
export async function writeRole(
  tx: Tx,
  now: Date,
  organization: number,
  changes: NewRole,
  role: number | null,
): Promise<number> {
  const at = truncateToSecond(now)
  const [row] =
    role === null
      ? await tx<{ id: number }[]>`
          ${insert(roleTable, [changes], { organization, created: at, modified: at })} returning id`
      : await tx<{ id: number }[]>`
          update roles set name = ${changes.name}, permissions = ${[...changes.permissions]}, modified = ${at}
          where id = ${role} and organization = ${organization} returning id`
  if (!row) throw new NotFound(getMessage('access.no_role', { role }))
  return row.id
}

/** Deletes an own role. Its users keep their permissions. @throws NotFound */
export async function deleteRole(tx: Tx, organization: number, role: number): Promise<OwnRole> {
  const [row] = await tx<OwnRole[]>`
    delete from roles where id = ${role} and organization = ${organization} returning ${ownRole.columns}`
  if (!row) throw new NotFound(getMessage('access.no_role', { role }))
  return row
}

/** True if two lists have the same permissions, in any order. */
export function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one))
}

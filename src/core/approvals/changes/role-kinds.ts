import type { Tx } from '../../../db/client.ts'
import { controlPermissions, type Permission, permissionNames } from '../../access/api-keys.ts'
import { listMembers, setMembership } from '../../access/organizations.ts'
import { getOwnRole, isSameSet, requireNewRole, writeRole } from '../../access/roles.ts'
import type { PreparedChange } from './prepared-change.ts'

/** A change of an own role: a new one has the id null. The users who have the role get its new permissions. */
export interface RoleRequest {
  kind: 'role'
  role: number | null
  name: string
  permissions: Permission[]
}

/** Checks a change of a role and describes its effect on the users. @throws NotFound, Invalid */
export async function prepareRole(tx: Tx, organization: number, request: RoleRequest): Promise<PreparedChange> {
  const { role, name, permissions } = request
  const stored = role === null ? null : await getOwnRole(tx, organization, role)
  await requireNewRole(tx, organization, { name, permissions }, role)
  const before = stored?.permissions ?? []
  const members = stored
    ? (await listMembers(tx, organization)).filter((one) => isSameSet(one.permissions, before))
    : []
  const added = permissions.filter((one) => !before.includes(one))
  const removed = before.filter((one) => !permissions.includes(one))
  const is_control = [...added, ...removed].some((one) => controlPermissions.includes(one))
  return {
    description: describe(name, permissions, members.length, stored?.name),
    // A list, because the keys of an object have another order once they are stored.
    before: [stored?.name ?? null, before, members.map((one) => one.id)],
    is_control,
    weakens:
      added.some((one) => controlPermissions.includes(one)) ||
      (members.length > 0 && removed.includes('manage_organization')),
    grants: added,
    own_permissions_of: members.map((one) => one.id),
    action: {
      action: stored ? 'change role' : 'create role',
      details: { role: name, before, after: permissions, users: members.map((one) => one.email) },
    },
    async apply(tx, { now, approver_wait_ms }) {
      await writeRole(tx, now, organization, { name, permissions }, role)
      for (const { id: user } of members)
        await setMembership(tx, now, { organization, user, permissions, approver_wait_ms })
    },
  }
}

function describe(name: string, permissions: readonly Permission[], users: number, before: string | undefined): string {
  const named = before === undefined || before === name ? `The role ${name}` : `The role ${before}, now ${name},`
  const concerned = users === 0 ? '' : ` It concerns ${users} user${users === 1 ? '' : 's'}.`
  return `${named} may: ${permissionNames(permissions)}.${concerned}`
}

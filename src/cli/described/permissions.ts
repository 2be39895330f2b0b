import { allPermissions, permissions, permissionTexts } from '../../core/access/api-keys.ts'
import { standardRoles } from '../../core/access/roles.ts'
import type { DescribedTable } from './table.ts'

/** Describe every permission, and the roles that every organization has. */
export function describePermissions(): DescribedTable[] {
  const code = (name: string) => `\`${name}\``
  const roles = Object.entries(standardRoles).map(([role, allowed]) => [
    code(role),
    allowed.length === allPermissions.length ? 'all' : allowed.map(code).join(', '),
  ])
  return [
    {
      columns: ['Permission', 'Name in the console', 'Allows'],
      rows: allPermissions.map((name) => [code(name), permissions[name], permissionTexts[name]]),
    },
    { columns: ['Role', 'Permissions'], rows: roles },
  ]
}

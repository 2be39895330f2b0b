import type { Command } from 'commander'
import { runAction } from '../../actions/run.ts'
import { deleteRoleAction } from '../../core/access/actions.ts'
import { allPermissions, type Permission } from '../../core/access/api-keys.ts'
import { listMembers } from '../../core/access/organizations.ts'
import { findRole, listOwnRoles, listRoles, NewRole, type OwnRole } from '../../core/access/roles.ts'
import { changeRoleAction, createRoleAction } from '../../core/approvals/changes/actions.ts'
import type { Reader } from '../../db/client.ts'
import { toPermissions } from '../arguments.ts'
import { addCommand } from '../command.ts'
import { CommandError } from '../errors.ts'
import { addList } from '../list-command.ts'
import type { Terminal } from '../terminal.ts'
import { required, typed } from '../typed.ts'

/** The commands for the roles of an organization: names for sets of permissions. */
export function addRoles(users: Command, terminal: Terminal): void {
  const roles = users.command('roles').description('the roles of an organization: names for sets of permissions')

  addList(roles, terminal, {
    description: 'list the roles with their permissions and the number of their users',
    organization: 'one',
    read: async (app, _, { id }) => listRoles(app.db, id, await listMembers(app.db, id)),
    none: 'There are no roles.',
    columns: {
      name: 'name',
      own: (row) => (row.id === null ? '' : 'yes'),
      permissions: (row) => row.permissions.join(', '),
      users: 'users',
    },
  })
  addSetRole(roles, terminal)
  addCommand(roles, terminal, {
    name: 'delete',
    description: 'delete an own role; its users keep their permissions',
    typed: { name: typed('<name>', '') },
    organization: 'one',
    async run(app, { name }, { owner, actor }) {
      const role = await findOwnRole(app.db, owner.id, name)
      if (!role) throw new CommandError(`${owner.name} has no own role ${name}.`)
      await runAction(app, actor, deleteRoleAction, { id: role.id })
      return { shown: role, text: `Deleted the role ${role.name}. Its users keep their permissions.` }
    },
  })
}

/** The option that names a role in place of permissions. */
export const ROLE = typed('--role <name>', 'a role, as `users roles list` shows it, in place of permissions')

/** The permissions of the role that an option names, else those given. */
export async function permissionsOf(
  db: Reader,
  organization: number,
  options: { role?: string | undefined; permissions?: Permission[] | undefined },
): Promise<Permission[] | undefined> {
  if (options.role !== undefined && options.permissions) throw new CommandError('Give either --permissions or --role.')
  if (options.role === undefined) return options.permissions
  return [...(await findRole(db, organization, options.role)).permissions]
}

function addSetRole(roles: Command, terminal: Terminal): void {
  addCommand(roles, terminal, {
    name: 'set',
    description: 'create an own role, or change it: its users get the new permissions',
    typed: {
      text: typed('<name>', ''),
      permissions: required(typed('--permissions <codes>', `some of: ${allPermissions.join(', ')}`, toPermissions)),
      rename: typed('--rename <name>', 'a new name for a role that exists'),
    },
    organization: 'one',
    help: EXAMPLES,
    async run(app, { text, rename, permissions: wanted }, { owner, actor }) {
      const existing = await findOwnRole(app.db, owner.id, text)
      if (rename !== undefined && !existing) throw new CommandError(`${owner.name} has no own role ${text} to rename.`)
      const given = { name: rename ?? existing?.name ?? text, permissions: wanted }
      const parsed = NewRole.safeParse(given)
      if (!parsed.success) throw new CommandError(`The name: ${parsed.error.issues[0]?.message}`)
      if (existing) await runAction(app, actor, changeRoleAction, { id: existing.id, ...parsed.data })
      else await runAction(app, actor, createRoleAction, parsed.data)
      const { name, permissions } = parsed.data
      return {
        shown: { organization: owner.id, name, permissions },
        text: `The role ${name} of ${owner.name} has the permissions: ${permissions.join(', ')}.`,
      }
    },
  })
}

async function findOwnRole(db: Reader, organization: number, name: string): Promise<OwnRole | undefined> {
  return (await listOwnRoles(db, organization)).find((one) => one.name.toLowerCase() === name.trim().toLowerCase())
}

const EXAMPLES = `
Examples:
  $ npx kusanya users roles set Cashier --permissions view,initiate_collections
  $ npx kusanya users roles set Cashier --permissions view,initiate_collections,pay_bills --rename "Front desk"`

import { type Command, Option } from 'commander'
import { operator, runAction } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import { deleteRoleAction } from '../../core/access/actions.ts'
import { allPermissions, type Permission } from '../../core/access/api-keys.ts'
import { listMembers } from '../../core/access/organizations.ts'
import { findRole, listOwnRoles, listRoles, NewRole, type OwnRole, type Role } from '../../core/access/roles.ts'
import { changeRoleAction, createRoleAction } from '../../core/control/change-actions.ts'
import type { Reader } from '../../db/client.ts'
import { chooseOrganization, jsonOption, organizationOption, toPermissions } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { addList, ofOne } from '../list-command.ts'
import { printResult } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

interface RoleOptions {
  organization?: number
  permissions: Permission[]
  rename?: string
  json?: boolean
}

/** The commands for the roles of an organization: names for sets of permissions. */
export function addRoles(users: Command, terminal: Terminal): void {
  const roles = users.command('roles').description('the roles of an organization: names for sets of permissions')

  addList<Role>(roles, terminal, {
    description: 'list the roles with their permissions and the number of their users',
    filters: [organizationOption()],
    read: ofOne(async (app, organization) => listRoles(app.db, organization, await listMembers(app.db, organization))),
    none: 'There are no roles.',
    columns: {
      name: 'name',
      own: (row) => (row.id === null ? '' : 'yes'),
      permissions: (row) => row.permissions.join(', '),
      users: 'users',
    },
  })

  roles
    .command('set')
    .description('create an own role, or change it: its users get the new permissions')
    .argument('<name>')
    .requiredOption('--permissions <codes>', `some of: ${allPermissions.join(', ')}`, toPermissions)
    .option('--rename <name>', 'a new name for a role that exists')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((name: string, options: RoleOptions) => withApp(terminal, (app) => setRole(terminal, app, name, options)))

  roles
    .command('delete')
    .description('delete an own role; its users keep their permissions')
    .argument('<name>')
    .addOption(organizationOption())
    .action((name: string, options: { organization?: number }) =>
      withApp(terminal, async (app) => {
        const organization = await chooseOrganization(app.db, options.organization)
        const role = await findOwnRole(app.db, organization.id, name)
        if (!role) throw new CommandError(`${organization.name} has no own role ${name}.`)
        await runAction(app, operator(organization.id), deleteRoleAction, { id: role.id })
        terminal.print(`Deleted the role ${role.name}. Its users keep their permissions.`)
      }),
    )
}

/** The option that names a role in place of permissions. */
export function roleOption(): Option {
  return new Option('--role <name>', 'a role, as `users roles list` shows it').conflicts('permissions')
}

/** The permissions of the role that an option names, else those given. */
export async function permissionsOf(
  db: Reader,
  organization: number,
  options: { role?: string; permissions?: Permission[] },
): Promise<Permission[] | undefined> {
  if (options.role === undefined) return options.permissions
  return [...(await findRole(db, organization, options.role)).permissions]
}

async function setRole(terminal: Terminal, app: App, text: string, options: RoleOptions): Promise<void> {
  const organization = await chooseOrganization(app.db, options.organization)
  const existing = await findOwnRole(app.db, organization.id, text)
  if (options.rename !== undefined && !existing)
    throw new CommandError(`${organization.name} has no own role ${text} to rename.`)
  const given = { name: options.rename ?? existing?.name ?? text, permissions: options.permissions }
  const parsed = NewRole.safeParse(given)
  if (!parsed.success) throw new CommandError(`The name: ${parsed.error.issues[0]?.message}`)
  const actor = operator(organization.id)
  if (existing) await runAction(app, actor, changeRoleAction, { id: existing.id, ...parsed.data })
  else await runAction(app, actor, createRoleAction, parsed.data)
  const { name, permissions } = parsed.data
  printResult(
    terminal,
    { organization: organization.id, name, permissions },
    { ...options, text: `The role ${name} of ${organization.name} has the permissions: ${permissions.join(', ')}.` },
  )
}

async function findOwnRole(db: Reader, organization: number, name: string): Promise<OwnRole | undefined> {
  return (await listOwnRoles(db, organization)).find((one) => one.name.toLowerCase() === name.trim().toLowerCase())
}

const EXAMPLES = `
Examples:
  $ npx kusanya users roles set Cashier --permissions view,initiate_collections
  $ npx kusanya users roles set Cashier --permissions view,initiate_collections,pay_bills --rename "Front desk"`

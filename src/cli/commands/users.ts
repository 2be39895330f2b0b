import type { Command } from 'commander'
import { operator, runAction } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import { setPasswordAction, unlockSignInAction } from '../../core/access/account/user-actions.ts'
import { type Permission, permissions as permissionNames, shortPermissions } from '../../core/access/api-keys.ts'
import { getPerson, listMembers, type Member } from '../../core/access/organizations.ts'
import { listRoleSets, roleOf } from '../../core/access/roles.ts'
import { countSecondFactors, hasSecondFactor, type SecondFactors } from '../../core/access/second-factors.ts'
import { changePermissionsAction } from '../../core/control/change-actions.ts'
import { createUserAction, removeSecondFactorAction } from '../../core/control/user-actions.ts'
import { hashPassword } from '../../lib/secrets.ts'
import { addActionCommand } from '../action-command.ts'
import { chooseOrganization, jsonOption, organizationOption, toPermissions } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { addList, ofEach } from '../list-command.ts'
import { generatePassword, readNewPassword } from '../passwords.ts'
import { printResult, printRows } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'
import { addRoles, permissionsOf, roleOption } from './roles.ts'

export function addUsers(program: Command, terminal: Terminal): void {
  const users = program.command('users').description('people, their passwords and their permissions')

  addActionCommand(users, terminal, createUserAction, {
    options: [roleOption()],
    help: CREATE_EXAMPLES,
    async read({ db }, typed, { role }: { role?: string }, owner) {
      const permissions = await permissionsOf(db, owner!.id, { role, permissions: typed.permissions })
      return { ...typed, permissions }
    },
  })

  addList<ListedMember>(users, terminal, {
    description: 'list the users of one organization or of all',
    filters: [organizationOption()],
    read: ofEach(listWithRoles),
    none: 'There are no users yet. Create one with `npx kusanya users create`.',
    columns: {
      id: 'id',
      organization: 'organization',
      name: 'name',
      email: 'email',
      'created (UTC)': 'created',
      role: 'role',
      permissions: (row) => shortPermissions(row.permissions),
      'approves from (UTC)': 'approves_from',
      'last sign-in (UTC)': 'last_sign_in',
    },
  })

  addPassword(users, terminal)
  addSecondFactor(users, terminal)
  addActionCommand(users, terminal, unlockSignInAction)
  addRoles(users, terminal)

  users
    .command('permissions')
    .description('show or set the permissions of a user; without a user, list all permissions')
    .argument('[email]')
    .addOption(organizationOption())
    .option('--permissions <codes>', 'all, none, or codes with commas between them', toPermissions)
    .addOption(roleOption())
    .addOption(jsonOption())
    .addHelpText('after', PERMISSIONS_EXAMPLES)
    .action(async (email: string | undefined, options: PermissionOptions) => {
      if (email === undefined) listPermissions(terminal, options)
      else await withApp(terminal, (app) => setPermissions(terminal, app, email, options))
    })
}

/** A user with the role that has exactly the permissions of the user. */
interface ListedMember extends Member {
  role: string | null
}

async function listWithRoles(app: App, organization: number): Promise<ListedMember[]> {
  const roles = await listRoleSets(app.db, organization)
  const members = await listMembers(app.db, organization)
  return members.map((member) => ({ ...member, role: roleOf(roles, member.permissions) }))
}

function addPassword(users: Command, terminal: Terminal): void {
  users
    .command('password')
    .description("set a user's password: typed at the prompt, piped in, or generated")
    .argument('<email>')
    .option('--generate', 'generate a password and show it once')
    .option('--end-keys', "revoke the user's API keys, too, in all organizations")
    .addHelpText('after', PASSWORD_EXAMPLES)
    .action((email: string, options: { generate?: boolean; endKeys?: boolean }) =>
      withApp(terminal, async (app) => {
        const user = await getPerson(app.db, email)
        const password = options.generate ? generatePassword() : await readNewPassword(terminal)
        const password_hash = await hashPassword(password)
        const input = { email, password_hash, end_keys: options.endKeys === true }
        const { keys } = await runAction(app, operator(null), setPasswordAction, input)
        terminal.print(`Set the password of ${user.email}.`)
        if (options.endKeys) terminal.print(`Revoked ${plural(keys.length, 'API key')}.`)
        if (options.generate) terminal.print(`The password is ${password} (shown only now).`)
      }),
    )
}

function addSecondFactor(users: Command, terminal: Terminal): void {
  users
    .command('second-factor')
    .description('show the second factors of a user, or remove them when phone, passkeys and codes are lost')
    .argument('<email>')
    .option('--remove', 'remove the authenticator app, all passkeys and recovery codes, so that the password is enough')
    .addOption(jsonOption())
    .action((email: string, options: { remove?: boolean; json?: boolean }) =>
      withApp(terminal, (app) => showSecondFactor(terminal, app, email, options)),
    )
}

async function showSecondFactor(
  terminal: Terminal,
  app: App,
  email: string,
  options: { remove?: boolean; json?: boolean },
): Promise<void> {
  const user = await getPerson(app.db, email)
  if (options.remove) await runAction(app, operator(null), removeSecondFactorAction, { email })
  const second_factor = await hasSecondFactor(app.db, user.id)
  const factors = await countSecondFactors(app.db, user.id)
  const text = `${user.email} signs in with ${second_factor ? describeFactors(factors) : 'the password alone'}.`
  printResult(terminal, { email: user.email, second_factor }, { ...options, text })
}

/** Such as `a second factor: an authenticator app and 2 passkeys, with 9 recovery codes`. */
function describeFactors({ app, passkeys, recovery_codes }: SecondFactors): string {
  const kinds = [...(app ? ['an authenticator app'] : []), ...(passkeys > 0 ? [plural(passkeys, 'passkey')] : [])]
  return `a second factor: ${kinds.join(' and ')}, with ${plural(recovery_codes, 'recovery code')}`
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

interface PermissionOptions {
  organization?: number
  permissions?: Permission[]
  role?: string
  json?: boolean
}

async function setPermissions(terminal: Terminal, app: App, email: string, options: PermissionOptions): Promise<void> {
  const organization = await chooseOrganization(app.db, options.organization)
  const user = await getPerson(app.db, email)
  const permissions = await permissionsOf(app.db, organization.id, options)
  if (permissions)
    await runAction(app, operator(organization.id), changePermissionsAction, { user: user.id, permissions })
  const member = (await listMembers(app.db, organization.id)).find((one) => one.id === user.id)
  if (!member)
    throw new CommandError(
      `${user.email} is not a user of ${organization.name}. Add the user with --permissions or --role.`,
    )
  const text = `The permissions of ${user.email} in ${organization.name}: ${shortPermissions(member.permissions)}.`
  printResult(terminal, member, { ...options, text })
}

function listPermissions(terminal: Terminal, options: { json?: boolean }): void {
  const rows = Object.entries(permissionNames).map(([code, name]) => ({ code, name }))
  printRows(terminal, rows, {
    ...options,
    none: '',
    columns: {
      code: 'code',
      name: 'name',
    },
  })
}

const CREATE_EXAMPLES = `
Examples:
  $ npx kusanya users create --name "Grace" --email grace@example.com --permissions all
  $ npx kusanya users create --name "Till" --email till@example.com --permissions view,initiate_collections
  $ npx kusanya users create --name "Joy" --email joy@example.com --role finance`

const PASSWORD_EXAMPLES = `
Examples:
  $ npx kusanya users password grace@example.com
  $ npx kusanya users password grace@example.com --generate
  $ npx kusanya users password grace@example.com --generate --end-keys   # of a person who has left
  $ pass show kusanya/grace | npx kusanya users password grace@example.com`

const PERMISSIONS_EXAMPLES = `
Examples:
  $ npx kusanya users permissions
  $ npx kusanya users permissions grace@example.com --permissions view,pay_bills
  $ npx kusanya users permissions grace@example.com --role support
  $ npx kusanya users permissions grace@example.com --organization 2 --permissions all`

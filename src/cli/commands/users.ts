import type { Command } from 'commander'
import { operator, runAction } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import { setPasswordAction, unlockSignInAction } from '../../core/access/account/user-actions.ts'
import { type Permission, permissions as permissionNames, shortPermissions } from '../../core/access/api-keys.ts'
import { getPerson, listMembers, type Organization } from '../../core/access/organizations.ts'
import { listRoleSets, roleOf } from '../../core/access/roles.ts'
import { countSecondFactors, hasSecondFactor, type SecondFactors } from '../../core/access/second-factors.ts'
import { changePermissionsAction } from '../../core/approvals/changes/actions.ts'
import { createUserAction, removeSecondFactorAction } from '../../core/approvals/changes/user-actions.ts'
import { hashPassword } from '../../lib/secrets.ts'
import { addActionCommand } from '../action-command.ts'
import { chooseOrganization, jsonOption, organizationOption, toPermissions } from '../arguments.ts'
import { addCommand } from '../command.ts'
import { CommandError } from '../errors.ts'
import { addList } from '../list-command.ts'
import { generatePassword, readNewPassword } from '../passwords.ts'
import { printResult, printRows } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'
import { typed } from '../typed.ts'
import { addRoles, permissionsOf, ROLE } from './roles.ts'

export function addUsers(program: Command, terminal: Terminal): void {
  const users = program.command('users').description('people, their passwords and their permissions')

  addActionCommand(users, terminal, createUserAction, {
    words: { role: ROLE },
    help: CREATE_EXAMPLES,
    async read({ db }, given, { role }, owner) {
      const permissions = await permissionsOf(db, owner!.id, { role, permissions: given.permissions })
      return { ...given, permissions }
    },
  })

  addList(users, terminal, {
    description: 'list the users of one organization or of all',
    organization: 'each',
    read: listWithRoles,
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
  addPermissions(users, terminal)
}

/** List the users of an organization, each with the role that has exactly the permissions of the user. */
async function listWithRoles(app: App, _: unknown, { id: organization }: Organization) {
  const roles = await listRoleSets(app.db, organization)
  const members = await listMembers(app.db, organization)
  return members.map((member) => ({ ...member, role: roleOf(roles, member.permissions) }))
}

function addPassword(users: Command, terminal: Terminal): void {
  addCommand(users, terminal, {
    name: 'password',
    description: "set a user's password: typed at the prompt, piped in, or generated",
    typed: {
      email: typed('<email>', ''),
      generate: typed('--generate', 'generate a password and show it once'),
      end_keys: typed('--end-keys', "revoke the user's API keys, too, in all organizations"),
    },
    help: PASSWORD_EXAMPLES,
    async run(app, { email, generate, end_keys = false }, { actor }) {
      const user = await getPerson(app.db, email)
      const password = generate ? generatePassword() : await readNewPassword(terminal)
      const input = { email, password_hash: await hashPassword(password), end_keys }
      const { keys } = await runAction(app, actor, setPasswordAction, input)
      const text = [
        `Set the password of ${user.email}.`,
        ...(end_keys ? [`Revoked ${plural(keys.length, 'API key')}.`] : []),
        ...(generate ? [`The password is ${password} (shown only now).`] : []),
      ]
      return { shown: { email: user.email, revoked_keys: keys.length, ...(generate && { password }) }, text }
    },
  })
}

function addSecondFactor(users: Command, terminal: Terminal): void {
  addCommand(users, terminal, {
    name: 'second-factor',
    description: 'show the second factors of a user, or remove them when phone, passkeys and codes are lost',
    typed: {
      email: typed('<email>', ''),
      remove: typed(
        '--remove',
        'remove the authenticator app, all passkeys and recovery codes, so that the password is enough',
      ),
    },
    async run(app, { email, remove }, { actor }) {
      const user = await getPerson(app.db, email)
      if (remove) await runAction(app, actor, removeSecondFactorAction, { email })
      const second_factor = await hasSecondFactor(app.db, user.id)
      const factors = await countSecondFactors(app.db, user.id)
      const text = `${user.email} signs in with ${second_factor ? describeFactors(factors) : 'the password alone'}.`
      return { shown: { email: user.email, second_factor }, text }
    },
  })
}

/** Such as `a second factor: an authenticator app and 2 passkeys, with 9 recovery codes`. */
function describeFactors({ app, passkeys, recovery_codes }: SecondFactors): string {
  const kinds = [...(app ? ['an authenticator app'] : []), ...(passkeys > 0 ? [plural(passkeys, 'passkey')] : [])]
  return `a second factor: ${kinds.join(' and ')}, with ${plural(recovery_codes, 'recovery code')}`
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

/** Add the command for permissions. Their list needs no database. */
function addPermissions(users: Command, terminal: Terminal): void {
  users
    .command('permissions')
    .description('show or set the permissions of a user; without a user, list all permissions')
    .argument('[email]')
    .addOption(organizationOption())
    .option('--permissions <codes>', 'all, none, or codes with commas between them', toPermissions)
    .option(ROLE.flags, ROLE.text)
    .addOption(jsonOption())
    .addHelpText('after', PERMISSIONS_EXAMPLES)
    .action(async (email: string | undefined, options: PermissionOptions) => {
      if (email === undefined) listPermissions(terminal, options)
      else await withApp(terminal, (app) => setPermissions(terminal, app, email, options))
    })
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

function listPermissions(terminal: Terminal, { json }: PermissionOptions): void {
  const rows = Object.entries(permissionNames).map(([code, name]) => ({ code, name }))
  printRows(terminal, rows, { ...(json && { json }), none: '', columns: { code: 'code', name: 'name' } })
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

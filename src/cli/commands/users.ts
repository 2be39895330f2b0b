import { type Command, Option } from 'commander'
import type { App } from '../../app.ts'
import {
  allPermissions,
  controlPermissions,
  type Permission,
  permissions as permissionNames,
  revokeKeysOfUser,
} from '../../core/access/api-keys.ts'
import type { AuditAction } from '../../core/access/audit.ts'
import { forgetBrowsers } from '../../core/access/known-browsers.ts'
import {
  createUser,
  findUser,
  listMembers,
  type Member,
  setMembership,
  setPassword,
  type User,
} from '../../core/access/organizations.ts'
import { listRoleSets, roleOf } from '../../core/access/roles.ts'
import {
  countSecondFactors,
  hasSecondFactor,
  removeSecondFactor,
  type SecondFactors,
} from '../../core/access/second-factors.ts'
import { endSessions, listMemberships } from '../../core/access/sessions.ts'
import { clearAttemptsOf } from '../../core/access/sign-in-attempts.ts'
import { requestChange } from '../../core/control/changes.ts'
import { begin, type Reader, type Tx } from '../../db/client.ts'
import { changeContext } from '../../http/change-context.ts'
import { hashPassword } from '../../lib/secrets.ts'
import { chooseOrganization, jsonOption, organizationOption, toPermissions } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { addList, ofEach } from '../list-command.ts'
import { recordOperatorAction } from '../operator-audit.ts'
import { makeOperatorChange } from '../operator-changes.ts'
import { generatePassword, readNewPassword } from '../passwords.ts'
import { printResult, printRows } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'
import { addRoles, permissionsOf, roleOption } from './roles.ts'

export function addUsers(program: Command, terminal: Terminal): void {
  const users = program.command('users').description('people, their passwords and their permissions')

  users
    .command('create')
    .description('create a user of an organization')
    .requiredOption('--name <name>', "the person's name")
    .requiredOption('--email <address>', 'the address they sign in with')
    .addOption(organizationOption())
    .addOption(
      new Option(
        '--permissions <codes>',
        `all, none, or some of: ${allPermissions.join(', ')} (default: view)`,
      ).argParser(toPermissions),
    )
    .addOption(roleOption())
    .addOption(jsonOption())
    .addHelpText('after', CREATE_EXAMPLES)
    .action((options: NewMember) => withApp(terminal, (app) => create(terminal, app, options)))

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
  addUnlock(users, terminal)
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
        const user = await findUserByEmail(app.db, email)
        const password = options.generate ? generatePassword() : await readNewPassword(terminal)
        const password_hash = await hashPassword(password)
        const ended_keys = await begin(app.db, async (tx) => {
          await setPassword(tx, user.id, password_hash)
          await endSessions(tx, user.id)
          await forgetBrowsers(tx, user.id)
          await clearAttemptsOf(tx, user)
          await recordForUser(tx, app, user, await listMemberships(tx, user.id), 'set password')
          return options.endKeys ? endKeys(tx, app, user) : 0
        })
        terminal.print(`Set the password of ${user.email}.`)
        if (options.endKeys) terminal.print(`Revoked ${plural(ended_keys, 'API key')}.`)
        if (options.generate) terminal.print(`The password is ${password} (shown only now).`)
      }),
    )
}

/** Revoke the keys of a user and record each in the audit log of its organization. Returns how many there were. */
async function endKeys(tx: Tx, app: App, user: User): Promise<number> {
  const keys = await revokeKeysOfUser(tx, app.clock.now(), user.id)
  for (const { id, organization, name } of keys) {
    const action: AuditAction = { action: 'revoke key', object_type: 'key', object: id, details: { name } }
    await recordOperatorAction(tx, app, organization, action)
  }
  return keys.length
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
  const user = await findUserByEmail(app.db, email)
  if (options.remove && (await hasSecondFactor(app.db, user.id))) await resetSecondFactor(app, user)
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

function addUnlock(users: Command, terminal: Terminal): void {
  users
    .command('unlock')
    .description('let a user sign in at once after too many wrong passwords or codes')
    .argument('<email>')
    .action((email: string) =>
      withApp(terminal, async (app) => {
        const user = await findUserByEmail(app.db, email)
        await begin(app.db, async (tx) => {
          await clearAttemptsOf(tx, user)
          await recordForUser(tx, app, user, await listMemberships(tx, user.id), 'unlock sign-in')
        })
        terminal.print(`${user.email} can sign in at once.`)
      }),
    )
}

/** Reset the second factor of a user, and notify the managers of the user's first organization. */
async function resetSecondFactor(app: App, user: User): Promise<void> {
  const [organization, ...others] = await listMemberships(app.db, user.id)
  if (organization) await makeOperatorChange(app, organization.id, { kind: 'second_factor_reset', user: user.id })
  await begin(app.db, async (tx) => {
    if (!organization) {
      await removeSecondFactor(tx, user.id)
      await endSessions(tx, user.id)
    }
    await clearAttemptsOf(tx, user)
    await recordForUser(tx, app, user, others, 'reset second factor')
  })
}

interface NewMember {
  name: string
  email: string
  organization?: number
  permissions?: Permission[]
  role?: string
  json?: boolean
}

interface PermissionOptions {
  organization?: number
  permissions?: Permission[]
  role?: string
  json?: boolean
}

async function create(terminal: Terminal, app: App, options: NewMember): Promise<void> {
  const organization = await chooseOrganization(app.db, options.organization)
  const permissions = (await permissionsOf(app.db, organization.id, options)) ?? ['view']
  const { email } = options
  const context = changeContext(app)
  const user = await begin(app.db, async (tx) => {
    const created = await createUser(tx, context.now, options)
    const member = { organization: organization.id, user: created.id }
    const is_control = permissions.some((permission) => controlPermissions.includes(permission))
    await setMembership(tx, context.now, { ...member, permissions: is_control ? [] : permissions })
    const action: AuditAction = { action: 'create user', object_type: 'user', object: created.id }
    await recordOperatorAction(tx, app, organization.id, { ...action, details: { email, permissions } })
    if (is_control)
      await requestChange(
        tx,
        context,
        { organization: organization.id, user: null },
        { kind: 'permissions', user: created.id, permissions },
      )
    return created
  })
  printResult(
    terminal,
    { ...user, organization: organization.id, permissions },
    {
      ...options,
      text:
        `Created ${user.name} <${user.email}> (${user.id}), a user of ${organization.name} with the permissions: ` +
        `${shortPermissions(permissions)}.\nSet a password with \`npx kusanya users password ${user.email}\`.`,
    },
  )
}

async function setPermissions(terminal: Terminal, app: App, email: string, options: PermissionOptions): Promise<void> {
  const organization = await chooseOrganization(app.db, options.organization)
  const user = await findUserByEmail(app.db, email)
  const permissions = await permissionsOf(app.db, organization.id, options)
  if (permissions) await giveOrChangePermissions(app, organization.id, user, permissions)
  const member = (await listMembers(app.db, organization.id)).find((one) => one.id === user.id)
  if (!member)
    throw new CommandError(
      `${user.email} is not a user of ${organization.name}. Add the user with --permissions or --role.`,
    )
  const text = `The permissions of ${user.email} in ${organization.name}: ${shortPermissions(member.permissions)}.`
  printResult(terminal, member, { ...options, text })
}

/** Change the permissions of a user, or make a user of another organization a user of this one. */
async function giveOrChangePermissions(app: App, organization: number, user: User, permissions: Permission[]) {
  const context = changeContext(app)
  await begin(app.db, async (tx) => {
    const is_member = (await listMembers(tx, organization)).some((one) => one.id === user.id)
    if (!is_member) await setMembership(tx, context.now, { organization, user: user.id, permissions: [] })
    const change = { kind: 'permissions', user: user.id, permissions } as const
    await requestChange(tx, context, { organization, user: null }, change)
  })
  app.wake()
}

/** Record an operator's action on the account of a user, in the audit logs of organizations of the user. */
async function recordForUser(tx: Tx, app: App, user: User, organizations: readonly { id: number }[], action: string) {
  for (const { id } of organizations)
    await recordOperatorAction(tx, app, id, {
      action,
      object_type: 'user',
      object: user.id,
      details: { email: user.email },
    })
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

function shortPermissions(codes: readonly Permission[]): string {
  if (codes.length === 0) return 'none'
  return codes.length === allPermissions.length ? 'all' : codes.join(', ')
}

async function findUserByEmail(db: Reader, email: string): Promise<User> {
  const user = await findUser(db, email)
  if (!user) throw new CommandError(`There is no user with the address ${email}.`)
  return user
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

import type { Command } from 'commander'
import { operator, runAction } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import { createKeyAction, revokeKeyAction } from '../../core/access/actions.ts'
import { type ApiKey, allPermissions, keyState, listKeys, type Permission } from '../../core/access/api-keys.ts'
import { typedTimeIn } from '../../lib/text/time-zones.ts'
import { parseTimestamp } from '../../lib/time.ts'
import { addActionCommand } from '../action-command.ts'
import {
  chooseMember,
  chooseOrganization,
  jsonOption,
  organizationOption,
  toCount,
  toPermissions,
} from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { addList, ofEach } from '../list-command.ts'
import { printResult } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addKeys(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('API keys')

  keys
    .command('create')
    .description('create an API key; it is shown once')
    .requiredOption('--name <name>', 'what it is for, such as "webshop"')
    .addOption(organizationOption())
    .option('--user <email>', 'the user of the key; not needed while the organization has one user')
    .option('--read-only', 'the key can read and cannot change anything')
    .option('--permissions <codes>', "fewer permissions than its user's: codes with commas between them", toPermissions)
    .option('--expires <when>', 'such as "30 days" or 2030-01-31; valid until revoked unless given')
    .option('--reads-per-minute <count>', 'the limit of this key, instead of READS_PER_MINUTE', toCount)
    .option('--writes-per-minute <count>', 'the limit of this key, instead of WRITES_PER_MINUTE', toCount)
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((options: KeyOptions) => withApp(terminal, (app) => create(terminal, app, options)))

  addList<ApiKey>(keys, terminal, {
    description: 'list the keys of one organization or of all, newest first',
    filters: [organizationOption()],
    read: ofEach((app, organization) => listKeys(app.db, organization)),
    none: 'There are no keys yet. Create one with `npx kusanya keys create`.',
    columns: (app) => ({
      id: 'id',
      organization: 'organization',
      user: 'user',
      name: 'name',
      key: (row) => `${row.prefix}…${row.last_four}`,
      state: (row) => keyState(row, app.clock.now()),
      permissions: describePermissions,
      'expires (UTC)': 'expires',
      'last used (UTC)': 'last_used',
    }),
  })

  addActionCommand(keys, terminal, revokeKeyAction)
}

interface KeyOptions {
  name: string
  organization?: number
  user?: string
  readOnly?: boolean
  permissions?: Permission[]
  expires?: string
  readsPerMinute?: number
  writesPerMinute?: number
  json?: boolean
}

async function create(terminal: Terminal, app: App, options: KeyOptions): Promise<void> {
  const now = app.clock.now()
  const organization = await chooseOrganization(app.db, options.organization)
  const member = await chooseMember(app.db, organization, options.user)
  const excess = options.permissions?.filter((one) => !member.permissions.includes(one)) ?? []
  if (excess.length > 0)
    throw new CommandError(`${member.email} does not have these permissions: ${excess.join(', ')}.`)
  const { key, row } = await runAction(app, operator(organization.id), createKeyAction, {
    user: member.id,
    name: options.name,
    permissions: options.permissions === allPermissions ? null : options.permissions,
    read_only: options.readOnly ?? false,
    reads_per_minute: options.readsPerMinute,
    writes_per_minute: options.writesPerMinute,
    ...(options.expires !== undefined && { expires: toExpiry(options.expires, now, organization.time_zone) }),
  })
  const text =
    `Created the key ${row.id} (${row.name}) of ${member.email} for ${organization.name}:\n\n  ${terminal.strong(key)}\n\n` +
    'Copy it now: it is not stored and cannot be shown again.'
  printResult(terminal, { ...row, key }, { ...options, text })
}

/** A day is its beginning in the time zone of the organization. @throws CommandError */
function toExpiry(text: string, now: Date, time_zone: string): Date {
  const expiry = typedTimeIn(text, time_zone) ?? parseTimestamp(text, now)
  if (!expiry)
    throw new CommandError(`--expires takes a span such as "30 days" or a date such as 2030-01-31, not ${text}.`)
  return expiry
}

function describePermissions(key: ApiKey): string {
  const permissions = key.permissions ? key.permissions.join(', ') || 'none' : "all of its user's"
  return key.read_only ? `${permissions}, read-only` : permissions
}

const EXAMPLES = `
Examples:
  $ npx kusanya keys create --name webshop
  $ npx kusanya keys create --name reports --read-only --expires "30 days"
  $ npx kusanya keys create --name import --organization 2 --user grace@example.com --writes-per-minute 20000`

import type { Command } from 'commander'
import type { App } from '../../app.ts'
import {
  type ApiKey,
  allPermissions,
  createKey,
  keyState,
  listKeys,
  type Permission,
  revokeKey,
} from '../../core/access/api-keys.ts'
import { begin } from '../../db/client.ts'
import { parseTimestamp } from '../../lib/time.ts'
import {
  chooseMember,
  chooseOrganization,
  chooseOrganizations,
  jsonOption,
  organizationOption,
  toCount,
  toPermissions,
} from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { recordOperatorAction } from '../operator-audit.ts'
import { formatShortTime, printResult, printRows } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addKeys(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('API keys')

  keys
    .command('create')
    .description('make an API key; it is shown once')
    .requiredOption('--name <name>', 'what it is for, such as "webshop"')
    .addOption(organizationOption())
    .option('--user <email>', 'who it acts for; not needed while the organization has one user')
    .option('--read-only', 'it may look, and change nothing')
    .option('--permissions <codes>', "fewer than its user's: codes with commas between them", toPermissions)
    .option('--expires <when>', 'such as "30 days" or 2030-01-31; else it is valid until it is revoked')
    .option('--reads-per-minute <count>', 'its own limit, instead of READS_PER_MINUTE', toCount)
    .option('--writes-per-minute <count>', 'its own limit, instead of WRITES_PER_MINUTE', toCount)
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((options: KeyOptions) => withApp(terminal, (app) => create(terminal, app, options)))

  keys
    .command('list')
    .description('list the keys of one organization or of all, newest first')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((options: { organization?: number; json?: boolean }) =>
      withApp(terminal, async (app) => {
        const organizations = await chooseOrganizations(app.db, options.organization)
        const found = await Promise.all(organizations.map((one) => listKeys(app.db, one.id)))
        printRows(terminal, found.flat(), {
          ...options,
          none: 'There is none yet. Make one with `npx kusanya keys create`.',
          columns: [
            { title: 'id', value: (row) => row.id },
            { title: 'organization', value: (row) => row.organization },
            { title: 'user', value: (row) => row.user },
            { title: 'name', value: (row) => row.name },
            { title: 'key', value: (row) => `${row.prefix}…${row.last_four}` },
            { title: 'state', value: (row) => keyState(row, app.clock.now()) },
            { title: 'may', value: describePermissions },
            { title: 'expires (UTC)', value: (row) => formatShortTime(row.expires) },
            { title: 'last used (UTC)', value: (row) => formatShortTime(row.last_used) },
          ],
        })
      }),
    )

  keys
    .command('revoke')
    .description('end a key for good; requests with it get 401 within a second')
    .argument('<id>', 'as `keys list` shows it', toCount)
    .addOption(jsonOption())
    .action((id: number, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const row = await begin(app.db, async (tx) => {
          const key = await revokeKey(tx, app.clock.now(), id)
          const details = { name: key.name }
          await recordOperatorAction(tx, app, key.organization, {
            action: 'revoke key',
            object_type: 'key',
            object: id,
            details,
          })
          return key
        })
        printResult(terminal, row, { ...options, text: `Revoked the key ${row.id} (${row.name}).` })
      }),
    )
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
  if (excess.length > 0) throw new CommandError(`${member.email} may not do this: ${excess.join(', ')}.`)
  const { key, row } = await begin(app.db, async (tx) => {
    const made = await createKey(tx, now, {
      organization: organization.id,
      user: member.id,
      name: options.name,
      permissions: options.permissions === allPermissions ? null : options.permissions,
      read_only: options.readOnly,
      reads_per_minute: options.readsPerMinute,
      writes_per_minute: options.writesPerMinute,
      expires: options.expires === undefined ? null : toExpiry(options.expires, now),
    })
    const { id: object, name, read_only, permissions } = made.row
    const details = { name, read_only, permissions: permissions ?? 'all' }
    await recordOperatorAction(tx, app, organization.id, { action: 'create key', object_type: 'key', object, details })
    return made
  })
  const text =
    `Made the key ${row.id} (${row.name}) of ${member.email} for ${organization.name}:\n\n  ${terminal.strong(key)}\n\n` +
    'Copy it now: it is not kept and cannot be shown again.'
  printResult(terminal, { ...row, key }, { ...options, text })
}

function toExpiry(text: string, now: Date): Date {
  const moment = parseTimestamp(text, now)
  if (!moment)
    throw new CommandError(`--expires takes a span such as "30 days" or a date such as 2030-01-31, not ${text}.`)
  return moment
}

function describePermissions(key: ApiKey): string {
  const rights = key.permissions ? key.permissions.join(', ') || 'none' : "all its user's"
  return key.read_only ? `${rights}, read-only` : rights
}

const EXAMPLES = `
Examples:
  $ npx kusanya keys create --name webshop
  $ npx kusanya keys create --name reports --read-only --expires "30 days"
  $ npx kusanya keys create --name import --organization 2 --user grace@example.com --writes-per-minute 20000`

import type { Command } from 'commander'
import { keyList } from '../../actions/lists/access.ts'
import { createKeyAction, revokeKeyAction } from '../../core/access/actions.ts'
import { allPermissions } from '../../core/access/api-keys.ts'
import { getMember } from '../../core/access/organizations.ts'
import { typedTimeIn } from '../../lib/text/time-zones.ts'
import { parseTimestamp } from '../../lib/time.ts'
import { addActionCommand } from '../action-command.ts'
import { chooseMember, toPermissions } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { addListCommand } from '../list-command.ts'
import type { Terminal } from '../terminal.ts'
import { typed } from '../typed.ts'

export function addKeys(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('API keys')

  addActionCommand(keys, terminal, createKeyAction, {
    help: EXAMPLES,
    words: {
      user: typed('--user <email>', 'the user of the key; not needed while the organization has one user'),
      permissions: typed(
        '--permissions <codes>',
        "fewer permissions than its user's: codes with commas between them",
        toPermissions,
      ),
    },
    async read(app, given, words, organization) {
      const member = await chooseMember(app.db, organization!, words.user)
      const excess = words.permissions?.filter((one) => !member.permissions.includes(one)) ?? []
      if (excess.length > 0)
        throw new CommandError(`${member.email} does not have these permissions: ${excess.join(', ')}.`)
      const permissions = words.permissions === allPermissions ? null : words.permissions
      const expires = given.expires && toExpiry(`${given.expires}`, app.clock.now(), organization!.time_zone)
      return { ...given, user: member.id, permissions, expires: expires?.toISOString() }
    },
    async tell(app, { key, row }, organization) {
      const { email } = await getMember(app.db, row.organization, row.user)
      const text =
        `Created the key ${row.id} (${row.name}) of ${email} for ${organization}:\n\n  ${terminal.strong(key)}\n\n` +
        'Copy it now: it is not stored and cannot be shown again.'
      return { text, shown: { ...row, key } }
    },
  })

  addListCommand(keys, terminal, keyList)

  addActionCommand(keys, terminal, revokeKeyAction)
}

/** A day is its beginning in the time zone of the organization. @throws CommandError */
function toExpiry(text: string, now: Date, time_zone: string): Date {
  const expiry = typedTimeIn(text, time_zone) ?? parseTimestamp(text, now)
  if (!expiry)
    throw new CommandError(`--expires takes a span such as "30 days" or a date such as 2030-01-31, not ${text}.`)
  return expiry
}

const EXAMPLES = `
Examples:
  $ npx kusanya keys create --name webshop
  $ npx kusanya keys create --name reports --read-only --expires "30 days"
  $ npx kusanya keys create --name import --organization 2 --user grace@example.com --writes-per-minute 20000`

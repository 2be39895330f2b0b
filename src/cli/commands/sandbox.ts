import type { Command } from 'commander'
import type { App } from '../../app.ts'
import { ACCESS_CHANNEL } from '../../core/access/api-keys.ts'
import { FLAGS_CHANNEL } from '../../core/flags.ts'
import { begin } from '../../db/client.ts'
import { emptyDatabase } from '../../db/empty-database.ts'
import { jsonOption } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { readChosenFirst } from '../service/demo-organization.ts'
import { requireSecretKey } from '../service/secret-key.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'
import { setUpSandbox } from './setup.ts'

export function addSandbox(program: Command, terminal: Terminal): void {
  const sandbox = program.command('sandbox').description('commands for the whole sandbox')

  sandbox
    .command('reset')
    .description('delete everything in the sandbox and create the demo organization again; the service may be running')
    .option('--yes', 'do not ask for confirmation')
    .addOption(jsonOption())
    .action((options: { yes?: boolean; json?: boolean }) =>
      withApp(terminal, (app) => reset(terminal, app, options), { migrated: true, any_secret_key: true }),
    )
}

async function reset(terminal: Terminal, app: App, options: { yes?: boolean; json?: boolean }): Promise<void> {
  if (app.config.MODE !== 'sandbox')
    throw new CommandError('Only a sandbox can be reset, and this service runs with MODE=live.')
  if (!options.yes) await confirm(terminal)
  const first = await readChosenFirst(app.db)
  await app.asOwner(emptyDatabase)
  await begin(app.db, (tx) => tx`select pg_notify(${ACCESS_CHANNEL}, ''), pg_notify(${FLAGS_CHANNEL}, '')`)
  await requireSecretKey(app)
  // The reset also sets the sandbox's clock back to the real time.
  await app.refreshClock()
  await setUpSandbox(terminal, app, options, first)
  app.wake()
}

async function confirm(terminal: Terminal): Promise<void> {
  if (!terminal.interactive) throw new CommandError('This deletes everything in the sandbox. Confirm it with --yes.')
  const answer = await terminal.ask(
    'This deletes every organization, request and collection in the sandbox. Type yes: ',
  )
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was deleted.')
}

import type { Command } from 'commander'
import { ACCESS_CHANNEL } from '../../core/access/api-keys.ts'
import { FLAGS_CHANNEL } from '../../core/flags.ts'
import { begin } from '../../db/client.ts'
import { emptyDatabase } from '../../db/empty-database.ts'
import { addCommand, confirm } from '../command.ts'
import { CommandError } from '../errors.ts'
import { readChosenFirst } from '../service/demo-organization.ts'
import { requireSecretKey } from '../service/secret-key.ts'
import type { Terminal } from '../terminal.ts'
import { typed } from '../typed.ts'
import { setUpSandbox } from './setup.ts'

export function addSandbox(program: Command, terminal: Terminal): void {
  const sandbox = program.command('sandbox').description('commands for the whole sandbox')

  addCommand(sandbox, terminal, {
    name: 'reset',
    description: 'delete everything in the sandbox and create the demo organization again; the service may be running',
    typed: { yes: typed('--yes', 'do not ask for confirmation') },
    access: { migrated: true, any_secret_key: true },
    async run(app, { yes }) {
      if (app.config.MODE !== 'sandbox')
        throw new CommandError('Only a sandbox can be reset, and this service runs with MODE=live.')
      const question = 'This deletes every organization, request and collection in the sandbox.'
      await confirm(terminal, { yes, question, refusal: 'Nothing was deleted.' })
      const first = await readChosenFirst(app.db)
      await app.asOwner(emptyDatabase)
      await begin(app.db, (tx) => tx`select pg_notify(${ACCESS_CHANNEL}, ''), pg_notify(${FLAGS_CHANNEL}, '')`)
      await requireSecretKey(app)
      // The reset also sets the sandbox's clock back to the real time.
      await app.refreshClock()
      const told = await setUpSandbox(app, first)
      app.wake()
      return told
    },
  })
}

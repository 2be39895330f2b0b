import type { Command } from 'commander'
import type { App } from '../../../app.ts'
import { acceptLostKeys, addSecretKey, findUnreadable } from '../../../core/access/secret-key.ts'
import { begin } from '../../../db/client.ts'
import { jsonOption } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { recordOperatorAction } from '../../operator-audit.ts'
import { printResult } from '../../print.ts'
import { encryptedColumns } from '../../service/secret-key.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

export function addSecretKeyCommand(program: Command, terminal: Terminal): void {
  const secret_key = program.command('secret-key').description('the key that encrypts stored secrets (SECRET_KEY)')

  secret_key
    .command('accept')
    .description(
      'continue with the present SECRET_KEY although the earlier one is lost; what it encrypted is lost, too',
    )
    .option('--yes', 'do not ask for confirmation')
    .addOption(jsonOption())
    .action((options: { yes?: boolean; json?: boolean }) =>
      withApp(terminal, (app) => accept(terminal, app, options), { migrated: true, any_secret_key: true }),
    )
}

async function accept(terminal: Terminal, app: App, options: { yes?: boolean; json?: boolean }): Promise<void> {
  const lost = await findUnreadable(app.db, app.sealingKeys, encryptedColumns)
  const list = lost.map(({ what, count }) => `${count} ${what}`).join(', ') || 'nothing'
  if (!options.yes) await confirm(terminal, list)
  await begin(app.db, async (tx) => {
    await addSecretKey(tx, app.clock.real(), app.sealingKeys)
    await acceptLostKeys(tx, app.clock.real(), app.sealingKeys, encryptedColumns)
    await recordOperatorAction(tx, app, null, { action: 'accept secret key', details: { lost: list } })
  })
  const text = `The service starts with this SECRET_KEY from now on. Lost: ${list}.${lost.length > 0 ? ADVICE : ''}`
  printResult(terminal, { lost }, { ...options, text })
}

async function confirm(terminal: Terminal, list: string): Promise<void> {
  if (!terminal.interactive) throw new CommandError(`With this SECRET_KEY is lost: ${list}. Confirm it with --yes.`)
  const answer = await terminal.ask(`With this SECRET_KEY is lost: ${list}. Type yes to continue: `)
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was changed.')
}

const ADVICE = `
Give them new ones:
  npx kusanya webhooks secret <id> --rotate        and tell the receivers
  npx kusanya webhooks basic-auth set <id>
  npx kusanya bills users rotate <name>
  npx kusanya users second-factor <e-mail> --remove, so that the person can set it up again`

import { Argument, type Command } from 'commander'
import type { App } from '../../../app.ts'
import { listOpenWork } from '../../../core/control/restored-data.ts'
import { isSendingHeld, setFlag } from '../../../core/flags.ts'
import { begin } from '../../../db/client.ts'
import { jsonOption } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { recordOperatorAction } from '../../operator-audit.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

interface SendingOptions {
  yes?: boolean
  json?: boolean
}

export function addSending(program: Command, terminal: Terminal): void {
  program
    .command('sending')
    .description('hold everything that would go to networks and billers, release it, or show whether it is held')
    .addArgument(new Argument('<what>', 'hold, release, or status to show it').choices(['hold', 'release', 'status']))
    .option('--yes', 'release without asking')
    .addOption(jsonOption())
    .addHelpText('after', NOTES)
    .action((what: 'hold' | 'release' | 'status', options: SendingOptions) =>
      withApp(terminal, (app) => change(terminal, app, what, options)),
    )
}

async function change(terminal: Terminal, app: App, what: string, options: SendingOptions): Promise<void> {
  const was_held = await isSendingHeld(app.db)
  if (what === 'release' && was_held && !options.yes) await confirm(terminal, app)
  if (what !== 'status') {
    const held = what === 'hold'
    await begin(app.db, async (tx) => {
      await setFlag(tx, 'sending', held ? 'held' : null)
      if (held !== was_held)
        await recordOperatorAction(tx, app, null, { action: held ? 'hold sending' : 'release sending' })
    })
    app.wake()
  }
  const held = await isSendingHeld(app.db)
  const text = held
    ? 'Sending is held: nothing new goes to networks and billers, within a second in all processes.'
    : 'Sending is released: orders go to networks and billers.'
  printResult(terminal, { held }, { ...options, text })
}

async function confirm(terminal: Terminal, app: App): Promise<void> {
  const { count } = await listOpenWork(app.db, 1)
  const warning = `${count} orders, purchases and payments are open. After a restore, first cancel those that the statements of the networks have as sent.`
  if (!terminal.interactive) throw new CommandError(`${warning} Confirm it with --yes.`)
  const answer = await terminal.ask(`${warning} Type yes to release: `)
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was changed.')
}

const NOTES = `
While sending is held the API answers as usual: requests, payments and purchases are accepted and wait, plans and
expiries wait too. What networks already have is asked about, callbacks are processed, webhooks and SMS go out.
It survives restarts, and is on after a restore.`

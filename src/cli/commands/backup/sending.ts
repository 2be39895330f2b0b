import { Argument, type Command } from 'commander'
import { z } from 'zod'
import { operator, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { holdSendingAction, releaseSendingAction } from '../../../core/control/actions.ts'
import { listOpenWork, prepareRestoredData, type RestoredData } from '../../../core/control/restored-data.ts'
import { MAX_HOLD_REASON, readSendingHold, SendingHold } from '../../../core/sending.ts'
import { begin } from '../../../db/client.ts'
import { typedTimeIn } from '../../../lib/text/time-zones.ts'
import { formatTimestamp, parsePastTimestamp } from '../../../lib/time.ts'
import { jsonOption, readSharedTimeZone } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

interface SendingOptions {
  reason?: string
  restored?: string
  yes?: boolean
  json?: boolean
}

export function addSending(program: Command, terminal: Terminal): void {
  program
    .command('sending')
    .description('hold everything that would go to networks and billers, release it, or show whether it is held')
    .addArgument(new Argument('<what>', 'hold, release, or status to show it').choices(['hold', 'release', 'status']))
    .option('--reason <text>', 'why it is held, for those who see it in the console')
    .option('--restored <time>', 'your own PostgreSQL was restored to this time: prepare its data as `restore` does')
    .option('--yes', 'release without asking')
    .addOption(jsonOption())
    .addHelpText('after', NOTES)
    .action((what: 'hold' | 'release' | 'status', options: SendingOptions) =>
      withApp(terminal, (app) => change(terminal, app, what, options)),
    )
}

async function change(terminal: Terminal, app: App, what: string, options: SendingOptions): Promise<void> {
  for (const name of ['reason', 'restored'] as const)
    if (options[name] !== undefined && what !== 'hold') throw new CommandError(`--${name} belongs to hold.`)
  const prepared = what === 'hold' && options.restored !== undefined ? await prepare(app, options.restored) : undefined
  if (what === 'hold') await hold(app, options.reason)
  if (what === 'release') await release(terminal, app, options)
  const found = await readSendingHold(app.db)
  const text = found
    ? `Sending is held${describe(found)}: nothing new goes to networks and billers, within a second in all processes.`
    : 'Sending is released: orders go to networks and billers.'
  const asked = prepared && describePrepared(prepared)
  printResult(
    terminal,
    { held: found !== null, ...(found && z.encode(SendingHold, found)), ...prepared },
    { ...options, text: [text, ...(asked ?? [])].join('\n') },
  )
}

/** Prepare data that PostgreSQL itself was restored to, with the rights of the owner. */
async function prepare(app: App, text: string): Promise<RestoredData> {
  const now = app.clock.now()
  const real = app.clock.real()
  const time = typedTimeIn(text, await readSharedTimeZone(app.db)) ?? parsePastTimestamp(text, real)
  if (!time || time > real) throw new CommandError(`"${text}" is not a time of the past, such as 2030-01-31 12:00.`)
  const created = formatTimestamp(time)
  return app.asOwner((owner) => begin(owner, (tx) => prepareRestoredData(tx, { now, real }, { created })))
}

function describePrepared({ asked_orders, asked_purchases }: RestoredData): string[] {
  return [
    `Networks and billers will be asked about ${asked_orders} orders and ${asked_purchases} bill purchases that the data has as not sent.`,
    'New ids begin 10,000,000 higher. Compare with the statements of the networks before you release.',
  ]
}

async function hold(app: App, text = ''): Promise<void> {
  const reason = text.trim()
  if (reason.length > MAX_HOLD_REASON) throw new CommandError(`The reason may have ${MAX_HOLD_REASON} characters.`)
  await runAction(app, operator(null), holdSendingAction, { ...(reason && { reason }) })
}

async function release(terminal: Terminal, app: App, { yes }: SendingOptions): Promise<void> {
  if (!yes && (await readSendingHold(app.db))) await confirm(terminal, app)
  await runAction(app, operator(null), releaseSendingAction, {})
}

function describe({ since, by, reason }: SendingHold): string {
  return [since && ` since ${formatTimestamp(since)}`, by && ` by ${by}`, reason && ` (${reason})`]
    .filter(Boolean)
    .join('')
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
It survives restarts, and is on after a restore. After a restore of your own PostgreSQL to an earlier time, before the first
start (docs/operating/backup.md), with MIGRATION_DATABASE_URL:
  npx kusanya sending hold --restored "2030-01-31 12:00"`

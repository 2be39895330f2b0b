import type { Command } from 'commander'
import { z } from 'zod'
import { runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import type { Actor } from '../../../core/access/action.ts'
import { holdSendingAction, releaseSendingAction } from '../../../core/operations/actions.ts'
import { listOpenWork, prepareRestoredData, type RestoredData } from '../../../core/operations/restored-data.ts'
import { MAX_HOLD_REASON, readSendingHold, SendingHold } from '../../../core/sending.ts'
import { begin } from '../../../db/client.ts'
import { typedTimeIn } from '../../../lib/text/time-zones.ts'
import { formatTimestamp, parsePastTimestamp } from '../../../lib/time.ts'
import { readSharedTimeZone } from '../../arguments.ts'
import { addCommand, confirm } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import type { Terminal } from '../../terminal.ts'
import { chosen, typed } from '../../typed.ts'

const WHAT = ['hold', 'release', 'status'] as const

export function addSending(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    name: 'sending',
    description: 'hold everything that would go to networks and billers, release it, or show whether it is held',
    typed: {
      what: chosen('<what>', 'hold, release, or status to show it', WHAT),
      reason: typed('--reason <text>', 'why it is held, for those who see it in the console'),
      restored: typed(
        '--restored <time>',
        'your own PostgreSQL was restored to this time: prepare its data as `restore` does',
      ),
      yes: typed('--yes', 'release without asking'),
    },
    help: NOTES,
    async run(app, { what, reason, restored, yes }, { actor }) {
      const [misplaced] = Object.entries({ reason, restored }).filter(([, value]) => value !== undefined)
      if (misplaced && what !== 'hold') throw new CommandError(`--${misplaced[0]} belongs to hold.`)
      const prepared = restored === undefined ? undefined : await prepare(app, restored)
      if (what === 'hold') await hold(app, actor, reason)
      if (what === 'release') await release(terminal, app, actor, yes)
      const found = await readSendingHold(app.db)
      const text = found
        ? `Sending is held${describe(found)}: nothing new goes to networks and billers, within a second in all processes.`
        : 'Sending is released: orders go to networks and billers.'
      return {
        shown: { held: found !== null, ...(found && z.encode(SendingHold, found)), ...prepared },
        text: [text, ...(prepared ? describePrepared(prepared) : [])],
      }
    },
  })
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

async function hold(app: App, actor: Actor, text = ''): Promise<void> {
  const reason = text.trim()
  if (reason.length > MAX_HOLD_REASON) throw new CommandError(`The reason may have ${MAX_HOLD_REASON} characters.`)
  await runAction(app, actor, holdSendingAction, { ...(reason && { reason }) })
}

async function release(terminal: Terminal, app: App, actor: Actor, yes: true | undefined): Promise<void> {
  if (await readSendingHold(app.db)) {
    const { count } = await listOpenWork(app.db, 1)
    const question = `${count} orders, purchases and payments are open. After a restore, compare them with the statements of the networks first, and cancel here what these show as sent.`
    await confirm(terminal, { yes, question, refusal: 'Nothing was changed.' })
  }
  await runAction(app, actor, releaseSendingAction, {})
}

function describe({ since, by, reason }: SendingHold): string {
  return [since && ` since ${formatTimestamp(since)}`, by && ` by ${by}`, reason && ` (${reason})`]
    .filter(Boolean)
    .join('')
}

const NOTES = `
While sending is held the API answers as usual: requests, payments and purchases are accepted and wait, plans and
expiries wait too. What networks already have is asked about, callbacks are processed, webhooks and SMS go out.
It survives restarts, and is on after a restore. After a restore of your own PostgreSQL to an earlier time, before the first
start (docs/operating/backup.md), with MIGRATION_DATABASE_URL:
  npx kusanya sending hold --restored "2030-01-31 12:00"`

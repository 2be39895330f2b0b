import type { Command } from 'commander'
import { moveClockAction } from '../../actions/operator-actions.ts'
import { operator, runAction } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import { findRunningRoles } from '../../db/roles/running-roles.ts'
import { typedTimeIn } from '../../lib/text/time-zones.ts'
import { formatTimestamp, parseTimestamp } from '../../lib/time.ts'
import { type AdvanceOptions, advanceClock } from '../advance-clock.ts'
import { readSharedTimeZone } from '../arguments.ts'
import { addCommand, type Told } from '../command.ts'
import { CommandError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import { typed } from '../typed.ts'

export function addClock(program: Command, terminal: Terminal): void {
  const clock = program
    .command('clock')
    .description('show the clock of the sandbox, or move it forward')
    .addHelpText('after', EXAMPLES)

  addCommand(clock, terminal, {
    name: 'show',
    description: 'show the time of the sandbox and the real one',
    is_default: true,
    run: tellTime,
  })
  addCommand(clock, terminal, {
    name: 'advance',
    description: 'move the clock forward; work that becomes due on the way is done in order',
    typed: { to: typed('<to...>', 'a span such as 3 days, 90 minutes or 29 days 23 hours, or a date') },
    json: false,
    run: (app, { to }) => advance(terminal, app, to.join(' ')),
  })
}

function tellTime({ clock }: App): Told {
  const [now, real] = [clock.now(), clock.real()]
  const ahead_ms = now.getTime() - real.getTime()
  return {
    shown: { now, real, ahead_ms },
    text: [
      `Sandbox time  ${formatTimestamp(now)}`,
      `Real time     ${formatTimestamp(real)}`,
      ahead_ms > 0 ? `The sandbox is ${formatDuration(ahead_ms)} ahead.` : 'The clock was not moved.',
    ],
  }
}

/** Move the clock by a span or to a date. @throws CommandError for a wrong or past time, and in live mode */
export async function advance(terminal: Terminal, app: App, text: string): Promise<void> {
  if (app.config.MODE !== 'sandbox')
    throw new CommandError('Only the clock of a sandbox can be moved, and this service runs with MODE=live.')
  const from = app.clock.now()
  const target = typedTimeIn(text, await readSharedTimeZone(app.db)) ?? parseTimestamp(text, from)
  if (!target)
    throw new CommandError(`"${text}" is not a time. Use a span such as 3 days, or a date such as 2030-01-31 12:00.`)
  if (target <= from)
    throw new CommandError(`The clock only moves forward, and it is ${formatTimestamp(from)} already.`)
  await runAction(app, operator(null), moveClockAction, { to: target })
  await withWorkers(terminal, app, async () => {
    const progress = await startProgress(terminal, from, target)
    try {
      await advanceClock(app, target, progress)
    } finally {
      progress.stop()
    }
  })
  terminal.print(
    `The clock of the sandbox now shows ${formatTimestamp(target)}, ${formatDuration(target.getTime() - from.getTime())} later.`,
  )
}

/**
 * The running service does the work that becomes due. If none runs, this process serves on a free port while the clock
 * moves, so that the simulated network can send callbacks to it.
 */
async function withWorkers(terminal: Terminal, app: App, work: () => Promise<void>): Promise<void> {
  const roles = await findRunningRoles(app.db)
  if (roles.has('api') && roles.has('jobs')) return work()
  terminal.warn(terminal.faint('No service is running, so this command does the work that becomes due.'))
  const { startService } = await import('../service/serve.ts')
  const config = { ...app.config, METRICS_ADDRESS: undefined }
  // Only the listening address changes: HOST also decides where webhooks may be sent.
  const options = { api: true, jobs: true, listen_on: { HOST: '127.0.0.1', PORT: 0 } }
  // The command closes the app itself, after the service.
  const service = await startService({ ...app, config, close: async () => {} }, options)
  try {
    await work()
  } finally {
    await service.stop()
  }
}

type Progress = Required<Pick<AdvanceOptions, 'onStep' | 'onStuck'>> & { stop(): void }

/** Show a progress bar in an interactive terminal, and print a line for each step elsewhere. */
async function startProgress(terminal: Terminal, from: Date, target: Date): Promise<Progress> {
  const warnings: string[] = []
  const printWarnings = () => {
    for (const line of warnings.splice(0)) terminal.warn(line)
  }
  const onStuck: Progress['onStuck'] = ({ table, due_at }) => {
    warnings.push(
      `Work in ${table} is due since ${formatTimestamp(due_at)} and not done; the clock goes on without it.`,
    )
    if (!terminal.interactive) printWarnings()
  }
  if (!terminal.interactive)
    return {
      onStep: (time, tables) => terminal.print([formatTimestamp(time), ...tables].join('  ')),
      onStuck,
      stop: () => {},
    }
  const { SingleBar, Presets } = await import('cli-progress')
  const bar = new SingleBar({ format: '{bar} {time}', hideCursor: true, clearOnComplete: true }, Presets.shades_classic)
  bar.start(target.getTime() - from.getTime(), 0, { time: formatTimestamp(from) })
  return {
    onStep: (time) => bar.update(time.getTime() - from.getTime(), { time: formatTimestamp(time) }),
    onStuck,
    stop() {
      bar.stop()
      printWarnings()
    },
  }
}

const UNITS: [string, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** Format a span in words, such as "3 days 2 hours". */
export function formatDuration(span_ms: number): string {
  let remaining_s = Math.round(span_ms / 1_000)
  const parts = UNITS.flatMap(([name, seconds]) => {
    const count = Math.floor(remaining_s / seconds)
    remaining_s -= count * seconds
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`]
  })
  return parts.join(' ') || '0 seconds'
}

const EXAMPLES = `
The clock moves the times of everything that the service stores: when requests start and expire, when plans recur, when
webhooks and SMS are tried again. Timeouts, throttling and the times in signatures stay real. The clock never moves back;
only \`sandbox reset\` sets it to the real time.

Examples:
  $ npx kusanya clock
  $ npx kusanya clock advance 3 days
  $ npx kusanya clock advance 29 days 23 hours
  $ npx kusanya clock advance 2030-01-31 12:00`

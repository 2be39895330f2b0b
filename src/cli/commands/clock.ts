import type { Command } from 'commander'
import type { App } from '../../app.ts'
import { findRunningRoles } from '../../db/running-roles.ts'
import { formatTimestamp, parseTimestamp } from '../../lib/time.ts'
import { type AdvanceOptions, advanceClock } from '../advance-clock.ts'
import { jsonOption } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { printResult } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addClock(program: Command, terminal: Terminal): void {
  const clock = program
    .command('clock')
    .description('the clock of the sandbox, which can be moved forward')
    .addHelpText('after', EXAMPLES)

  clock
    .command('show', { isDefault: true })
    .description('show the time of the sandbox and the real one')
    .addOption(jsonOption())
    .action((options: { json?: boolean }) => withApp(terminal, async (app) => show(terminal, app, options)))

  clock
    .command('advance')
    .description('move the clock forward; all that falls due on the way happens in its turn')
    .argument('<to...>', 'how far, such as 3 days, 2 hours or 90 minutes, or to which date')
    .action((words: string[]) => withApp(terminal, (app) => advance(terminal, app, words.join(' '))))
}

function show(terminal: Terminal, app: App, options: { json?: boolean }): void {
  const [now, real] = [app.clock.now(), app.clock.real()]
  const ahead_ms = now.getTime() - real.getTime()
  const lines = [
    `Sandbox time  ${formatTimestamp(now)}`,
    `Real time     ${formatTimestamp(real)}`,
    ahead_ms > 0 ? `The sandbox is ${formatDuration(ahead_ms)} ahead.` : 'The clock was never moved.',
  ]
  printResult(terminal, { now, real, ahead_ms }, { ...options, text: lines.join('\n') })
}

/** Moves the clock by or to what people say. @throws CommandError when that is no time, or behind, or in live mode */
export async function advance(terminal: Terminal, app: App, text: string): Promise<void> {
  if (app.config.MODE !== 'sandbox')
    throw new CommandError('Only the clock of a sandbox can be moved, and this is MODE=live.')
  const from = app.clock.now()
  const target = parseTimestamp(text, from)
  if (!target)
    throw new CommandError(`"${text}" is no time. Say how far, such as 3 days, or to which date: 2030-01-31 12:00.`)
  if (target <= from) throw new CommandError(`The clock goes forward only, and it is ${formatTimestamp(from)} already.`)
  await withWorkers(terminal, app, async () => {
    const progress = await startProgress(terminal, from, target)
    try {
      await advanceClock(app, target, progress)
    } finally {
      progress.stop()
    }
  })
  terminal.print(
    `The clock of the sandbox shows ${formatTimestamp(target)}, ${formatDuration(target.getTime() - from.getTime())} later.`,
  )
}

/**
 * What falls due is done by the running service. Where none runs, this process is one for as long as the clock moves, at
 * a free port, so that the simulated network can report to it.
 */
async function withWorkers(terminal: Terminal, app: App, work: () => Promise<void>): Promise<void> {
  const roles = await findRunningRoles(app.db)
  if (roles.has('api') && roles.has('jobs')) return work()
  terminal.warn(terminal.faint('No service runs, so this command does what falls due.'))
  const { startService } = await import('../service/serve.ts')
  const config = { ...app.config, HOST: '127.0.0.1', PORT: 0, METRICS_ADDRESS: undefined }
  const service = await startService({ ...app, config }, { api: true, jobs: true })
  try {
    await work()
  } finally {
    await service.stop()
  }
}

type Progress = Required<Pick<AdvanceOptions, 'onStep' | 'onStuck'>> & { stop(): void }

/** A bar for a person, a line for each step for everybody else. */
async function startProgress(terminal: Terminal, from: Date, target: Date): Promise<Progress> {
  const stuck: string[] = []
  const sayStuck = () => {
    for (const line of stuck.splice(0)) terminal.warn(line)
  }
  const onStuck: Progress['onStuck'] = ({ table, due_at }) => {
    stuck.push(
      `Nobody does what has been due in ${table} since ${formatTimestamp(due_at)}; the clock goes on without it.`,
    )
    if (!terminal.interactive) sayStuck()
  }
  if (!terminal.interactive)
    return {
      onStep: (moment, tables) => terminal.print([formatTimestamp(moment), ...tables].join('  ')),
      onStuck,
      stop: () => {},
    }
  const { SingleBar, Presets } = await import('cli-progress')
  const bar = new SingleBar(
    { format: '{bar} {moment}', hideCursor: true, clearOnComplete: true },
    Presets.shades_classic,
  )
  bar.start(target.getTime() - from.getTime(), 0, { moment: formatTimestamp(from) })
  return {
    onStep: (moment) => bar.update(moment.getTime() - from.getTime(), { moment: formatTimestamp(moment) }),
    onStuck,
    stop() {
      bar.stop()
      sayStuck()
    },
  }
}

const UNITS: [string, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** A span as people say it: "3 days 2 hours". */
export function formatDuration(span_ms: number): string {
  let rest = Math.round(span_ms / 1_000)
  const parts = UNITS.flatMap(([name, seconds]) => {
    const count = Math.floor(rest / seconds)
    rest -= count * seconds
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`]
  })
  return parts.join(' ') || '0 seconds'
}

const EXAMPLES = `
Moved are the times of everything that the service keeps: when requests start and expire, when plans recur, when webhooks
and texts are tried again. Real stay time-outs, throttling and the times in signatures. The clock never goes back; only
\`sandbox reset\` sets it to the real time.

Examples:
  $ npx kusanya clock
  $ npx kusanya clock advance 3 days
  $ npx kusanya clock advance 2030-01-31 12:00`

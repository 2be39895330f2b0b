import type { Command } from 'commander'
import type { App } from '../../../app.ts'
import {
  countReplays,
  type ReplayCursor,
  type ReplayFilters,
  replayByEvents,
  replayDeliveries,
  requireDeliveries,
} from '../../../core/events/replays.ts'
import { findWebhook } from '../../../core/events/webhooks.ts'
import { begin } from '../../../db/client.ts'
import {
  chooseOrganization,
  collectIds,
  jsonOption,
  organizationOption,
  type PastTime,
  toCount,
  toPast,
} from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { printResult } from '../../print.ts'
import { startProgress } from '../../progress.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

export function addReplay(webhooks: Command, terminal: Terminal): void {
  webhooks
    .command('replay')
    .description('send notifications once more, as they were: those named, those of a time, those that failed')
    .argument('[webhook]', 'as `webhooks list` shows it; needed for all but --failed', toCount)
    .option('--delivery <event>', 'the notification of one event; may be given several times', collectIds)
    .option(
      '--since <date>',
      'those whose event happened then or later, such as 2030-01-31T18:00 or "10 minutes ago"',
      toPast,
    )
    .option('--until <date>', 'those whose event happened before', toPast)
    .option('--failed', 'only those that were given up after their last attempt')
    .option('--dry-run', 'say how many there are, and send nothing')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((webhook: number | undefined, options: ReplayOptions) =>
      withApp(terminal, (app) => replay(terminal, app, webhook, options)),
    )
}

interface ReplayOptions {
  delivery?: number[]
  since?: PastTime
  until?: PastTime
  failed?: boolean
  dryRun?: boolean
  organization?: number
  json?: boolean
}

/** How many are made due in one transaction: what is due goes out while the next ones are looked for. */
const MAX_PER_TRANSACTION = 500

async function replay(
  terminal: Terminal,
  app: App,
  webhook: number | undefined,
  options: ReplayOptions,
): Promise<void> {
  const count = options.delivery
    ? await replayDelivery(app, webhook, options.delivery, options)
    : await replayAll(terminal, app, await readReplayFilters(app, webhook, options), options)
  const noun = count === 1 ? 'notification' : 'notifications'
  const verb = options.dryRun ? 'would be sent again' : `${count === 1 ? 'is' : 'are'} due again`
  printResult(terminal, { count, dry_run: options.dryRun ?? false }, { ...options, text: `${count} ${noun} ${verb}.` })
}

/** All or none: one wrong event and nothing is sent again. */
async function replayDelivery(
  app: App,
  webhook: number | undefined,
  events: number[],
  options: ReplayOptions,
): Promise<number> {
  if (webhook === undefined) throw new CommandError('Say to which webhook: `webhooks replay 3 --delivery 1041`.')
  if (options.since || options.until || options.failed)
    throw new CommandError('Say either which ones, with --delivery, or of what time and kind.')
  const named = [...new Set(events)]
  if (options.dryRun) await requireDeliveries(app.db, webhook, named)
  else await begin(app.db, (tx) => replayByEvents(tx, app.clock.now(), webhook, named))
  app.wake()
  return named.length
}

async function readReplayFilters(
  app: App,
  webhook: number | undefined,
  options: ReplayOptions,
): Promise<ReplayFilters> {
  const { failed } = options
  const now = app.clock.now()
  const [since, until] = [options.since?.(now), options.until?.(now)]
  if (!since && !until && !failed)
    throw new CommandError('Say which: --delivery and an event, --since or --until and a date, or --failed.')
  if (webhook === undefined && !failed)
    throw new CommandError('Say to which webhook. Only what failed can be sent again to all of them, with --failed.')
  if (since && until && since >= until) throw new CommandError('--since must lie before --until.')
  if (webhook === undefined)
    return { organization: (await chooseOrganization(app.db, options.organization)).id, since, until, failed }
  const known = await findWebhook(app.db, webhook)
  if (!known || (options.organization ?? known.organization) !== known.organization)
    throw new CommandError(`There is no webhook ${webhook}.`)
  return { organization: known.organization, webhook, since, until, failed }
}

async function replayAll(terminal: Terminal, app: App, choice: ReplayFilters, options: ReplayOptions): Promise<number> {
  const total = await countReplays(app.db, choice)
  if (options.dryRun) return total
  const progress = await startProgress(terminal, total, 'notifications')
  let count = 0
  try {
    for (let after: ReplayCursor | null | undefined; after !== null; ) {
      const piece = await begin(app.db, (tx) =>
        replayDeliveries(tx, app.clock.now(), choice, MAX_PER_TRANSACTION, after ?? undefined),
      )
      app.wake()
      count += piece.count
      progress.update(count)
      after = piece.next
    }
  } finally {
    progress.stop()
  }
  return count
}

const EXAMPLES = `
What is sent again has the same body and the same webhook-id as before, so a receiver can tell; it comes after whatever is
sent for the first time. Times are UTC.

Examples:
  $ npx kusanya webhooks replay 3 --delivery 1041 --delivery 1042
  $ npx kusanya webhooks replay 3 --since 2030-01-31T18:00 --until 2030-01-31T19:30 --dry-run
  $ npx kusanya webhooks replay 3 --since "20 minutes ago"
  $ npx kusanya webhooks replay 3 --failed
  $ npx kusanya webhooks replay --failed --since 2030-01-31        to all webhooks`

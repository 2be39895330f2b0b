import type { Command } from 'commander'
import { operator, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { resendNotificationAction, resendNotificationsAction } from '../../../core/events/actions.ts'
import { countReplays, type ReplayCursor, type ReplayFilters, requireDeliveries } from '../../../core/events/replays.ts'
import { findWebhook } from '../../../core/events/webhooks.ts'
import {
  chooseOrganization,
  collectIds,
  jsonOption,
  organizationOption,
  type PastTime,
  toCount,
  toPast,
  toPastEnd,
} from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { printResult } from '../../print.ts'
import { startProgress } from '../../progress.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

export function addReplay(webhooks: Command, terminal: Terminal): void {
  webhooks
    .command('replay')
    .description('send notifications again unchanged: by event, by time, or all that failed')
    .argument('[webhook]', 'as `webhooks list` shows it; may be left out with --failed', toCount)
    .option('--delivery <event>', 'the notification of one event; may be given several times', collectIds)
    .option(
      '--since <date>',
      'events that happened at this time or later, such as 2030-01-31T18:00 or "10 minutes ago"',
      toPast,
    )
    .option('--until <date>', 'events that happened before this time, or until the end of this day', toPastEnd)
    .option('--failed', 'only notifications that failed after all attempts')
    .option('--dry-run', 'count the notifications and send nothing')
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

/** Replay all of them or none: one wrong event refuses the whole command. */
async function replayDelivery(
  app: App,
  webhook: number | undefined,
  events: number[],
  options: ReplayOptions,
): Promise<number> {
  if (webhook === undefined) throw new CommandError('Name the webhook, such as `webhooks replay 3 --delivery 1041`.')
  if (options.since || options.until || options.failed)
    throw new CommandError('Use either --delivery, or --since, --until and --failed.')
  const unique = [...new Set(events)]
  if (options.dryRun) await requireDeliveries(app.db, webhook, unique)
  else await runAction(app, operator(null), resendNotificationAction, { id: webhook, events: unique })
  return unique.length
}

async function readReplayFilters(
  app: App,
  webhook: number | undefined,
  options: ReplayOptions,
): Promise<ReplayFilters> {
  const { failed } = options
  if (!options.since && !options.until && !failed)
    throw new CommandError('Give --delivery and an event, --since or --until and a date, or --failed.')
  if (webhook === undefined && !failed)
    throw new CommandError('Name the webhook. Only --failed can replay the notifications of all webhooks.')
  const found = webhook === undefined ? undefined : await findWebhook(app.db, webhook)
  if (webhook !== undefined && (!found || (options.organization ?? found.organization) !== found.organization))
    throw new CommandError(`There is no webhook ${webhook}.`)
  const organization = await chooseOrganization(app.db, found?.organization ?? options.organization)
  const [since, until] = [options.since, options.until].map((time) => time?.(app.clock.now(), organization.time_zone))
  if (since && until && since >= until) throw new CommandError('--since must be before --until.')
  return { organization: organization.id, ...(webhook !== undefined && { webhook }), since, until, failed }
}

async function replayAll(
  terminal: Terminal,
  app: App,
  filters: ReplayFilters,
  options: ReplayOptions,
): Promise<number> {
  const total = await countReplays(app.db, filters)
  if (options.dryRun) return total
  const progress = await startProgress(terminal, total, 'notifications')
  let count = 0
  try {
    for (let after: ReplayCursor | null | undefined; after !== null; ) {
      const { organization, failed = false, ...input } = filters
      const chunk = await runAction(app, operator(organization), resendNotificationsAction, { ...input, failed, after })
      count += chunk.count
      progress.update(count)
      after = chunk.next
    }
  } finally {
    progress.stop()
  }
  return count
}

const EXAMPLES = `
A replayed notification has the same body and the same webhook-id as before, so that a receiver recognizes it. First
deliveries are sent before replays. Times are UTC.

Examples:
  $ npx kusanya webhooks replay 3 --delivery 1041 --delivery 1042
  $ npx kusanya webhooks replay 3 --since 2030-01-31T18:00 --until 2030-01-31T19:30 --dry-run
  $ npx kusanya webhooks replay 3 --since "20 minutes ago"
  $ npx kusanya webhooks replay 3 --failed
  $ npx kusanya webhooks replay --failed --since 2030-01-31        # to all webhooks`

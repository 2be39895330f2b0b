import type { Command } from 'commander'
import { operator, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { resendNotificationAction, resendNotificationsAction } from '../../../core/events/actions.ts'
import { countReplays, type ReplayCursor, type ReplayFilters, requireDeliveries } from '../../../core/events/replays.ts'
import { findWebhook } from '../../../core/events/webhooks.ts'
import { chooseOrganization, collectIds, toCount, toPast, toPastEnd } from '../../arguments.ts'
import { addCommand } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import { startProgress } from '../../progress.ts'
import type { Terminal } from '../../terminal.ts'
import { type Given, typed } from '../../typed.ts'

export function addReplay(webhooks: Command, terminal: Terminal): void {
  addCommand(webhooks, terminal, {
    name: 'replay',
    description: 'send notifications again unchanged: by event, by time, or all that failed',
    typed: REPLAY,
    organization: 'or_all',
    help: EXAMPLES,
    async run(app, options, { owner }) {
      const { dry_run = false } = options
      const count = options.delivery
        ? await replayDelivery(app, options.webhook, options.delivery, options)
        : await replayAll(terminal, app, await readReplayFilters(app, options, owner?.id), dry_run)
      const noun = count === 1 ? 'notification' : 'notifications'
      const verb = dry_run ? 'would be sent again' : `${count === 1 ? 'is' : 'are'} due again`
      return { shown: { count, dry_run }, text: `${count} ${noun} ${verb}.` }
    },
  })
}

const REPLAY = {
  webhook: typed('[webhook]', 'as `webhooks list` shows it; may be left out with --failed', toCount),
  delivery: typed('--delivery <event>', 'the notification of one event; may be given several times', collectIds),
  since: typed(
    '--since <date>',
    'events that happened at this time or later, such as 2030-01-31T18:00 or "10 minutes ago"',
    toPast,
  ),
  until: typed('--until <date>', 'events that happened before this time, or until the end of this day', toPastEnd),
  failed: typed('--failed', 'only notifications that failed after all attempts'),
  dry_run: typed('--dry-run', 'count the notifications and send nothing'),
}
type ReplayOptions = Given<typeof REPLAY>

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
  if (options.dry_run) await requireDeliveries(app.db, webhook, unique)
  else await runAction(app, operator(null), resendNotificationAction, { id: webhook, events: unique })
  return unique.length
}

async function readReplayFilters(app: App, options: ReplayOptions, chosen: number | undefined): Promise<ReplayFilters> {
  const { webhook, failed } = options
  if (!options.since && !options.until && !failed)
    throw new CommandError('Give --delivery and an event, --since or --until and a date, or --failed.')
  if (webhook === undefined && !failed)
    throw new CommandError('Name the webhook. Only --failed can replay the notifications of all webhooks.')
  const found = webhook === undefined ? undefined : await findWebhook(app.db, webhook)
  if (webhook !== undefined && (!found || (chosen ?? found.organization) !== found.organization))
    throw new CommandError(`There is no webhook ${webhook}.`)
  const organization = await chooseOrganization(app.db, found?.organization ?? chosen)
  const [since, until] = [options.since, options.until].map((time) => time?.(app.clock.now(), organization.time_zone))
  if (since && until && since >= until) throw new CommandError('--since must be before --until.')
  return { organization: organization.id, ...(webhook !== undefined && { webhook }), since, until, failed }
}

async function replayAll(terminal: Terminal, app: App, filters: ReplayFilters, is_dry: boolean): Promise<number> {
  const total = await countReplays(app.db, filters)
  if (is_dry) return total
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

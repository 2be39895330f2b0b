import type { Command } from 'commander'
import { operator, runAction } from '../../../actions/run.ts'
import { sendTestNotification, testAction } from '../../../actions/test-notification.ts'
import type { App } from '../../../app.ts'
import { endpointEntry, pauseWebhookAction, resumeWebhookAction } from '../../../core/events/actions.ts'
import { type EndpointEdit, editEndpoint } from '../../../core/events/endpoints.ts'
import { eventTypes, extraEventTypes } from '../../../core/events/events.ts'
import { failureWords } from '../../../core/events/failure-words.ts'
import {
  findWebhook,
  offeredEvent,
  type WebhookRow,
  webhookDescription,
  webhookTarget,
} from '../../../core/events/webhooks.ts'
import { createHostCheck } from '../../../core/target-urls.ts'
import { begin, type Reader } from '../../../db/client.ts'
import { jsonOption, toCount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { recordOperatorAction } from '../../operator-audit.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

interface JsonOption {
  json?: boolean
}

/** The commands that test, pause, resume and change a webhook. */
export function addManagement(webhooks: Command, terminal: Terminal): void {
  addTest(webhooks, terminal)
  addPause(webhooks, terminal)
  addEdit(webhooks, terminal)
}

function addTest(webhooks: Command, terminal: Terminal): void {
  webhooks
    .command('test')
    .description('send a sample of its event to a webhook now, signed and marked as a test, and show the answer')
    .argument('<webhook>', 'as `webhooks list` shows it', toCount)
    .addOption(jsonOption())
    .action((webhook: number, options: JsonOption) =>
      withApp(terminal, async (app) => {
        const row = await requireWebhook(app.db, webhook)
        const result = await sendTestNotification(app, row)
        await begin(app.db, (tx) => recordOperatorAction(tx, app, row.organization, testAction(row, result)))
        const words = result.failure === null ? undefined : failureWords(result.failure)
        const text = words
          ? `The test failed after ${result.duration_ms} ms: ${words.what}. ${words.advice}`
          : `${row.target} answered ${result.status} after ${result.duration_ms} ms.`
        printResult(terminal, { webhook, ...result }, { ...options, text })
      }),
    )
}

function addPause(webhooks: Command, terminal: Terminal): void {
  for (const verb of ['pause', 'resume'] as const)
    webhooks
      .command(verb)
      .description(
        verb === 'pause'
          ? 'send nothing to a webhook; its notifications are kept for EVENT_RETENTION_DAYS'
          : 'send to a webhook again, also what was kept while it was paused',
      )
      .argument('<webhook>', 'as `webhooks list` shows it', toCount)
      .addOption(jsonOption())
      .action((webhook: number, options: JsonOption) =>
        withApp(terminal, async (app) => {
          const action = verb === 'pause' ? pauseWebhookAction : resumeWebhookAction
          const { rows } = await runAction(app, operator(null), action, { id: webhook })
          const lines = rows.map(
            ({ id, event }) => `Webhook ${id} (${event}) ${verb === 'pause' ? 'is paused' : 'is not paused any more'}.`,
          )
          printResult(terminal, rows, { ...options, text: lines.join('\n') })
        }),
      )
}

interface EditOptions extends JsonOption {
  event?: string[]
  target?: string
  description?: string
}

function addEdit(webhooks: Command, terminal: Terminal): void {
  webhooks
    .command('edit')
    .description('change the target, the event types or the description of a webhook')
    .argument('<webhook>', 'as `webhooks list` shows it', toCount)
    .option('--target <url>', 'an https URL; what waits is sent there, too')
    .option('--event <types...>', 'all types that it is to receive; what waits of others is cancelled')
    .option('--description <text>', 'what people read about it; empty for none')
    .addOption(jsonOption())
    .action((webhook: number, options: EditOptions) =>
      withApp(terminal, (app) => edit(terminal, app, webhook, options)),
    )
}

async function edit(terminal: Terminal, app: App, webhook: number, options: EditOptions): Promise<void> {
  const { event, target, description } = options
  if (event === undefined && target === undefined && description === undefined)
    throw new CommandError('Give --target, --event or --description.')
  const events = app.config.EXTRA_EVENT_TYPES ? [...eventTypes, ...extraEventTypes] : eventTypes
  const changes: EndpointEdit = {}
  if (event !== undefined) changes.events = event.map((one) => parse('event', offeredEvent(events).safeParse(one)))
  if (target !== undefined) {
    changes.target = parse('target', webhookTarget.safeParse(target))
    await createHostCheck(app.config)(changes.target)
  }
  if (description !== undefined) changes.description = parse('description', webhookDescription.safeParse(description))
  const rows = await begin(app.db, async (tx) => {
    const changed = await editEndpoint(tx, app.clock.now(), webhook, changes, null)
    const { object, details } = endpointEntry(changed)
    const entry = { action: 'edit webhook', object_type: 'webhook', object, details } as const
    await recordOperatorAction(tx, app, changed[0]!.organization, entry)
    return changed
  })
  app.wake()
  const lines = rows.map((row) => `Webhook ${row.id}: ${row.event} to ${row.target}.`)
  printResult(terminal, rows, { ...options, text: lines.join('\n') })
}

/** @throws CommandError with the first fault of an option */
function parse<T>(
  option: string,
  result: { success: true; data: T } | { success: false; error: { issues: { message: string }[] } },
): T {
  if (result.success) return result.data
  throw new CommandError(`--${option}: ${result.error.issues[0]?.message}`)
}

async function requireWebhook(db: Reader, webhook: number): Promise<WebhookRow> {
  const found = await findWebhook(db, webhook)
  if (!found) throw new CommandError(`There is no webhook ${webhook}.`)
  return found
}

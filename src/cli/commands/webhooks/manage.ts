import type { Command } from 'commander'
import { operator } from '../../../actions/run.ts'
import { testWebhook } from '../../../actions/test-notification.ts'
import { editWebhookAction, pauseWebhookAction, resumeWebhookAction } from '../../../core/events/actions.ts'
import { failureWords } from '../../../core/events/failure-words.ts'
import { findWebhook, type WebhookRow } from '../../../core/events/webhooks.ts'
import type { Reader } from '../../../db/client.ts'
import { addActionCommand } from '../../action-command.ts'
import { jsonOption, toCount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

interface JsonOption {
  json?: boolean
}

/** The commands that test, pause, resume and change a webhook. */
export function addManagement(webhooks: Command, terminal: Terminal): void {
  addTest(webhooks, terminal)
  addActionCommand(webhooks, terminal, pauseWebhookAction)
  addActionCommand(webhooks, terminal, resumeWebhookAction)
  addActionCommand(webhooks, terminal, editWebhookAction, {
    read(_, edit) {
      if (edit.events === undefined && edit.target === undefined && edit.description === undefined)
        throw new CommandError('Give --target, --event or --description.')
      return edit
    },
  })
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
        const result = await testWebhook(app, operator(null), row)
        const words = result.failure === null ? undefined : failureWords(result.failure)
        const text = words
          ? `The test failed after ${result.duration_ms} ms: ${words.what}. ${words.advice}`
          : `${row.target} answered ${result.status} after ${result.duration_ms} ms.`
        printResult(terminal, { webhook, ...result }, { ...options, text })
      }),
    )
}

async function requireWebhook(db: Reader, webhook: number): Promise<WebhookRow> {
  const found = await findWebhook(db, webhook)
  if (!found) throw new CommandError(`There is no webhook ${webhook}.`)
  return found
}

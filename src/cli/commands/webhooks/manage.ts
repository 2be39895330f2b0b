import type { Command } from 'commander'
import { testWebhook } from '../../../actions/test-notification.ts'
import { editWebhookAction, pauseWebhookAction, resumeWebhookAction } from '../../../core/events/actions.ts'
import { failureWords } from '../../../core/events/failure-words.ts'
import { findWebhook } from '../../../core/events/webhooks.ts'
import { addActionCommand } from '../../action-command.ts'
import { toCount } from '../../arguments.ts'
import { addCommand } from '../../command.ts'
import { CommandError } from '../../errors.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'

/** The commands that test, pause, resume and change a webhook. */
export function addManagement(webhooks: Command, terminal: Terminal): void {
  addCommand(webhooks, terminal, {
    name: 'test',
    description: 'send a sample of its event to a webhook now, signed and marked as a test, and show the answer',
    typed: { webhook: typed('<webhook>', 'as `webhooks list` shows it', toCount) },
    async run(app, { webhook }, { actor }) {
      const row = await findWebhook(app.db, webhook)
      if (!row) throw new CommandError(`There is no webhook ${webhook}.`)
      const result = await testWebhook(app, actor, row)
      const words = result.failure === null ? undefined : failureWords(result.failure)
      const text = words
        ? `The test failed after ${result.duration_ms} ms: ${words.what}. ${words.advice}`
        : `${row.target} answered ${result.status} after ${result.duration_ms} ms.`
      return { shown: { webhook, ...result }, text }
    },
  })
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

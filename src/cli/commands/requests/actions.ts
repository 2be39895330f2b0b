import type { Command } from 'commander'
import { operator, runAction } from '../../../actions/run.ts'
import type { Action } from '../../../core/access/action.ts'
import { remindCustomerAction, retryRequestAction, sendPaymentLinkAction } from '../../../core/follow-ups/actions.ts'
import { byOption, findActor, jsonOption, toCount } from '../../arguments.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

/** The commands that remind a customer, try a request again, and send a payment link for it. */
export function addRequestActions(requests: Command, terminal: Terminal): void {
  addAction(requests, terminal, remindCustomerAction, {
    verb: 'remind',
    about: 'resend the instructions of an open request, and bring the next prompt forward',
    text: ({ prompt }) => (prompt ? 'The reminder is sent, and another prompt follows.' : 'The reminder is sent.'),
  })
  addAction(requests, terminal, retryRequestAction, {
    verb: 'retry',
    about: 'retry a failed or expired request',
    text: ({ id }) => `Request ${id} asks for the money again.`,
  })
  addAction(requests, terminal, sendPaymentLinkAction, {
    verb: 'link',
    about: 'send a payment link for a failed or expired request',
    text: ({ id, url }) => `Payment link ${id} is sent: ${url}`,
  })
}

function addAction<Made extends object>(
  requests: Command,
  terminal: Terminal,
  action: Action<typeof remindCustomerAction.input.shape, { organization: number; made: Made }>,
  { verb, about, text }: { verb: string; about: string; text(made: Made): string },
): void {
  requests
    .command(verb)
    .description(about)
    .argument('<id>', 'as `requests list` shows it', toCount)
    .option('--comment <text>', 'the reason, kept on record', '')
    .addOption(byOption())
    .addOption(jsonOption())
    .action((id: number, options: { comment: string; by?: string; json?: boolean }) =>
      withApp(terminal, async (app) => {
        const by = await findActor(app.db, options.by)
        const { made } = await runAction(app, operator(null, by), action, { id, comment: options.comment })
        printResult(terminal, made, { ...options, text: text(made) })
      }),
    )
}

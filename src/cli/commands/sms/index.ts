import type { Command } from 'commander'
import type { Terminal } from '../../terminal.ts'
import { addConsents } from './consents.ts'
import { addMessages } from './messages.ts'
import { addRoutes } from './routes.ts'
import { addUsage } from './usage.ts'

/** Add the commands about SMS: messages, routes, consent, usage and limits. */
export function addSms(program: Command, terminal: Terminal): void {
  const sms = program
    .command('sms')
    .description('SMS to customers: messages, routes over the connections, STOP, usage and limits')
  addMessages(sms, terminal)
  addRoutes(sms, terminal)
  addConsents(sms, terminal)
  addUsage(sms, terminal)
}

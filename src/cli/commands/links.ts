import type { Command } from 'commander'
import { paymentLinkList } from '../../actions/lists/documents.ts'
import { closePaymentLinkAction } from '../../core/checkout/actions.ts'
import { addActionCommand } from '../action-command.ts'
import { addListCommand } from '../list-command.ts'
import type { Terminal } from '../terminal.ts'

/** The commands for payment links. Links are created with the API and in the console, in the name of a user. */
export function addLinks(program: Command, terminal: Terminal): void {
  const links = program.command('links').description('payment links: pages on which customers pay')

  addListCommand(links, terminal, paymentLinkList)

  addActionCommand(links, terminal, closePaymentLinkAction)
}

import type { Command } from 'commander'
import { unassignedList } from '../../../actions/lists/books.ts'
import { assignPaymentAction } from '../../../core/collections/manual-actions.ts'
import { addActionCommand } from '../../action-command.ts'
import { addListCommand } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'

/** The commands for money that arrived for a receiver or currency without an account. */
export function addUnassignedPayments(collections: Command, terminal: Terminal): void {
  addListCommand(collections, terminal, unassignedList)

  addActionCommand(collections, terminal, assignPaymentAction)
}

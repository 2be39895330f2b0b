import type { Command } from 'commander'
import { assignPaymentAction } from '../../../core/collections/manual-actions.ts'
import {
  listUnassigned,
  type UnassignedPayment,
  type UnassignedState,
  unassignedStates,
} from '../../../core/connections/unassigned-payments.ts'
import { addActionCommand } from '../../action-command.ts'
import { addList, filter, type LimitOption } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'

/** The commands for money that arrived for a receiver or currency without an account. */
export function addUnassignedPayments(collections: Command, terminal: Terminal): void {
  addList<UnassignedPayment, UnassignedFilterOptions>(collections, terminal, {
    name: 'unassigned',
    description: 'list money for a receiver or in a currency without an account, newest first',
    filters: [
      filter('--state <state>', 'those in one state; the default is unassigned').choices(unassignedStates),
      filter('--network <code>', 'those of one network'),
      filter('--receiver <number>', 'those to one till or short code'),
      filter('--currency <code>', 'those in one currency'),
    ],
    limit: 'how many',
    help: EXAMPLES,
    read: (app, { limit, state = 'unassigned', network, receiver, currency }) => {
      const filters = { state, network, receiver, currency }
      return listUnassigned(app.db, filters, { limit, offset: 0, descending: true })
    },
    none: 'There is no such money.',
    columns: {
      id: 'id',
      'paid (UTC)': 'payment_date',
      network: 'network',
      receiver: 'receiver',
      phone: 'phonenumber',
      currency: 'currency',
      amount: 'amount',
      state: 'state',
      collection: 'collection',
      reference: 'reference',
      "network's id": 'remote_transaction_id',
    },
  })

  addActionCommand(collections, terminal, assignPaymentAction)
}

interface UnassignedFilterOptions extends LimitOption {
  state?: UnassignedState
  network?: string
  receiver?: string
  currency?: string
}

const EXAMPLES = `
Such money is in no books until it is assigned:
  $ npx kusanya collections assign 3 25                # by hand
  $ npx kusanya accounts receiver 25 sandbox 123456    # with all later money to this till`

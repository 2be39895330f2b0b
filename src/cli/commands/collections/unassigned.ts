import type { Command } from 'commander'
import { operator, runAction } from '../../../actions/run.ts'
import { assignPaymentAction } from '../../../core/collections/manual-actions.ts'
import {
  listUnassigned,
  type UnassignedPayment,
  type UnassignedState,
  unassignedStates,
} from '../../../core/connections/unassigned-payments.ts'
import { displayAmount } from '../../../lib/money.ts'
import { byOption, findActor, jsonOption, toCount } from '../../arguments.ts'
import { addList, filter, type LimitOption } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
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

  collections
    .command('assign')
    .description('assign unassigned money to an account of its currency')
    .argument('<payment>', 'as `collections unassigned` shows it', toCount)
    .argument('<account>', 'as `accounts list` shows it', toCount)
    .addOption(byOption())
    .addOption(jsonOption())
    .action((payment: number, account: number, options: { by?: string; json?: boolean }) =>
      withApp(terminal, async (app) => {
        const by = await findActor(app.db, options.by)
        const input = { id: payment, account }
        const { collection } = await runAction(app, operator(null, by), assignPaymentAction, input)
        const { id, currency, amount, collection_request: request } = collection
        const effect = request ? ` It fulfilled request ${request.id}.` : ''
        const text = `${currency} ${displayAmount(amount)} is in account ${account} now, as collection ${id}.${effect}`
        printResult(terminal, collection, { ...options, text })
      }),
    )
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

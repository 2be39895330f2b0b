import type { Command } from 'commander'
import { removeRouteAction, removeSenderAction, setRouteAction, setSenderAction } from '../../../core/sms/actions.ts'
import { listSenderIds, listSmsRoutes } from '../../../core/sms/routes.ts'
import { displayAmount } from '../../../lib/money.ts'
import { addActionCommand } from '../../action-command.ts'
import { addList } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'

/** `sms routes …` and `sms senders …`. */
export function addRoutes(sms: Command, terminal: Terminal): void {
  const routes = sms
    .command('routes')
    .description('which connections carry which messages')
    .addHelpText('after', EXAMPLES)
  addList(routes, terminal, {
    description: 'list the routes',
    organization: 'all',
    read: (app, _, owner) => listSmsRoutes(app.db, owner?.id),
    none: 'There are no routes: every active SMS connection carries everything, in the order of the priorities.',
    columns: {
      id: 'id',
      organization: (row) => row.organization ?? 'all',
      country: (row) => row.country ?? 'all',
      purpose: (row) => row.purpose ?? 'all',
      over: 'connection',
      as: 'sender_id',
      priority: 'priority',
      'price of a part': (row) => (row.price === null ? null : `${row.currency} ${displayAmount(row.price)}`),
    },
  })
  addActionCommand(routes, terminal, setRouteAction, { read: withOwn })
  addActionCommand(routes, terminal, removeRouteAction)
  addSenders(sms.command('senders').description('what phones show as the sender'), terminal)
}

/** Make what --organization names count for this organization only. */
function withOwn(_app: unknown, given: object, _words: unknown, owner: unknown) {
  return { ...given, own: owner !== undefined }
}

function addSenders(senders: Command, terminal: Terminal): void {
  addList(senders, terminal, {
    description: 'list the sender ids',
    organization: 'all',
    read: (app, _, owner) => listSenderIds(app.db, owner?.id),
    none: 'There are no sender ids: phones show those of the providers.',
    columns: {
      id: 'id',
      organization: (row) => row.organization ?? 'all',
      country: (row) => row.country ?? 'all',
      'sender id': 'sender_id',
    },
  })
  addActionCommand(senders, terminal, setSenderAction, { read: withOwn })
  addActionCommand(senders, terminal, removeSenderAction)
}

const EXAMPLES = `
Examples:
  $ npx kusanya sms routes set africas-talking --country UG --price 35 --currency UGX
  $ npx kusanya sms routes set twilio --priority 200`

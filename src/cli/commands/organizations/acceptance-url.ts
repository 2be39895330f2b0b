import type { Command } from 'commander'
import { listAcceptanceChecks } from '../../../core/collections/acceptance-checks.ts'
import {
  describeAcceptanceUrl,
  findAcceptanceUrl,
  removeAcceptanceUrlAction,
  setAcceptanceUrlAction,
} from '../../../core/collections/acceptance-urls.ts'
import { addActionCommand } from '../../action-command.ts'
import { addCommand } from '../../command.ts'
import { addList } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'

/** The commands for the URL that accepts or rejects unsolicited payments to an organization. */
export function addAcceptanceUrl(organizations: Command, terminal: Terminal): void {
  const acceptanceUrl = organizations
    .command('acceptance-url')
    .description('ask an organization before it accepts unsolicited payments')
    .addHelpText('after', EXAMPLES)

  addActionCommand(acceptanceUrl, terminal, setAcceptanceUrlAction)

  addCommand(acceptanceUrl, terminal, {
    name: 'show',
    description: 'show the acceptance URL of an organization',
    organization: 'one',
    async run(app, _, { owner }) {
      const found = await findAcceptanceUrl(app.db, owner.id)
      const text = found ? describeAcceptanceUrl(found) : 'There is no acceptance URL: all money is accepted.'
      return { shown: found ?? null, text }
    },
  })
  addActionCommand(acceptanceUrl, terminal, removeAcceptanceUrlAction)
  addAcceptanceChecks(acceptanceUrl, terminal)
}

function addAcceptanceChecks(acceptanceUrl: Command, terminal: Terminal): void {
  addList(acceptanceUrl, terminal, {
    name: 'checks',
    description: 'list the newest acceptance checks and their answers',
    organization: 'one',
    limit: 'how many',
    read: (app, { limit }, { id: organization }) => listAcceptanceChecks(app.db, { organization }, limit),
    none: 'There are no acceptance checks yet.',
    columns: {
      id: 'id',
      'created (UTC)': 'created',
      phone: 'phonenumber',
      currency: 'currency',
      amount: 'amount',
      collection: 'collection',
      answer: (row) => row.verdict && `${row.verdict}${row.unreachable ? ' (unreachable)' : ''}`,
      attempts: 'attempts',
      'reason or error': (row) => row.reason ?? row.last_error,
    },
  })
}

const EXAMPLES = `
Examples:
  $ npx kusanya organizations acceptance-url set https://shop.example/unrequested --unreachable reject --timeout 20
  $ npx kusanya organizations acceptance-url checks`

import type { Command } from 'commander'
import { type AcceptanceCheck, listAcceptanceChecks } from '../../../core/collections/acceptance-checks.ts'
import {
  describeAcceptanceUrl,
  findAcceptanceUrl,
  removeAcceptanceUrlAction,
  setAcceptanceUrlAction,
} from '../../../core/collections/acceptance-urls.ts'
import { addActionCommand } from '../../action-command.ts'
import { chooseOrganization, jsonOption, organizationOption } from '../../arguments.ts'
import { addList, type LimitOption, ofOne } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

/** The commands for the URL that accepts or rejects unsolicited payments to an organization. */
export function addAcceptanceUrl(organizations: Command, terminal: Terminal): void {
  const acceptanceUrl = organizations
    .command('acceptance-url')
    .description('ask an organization before it accepts unsolicited payments')
    .addHelpText('after', EXAMPLES)

  addActionCommand(acceptanceUrl, terminal, setAcceptanceUrlAction)

  acceptanceUrl
    .command('show')
    .description('show the acceptance URL of an organization')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((options: { organization?: number; json?: boolean }) =>
      withApp(terminal, async (app) => {
        const found = await findAcceptanceUrl(app.db, (await chooseOrganization(app.db, options.organization)).id)
        const text = found ? describeAcceptanceUrl(found) : 'There is no acceptance URL: all money is accepted.'
        printResult(terminal, found ?? null, { ...options, text })
      }),
    )

  addActionCommand(acceptanceUrl, terminal, removeAcceptanceUrlAction)
  addAcceptanceChecks(acceptanceUrl, terminal)
}

function addAcceptanceChecks(acceptanceUrl: Command, terminal: Terminal): void {
  addList<AcceptanceCheck, LimitOption>(acceptanceUrl, terminal, {
    name: 'checks',
    description: 'list the newest acceptance checks and their answers',
    filters: [organizationOption()],
    limit: 'how many',
    read: ofOne((app, organization, { limit }) => listAcceptanceChecks(app.db, { organization }, limit)),
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

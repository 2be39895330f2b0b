import type { Command } from 'commander'
import { createOrganization, listOrganizations, type Organization } from '../../../core/access/organizations.ts'
import { begin } from '../../../db/client.ts'
import { jsonOption } from '../../arguments.ts'
import { addList } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { addAcceptanceUrl } from './acceptance-url.ts'
import { addOrganizationsApproval } from './approval.ts'
import { addOrganizationsBillTokens } from './bill-tokens.ts'
import { addOrganizationsChanges } from './changes.ts'
import { addOrganizationsLimits } from './limits.ts'
import { addOrganizationsSecondFactor } from './second-factor.ts'

export function addOrganizations(program: Command, terminal: Terminal): void {
  const organizations = program.command('organizations').description('the businesses that use this installation')

  organizations
    .command('create')
    .description('create an organization, without users and accounts')
    .argument('<name>', 'the name that customers know; SMS show it')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ npx kusanya organizations create "Mama Grace Shop"')
    .action((name: string, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const organization = await begin(app.db, (tx) => createOrganization(tx, app.clock.now(), name))
        const text = `Created the organization ${organization.name} with the id ${organization.id}.`
        printResult(terminal, organization, { ...options, text })
      }),
    )

  addList<Organization>(organizations, terminal, {
    description: 'list all organizations',
    read: (app) => listOrganizations(app.db),
    none: 'There are no organizations yet. Create one with `npx kusanya setup`.',
    columns: {
      id: 'id',
      name: 'name',
      'created (UTC)': 'created',
      'second factor': (row) => (row.second_factor_required ? 'required' : null),
    },
  })

  addAcceptanceUrl(organizations, terminal)
  addOrganizationsApproval(organizations, terminal)
  addOrganizationsBillTokens(organizations, terminal)
  addOrganizationsLimits(organizations, terminal)
  addOrganizationsSecondFactor(organizations, terminal)
  addOrganizationsChanges(organizations, terminal)
}

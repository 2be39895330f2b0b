import type { Command } from 'commander'
import { createOrganization, listOrganizations } from '../../../core/access/organizations.ts'
import { begin } from '../../../db/client.ts'
import { jsonOption } from '../../arguments.ts'
import { formatShortTime, printResult, printRows } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { addAcceptanceUrl } from './acceptance-url.ts'
import { addOrganizationsApproval } from './approval.ts'

export function addOrganizations(program: Command, terminal: Terminal): void {
  const organizations = program
    .command('organizations')
    .description('the businesses that collect with this installation')

  organizations
    .command('create')
    .description('make an organization, without users and accounts')
    .argument('<name>', 'what customers know it by; texts carry it')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ npx kusanya organizations create "Mama Grace Shop"')
    .action((name: string, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const made = await begin(app.db, (tx) => createOrganization(tx, app.clock.now(), name))
        printResult(terminal, made, { ...options, text: `Made the organization ${made.name}; its id is ${made.id}.` })
      }),
    )

  organizations
    .command('list')
    .description('list all organizations')
    .addOption(jsonOption())
    .action((options: { json?: boolean }) =>
      withApp(terminal, async (app) =>
        printRows(terminal, await listOrganizations(app.db), {
          ...options,
          none: 'There is none yet. Make one with `npx kusanya setup`.',
          columns: [
            { title: 'id', value: (row) => row.id },
            { title: 'name', value: (row) => row.name },
            { title: 'created (UTC)', value: (row) => formatShortTime(row.created) },
          ],
        }),
      ),
    )

  addAcceptanceUrl(organizations, terminal)
  addOrganizationsApproval(organizations, terminal)
}

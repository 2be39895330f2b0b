import { type Command, InvalidArgumentError } from 'commander'
import type { App } from '../../../app.ts'
import { createOrganization, listOrganizations, type Organization } from '../../../core/access/organizations.ts'
import { NO_PLACE, readPlace } from '../../../core/access/places.ts'
import { begin } from '../../../db/client.ts'
import { MAX_CELL } from '../../../lib/text/cells.ts'
import { jsonOption } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addList } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { addAcceptanceUrl } from './acceptance-url.ts'
import { addOrganizationsApproval } from './approval.ts'
import { addOrganizationsBillTokens } from './bill-tokens.ts'
import { addOrganizationsChanges } from './changes.ts'
import { addOrganizationsApprovers, addOrganizationsLimits } from './limits.ts'
import { addOrganizationsMatching } from './matching.ts'
import { addOrganizationsPlace } from './place.ts'
import { addOrganizationsSecondFactor } from './second-factor.ts'

export function addOrganizations(program: Command, terminal: Terminal): void {
  const organizations = program.command('organizations').description('the businesses that use this installation')

  organizations
    .command('create')
    .description('create an organization, without users and accounts')
    .argument('<name>', 'the name that customers know; SMS show it')
    .option('--time-zone <name>', 'in which its days begin, such as Africa/Kampala; UTC unless given')
    .option('--country <code>', 'whose phone numbers need no country code, such as UG; none unless given')
    .option('--cell <number>', 'the cell that it shall live in; refuses where CELL is another', toCell)
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ npx kusanya organizations create "Mama Grace Shop"')
    .action((name: string, options: { timeZone?: string; country?: string; cell?: number; json?: boolean }) =>
      withApp(terminal, async (app) => {
        requireCell(app.config, options.cell)
        const { timeZone: time_zone = NO_PLACE.time_zone, country = null } = options
        const place = readPlace({ time_zone, country })
        const organization = await begin(app.db, (tx) => createOrganization(tx, app.clock.now(), name, place))
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
      'time zone': 'time_zone',
      country: 'country',
      'created (UTC)': 'created',
      'second factor': (row) => (row.second_factor_required ? 'required' : null),
    },
  })

  addAcceptanceUrl(organizations, terminal)
  addOrganizationsApproval(organizations, terminal)
  addOrganizationsApprovers(organizations, terminal)
  addOrganizationsBillTokens(organizations, terminal)
  addOrganizationsLimits(organizations, terminal)
  addOrganizationsMatching(organizations, terminal)
  addOrganizationsPlace(organizations, terminal)
  addOrganizationsSecondFactor(organizations, terminal)
  addOrganizationsChanges(organizations, terminal)
}

function toCell(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= MAX_CELL) return Number(text)
  throw new InvalidArgumentError(`It must be a number from 0 to ${MAX_CELL}.`)
}

/** Only the processes of a cell reach its database. @throws CommandError */
function requireCell({ CELL, CELLS }: App['config'], wanted = CELL): void {
  if (wanted === CELL) return
  const place = CELLS[wanted] === undefined ? '' : `, at ${CELLS[wanted]}`
  throw new CommandError(`This is cell ${CELL}. Run the command with the settings of cell ${wanted}${place}.`)
}

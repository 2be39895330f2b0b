import { type Command, InvalidArgumentError } from 'commander'
import type { App } from '../../../app.ts'
import { listOrganizations } from '../../../core/access/organizations.ts'
import { createOrganizationAction } from '../../../core/approvals/changes/user-actions.ts'
import { MAX_CELL } from '../../../lib/text/cells.ts'
import { addActionCommand } from '../../action-command.ts'
import { CommandError } from '../../errors.ts'
import { addList } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'
import { addAcceptanceUrl } from './acceptance-url.ts'
import { addOrganizationsApproval } from './approval.ts'
import { addOrganizationsBillTokens } from './bill-tokens.ts'
import { addOrganizationsChanges } from './changes.ts'
import { addOrganizationsApprovers, addOrganizationsLimits } from './limits.ts'
import { addOrganizationsMatching } from './matching.ts'
import { addOrganizationsMove } from './move/index.ts'
import { addOrganizationsPlace } from './place.ts'
import { addOrganizationsSecondFactor } from './second-factor.ts'

export function addOrganizations(program: Command, terminal: Terminal): void {
  const organizations = program.command('organizations').description('the businesses that use this installation')

  addActionCommand(organizations, terminal, createOrganizationAction, {
    words: { cell: typed('--cell <number>', 'the cell that it shall live in; refuses where CELL is another', toCell) },
    read({ config }, given, { cell }) {
      requireCell(config, cell)
      return given
    },
    help: '\nExample:\n  $ npx kusanya organizations create "Mama Grace Shop"',
  })

  addList(organizations, terminal, {
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
  addOrganizationsMove(organizations, terminal)
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

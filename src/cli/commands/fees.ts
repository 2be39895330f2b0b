import type { Command } from 'commander'
import { removeFeeAction, setFeeAction } from '../../core/ledger/actions.ts'
import { listFees } from '../../core/ledger/fees.ts'
import { addActionCommand } from '../action-command.ts'
import { CommandError } from '../errors.ts'
import { addList } from '../list-command.ts'
import type { Terminal } from '../terminal.ts'

export function addFees(program: Command, terminal: Terminal): void {
  const fees = program
    .command('fees')
    .description('the fees that organizations pay; without a fee everything is free')
    .addHelpText('after', EXAMPLES)

  addList(fees, terminal, {
    description: 'list the fees',
    organization: 'all',
    read: (app, _, owner) => listFees(app.db, owner?.id),
    none: 'There are no fees: nothing is charged.',
    columns: {
      id: 'id',
      organization: 'organization',
      kind: 'kind',
      currency: 'currency',
      network: (row) => row.network ?? 'every',
      fixed: 'fixed',
      percent: 'percent',
      min: 'min_fee',
      max: 'max_fee',
    },
  })

  addActionCommand(fees, terminal, setFeeAction, {
    read(_, input) {
      if (input.fixed === undefined && input.percent === undefined && input.min_fee === undefined)
        throw new CommandError('Give the amount with --fixed, --percent or --min. `fees remove` removes a fee.')
      return input
    },
  })
  addActionCommand(fees, terminal, removeFeeAction)
}

const EXAMPLES = `
Examples:
  $ npx kusanya fees set --kind payment --currency UGX --fixed 500 --percent 1 --max 5000
  $ npx kusanya fees set --kind collection --currency KES --percent 1.5 --min 2
  $ npx kusanya fees remove 3`

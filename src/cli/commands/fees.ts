import { type Command, Option } from 'commander'
import { operator, runAction } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import { removeFeeAction, setFeeAction } from '../../core/ledger/actions.ts'
import { type Fee, type FeeKind, feeKinds, listFees } from '../../core/ledger/fees.ts'
import { type Amount, displayAmount, shortAmount } from '../../lib/money.ts'
import { chooseOrganization, jsonOption, organizationOption, toAmount, toCount } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { addList } from '../list-command.ts'
import { printResult } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addFees(program: Command, terminal: Terminal): void {
  const fees = program
    .command('fees')
    .description('the fees that organizations pay; without a fee everything is free')
    .addHelpText('after', EXAMPLES)

  addList<Fee, { organization?: number }>(fees, terminal, {
    description: 'list the fees',
    filters: [organizationOption()],
    read: (app, { organization }) => listFees(app.db, organization),
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

  fees
    .command('set')
    .description('set the fee for one kind of transaction in one currency')
    .addOption(new Option('--kind <kind>', 'the kind of transaction').choices(feeKinds).makeOptionMandatory())
    .requiredOption('--currency <code>', 'such as UGX')
    .addOption(organizationOption())
    .option('--network <code>', 'on this network only; on every network without its own fee unless given')
    .option('--fixed <amount>', 'a fixed amount for each transaction', toAmount)
    .option('--percent <percent>', 'a percentage of the amount, such as 1.5', toAmount)
    .option('--min <amount>', 'the smallest fee', toAmount)
    .option('--max <amount>', 'the largest fee', toAmount)
    .addOption(jsonOption())
    .action((options: SetOptions) => withApp(terminal, (app) => setFeeFromOptions(terminal, app, options)))

  fees
    .command('remove')
    .description('remove a fee')
    .argument('<id>', 'as `fees list` shows it', toCount)
    .addOption(jsonOption())
    .action((id: number, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const fee = await runAction(app, operator(null), removeFeeAction, { id })
        printResult(terminal, fee, { ...options, text: `No longer charged: ${describe(fee)}.` })
      }),
    )
}

interface SetOptions {
  organization?: number
  kind: FeeKind
  currency: string
  network?: string
  fixed?: Amount
  percent?: Amount
  min?: Amount
  max?: Amount
  json?: boolean
}

async function setFeeFromOptions(terminal: Terminal, app: App, options: SetOptions): Promise<void> {
  const { kind, fixed, percent, min, max, network } = options
  if (fixed === undefined && percent === undefined && min === undefined)
    throw new CommandError('Give the amount with --fixed, --percent or --min. `fees remove` removes a fee.')
  const organization = await chooseOrganization(app.db, options.organization)
  const rates = { fixed, percent, min_fee: min, max_fee: max }
  const input = { kind, currency: options.currency, network, ...rates }
  const fee = await runAction(app, operator(organization.id), setFeeAction, input)
  printResult(terminal, fee, { ...options, text: `${organization.name} now pays: ${describe(fee)}.` })
}

function describe({ kind, currency, network, fixed, percent, min_fee, max_fee }: Fee): string {
  const parts = [
    fixed > 0n && `${currency} ${displayAmount(fixed)}`,
    percent > 0n && `${shortAmount(percent)} %`,
    min_fee > 0n && `at least ${displayAmount(min_fee)}`,
    max_fee !== null && `at most ${displayAmount(max_fee)}`,
  ].filter(Boolean)
  return `${parts.join(', ') || 'nothing'} for each ${kind} in ${currency} on ${network ?? 'every network'}`
}

const EXAMPLES = `
Examples:
  $ npx kusanya fees set --kind payment --currency UGX --fixed 500 --percent 1 --max 5000
  $ npx kusanya fees set --kind collection --currency KES --percent 1.5 --min 2
  $ npx kusanya fees remove 3`

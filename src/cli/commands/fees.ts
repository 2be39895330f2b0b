import { type Command, Option } from 'commander'
import type { App } from '../../app.ts'
import type { AuditAction } from '../../core/access/audit.ts'
import { type Fee, type FeeKind, feeKinds, listFees, removeFee, setFee } from '../../core/ledger/fees.ts'
import { begin } from '../../db/client.ts'
import { type Amount, displayAmount, shortAmount } from '../../lib/money.ts'
import { chooseOrganization, jsonOption, organizationOption, toAmount, toCount } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { addList } from '../list-command.ts'
import { recordOperatorAction } from '../operator-audit.ts'
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
        const fee = await begin(app.db, async (tx) => {
          const removed = await removeFee(tx, id)
          await recordOperatorAction(tx, app, removed.organization, auditActionOf('remove fee', removed))
          return removed
        })
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
  const { kind, fixed, percent, min, max = null, network = null } = options
  if (fixed === undefined && percent === undefined && min === undefined)
    throw new CommandError('Give the amount with --fixed, --percent or --min. `fees remove` removes a fee.')
  if (network !== null && kind === 'bill') throw new CommandError('Bills use no network: leave --network out.')
  if (network !== null && !app.connections.list().some((one) => one.code === network))
    throw new CommandError(
      `There is no network ${network} here. There are: ${[...new Set(app.connections.list().map((one) => one.code))].join(', ')}.`,
    )
  const organization = await chooseOrganization(app.db, options.organization)
  const currency = options.currency.toUpperCase()
  const rates = { fixed: fixed ?? 0n, percent: percent ?? 0n, min_fee: min ?? 0n, max_fee: max }
  const input = { organization: organization.id, kind, currency, network, ...rates }
  const fee = await begin(app.db, async (tx) => {
    const set = await setFee(tx, app.clock.now(), input)
    await recordOperatorAction(tx, app, organization.id, auditActionOf('set fee', set))
    return set
  })
  printResult(terminal, fee, { ...options, text: `${organization.name} now pays: ${describe(fee)}.` })
}

function auditActionOf(action: string, fee: Fee): AuditAction {
  return { action, object_type: 'fee', object: fee.id, details: { fee: describe(fee) } }
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

import { type Command, Option } from 'commander'
import type { App } from '../../app.ts'
import type { AuditAction } from '../../core/access/audit.ts'
import { type Fee, type FeeKind, feeKinds, listFees, removeFee, setFee } from '../../core/ledger/fees.ts'
import { begin } from '../../db/client.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import { chooseOrganization, jsonOption, organizationOption, toAmount, toCount } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { recordOperatorAction } from '../operator-audit.ts'
import { printResult, printRows } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addFees(program: Command, terminal: Terminal): void {
  const fees = program
    .command('fees')
    .description('what organizations are charged; without a fee everything is free')
    .addHelpText('after', EXAMPLES)

  fees
    .command('list')
    .description('list what is charged')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((options: { organization?: number; json?: boolean }) =>
      withApp(terminal, async (app) =>
        printRows(terminal, await listFees(app.db, options.organization), {
          ...options,
          none: 'There is none: nothing is charged.',
          columns: [
            { title: 'id', value: (row) => row.id },
            { title: 'organization', value: (row) => row.organization },
            { title: 'kind', value: (row) => row.kind },
            { title: 'currency', value: (row) => row.currency },
            { title: 'network', value: (row) => row.network ?? 'every' },
            { title: 'fixed', value: (row) => displayAmount(row.fixed) },
            { title: 'percent', value: (row) => displayAmount(row.percent) },
            { title: 'least', value: (row) => displayAmount(row.min_fee) },
            { title: 'most', value: (row) => (row.max_fee === null ? '' : displayAmount(row.max_fee)) },
          ],
        }),
      ),
    )

  fees
    .command('set')
    .description('say what is charged from now on for one kind of thing in one currency')
    .addOption(new Option('--kind <kind>', 'for what').choices(feeKinds).makeOptionMandatory())
    .requiredOption('--currency <code>', 'such as UGX')
    .addOption(organizationOption())
    .option('--network <code>', 'on this network only; else on every network that has no fee of its own')
    .option('--fixed <amount>', 'so much for each', toAmount)
    .option('--percent <percent>', 'and so much of the amount, such as 1.5', toAmount)
    .option('--least <amount>', 'never less', toAmount)
    .option('--most <amount>', 'never more', toAmount)
    .addOption(jsonOption())
    .action((options: SetOptions) => withApp(terminal, (app) => setFeeFromOptions(terminal, app, options)))

  fees
    .command('remove')
    .description('charge it no longer')
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
  least?: Amount
  most?: Amount
  json?: boolean
}

async function setFeeFromOptions(terminal: Terminal, app: App, options: SetOptions): Promise<void> {
  const { kind, fixed, percent, least: min_fee, most: max_fee = null, network = null } = options
  if (fixed === undefined && percent === undefined && min_fee === undefined)
    throw new CommandError('Say how much, with --fixed, --percent or --least. `fees remove` ends a fee.')
  if (network !== null && kind === 'bill') throw new CommandError('Bills go through no network: leave --network out.')
  if (network !== null && !app.networks.some((one) => one.code === network))
    throw new CommandError(
      `There is no network ${network} here. There are: ${app.networks.map((one) => one.code).join(', ')}.`,
    )
  const organization = await chooseOrganization(app.db, options.organization)
  const currency = options.currency.toUpperCase()
  const rates = { fixed: fixed ?? 0n, percent: percent ?? 0n, min_fee: min_fee ?? 0n, max_fee }
  const input = { organization: organization.id, kind, currency, network, ...rates }
  const fee = await begin(app.db, async (tx) => {
    const made = await setFee(tx, app.clock.now(), input)
    await recordOperatorAction(tx, app, organization.id, auditActionOf('set fee', made))
    return made
  })
  printResult(terminal, fee, { ...options, text: `${organization.name} is charged from now on: ${describe(fee)}.` })
}

function auditActionOf(action: string, fee: Fee): AuditAction {
  return { action, object_type: 'fee', object: fee.id, details: { fee: describe(fee) } }
}

function describe({ kind, currency, network, fixed, percent, min_fee, max_fee }: Fee): string {
  const parts = [
    fixed > 0n && `${currency} ${displayAmount(fixed)}`,
    percent > 0n && `${displayAmount(percent)} %`,
    min_fee > 0n && `at least ${displayAmount(min_fee)}`,
    max_fee !== null && `at most ${displayAmount(max_fee)}`,
  ].filter(Boolean)
  return `${parts.join(', ') || 'nothing'} for each ${kind} in ${currency} on ${network ?? 'every network'}`
}

const EXAMPLES = `
Examples:
  $ npx kusanya fees set --kind payment --currency UGX --fixed 500 --percent 1 --most 5000
  $ npx kusanya fees set --kind collection --currency KES --percent 1.5 --least 2
  $ npx kusanya fees remove 3`

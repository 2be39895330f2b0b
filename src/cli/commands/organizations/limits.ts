import type { Command } from 'commander'
import type { App } from '../../../app.ts'
import { limitNames } from '../../../core/control/kinds.ts'
import {
  type LimitAmounts,
  limitKinds,
  listPaymentLimits,
  type PaymentLimits,
  readPaymentLimits,
} from '../../../core/spending/limits.ts'
import { type Amount, displayAmount } from '../../../lib/money.ts'
import { chooseOrganization, jsonOption, organizationOption, toAmount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addList } from '../../list-command.ts'
import { makeOperatorChange } from '../../operator-changes.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

/** Add the commands for the limits on payments within 24 hours. */
export function addOrganizationsLimits(organizations: Command, terminal: Terminal): void {
  const limits = organizations
    .command('limits')
    .description('limit the total of payments in 24 hours')
    .addHelpText('after', EXAMPLES)

  limits
    .command('set')
    .description('set limits in a currency; the others stay as they are')
    .argument('<currency>', 'such as UGX')
    .option('--per-day <amount>', 'all payments together, or none', toLimit)
    .option('--per-recipient <amount>', 'payments to one phone number, or none', toLimit)
    .option('--per-user <amount>', 'payments that one user initiates, or none', toLimit)
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((currency: string, options: Options) =>
      withApp(terminal, (app) => setLimits(terminal, app, currency.toUpperCase(), options)),
    )

  limits
    .command('remove')
    .description('remove all limits in a currency')
    .argument('<currency>', 'such as UGX')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((currency: string, options: Options) =>
      withApp(terminal, (app) => {
        const none = { perDay: 'none', perRecipient: 'none', perUser: 'none' } as const
        return setLimits(terminal, app, currency.toUpperCase(), { ...options, ...none })
      }),
    )

  addList<PaymentLimits, { organization?: number }>(limits, terminal, {
    description: 'list the limits of payments',
    filters: [organizationOption()],
    read: (app, { organization }) => listPaymentLimits(app.db, organization),
    none: 'Payments have no limits.',
    columns: {
      organization: 'organization',
      currency: 'currency',
      'per day': 'per_day',
      'per recipient and day': 'per_recipient',
      'per user and day': 'per_user',
    },
  })
}

type Limit = Amount | 'none'

interface Options {
  perDay?: Limit
  perRecipient?: Limit
  perUser?: Limit
  organization?: number
  json?: boolean
}

function toLimit(text: string): Limit {
  return text === 'none' ? 'none' : toAmount(text)
}

async function setLimits(terminal: Terminal, app: App, currency: string, options: Options): Promise<void> {
  const { perDay, perRecipient, perUser } = options
  if (perDay === undefined && perRecipient === undefined && perUser === undefined)
    throw new CommandError('Give a limit with --per-day, --per-recipient or --per-user.')
  const { id: organization, name } = await chooseOrganization(app.db, options.organization)
  const before = await readPaymentLimits(app.db, organization, currency)
  const choose = (limit: Limit | undefined, earlier: Amount | null) =>
    limit === undefined ? earlier : limit === 'none' ? null : limit
  const limits: LimitAmounts = {
    per_day: choose(perDay, before.per_day),
    per_recipient: choose(perRecipient, before.per_recipient),
    per_user: choose(perUser, before.per_user),
  }
  await makeOperatorChange(app, organization, { kind: 'payment_limits', currency, ...limits })
  const text = `Payments of ${name} in ${currency} in 24 hours: ${describe(limits)}.`
  printResult(terminal, { organization, currency, ...limits }, { ...options, text })
}

function describe(limits: LimitAmounts): string {
  const parts = limitKinds.flatMap((kind) => {
    const amount = limits[kind]
    return amount === null ? [] : [`${limitNames[kind]} at most ${displayAmount(amount)}`]
  })
  return parts.join(', ') || 'no limits'
}

const EXAMPLES = `
Examples:
  $ npx kusanya organizations limits set UGX --per-day 20000000 --per-recipient 1000000
  $ npx kusanya organizations limits set UGX --per-user none
  $ npx kusanya organizations limits remove UGX

A payment that passes a limit is refused. A day begins at midnight UTC.`

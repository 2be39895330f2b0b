import type { Command } from 'commander'
import type { App } from '../../../app.ts'
import { approverLimitNames } from '../../../core/control/kinds.ts'
import {
  type ApproverLimitAmounts,
  approverLimitKinds,
  listApproverLimits,
  type NamedApproverLimits,
  readApproverLimits,
} from '../../../core/spending/approver-limits.ts'
import { type Amount, displayAmount } from '../../../lib/money.ts'
import { chooseMember, chooseOrganization, jsonOption, organizationOption, toAmount } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { addList } from '../../list-command.ts'
import { makeOperatorChange } from '../../operator-changes.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

/** The commands for how much a person may approve. */
export function addOrganizationsApprovers(organizations: Command, terminal: Terminal): void {
  const approvers = organizations
    .command('approvers')
    .description('limit how much a person may approve')
    .addHelpText('after', EXAMPLES)

  approvers
    .command('set')
    .description('set the limits of a person in a currency; the others stay as they are')
    .argument('<email>', 'the person who approves')
    .argument('<currency>', 'such as UGX')
    .option('--per-payment <amount>', 'the largest payment, or none', toLimit)
    .option('--per-day <amount>', 'all payments of 24 hours, or none', toLimit)
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((email: string, currency: string, options: Options) =>
      withApp(terminal, (app) => setLimits(terminal, app, { email, currency: currency.toUpperCase() }, options)),
    )

  approvers
    .command('remove')
    .description('remove the limits of a person in a currency')
    .argument('<email>', 'the person who approves')
    .argument('<currency>', 'such as UGX')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((email: string, currency: string, options: Options) =>
      withApp(terminal, (app) => {
        const none = { perPayment: 'none', perDay: 'none' } as const
        return setLimits(terminal, app, { email, currency: currency.toUpperCase() }, { ...options, ...none })
      }),
    )

  addList<NamedApproverLimits, { organization?: number }>(approvers, terminal, {
    description: 'list how much each person may approve',
    filters: [organizationOption()],
    read: (app, { organization }) => listApproverLimits(app.db, organization),
    none: 'Each approver may approve any amount.',
    columns: {
      organization: 'organization',
      email: 'email',
      currency: 'currency',
      'per payment': 'per_payment',
      'per day': 'per_day',
    },
  })
}

type Limit = Amount | 'none'

interface Options {
  perPayment?: Limit
  perDay?: Limit
  organization?: number
  json?: boolean
}

function toLimit(text: string): Limit {
  return text === 'none' ? 'none' : toAmount(text)
}

async function setLimits(
  terminal: Terminal,
  app: App,
  { email, currency }: { email: string; currency: string },
  options: Options,
): Promise<void> {
  const { perPayment, perDay } = options
  if (perPayment === undefined && perDay === undefined)
    throw new CommandError('Give a limit with --per-payment or --per-day.')
  const chosen = await chooseOrganization(app.db, options.organization)
  const organization = chosen.id
  const { id: user } = await chooseMember(app.db, chosen, email)
  const before = await readApproverLimits(app.db, { organization, user, currency })
  const choose = (limit: Limit | undefined, earlier: Amount | null) =>
    limit === undefined ? earlier : limit === 'none' ? null : limit
  const limits: ApproverLimitAmounts = {
    per_payment: choose(perPayment, before.per_payment),
    per_day: choose(perDay, before.per_day),
  }
  await makeOperatorChange(app, organization, { kind: 'approver_limits', user, currency, ...limits })
  const text = `${email} may approve in ${currency}: ${describe(limits)}.`
  printResult(terminal, { organization, user, currency, ...limits }, { ...options, text })
}

function describe(limits: ApproverLimitAmounts): string {
  const parts = approverLimitKinds.flatMap((kind) => {
    const amount = limits[kind]
    return amount === null ? [] : [`${approverLimitNames[kind]} at most ${displayAmount(amount)}`]
  })
  return parts.join(', ') || 'no limits'
}

const EXAMPLES = `
Examples:
  $ npx kusanya organizations approvers set finance@example.com UGX --per-payment 5000000 --per-day 20000000
  $ npx kusanya organizations approvers set finance@example.com UGX --per-day none
  $ npx kusanya organizations approvers list

An approval that passes a limit is refused. A day begins at midnight in the time zone of the organization.`

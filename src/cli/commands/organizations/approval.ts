import type { Command } from 'commander'
import { type ApprovalRule, listApprovalRules } from '../../../core/payments/approvals.ts'
import { type Amount, displayAmount } from '../../../lib/money.ts'
import { chooseOrganization, jsonOption, organizationOption, toAmount } from '../../arguments.ts'
import { addList } from '../../list-command.ts'
import { makeOperatorChange } from '../../operator-changes.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

/** The commands for the amounts above which a second person must approve a payment. */
export function addOrganizationsApproval(organizations: Command, terminal: Terminal): void {
  const approval = organizations
    .command('approval')
    .description('require a second person to approve payments above an amount')
    .addHelpText('after', EXAMPLES)

  approval
    .command('set')
    .description('require an approval above an amount in a currency')
    .argument('<currency>', 'such as UGX')
    .argument('<threshold>', 'such as 1000000; 0 requires an approval for every payment', toAmount)
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((currency: string, threshold: Amount, options: Options) =>
      writeRule(terminal, currency, threshold, options),
    )

  approval
    .command('remove')
    .description('require no approval any more; payments that wait for an approval still need it')
    .argument('<currency>', 'such as UGX')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((currency: string, options: Options) => writeRule(terminal, currency, null, options))

  addList<ApprovalRule, { organization?: number }>(approval, terminal, {
    description: 'list the amounts above which payments need an approval',
    filters: [organizationOption()],
    read: (app, { organization }) => listApprovalRules(app.db, organization),
    none: 'No payment needs an approval.',
    columns: {
      organization: 'organization',
      currency: 'currency',
      threshold: 'threshold',
    },
  })
}

interface Options {
  organization?: number
  json?: boolean
}

function writeRule(terminal: Terminal, code: string, threshold: Amount | null, options: Options): Promise<void> {
  return withApp(terminal, async (app) => {
    const { id: organization, name } = await chooseOrganization(app.db, options.organization)
    const rule = { organization, currency: code.toUpperCase(), threshold }
    await makeOperatorChange(app, organization, { kind: 'approval_rule', currency: rule.currency, threshold })
    const text =
      threshold === null
        ? `Payments of ${name} in ${rule.currency} need no approval any more.`
        : `Payments of ${name} above ${rule.currency} ${displayAmount(threshold)} now need the approval of a second person.`
    printResult(terminal, rule, { ...options, text })
  })
}

const EXAMPLES = `
Examples:
  $ npx kusanya organizations approval set UGX 1000000
  $ npx kusanya organizations approval remove UGX

A user who approves needs the permission approve_payments: \`npx kusanya users create --help\`.`

import type { Command } from 'commander'
import { operator, runAction } from '../../../actions/run.ts'
import { setApprovalAction } from '../../../core/control/change-actions.ts'
import { type ApprovalRule, listApprovalRules, readApprovalRule } from '../../../core/spending/approval-rules.ts'
import { type Amount, displayAmount } from '../../../lib/money.ts'
import { chooseOrganization, jsonOption, organizationOption, toAmount } from '../../arguments.ts'
import { addList } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

/** The commands for the amounts above which other persons must approve a payment. */
export function addOrganizationsApproval(organizations: Command, terminal: Terminal): void {
  const approval = organizations
    .command('approval')
    .description('require a second person to approve payments above an amount')
    .addHelpText('after', EXAMPLES)

  approval
    .command('set')
    .description('require an approval above an amount in a currency; what is not named stays as it is')
    .argument('<currency>', 'such as UGX')
    .argument('<threshold>', 'such as 1000000; 0 requires an approval for every payment', toAmount)
    .option('--second <amount>', 'above this two persons must approve, or none', toStep)
    .option('--third <amount>', 'above this three persons must approve, or none', toStep)
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((currency: string, threshold: Amount, options: Options) =>
      writeRule(terminal, currency, threshold, options),
    )

  approval
    .command('remove')
    .description('stop requiring approval; payments that already wait still need it')
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
      'second above': 'second_threshold',
      'third above': 'third_threshold',
    },
  })
}

interface Options {
  second?: Step
  third?: Step
  organization?: number
  json?: boolean
}

type Step = Amount | 'none'

function toStep(text: string): Step {
  return text === 'none' ? 'none' : toAmount(text)
}

function writeRule(terminal: Terminal, code: string, threshold: Amount | null, options: Options): Promise<void> {
  return withApp(terminal, async (app) => {
    const { id: organization, name } = await chooseOrganization(app.db, options.organization)
    const currency = code.toUpperCase()
    const above = (step: Step | undefined) => (step === 'none' ? null : step)
    const steps = { second_threshold: above(options.second), third_threshold: above(options.third) }
    const input = { currency, threshold: threshold ?? undefined, ...steps }
    await runAction(app, operator(organization), setApprovalAction, input)
    const rule = { organization, currency, ...(await readApprovalRule(app.db, organization, currency)) }
    printResult(terminal, rule, { ...options, text: describe(name, rule) })
  })
}

function describe(name: string, rule: Omit<ApprovalRule, 'threshold'> & { threshold: Amount | null }): string {
  const { currency, threshold, second_threshold, third_threshold } = rule
  if (threshold === null) return `Payments of ${name} in ${currency} no longer need approval.`
  const above = (amount: Amount) => `above ${currency} ${displayAmount(amount)}`
  return [
    `Payments of ${name} ${above(threshold)} now need the approval of a second person.`,
    ...(second_threshold === null ? [] : [`Those ${above(second_threshold)} need two approvals.`]),
    ...(third_threshold === null ? [] : [`Those ${above(third_threshold)} need three approvals.`]),
  ].join('\n')
}

const EXAMPLES = `
Examples:
  $ npx kusanya organizations approval set UGX 1000000
  $ npx kusanya organizations approval set UGX 1000000 --second 5000000 --third 20000000
  $ npx kusanya organizations approval remove UGX

A user who approves needs the permission approve_payments: \`npx kusanya users create --help\`.`

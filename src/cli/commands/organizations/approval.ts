import type { Command } from 'commander'
import { runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import type { Organization } from '../../../core/access/organizations.ts'
import { setApprovalAction } from '../../../core/approvals/changes/actions.ts'
import { type ApprovalRule, listApprovalRules, readApprovalRule } from '../../../core/spending/approval-rules.ts'
import { type Amount, displayAmount } from '../../../lib/money.ts'
import { toAmount, toAmountOrNone, toCurrency } from '../../arguments.ts'
import { addCommand, type Call, type Told } from '../../command.ts'
import { addList } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'

const CURRENCY = typed('<currency>', 'such as UGX', toCurrency)

/** The commands for the amounts above which other persons must approve a payment. */
export function addOrganizationsApproval(organizations: Command, terminal: Terminal): void {
  const approval = organizations
    .command('approval')
    .description('require a second person to approve payments above an amount')
    .addHelpText('after', EXAMPLES)

  addCommand(approval, terminal, {
    name: 'set',
    description: 'require an approval above an amount in a currency; what is not named stays as it is',
    typed: {
      currency: CURRENCY,
      threshold: typed('<threshold>', 'such as 1000000; 0 requires an approval for every payment', toAmount),
      second: typed('--second <amount>', 'above this two persons must approve, or none', toAmountOrNone),
      third: typed('--third <amount>', 'above this three persons must approve, or none', toAmountOrNone),
    },
    organization: 'one',
    run(app, { currency, threshold, second, third }, call) {
      const above = (step: Amount | 'none' | undefined) => (step === 'none' ? null : step)
      const rule = { currency, threshold, second_threshold: above(second), third_threshold: above(third) }
      return writeRule(app, rule, call)
    },
  })
  addCommand(approval, terminal, {
    name: 'remove',
    description: 'stop requiring approval; payments that already wait still need it',
    typed: { currency: CURRENCY },
    organization: 'one',
    run: (app, { currency }, call) => writeRule(app, { currency }, call),
  })
  addList(approval, terminal, {
    description: 'list the amounts above which payments need an approval',
    organization: 'all',
    read: (app, _, owner) => listApprovalRules(app.db, owner?.id),
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

async function writeRule(
  app: App,
  input: Parameters<typeof setApprovalAction.run>[2],
  { owner, actor }: Call<Organization>,
): Promise<Told> {
  await runAction(app, actor, setApprovalAction, input)
  const { currency } = input
  const shown = { organization: owner.id, currency, ...(await readApprovalRule(app.db, owner.id, currency)) }
  return { shown, text: describe(owner.name, shown) }
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

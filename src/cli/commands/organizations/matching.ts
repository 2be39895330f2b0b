import type { Command } from 'commander'
import { runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import type { Organization } from '../../../core/access/organizations.ts'
import { setMatchingThresholdAction } from '../../../core/approvals/changes/actions.ts'
import { setMatchingSettingsAction } from '../../../core/matching/actions.ts'
import { overpaymentRules } from '../../../core/matching/decide.ts'
import { type MatchingSettings, readMatchingSettings, unknownNumberRules } from '../../../core/matching/settings.ts'
import { listMatchingThresholds, type MatchingThreshold } from '../../../core/matching/thresholds.ts'
import { type Amount, displayAmount } from '../../../lib/money.ts'
import { toAmount } from '../../arguments.ts'
import { addCommand, type Told } from '../../command.ts'
import type { Terminal } from '../../terminal.ts'
import { chosen, typed } from '../../typed.ts'

/** Add the commands for the rules about unrequested money. */
export function addOrganizationsMatching(organizations: Command, terminal: Terminal): void {
  const matching = organizations
    .command('matching')
    .description('rules for unrequested money and for matching by hand')
    .addHelpText('after', EXAMPLES)

  addCommand(matching, terminal, {
    name: 'show',
    description: 'show the rules of an organization',
    organization: 'one',
    run: (app, _, { owner }) => tellRules(app, owner),
  })
  addCommand(matching, terminal, {
    name: 'set',
    description: 'change the rules; what is not named stays as it is',
    typed: {
      overpayment: chosen('--overpayment <rule>', 'more than an invoice asks for', overpaymentRules),
      unknown_number: chosen(
        '--unknown-number <rule>',
        'a typed number that nobody knows, where a network asks',
        unknownNumberRules,
      ),
      threshold: typed(
        '--two-persons-above <currency=amount>',
        'above this a second manager confirms what one person matches by hand, such as UGX=2000000 or UGX=none',
        toThreshold,
      ),
    },
    organization: 'one',
    async run(app, { threshold, ...given }, { owner, actor }) {
      if (threshold) await runAction(app, actor, setMatchingThresholdAction, threshold)
      if (given.overpayment ?? given.unknown_number) await runAction(app, actor, setMatchingSettingsAction, given)
      return tellRules(app, owner)
    },
  })
}

interface Threshold {
  currency: string
  threshold: Amount | null
}

/** `UGX=2000000` or `UGX=none`. */
function toThreshold(text: string): Threshold {
  const [currency = '', amount = ''] = text.split('=')
  return { currency: currency.toUpperCase(), threshold: amount === 'none' ? null : toAmount(amount) }
}

type Rules = MatchingSettings & { two_persons_above: MatchingThreshold[] }

async function tellRules({ db }: App, { id, name }: Organization): Promise<Told> {
  const two_persons_above = await listMatchingThresholds(db, id)
  const rules = { ...(await readMatchingSettings(db, id)), two_persons_above }
  return { shown: rules, text: describe(name, rules) }
}

const overpayments: Record<MatchingSettings['overpayment'], string> = {
  keep: 'stays unmatched',
  credit: 'becomes credit of the customer',
  return: 'is sent back',
}

const unknownNumbers: Record<MatchingSettings['unknown_number'], string> = {
  accept: 'is accepted and stays unmatched',
  reject: 'is rejected before it is taken',
}

function describe(name: string, { overpayment, unknown_number, two_persons_above }: Rules): string {
  return [
    `${name}: more than an invoice asks for ${overpayments[overpayment]}.`,
    `Money with an unknown number ${unknownNumbers[unknown_number]}, where the network asks.`,
    ...two_persons_above.map(
      ({ currency, threshold }) => `Two persons match more than ${currency} ${displayAmount(threshold)} by hand.`,
    ),
  ].join('\n')
}

const EXAMPLES = `
Examples:
  $ npx kusanya organizations matching set --overpayment credit
  $ npx kusanya organizations matching set --unknown-number reject
  $ npx kusanya organizations matching set --two-persons-above UGX=2000000`

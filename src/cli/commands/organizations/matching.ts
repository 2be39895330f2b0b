import { type Command, Option } from 'commander'
import { operator, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { setMatchingThresholdAction } from '../../../core/control/change-actions.ts'
import { setMatchingSettingsAction } from '../../../core/matching/actions.ts'
import { overpaymentRules } from '../../../core/matching/decide.ts'
import { type MatchingSettings, readMatchingSettings, unknownNumberRules } from '../../../core/matching/settings.ts'
import { listMatchingThresholds, type MatchingThreshold } from '../../../core/matching/thresholds.ts'
import { type Amount, displayAmount } from '../../../lib/money.ts'
import { chooseOrganization, jsonOption, organizationOption, toAmount } from '../../arguments.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

interface Options {
  organization?: number
  overpayment?: MatchingSettings['overpayment']
  unknownNumber?: MatchingSettings['unknown_number']
  twoPersonsAbove?: Threshold
  json?: boolean
}

/** Add the commands for the rules about unrequested money. */
export function addOrganizationsMatching(organizations: Command, terminal: Terminal): void {
  const matching = organizations
    .command('matching')
    .description('rules for unrequested money and for matching by hand')
    .addHelpText('after', EXAMPLES)

  matching
    .command('show')
    .description('show the rules of an organization')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((options: Options) =>
      withApp(terminal, async (app) => {
        const { id, name } = await chooseOrganization(app.db, options.organization)
        const rules = await readRules(app, id)
        printResult(terminal, rules, { ...options, text: describe(name, rules) })
      }),
    )

  matching
    .command('set')
    .description('change the rules; what is not named stays as it is')
    .addOption(new Option('--overpayment <rule>', 'more than an invoice asks for').choices(overpaymentRules))
    .addOption(
      new Option('--unknown-number <rule>', 'a typed number that nobody knows, where a network asks').choices(
        unknownNumberRules,
      ),
    )
    .option(
      '--two-persons-above <currency=amount>',
      'above this a second manager confirms what one person matches by hand, such as UGX=2000000 or UGX=none',
      toThreshold,
    )
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((options: Options) =>
      withApp(terminal, async (app) => {
        const { id, name } = await chooseOrganization(app.db, options.organization)
        const { twoPersonsAbove: threshold } = options
        if (threshold) await runAction(app, operator(id), setMatchingThresholdAction, threshold)
        const given = { overpayment: options.overpayment, unknown_number: options.unknownNumber }
        if (given.overpayment ?? given.unknown_number)
          await runAction(app, operator(id), setMatchingSettingsAction, given)
        const rules = await readRules(app, id)
        printResult(terminal, rules, { ...options, text: describe(name, rules) })
      }),
    )
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

async function readRules(app: App, organization: number): Promise<Rules> {
  const settings = await readMatchingSettings(app.db, organization)
  return { ...settings, two_persons_above: await listMatchingThresholds(app.db, organization) }
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

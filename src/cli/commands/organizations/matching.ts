import { type Command, Option } from 'commander'
import { overpaymentRules } from '../../../core/matching/decide.ts'
import {
  type MatchingSettings,
  readMatchingSettings,
  setMatchingSettings,
  unknownNumberRules,
} from '../../../core/matching/settings.ts'
import { begin } from '../../../db/client.ts'
import { chooseOrganization, jsonOption, organizationOption } from '../../arguments.ts'
import { recordOperatorAction } from '../../operator-audit.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

interface Options {
  organization?: number
  overpayment?: MatchingSettings['overpayment']
  unknownNumber?: MatchingSettings['unknown_number']
  json?: boolean
}

/** The commands for the rules about money that nobody asked for. */
export function addOrganizationsMatching(organizations: Command, terminal: Terminal): void {
  const matching = organizations
    .command('matching')
    .description('what is done with money that nobody asked for')
    .addHelpText('after', EXAMPLES)

  matching
    .command('show')
    .description('show the rules of an organization')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((options: Options) =>
      withApp(terminal, async (app) => {
        const { id, name } = await chooseOrganization(app.db, options.organization)
        const rules = await readMatchingSettings(app.db, id)
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
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((options: Options) =>
      withApp(terminal, async (app) => {
        const { id, name } = await chooseOrganization(app.db, options.organization)
        const given = { overpayment: options.overpayment, unknown_number: options.unknownNumber }
        const rules = await begin(app.db, async (tx) => {
          const set = await setMatchingSettings(tx, app.clock.now(), id, given)
          await recordOperatorAction(tx, app, id, { action: 'change matching settings', details: set })
          return set
        })
        printResult(terminal, rules, { ...options, text: describe(name, rules) })
      }),
    )
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

function describe(name: string, { overpayment, unknown_number }: MatchingSettings): string {
  return [
    `${name}: more than an invoice asks for ${overpayments[overpayment]}.`,
    `Money with an unknown number ${unknownNumbers[unknown_number]}, where the network asks.`,
  ].join('\n')
}

const EXAMPLES = `
Examples:
  $ npx kusanya organizations matching set --overpayment credit
  $ npx kusanya organizations matching set --unknown-number reject`

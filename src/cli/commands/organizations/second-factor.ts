import type { Command } from 'commander'
import { operator, runAction } from '../../../actions/run.ts'
import { moneyPermissions } from '../../../core/access/api-keys.ts'
import { listMembers } from '../../../core/access/organizations.ts'
import { hasSecondFactor } from '../../../core/access/second-factors.ts'
import { demandSecondFactorAction } from '../../../core/control/change-actions.ts'
import { chooseOrganization, jsonOption, organizationOption } from '../../arguments.ts'
import { CommandError } from '../../errors.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

/** The command that demands a second factor of users who move money, and shows who has none. */
export function addOrganizationsSecondFactor(organizations: Command, terminal: Terminal): void {
  organizations
    .command('second-factor')
    .description('require a second factor for users who move money or manage; show who has none')
    .argument('[demand]', 'on or off; without it the command only shows')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((demand: string | undefined, options: { organization?: number; json?: boolean }) =>
      withApp(terminal, async (app) => {
        if (demand !== undefined && demand !== 'on' && demand !== 'off')
          throw new CommandError(`Say on or off, not ${demand}.`)
        const { id, name } = await chooseOrganization(app.db, options.organization)
        if (demand) await runAction(app, operator(id), demandSecondFactorAction, { required: demand === 'on' })
        const { second_factor_required: required } = await chooseOrganization(app.db, id)
        const without: string[] = []
        for (const member of await listMembers(app.db, id)) {
          const moves_money = member.permissions.some((permission) => moneyPermissions.includes(permission))
          if (moves_money && !(await hasSecondFactor(app.db, member.id))) without.push(member.email)
        }
        const text = [
          `Users of ${name} who move money or manage ${required ? 'need a second factor' : 'need no second factor'}.`,
          ...(without.length > 0 ? [`No second factor: ${without.join(', ')}.`] : []),
        ].join('\n')
        printResult(terminal, { organization: id, required, without }, { ...options, text })
      }),
    )
}

const EXAMPLES = `
Examples:
  $ npx kusanya organizations second-factor on
  $ npx kusanya organizations second-factor

Users without one can sign in and set one up. Until then they can view, but not move money. API keys go on working.`

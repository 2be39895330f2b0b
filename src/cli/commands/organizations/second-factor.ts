import type { Command } from 'commander'
import { runAction } from '../../../actions/run.ts'
import { moneyPermissions } from '../../../core/access/api-keys.ts'
import { getOrganization, listMembers } from '../../../core/access/organizations.ts'
import { hasSecondFactor } from '../../../core/access/second-factors.ts'
import { demandSecondFactorAction } from '../../../core/approvals/changes/actions.ts'
import { addCommand } from '../../command.ts'
import type { Terminal } from '../../terminal.ts'
import { chosen } from '../../typed.ts'

/** The command that demands a second factor of users who move money, and shows who has none. */
export function addOrganizationsSecondFactor(organizations: Command, terminal: Terminal): void {
  addCommand(organizations, terminal, {
    name: 'second-factor',
    description: 'require a second factor for users who move money or manage; show who has none',
    typed: { demand: chosen('[demand]', 'on or off; without it the command only shows', ['on', 'off']) },
    organization: 'one',
    help: EXAMPLES,
    async run(app, { demand }, { owner: { id, name }, actor }) {
      if (demand) await runAction(app, actor, demandSecondFactorAction, { required: demand === 'on' })
      const { second_factor_required: required } = await getOrganization(app.db, id)
      const without: string[] = []
      for (const member of await listMembers(app.db, id)) {
        const moves_money = member.permissions.some((permission) => moneyPermissions.includes(permission))
        if (moves_money && !(await hasSecondFactor(app.db, member.id))) without.push(member.email)
      }
      const text = [
        `Users of ${name} who move money or manage ${required ? 'need a second factor' : 'need no second factor'}.`,
        ...(without.length > 0 ? [`No second factor: ${without.join(', ')}.`] : []),
      ]
      return { shown: { organization: id, required, without }, text }
    },
  })
}

const EXAMPLES = `
Examples:
  $ npx kusanya organizations second-factor on
  $ npx kusanya organizations second-factor

Users without one can sign in and set one up. Until then they can view, but not move money. API keys go on working.`

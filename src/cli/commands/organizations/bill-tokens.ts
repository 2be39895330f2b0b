import type { Command } from 'commander'
import { runAction } from '../../../actions/run.ts'
import { setBillTokensAction } from '../../../core/access/actions.ts'
import { getOrganization } from '../../../core/access/organizations.ts'
import { addCommand } from '../../command.ts'
import type { Terminal } from '../../terminal.ts'
import { chosen } from '../../typed.ts'

/** The command that lets customers get the tokens of prepaid purchases in an SMS. */
export function addOrganizationsBillTokens(organizations: Command, terminal: Terminal): void {
  addCommand(organizations, terminal, {
    name: 'bill-tokens',
    description: 'send the token of a prepaid purchase to its phone in an SMS, unless the purchase says otherwise',
    typed: { send: chosen('[send]', 'on or off; without it the command only shows', ['on', 'off']) },
    organization: 'one',
    help: '\nExample:\n  $ npx kusanya organizations bill-tokens on --organization 2',
    async run(app, { send }, { owner: { id, name }, actor }) {
      if (send) await runAction(app, actor, setBillTokensAction, { send: send === 'on' })
      const { send_bill_tokens } = await getOrganization(app.db, id)
      const text = `Customers of ${name} ${send_bill_tokens ? 'get' : 'do not get'} the tokens of prepaid purchases in an SMS.`
      return { shown: { organization: id, send_bill_tokens }, text }
    },
  })
}

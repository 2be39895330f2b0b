import { Argument, type Command } from 'commander'
import { operator, runAction } from '../../../actions/run.ts'
import { setBillTokensAction } from '../../../core/access/actions.ts'
import { chooseOrganization, jsonOption, organizationOption } from '../../arguments.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'

/** The command that lets customers get the tokens of prepaid purchases in an SMS. */
export function addOrganizationsBillTokens(organizations: Command, terminal: Terminal): void {
  organizations
    .command('bill-tokens')
    .description('send the token of a prepaid purchase to its phone in an SMS, unless the purchase says otherwise')
    .addArgument(new Argument('[send]', 'on or off; without it the command only shows').choices(['on', 'off']))
    .addOption(organizationOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ npx kusanya organizations bill-tokens on --organization 2')
    .action((send: 'on' | 'off' | undefined, options: { organization?: number; json?: boolean }) =>
      withApp(terminal, async (app) => {
        const { id, name } = await chooseOrganization(app.db, options.organization)
        if (send) await runAction(app, operator(id), setBillTokensAction, { send: send === 'on' })
        const { send_bill_tokens } = await chooseOrganization(app.db, id)
        const text = `Customers of ${name} ${send_bill_tokens ? 'get' : 'do not get'} the tokens of prepaid purchases in an SMS.`
        printResult(terminal, { organization: id, send_bill_tokens }, { ...options, text })
      }),
    )
}

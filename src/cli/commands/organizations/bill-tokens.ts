import { Argument, type Command } from 'commander'
import { setSendBillTokens } from '../../../core/access/organizations.ts'
import { begin } from '../../../db/client.ts'
import { chooseOrganization, jsonOption, organizationOption } from '../../arguments.ts'
import { recordOperatorAction } from '../../operator-audit.ts'
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
        if (send)
          await begin(app.db, async (tx) => {
            await setSendBillTokens(tx, app.clock.now(), id, send === 'on')
            const action = { action: 'change bill tokens', object_type: 'organization', object: id } as const
            await recordOperatorAction(tx, app, id, { ...action, details: { send } })
          })
        const { send_bill_tokens } = await chooseOrganization(app.db, id)
        const text = `Customers of ${name} ${send_bill_tokens ? 'get' : 'do not get'} the tokens of prepaid purchases in an SMS.`
        printResult(terminal, { organization: id, send_bill_tokens }, { ...options, text })
      }),
    )
}

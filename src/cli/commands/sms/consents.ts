import { type Command, InvalidArgumentError, Option } from 'commander'
import { optOutList } from '../../../actions/lists/sms.ts'
import { operator, runAction } from '../../../actions/run.ts'
import { removeConsentAction, removeRuleAction, setConsentAction, setRuleAction } from '../../../core/sms/actions.ts'
import { getConsentOf, type IncomingRow, listIncomingSms, type SmsConsent } from '../../../core/sms/consents.ts'
import { type CountryRule, readCountryRules } from '../../../core/sms/country-rules.ts'
import { addActionCommand } from '../../action-command.ts'
import { jsonOption, organizationOption } from '../../arguments.ts'
import { addList, addListCommand, filter, type LimitOption } from '../../list-command.ts'
import { printResult } from '../../print.ts'
import { withApp } from '../../service/with-app.ts'
import type { Terminal } from '../../terminal.ts'
import { completePhone, toTypedPhone } from '../../typed-phones.ts'

/** `sms opt-outs …`, `sms incoming` and `sms rules …`. */
export function addConsents(sms: Command, terminal: Terminal): void {
  const opt_outs = sms.command('opt-outs').description('opt-outs and opt-ins for messages that are not transactional')
  addListCommand(opt_outs, terminal, optOutList)
  addActionCommand(opt_outs, terminal, setConsentAction)
  addActionCommand(opt_outs, terminal, setConsentAction, {
    cli: {
      ...setConsentAction.cli!,
      path: 'sms opt-outs consent',
      description: 'opt a customer in to such messages, for countries that require it',
    },
    read: (_, input) => ({ ...input, state: 'given' }),
  })
  addRemove(opt_outs, terminal)
  addIncoming(sms, terminal)
  addRules(sms.command('rules').description('quiet hours and consent by country'), terminal)
}

interface ConsentOptions {
  phone?: string
  state?: SmsConsent['state']
  organization?: number
  json?: boolean
}

function addRemove(parent: Command, terminal: Terminal): void {
  parent
    .command('remove')
    .description('delete the choice of a customer')
    .argument('<phone>', 'such as +256772000001', toTypedPhone)
    .addOption(new Option('-o, --organization <id>', 'to this organization only').argParser(Number))
    .addOption(jsonOption())
    .action((typed: string, options: ConsentOptions) =>
      withApp(terminal, async (app) => {
        const { organization = null } = options
        const phonenumber = await completePhone(app.db, typed, organization)
        const { id } = await getConsentOf(app.db, phonenumber, organization)
        const removed = await runAction(app, operator(organization), removeConsentAction, { id })
        printResult(terminal, removed, { ...options, text: `The choice of ${phonenumber} is deleted.` })
      }),
    )
}

function addIncoming(sms: Command, terminal: Terminal): void {
  addList<IncomingRow, { phone?: string; organization?: number } & LimitOption>(sms, terminal, {
    name: 'incoming',
    description: 'list the newest messages of customers to us',
    filters: [filter('--phone <number>', 'those of one customer', toTypedPhone), organizationOption()],
    limit: 'how many',
    read: (app, { phone, organization, limit }) =>
      listIncomingSms(
        app.db,
        { ...(phone !== undefined && { phonenumber: phone }), ...(organization !== undefined && { organization }) },
        limit,
      ),
    none: 'No customer has sent a message.',
    columns: {
      'received (UTC)': 'received',
      from: 'phonenumber',
      to: 'recipient',
      over: 'connection',
      meaning: 'meaning',
      text: (row) => row.body.replace(/\s+/g, ' '),
    },
  })
}

type ListedRule = CountryRule & { is_set: boolean }

function addRules(rules: Command, terminal: Terminal): void {
  addList<ListedRule>(rules, terminal, {
    description: 'list the rules of the countries',
    read: async (app) =>
      [...(await readCountryRules(app.db)).values()].sort((a, b) => (a.country < b.country ? -1 : 1)),
    none: 'There are no rules.',
    columns: {
      country: 'country',
      'time zone': 'time_zone',
      'quiet hours': (row) => (row.quiet_from === null ? 'none' : `${row.quiet_from}-${row.quiet_until}`),
      consent: (row) => (row.consent_required ? 'required' : 'not required'),
      from: (row) => (row.is_set ? 'you' : 'the program'),
    },
  })
  addActionCommand(rules, terminal, setRuleAction, {
    options: [
      new Option('--quiet <hours>', 'such as 20:00-08:00, or "none"').argParser(toHours),
      new Option('--consent <rule>').choices(['required', 'not-required']),
    ],
    read: (_, input, { quiet, consent }: RuleOptions) => ({
      ...input,
      ...quiet,
      ...(consent && { consent_required: consent === 'required' }),
    }),
  })
  addActionCommand(rules, terminal, removeRuleAction)
}

interface RuleOptions {
  quiet?: { quiet_from: string; quiet_until: string }
  consent?: 'required' | 'not-required'
}

function toHours(text: string): { quiet_from: string; quiet_until: string } {
  if (text === 'none') return { quiet_from: '', quiet_until: '' }
  const [, quiet_from, quiet_until] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? []
  if (quiet_from === undefined || quiet_until === undefined)
    throw new InvalidArgumentError('They must be hours such as 20:00-08:00, or "none".')
  return { quiet_from, quiet_until }
}

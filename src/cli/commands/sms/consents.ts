import { type Command, InvalidArgumentError } from 'commander'
import { optOutList } from '../../../actions/lists/sms.ts'
import { runAction } from '../../../actions/run.ts'
import { removeConsentAction, removeRuleAction, setConsentAction, setRuleAction } from '../../../core/sms/actions.ts'
import { getConsentOf, listIncomingSms } from '../../../core/sms/consents.ts'
import { readCountryRules } from '../../../core/sms/country-rules.ts'
import { addActionCommand } from '../../action-command.ts'
import { addCommand } from '../../command.ts'
import { addList, addListCommand } from '../../list-command.ts'
import type { Terminal } from '../../terminal.ts'
import { chosen, typed } from '../../typed.ts'
import { toTypedPhone } from '../../typed-phones.ts'

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

function addRemove(parent: Command, terminal: Terminal): void {
  addCommand(parent, terminal, {
    name: 'remove',
    description: 'delete the choice of a customer',
    typed: { phone: typed('<phone>', 'such as +256772000001', toTypedPhone) },
    organization: 'or_all',
    async run(app, { phone }, { owner, actor }) {
      const { id } = await getConsentOf(app.db, phone, owner?.id ?? null)
      const removed = await runAction(app, actor, removeConsentAction, { id })
      return { shown: removed, text: `The choice of ${phone} is deleted.` }
    },
  })
}

function addIncoming(sms: Command, terminal: Terminal): void {
  addList(sms, terminal, {
    name: 'incoming',
    description: 'list the newest messages of customers to us',
    typed: { phone: typed('--phone <number>', 'those of one customer', toTypedPhone) },
    organization: 'all',
    limit: 'how many',
    read(app, { phone, limit }, owner) {
      const filters = { ...(phone !== undefined && { phonenumber: phone }), ...(owner && { organization: owner.id }) }
      return listIncomingSms(app.db, filters, limit)
    },
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

function addRules(rules: Command, terminal: Terminal): void {
  addList(rules, terminal, {
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
    words: {
      quiet: typed('--quiet <hours>', 'such as 20:00-08:00, or "none"', toHours),
      consent: chosen('--consent <rule>', '', ['required', 'not-required']),
    },
    read: (_, given, { quiet, consent }) => ({
      ...given,
      ...quiet,
      ...(consent && { consent_required: consent === 'required' }),
    }),
  })
  addActionCommand(rules, terminal, removeRuleAction)
}

function toHours(text: string): { quiet_from: string; quiet_until: string } {
  if (text === 'none') return { quiet_from: '', quiet_until: '' }
  const [, quiet_from, quiet_until] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? []
  if (quiet_from === undefined || quiet_until === undefined)
    throw new InvalidArgumentError('They must be hours such as 20:00-08:00, or "none".')
  return { quiet_from, quiet_until }
}

import { type Command, Option } from 'commander'
import { operator, runAction } from '../../actions/run.ts'
import { issueReceiptAction, sendReceiptAction, setReceiptSettingsAction } from '../../core/receipts/actions.ts'
import type { Receipt } from '../../core/receipts/receipt.ts'
import { listReceipts } from '../../core/receipts/receipts.ts'
import { type ReceiptSettings, readReceiptSettings } from '../../core/receipts/settings.ts'
import type { NewSendBody } from '../../core/sms/document-sends.ts'
import { displayAmount } from '../../lib/money.ts'
import { type Language, languages } from '../../lib/text/languages.ts'
import { chooseOrganization, jsonOption, organizationOption, toCount } from '../arguments.ts'
import { addList, filter, type LimitOption, newest, ofEach } from '../list-command.ts'
import { printResult } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'
import { toTypedPhone } from '../typed-phones.ts'

/** The commands for receipts of payments. */
export function addReceipts(program: Command, terminal: Terminal): void {
  const receipts = program.command('receipts').description('receipts of payments: numbers, pages and who got them')

  addList<Receipt, LimitOption & { organization?: number; number?: string; phonenumber?: string }>(receipts, terminal, {
    description: 'list the newest receipts',
    filters: [
      organizationOption(),
      filter('--number <number>', 'only this one, such as R-000012'),
      filter('--phonenumber <number>', 'only those of this phone').argParser(toTypedPhone),
    ],
    limit: 'how many for each organization',
    read: ofEach((app, organization, { number, phonenumber, limit }) =>
      listReceipts(app.db, organization, { number, phonenumber }, newest(limit), app.address.url),
    ),
    none: 'There are no such receipts. `receipts issue` makes one; `receipts automatic` has one made for every payment.',
    columns: {
      id: 'id',
      number: 'number',
      amount: ({ amount, currency }) => `${currency} ${displayAmount(amount)}`,
      phonenumber: 'phonenumber',
      state: 'state',
      collection: 'collection',
      sent: ({ sends }) => sends.map(({ channel, state }) => `${channel} ${state}`).join(', '),
      url: 'url',
    },
  })
  addIssue(receipts, terminal)
  addSend(receipts, terminal)
  addAutomatic(receipts, terminal)
}

function addIssue(receipts: Command, terminal: Terminal): void {
  receipts
    .command('issue')
    .description('issue the receipt of a payment, or show the existing one')
    .argument('<collection>', 'as `collections list` shows it', toCount)
    .addOption(jsonOption())
    .action((id: number, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const receipt = await runAction(app, operator(null), issueReceiptAction, { collection: id })
        printResult(terminal, receipt, { ...options, text: `Receipt ${receipt.number}: ${receipt.url}` })
      }),
    )
}

function addSend(receipts: Command, terminal: Terminal): void {
  receipts
    .command('send')
    .description('send a receipt to the phone that paid, or by e-mail')
    .argument('<id>', 'as `receipts list` shows it', toCount)
    .option('--email [address]', 'by e-mail, to this address or to the address of the contact')
    .addOption(jsonOption())
    .action((id: number, options: { email?: string | true; json?: boolean }) =>
      withApp(terminal, async (app) => {
        const { email } = options
        const body: NewSendBody = {
          channel: email === undefined ? 'sms' : 'email',
          email: typeof email === 'string' ? email : undefined,
        }
        const done = await runAction(app, operator(null), sendReceiptAction, { id, ...body })
        const { receipt, channel, recipient } = done
        const sent = { id, number: receipt.number, channel, recipient }
        const text = `Receipt ${sent.number} goes to ${sent.recipient}. The running service sends it.`
        printResult(terminal, sent, { ...options, text })
      }),
    )
}

interface AutomaticOptions {
  every?: 'on' | 'off'
  sms?: 'on' | 'off'
  email?: 'on' | 'off'
  language?: Language
  organization?: number
  json?: boolean
}

function addAutomatic(receipts: Command, terminal: Terminal): void {
  const onOff = (flags: string, text: string) => new Option(flags, text).choices(['on', 'off'])
  receipts
    .command('automatic')
    .description('issue and send a receipt for every payment; without options it only shows the settings')
    .addOption(onOff('--every <on|off>', 'make one for every payment'))
    .addOption(onOff('--sms <on|off>', 'and send it to the phone that paid'))
    .addOption(onOff('--email <on|off>', 'and send it to the e-mail address of the contact, if there is one'))
    .addOption(new Option('--language <code>', 'the language of SMS and mails').choices(languages))
    .addOption(organizationOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ npx kusanya receipts automatic --sms on --language sw --organization 2')
    .action((options: AutomaticOptions) =>
      withApp(terminal, async (app) => {
        const { id, name } = await chooseOrganization(app.db, options.organization)
        const changed = applyOptions(await readReceiptSettings(app.db, id), options)
        const { settings } = await runAction(app, operator(id), setReceiptSettingsAction, changed)
        printResult(terminal, { organization: id, ...settings }, { ...options, text: describeSettings(name, settings) })
      }),
    )
}

/**
 * Apply the options. `--every off` also switches automatic sending off, because it needs receipts for every payment.
 */
function applyOptions(current: ReceiptSettings, { every, sms, email, language }: AutomaticOptions): ReceiptSettings {
  const choose = (chosen: 'on' | 'off' | undefined, before: boolean) =>
    chosen === undefined ? before && every !== 'off' : chosen === 'on'
  return {
    every_payment: choose(every, current.every_payment),
    sms: choose(sms, current.sms),
    email: choose(email, current.email),
    language: language ?? current.language,
  }
}

function describeSettings(name: string, { every_payment, sms, email, language }: ReceiptSettings): string {
  if (!every_payment) return `${name} makes a receipt when one is asked for.`
  const ways = [...(sms ? ['by SMS'] : []), ...(email ? ['by e-mail'] : [])].join(' and ')
  return `${name} makes a receipt for every payment${ways && `, and sends it ${ways} (${language})`}.`
}

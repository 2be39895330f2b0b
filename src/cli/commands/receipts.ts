import type { Command } from 'commander'
import { receiptList } from '../../actions/lists/documents.ts'
import { issueReceiptAction, sendReceiptAction, setReceiptSettingsAction } from '../../core/receipts/actions.ts'
import { type ReceiptSettings, readReceiptSettings } from '../../core/receipts/settings.ts'
import { type Language, languages } from '../../lib/text/languages.ts'
import { addActionCommand } from '../action-command.ts'
import { bySmsOrMail } from '../arguments.ts'
import { addListCommand } from '../list-command.ts'
import type { Terminal } from '../terminal.ts'
import { chosen } from '../typed.ts'

/** The commands for receipts of payments. */
export function addReceipts(program: Command, terminal: Terminal): void {
  const receipts = program.command('receipts').description('receipts of payments: numbers, pages and who got them')

  addListCommand(receipts, terminal, receiptList)
  addActionCommand(receipts, terminal, issueReceiptAction)
  addActionCommand(receipts, terminal, sendReceiptAction, bySmsOrMail)
  addAutomatic(receipts, terminal)
}

function addAutomatic(receipts: Command, terminal: Terminal): void {
  const on_off = ['on', 'off'] as const
  addActionCommand(receipts, terminal, setReceiptSettingsAction, {
    help: '\nExample:\n  $ npx kusanya receipts automatic --sms on --language sw --organization 2',
    words: {
      every: chosen('--every <on|off>', 'make one for every payment', on_off),
      sms: chosen('--sms <on|off>', 'and send it to the phone that paid', on_off),
      email: chosen('--email <on|off>', 'and send it to the e-mail address of the contact, if there is one', on_off),
      language: chosen('--language <code>', 'the language of SMS and mails', languages),
    },
    read: async (app, _, words, owner) => applyOptions(await readReceiptSettings(app.db, owner!.id), words),
  })
}

interface AutomaticOptions {
  every: 'on' | 'off' | undefined
  sms: 'on' | 'off' | undefined
  email: 'on' | 'off' | undefined
  language: Language | undefined
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

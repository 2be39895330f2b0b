import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Language } from '../../lib/text/languages.ts'
import { isPhone } from '../contacts/phones.ts'
import { type Channel, chooseRecipient, type NewSendBody, sendDocuments } from '../sms/document-sends.ts'
import type { ReceiptRow } from './receipt.ts'
import { receiptMail, receiptSms } from './words.ts'

/** Settings for sending receipts. `has_mail`: true if the service has a mail server. */
export interface SendOptions {
  language: Language
  base_url: string
  has_mail: boolean
}

/** Chooses the channel and the address of a receipt. @throws Invalid if there is no address, or no way to it */
export function chooseSend(receipt: ReceiptRow, body: NewSendBody, { has_mail }: SendOptions): NewSend {
  const phone = isPhone(receipt.phonenumber) ? receipt.phonenumber : null
  const addressee = {
    phone,
    email: receipt.contact.email,
    phone_is: 'the phone that paid',
    no_phone: getMessage('customers.phone_erased'),
  }
  return { receipt, ...chooseRecipient(addressee, body, has_mail) }
}

/** A receipt on its way to one recipient. */
interface NewSend {
  receipt: ReceiptRow
  channel: Channel
  recipient: string
}

/** Recipients of receipts that are sent automatically: the phone that paid, and the address of the contact. */
export function automaticSends(
  receipts: readonly ReceiptRow[],
  wanted: { sms: boolean; email: boolean },
  { has_mail }: SendOptions,
): NewSend[] {
  return receipts.flatMap((receipt): NewSend[] => {
    const address = receipt.contact.email
    return [
      ...(wanted.sms && isPhone(receipt.phonenumber)
        ? [{ receipt, channel: 'sms' as const, recipient: receipt.phonenumber }]
        : []),
      ...(wanted.email && has_mail && address ? [{ receipt, channel: 'email' as const, recipient: address }] : []),
    ]
  })
}

/** Puts receipts into the outboxes of SMS and mails. @param author the user who asked for it; null for none */
export function sendReceipts(
  tx: Tx,
  now: Date,
  sends: readonly NewSend[],
  { language, base_url }: SendOptions,
  author: number | null,
): Promise<void> {
  const messages = sends.map(({ receipt, channel, recipient }) => ({
    document: receipt.id,
    organization: receipt.organization,
    channel,
    recipient,
    purpose: 'success' as const,
    sms: receiptSms(receipt, language, base_url),
    mail: receiptMail(receipt, language, base_url),
  }))
  return sendDocuments(tx, now, 'receipt', messages, author)
}

import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { Invalid } from '../refusals.ts'
import { chooseRecipient, type NewSendBody, sendDocuments } from '../sms/document-sends.ts'
import { type InvoiceRow, phoneOf, whyNoPhone } from './invoice.ts'
import { invoiceMail, invoiceSms } from './words.ts'

/**
 * Puts an invoice into the outbox of SMS or mails.
 * @param options.user who asked for it; null for an operator
 * @throws Invalid for a draft or a void one, and if there is no address or no way to it
 */
export async function sendInvoice(
  tx: Tx,
  invoice: InvoiceRow,
  body: NewSendBody,
  options: { now: Date; base_url: string; has_mail: boolean; user: number | null },
): Promise<{ channel: 'sms' | 'email'; recipient: string }> {
  const { id, organization, state, customer } = invoice
  const { now, base_url, has_mail, user } = options
  if (state === 'draft') throw new Invalid({ state: [getMessage('invoices.issue_first')] })
  if (state === 'void') throw new Invalid({ state: [getMessage('invoices.void')] })
  const addressee = {
    phone: phoneOf(invoice),
    email: customer.erased ? null : customer.email,
    phone_is: 'the phone of the customer',
    no_phone: whyNoPhone(invoice),
  }
  const chosen = chooseRecipient(addressee, body, has_mail)
  const message = {
    document: id,
    organization,
    purpose: 'payment_link' as const,
    ...chosen,
    sms: invoiceSms(invoice, base_url),
    mail: invoiceMail(invoice, base_url),
  }
  await sendDocuments(tx, now, 'invoice', [message], user)
  return chosen
}

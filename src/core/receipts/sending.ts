import { z } from 'zod'
import type { Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import type { Language } from '../../lib/text/languages.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { email } from '../access/invitations.ts'
import { queueMails } from '../access/mails.ts'
import { ERASED_PREFIX } from '../contacts/erasure.ts'
import { errorMessage, fieldMessages, optional } from '../fields.ts'
import { Invalid } from '../refusals.ts'
import { queueSms } from '../sms/outbox.ts'
import { type Channel, channels, type ReceiptRow } from './receipt.ts'
import { receiptMail, receiptSms } from './words.ts'

const send = z
  .object({
    channel: optional(
      z.enum(channels, { error: errorMessage(fieldMessages.choice) }).meta({
        description: 'Default: e-mail if `email` is given, otherwise SMS. An SMS goes to the phone that paid.',
        examples: ['sms'],
      }),
    ),
    email: optional(
      email.meta({
        description: 'Where an e-mail goes; default: the address of the contact.',
        examples: ['ada@example.com'],
      }),
    ),
  })
  .meta({ id: 'NewReceiptSend', examples: [{ channel: 'sms' }] })

/** The body that sends a receipt. Without one it goes by SMS. */
export const newSendBody = z.preprocess((body) => body ?? {}, send)

/** How a receipt is to be sent. */
export interface NewSendBody {
  channel?: Channel | undefined
  email?: string | undefined
}

/** How receipts are sent. `has_mail`: whether the service has a mail server. */
export interface SendOptions {
  language: Language
  base_url: string
  has_mail: boolean
}

/** How a receipt goes, and to whom. @throws Invalid if there is no address, or no way to it */
export function chooseSend(receipt: ReceiptRow, body: NewSendBody, { has_mail }: SendOptions): NewSend {
  const channel = body.channel ?? (body.email === undefined ? 'sms' : 'email')
  if (channel === 'email') {
    if (!has_mail) throw new Invalid({ channel: ['This service has no mail server.'] })
    const recipient = body.email?.trim() ?? receipt.contact.email
    if (!recipient) throw new Invalid({ email: ['The contact has no e-mail address. Give one.'] })
    return { receipt, channel, recipient }
  }
  if (body.email !== undefined) throw new Invalid({ email: ['An SMS goes to the phone that paid.'] })
  if (!hasPhone(receipt)) throw new Invalid({ channel: ['The phone number was erased.'] })
  return { receipt, channel, recipient: receipt.phonenumber }
}

/** A receipt on its way to one recipient. */
export interface NewSend {
  receipt: ReceiptRow
  channel: Channel
  recipient: string
}

/** The recipients of receipts that are sent by themselves: the phone that paid, and the address of the contact. */
export function automaticSends(
  receipts: readonly ReceiptRow[],
  wanted: { sms: boolean; email: boolean },
  { has_mail }: SendOptions,
): NewSend[] {
  return receipts.flatMap((receipt): NewSend[] => {
    const address = receipt.contact.email
    return [
      ...(wanted.sms && hasPhone(receipt)
        ? [{ receipt, channel: 'sms' as const, recipient: receipt.phonenumber }]
        : []),
      ...(wanted.email && has_mail && address ? [{ receipt, channel: 'email' as const, recipient: address }] : []),
    ]
  })
}

function hasPhone({ phonenumber }: ReceiptRow): boolean {
  return !phonenumber.startsWith(ERASED_PREFIX)
}

/** Puts receipts into the outboxes of SMS and mails. @param author the user who asked for it; null for none */
export async function sendReceipts(
  tx: Tx,
  now: Date,
  sends: readonly NewSend[],
  { language, base_url }: SendOptions,
  author: number | null,
): Promise<void> {
  const by_sms = sends.filter(({ channel }) => channel === 'sms')
  const by_mail = sends.filter(({ channel }) => channel === 'email')
  const sms = await queueSms(
    tx,
    now,
    by_sms.map(({ receipt, recipient }) => ({
      organization: receipt.organization,
      purpose: 'success',
      phonenumber: recipient,
      body: receiptSms(receipt, language, base_url),
    })),
  )
  const mails = await queueMails(
    tx,
    now,
    by_mail.map(({ receipt, recipient }) => ({
      organization: receipt.organization,
      recipient,
      ...receiptMail(receipt, language, base_url),
    })),
  )
  const sent = [...by_sms, ...by_mail].map((send, index) => ({ ...send, message: [...sms, ...mails][index]! }))
  if (sent.length === 0) return
  const r = rows(sent, {
    receipt: ['bigint', ({ receipt }) => receipt.id],
    channel: 'text',
    recipient: 'text',
    message: 'bigint',
    author: ['bigint', () => author],
  })
  await tx`
    insert into receipt_sends (${r.columns}, created) select ${r.columns}, ${truncateToSecond(now)} from ${r.as('r')}`
}

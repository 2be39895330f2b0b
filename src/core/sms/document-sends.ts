import { z } from 'zod'
import type { AnyReader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, table } from '../../db/table.ts'
import { zip } from '../../lib/batches/zip.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { email } from '../access/invitations.ts'
import { queueMails } from '../access/mails.ts'
import { choiceError, documented, optional, timestamp } from '../fields.ts'
import { Invalid } from '../refusals.ts'
import type { SmsPurpose } from './message.ts'
import { queueSms } from './outbox.ts'

export const channels = ['sms', 'email'] as const
export type Channel = (typeof channels)[number]

/** Sending of a document: receiver and state. */
export const DocumentSend = z
  .object({
    channel: documented(z.enum(channels), 'How it was sent.', 'sms'),
    recipient: documented(z.string(), 'The phone number or e-mail address.', '+80000000000'),
    state: documented(
      z.enum(['waiting', 'sent', 'delivered', 'failed', 'unknown']),
      '`delivered`: the phone has it. For e-mail, `sent`: the mail server has taken it.',
      'delivered',
    ),
    created: timestamp,
  })
  .meta({ id: 'DocumentSend' })
export type DocumentSend = z.output<typeof DocumentSend>

/** The fields of a body that sends a document. @param phone whose phone gets an SMS */
export function sendFields(phone: string) {
  return {
    channel: optional(
      z.enum(channels, { error: choiceError(channels) }).meta({
        description: `Default: e-mail if \`email\` is given, otherwise SMS. An SMS goes to ${phone}.`,
        examples: ['sms'],
      }),
    ),
    email: optional(
      email.meta({
        description: 'Where an e-mail goes; default: the address of the contact.',
        examples: ['ada@example.com'],
      }),
    ),
  }
}

/** Choices for sending a document. */
export interface NewSendBody {
  channel?: Channel | undefined
  email?: string | undefined
}

/** Receiver of a document. `phone` is null when there is none, and `no_phone` gives the reason. */
export interface Addressee {
  phone: string | null
  email: string | null
  /** Words for the phone in messages: `the phone that paid`. */
  phone_is: string
  no_phone: string
}

/**
 * Chooses the channel and the address of a document.
 * @param has_mail true if the service has a mail server
 * @throws Invalid if there is no address, or no way to it
 */
export function chooseRecipient(
  addressee: Addressee,
  body: NewSendBody,
  has_mail: boolean,
): { channel: Channel; recipient: string } {
  const channel = body.channel ?? (body.email === undefined ? 'sms' : 'email')
  if (channel === 'email') {
    if (!has_mail) throw new Invalid({ channel: [getMessage('sms.mail_server')] })
    const recipient = body.email?.trim() ?? addressee.email
    if (!recipient) throw new Invalid({ email: [getMessage('sms.no_email')] })
    return { channel, recipient }
  }
  if (body.email !== undefined) throw new Invalid({ email: [`An SMS goes to ${addressee.phone_is}.`] })
  if (addressee.phone === null) throw new Invalid({ channel: [addressee.no_phone] })
  return { channel, recipient: addressee.phone }
}

/** A document on its way to one recipient, with its texts. */
export interface DocumentMessage {
  document: number
  organization: number
  channel: Channel
  recipient: string
  purpose: SmsPurpose
  sms: string
  mail: { subject: string; body: string }
}

const sendColumns = {
  channel: column.text<Channel>(),
  recipient: column.text(),
  /** The id of the SMS or the mail. */
  message: column.bigint(),
  created: column.timestamptz(),
  author: column.bigint().nullable(),
}
const receiptSendTable = table('receipt_sends', { id: column.id(), receipt: column.bigint(), ...sendColumns })
const invoiceSendTable = table('invoice_sends', { id: column.id(), invoice: column.bigint(), ...sendColumns })

/** The table with the sends of each kind, and its column with the document. */
const TABLES = {
  receipt: { table: sql`receipt_sends`, column: sql`receipt` },
  invoice: { table: sql`invoice_sends`, column: sql`invoice` },
} as const
type SentDocument = keyof typeof TABLES

/** Puts documents into the outboxes of SMS and mails. @param author the user who asked for it; null for none */
export async function sendDocuments(
  tx: Tx,
  now: Date,
  kind: SentDocument,
  messages: readonly DocumentMessage[],
  author: number | null,
): Promise<void> {
  const by_sms = messages.filter(({ channel }) => channel === 'sms')
  const by_mail = messages.filter(({ channel }) => channel === 'email')
  const sms = await queueSms(
    tx,
    now,
    by_sms.map(({ organization, purpose, recipient, sms }) => ({
      organization,
      purpose,
      phonenumber: recipient,
      body: sms,
    })),
  )
  const mails = await queueMails(
    tx,
    now,
    by_mail.map(({ organization, recipient, mail }) => ({ organization, recipient, ...mail })),
  )
  const sent = zip([...by_sms, ...by_mail], [...sms, ...mails]).map(([one, message]) => ({ ...one, message }))
  if (sent.length === 0) return
  const given = { created: truncateToSecond(now), author }
  const documentOf = ({ document }: DocumentMessage) => document
  await (kind === 'receipt'
    ? tx`${insert(receiptSendTable, sent, { ...given, receipt: documentOf })}`
    : tx`${insert(invoiceSendTable, sent, { ...given, invoice: documentOf })}`)
}

/** Reads the sendings of documents, newest first, by document. A mail leaves its outbox when it is sent. */
export async function readDocumentSends(
  db: AnyReader,
  kind: SentDocument,
  documents: readonly number[],
): Promise<Map<number, DocumentSend[]>> {
  const { table, column } = TABLES[kind]
  const sends = await db<(DocumentSend & { document: number })[]>`
    select s.${column} as document, s.channel, s.recipient, s.created,
      case when s.channel = 'sms' then coalesce(m.state, 'unknown') when e.id is null then 'sent'
        when e.due_at is null then 'failed' else 'waiting' end as state
    from ${table} s
    left join sms_messages m on s.channel = 'sms' and m.id = s.message
    left join mails e on s.channel = 'email' and e.id = s.message
    where s.${column} = any(${[...documents]}::bigint[]) order by s.id desc`
  const by_document = Map.groupBy(sends, ({ document }) => document)
  return new Map(Array.from(by_document, ([id, list]) => [id, list.map(({ document: _, ...send }) => send)]))
}

import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { languages } from '../../lib/text/languages.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { findLastCommittedEventId } from '../events/events.ts'

/** Receipts that an organization makes and sends automatically. */
export const ReceiptSettings = z.object({
  /** True if each payment gets a receipt when it arrives; otherwise when one is asked for. */
  every_payment: z.boolean(),
  /** True if these are sent to the phone that paid. */
  sms: z.boolean(),
  /** True if these are sent to the e-mail address of the contact, if it has one. */
  email: z.boolean(),
  /** The language of SMS and mails. */
  language: z.enum(languages),
})
export type ReceiptSettings = z.output<typeof ReceiptSettings>

const DEFAULTS: ReceiptSettings = { every_payment: false, sms: false, email: false, language: 'en' }

export async function readReceiptSettings(db: Reader, organization: number): Promise<ReceiptSettings> {
  const [row] = await db<ReceiptSettings[]>`
    select every_payment, sms, email, language from receipt_settings where organization = ${organization}`
  return row ?? DEFAULTS
}

/**
 * Changes the settings. Receipts that are sent automatically are also made automatically. Payments that arrived before
 * this was switched on get their receipts when they are asked for.
 */
export async function setReceiptSettings(
  tx: Tx,
  now: Date,
  organization: number,
  settings: ReceiptSettings,
): Promise<ReceiptSettings> {
  const { sms, email, language } = settings
  const every_payment = settings.every_payment || sms || email
  const position = await findLastCommittedEventId(tx)
  const [row] = await tx<ReceiptSettings[]>`
    insert into receipt_settings as s (organization, every_payment, sms, email, language, event_position, modified)
    values (${organization}, ${every_payment}, ${sms}, ${email}, ${language}, ${position}, ${truncateToSecond(now)})
    on conflict (organization) do update set every_payment = excluded.every_payment, sms = excluded.sms,
      email = excluded.email, language = excluded.language, modified = excluded.modified,
      event_position = case when s.every_payment then s.event_position else excluded.event_position end
    returning every_payment, sms, email, language`
  return row!
}

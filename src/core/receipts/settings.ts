import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { column, insert, table } from '../../db/table.ts'
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

const settingsTable = table('receipt_settings', {
  organization: column.bigint().key(),
  every_payment: column.boolean(),
  sms: column.boolean(),
  email: column.boolean(),
  language: column.text<ReceiptSettings['language']>(),
  /** Event of the last payment that has its receipt. */
  event_position: column.bigint(),
  modified: column.timestamptz(),
})
const shown = settingsTable.omit('organization', 'event_position', 'modified')

const DEFAULTS: ReceiptSettings = { every_payment: false, sms: false, email: false, language: 'en' }

export async function readReceiptSettings(db: Reader, organization: number): Promise<ReceiptSettings> {
  const [row] = await db<ReceiptSettings[]>`
    select ${shown.columns} from receipt_settings where organization = ${organization}`
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
  const event_position = await findLastCommittedEventId(tx)
  const [row] = await tx<ReceiptSettings[]>`
    ${insert(settingsTable.as('s'), [settings], {
      organization,
      every_payment: ({ every_payment, sms, email }) => every_payment || sms || email,
      event_position,
      modified: truncateToSecond(now),
    })}
    on conflict (organization) do update set every_payment = excluded.every_payment, sms = excluded.sms,
      email = excluded.email, language = excluded.language, modified = excluded.modified,
      event_position = case when s.every_payment then s.event_position else excluded.event_position end
    returning ${shown.columns}`
  return row!
}

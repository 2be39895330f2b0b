import type { Reader, Tx } from '../../db/client.ts'
import { isHere } from '../moves.ts'
import { issueReceipts } from './issue.ts'
import { readReceipts } from './receipts.ts'
import { automaticSends, type SendOptions, sendReceipts } from './sending.ts'
import type { ReceiptSettings } from './settings.ts'

/** The organizations that want a receipt for every payment, and have events after their position. */
export async function findFollowers(db: Reader, committed: number): Promise<number[]> {
  const found = await db<{ organization: number }[]>`
    select organization from receipt_settings where every_payment and event_position < ${committed} and ${isHere('receipt_settings.organization')}
    order by organization`
  return found.map(({ organization }) => organization)
}

/**
 * Makes and sends the receipts of the next payments of an organization, and moves its position. One transaction covers
 * all, so a payment gets one receipt and one SMS, even if a process is killed. Money that was taken back by now gets none.
 * @param committed the end of the feed, read before this transaction began
 * @returns the number of payments read; 0 also when another process is at work
 */
export async function issueForNextPayments(
  tx: Tx,
  now: Date,
  organization: number,
  { committed, limit, ...options }: Omit<SendOptions, 'language'> & { committed: number; limit: number },
): Promise<number> {
  const [settings] = await tx<(ReceiptSettings & { event_position: number })[]>`
    select * from receipt_settings where organization = ${organization} for update skip locked`
  if (!settings?.every_payment) return 0
  const events = await tx<{ id: number; collection: number; status: string }[]>`
    select e.id, e.object as collection, c.status from events e join collections c on c.id = e.object
    where e.organization = ${organization} and e.type = 'collection.received'
      and e.id > ${settings.event_position} and e.id <= ${committed}
    order by e.id limit ${limit}`
  // The position stays: moving it for other events would write a row a second without use.
  if (events.length === 0) return 0
  const receipts = await issueReceipts(
    tx,
    now,
    organization,
    events.flatMap(({ collection, status }) => (status === 'successful' ? collection : [])),
  )
  await sendNew(tx, now, [...receipts.values()], settings, options)
  await tx`
    update receipt_settings set event_position = ${events.at(-1)!.id} where organization = ${organization}`
  return events.length
}

async function sendNew(
  tx: Tx,
  now: Date,
  ids: readonly number[],
  settings: ReceiptSettings,
  options: Omit<SendOptions, 'language'>,
): Promise<void> {
  if (!settings.sms && !settings.email) return
  const sending = { ...options, language: settings.language }
  const sent_before = await tx<{ receipt: number; channel: string }[]>`
    select receipt, channel from receipt_sends where receipt = any(${[...ids]}::bigint[])`
  const known = new Set(sent_before.map(({ receipt, channel }) => `${receipt}:${channel}`))
  const sends = automaticSends(await readReceipts(tx, ids), settings, sending)
  const missing = sends.filter(({ receipt, channel }) => !known.has(`${receipt.id}:${channel}`))
  await sendReceipts(tx, now, missing, sending, null)
}

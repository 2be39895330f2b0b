import type { Receipt } from '../../lib/smpp/receipts.ts'
import type { SmsReport } from '../contract.ts'
import { readReportState } from './codes.ts'
import { otherIds, reportedId, type SentList } from './sent.ts'
import type { SmppSettings } from './settings.ts'

/**
 * Return the meaning of a delivery report for its SMS. An SMS is delivered when all its parts are, and has failed when
 * one has. Undefined: other parts are still on their way.
 *
 * Times in reports do not count: they are in the provider's own zone, which it does not name.
 */
export function readReport(
  receipt: Receipt,
  phonenumbers: readonly string[],
  { sent, settings }: { sent: SentList; settings: SmppSettings },
): SmsReport | undefined {
  const outcome = readReportState(receipt.state, receipt.error)
  const found = sent.find(receipt.message_id, phonenumbers)
  if (!found) {
    const mode = settings.message_ids
    const id = reportedId(mode, receipt.message_id)
    const others = otherIds(mode, receipt.message_id)
    const named = { remote_id: id, ...(others.length > 0 && { other_ids: others }), phonenumbers }
    return { sms: named, ...outcome }
  }
  const { sms, index } = found
  const named = { reference: sms.reference }
  if (sms.total === 1) return { sms: named, ...outcome }
  if (outcome.state === 'delivered') {
    // Some centres give all parts one id, and report once.
    const id = sms.taken.get(index)
    for (const [part, part_id] of sms.taken) if (part_id === id) sms.delivered.add(part)
    return sms.delivered.size === sms.total ? { sms: named, ...outcome } : undefined
  }
  if (outcome.state === 'sent') return undefined
  return { sms: named, ...outcome, message: `Part ${index + 1} of ${sms.total}: ${outcome.message ?? ''}`.trim() }
}

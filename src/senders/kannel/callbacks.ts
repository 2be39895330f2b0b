import type { RawCallback } from '../../drivers/raw-callback.ts'
import type { SmsFailureReason } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { readStateWord } from '../../lib/smpp/receipts.ts'
import type { SmsCallback, SmsReport } from '../contract.ts'
import { referenceIn, toE164 } from '../shared/answers.ts'
import { readForm } from '../shared/form.ts'

/** Meanings of the report types. */
const types: Readonly<Record<string, SmsReport['state']>> = {
  1: 'delivered',
  2: 'failed',
  4: 'sent',
  8: 'sent',
  16: 'failed',
}

/** Failure reasons of an SMS, by the SMSC's word `stat`. */
const stats: Readonly<Record<string, { reason: SmsFailureReason; message: string }>> = {
  EXPIRED: { reason: 'expired', message: getMessage('drivers.sms_waited_longer') },
  DELETED: { reason: 'undelivered', message: getMessage('kannel.smsc_deleted_sms') },
  UNDELIV: { reason: 'undelivered', message: getMessage('drivers.sms_not_delivered') },
  REJECTD: { reason: 'rejected', message: getMessage('kannel.smsc_rejected_sms') },
}

/** Reasons for the SMSC's refusal, by SMPP status. */
const nacks: Readonly<Record<number, { reason: SmsFailureReason; message: string }>> = {
  10: { reason: 'invalid_sender', message: getMessage('kannel.smsc_not_take') },
  11: { reason: 'invalid_number', message: getMessage('drivers.phone_number_wrong') },
  20: { reason: 'throttled', message: getMessage('kannel.queue_smsc_full') },
  69: { reason: 'rejected', message: getMessage('kannel.smsc_not_take_sms') },
  88: { reason: 'throttled', message: getMessage('kannel.smsc_gets_too') },
}

/**
 * Read a callback: a report, by GET with the values of its address, or an inbound SMS. Nothing is signed: the secret in
 * the address proves that Kannel sent it.
 */
export function readCallback({ path, query }: RawCallback): SmsCallback {
  const fields = readForm(query)
  const reference = referenceIn(path)
  if (reference !== undefined && fields.type !== undefined) return readReport(reference, fields)
  const from = toE164(fields.from)
  const text = fields.text === undefined ? undefined : readText(query, fields.charset)
  if (from && fields.id && text !== undefined)
    return {
      subject: 'incoming',
      verified: true,
      messages: [{ remote_id: fields.id, from, to: fields.to ?? '', text }],
    }
  return { subject: 'unrecognized', message: getMessage('kannel.not_callback'), verified: true }
}

function readReport(
  reference: string,
  { type = '', text = '', at = '' }: Readonly<Record<string, string>>,
): SmsCallback {
  const state = Object.hasOwn(types, type) ? types[type] : undefined
  if (!state) return { subject: 'unrecognized', message: getMessage('kannel.type_report_unknown'), verified: true }
  const date = /^\d{9,10}$/.test(at) ? new Date(Number(at) * 1_000) : undefined
  const report: SmsReport = {
    sms: { reference },
    state,
    ...(state === 'failed' && failureOf(type, text)),
    ...(date && state !== 'sent' && { at: date }),
  }
  return { subject: 'reports', verified: true, reports: [report] }
}

function failureOf(type: string, text: string): Pick<SmsReport, 'reason' | 'message' | 'code'> {
  const nack = /^NACK\/(0x[0-9a-f]{1,8}|\d{1,10})\b/i.exec(text)?.[1]
  if (nack !== undefined) return { ...(nacks[Number(nack)] ?? nacks[69]!), code: `NACK ${Number(nack)}` }
  const word = /\bstat:(\w{1,20})\b/i.exec(text)?.[1] ?? ''
  const stat = readStateWord(word) ?? word
  const err = /\berr:(\w{1,10})\b/.exec(text)?.[1]
  const code = [stat, err].filter(Boolean).join(' ') || `type ${type}`
  const known = Object.hasOwn(stats, stat) ? stats[stat] : undefined
  const usual = stats[type === '16' ? 'REJECTD' : 'UNDELIV']!
  const { reason, message } = known ?? usual
  return { reason, message: `${message} (${code})`, code }
}

/** The text of a customer is in the charset that Kannel names: UTF-16 where a letter is not one of GSM. */
function readText(query: string, charset = 'UTF-8'): string | undefined {
  const encoded = /(?:^|&)text=([^&]*)/.exec(query)?.[1] ?? ''
  try {
    return new TextDecoder(charset).decode(percentDecode(encoded))
  } catch {
    return undefined
  }
}

function percentDecode(text: string): Uint8Array {
  const bytes = text
    .replaceAll('+', ' ')
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}

import type { RawCallback } from '../../drivers/raw-callback.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { SmsCallback, SmsReport } from '../contract.ts'
import { toE164 } from '../shared/answers.ts'
import { readForm } from '../shared/form.ts'
import { stateOfWord } from '../shared/report-words.ts'
import { failureReasons, reportStates, statusReasons } from './codes.ts'

/**
 * Read a delivery report, an SMS of a customer, or the news that a customer takes no more SMS. Nothing is signed: who
 * knows the secret of the address is Africa's Talking.
 */
export function readCallback({ body }: RawCallback): SmsCallback {
  const form = readForm(body)
  if (form.id && form.status && form.phoneNumber !== undefined) return readReport(form)
  if (form.from && form.text !== undefined) return readIncoming(form)
  if (form.phoneNumber && form.senderId !== undefined) return readOptOut(form)
  return { subject: 'unrecognized', message: getMessage('africas_talking.not_callback'), verified: true }
}

function readReport({ id = '', status = '', failureReason }: Readonly<Record<string, string>>): SmsCallback {
  const state = Object.hasOwn(reportStates, status) ? reportStates[status] : stateOfWord(status)
  if (!state || id.length > 128)
    return {
      subject: 'unrecognized',
      message: getMessage('africas_talking.status_report_unknown'),
      verified: true,
    }
  const report: SmsReport = {
    sms: { remote_id: id },
    state,
    ...(state === 'failed' && failureOf(status, failureReason)),
  }
  return { subject: 'reports', verified: true, reports: [report] }
}

function failureOf(status: string, failureReason = ''): Pick<SmsReport, 'reason' | 'message' | 'code'> {
  const known = Object.hasOwn(failureReasons, failureReason) ? failureReasons[failureReason] : undefined
  const code = /^\w{1,40}$/.test(failureReason) ? failureReason : status
  if (known) return { ...known, code }
  const reason = statusReasons[status] ?? 'undelivered'
  return { reason, message: getMessage('africas_talking.reports', { code: status }), code }
}

function readIncoming({ id = '', from, to = '', text = '' }: Readonly<Record<string, string>>): SmsCallback {
  const number = toE164(from)
  if (!number || id === '')
    return {
      subject: 'unrecognized',
      message: getMessage('africas_talking.sms_hands_over'),
      verified: true,
    }
  return { subject: 'incoming', verified: true, messages: [{ remote_id: id, from: number, to, text }] }
}

/** Africa's Talking keeps the list of who has opted out. For us it is as if the customer had sent STOP. */
function readOptOut({ phoneNumber, senderId = '' }: Readonly<Record<string, string>>): SmsCallback {
  const from = toE164(phoneNumber)
  if (!from) return { subject: 'unrecognized', message: getMessage('africas_talking.opt_out_names'), verified: true }
  const remote_id = `opt-out ${from} ${senderId}`
  const message = { remote_id, is_digest: true, from, to: senderId, text: 'STOP' }
  return { subject: 'incoming', verified: true, messages: [message] }
}

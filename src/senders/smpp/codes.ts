import { getMessage } from '../../lib/messages/message.ts'
import type { MessageState } from '../../lib/smpp/receipts.ts'
import { describeStatus, type StatusName, statusName } from '../../lib/smpp/statuses.ts'
import type { SmsAnswer, SmsFailureReason, SmsReport } from '../contract.ts'

/** Meaning of an answer to `submit_sm`. `setting`: the setting that the operator must check. */
interface Refusal {
  reason: SmsFailureReason
  retry: boolean
  setting?: string
}

const permanent = (reason: SmsFailureReason, setting?: string): Refusal => ({
  reason,
  retry: false,
  ...(setting && { setting }),
})
const temporary = (reason: SmsFailureReason): Refusal => ({ reason, retry: true })

/** Statuses that are not here leave it open whether the SMS was taken: the provider's own, and those that fit no submit_sm. */
export const SUBMIT_REFUSALS: Partial<Record<StatusName, Refusal>> = {
  ESME_RINVMSGLEN: permanent('too_long', 'long_texts'),
  ESME_RINVCMDLEN: permanent('rejected'),
  ESME_RINVCMDID: permanent('rejected'),
  ESME_RINVBNDSTS: temporary('rejected'),
  ESME_RINVPRTFLG: permanent('rejected'),
  ESME_RINVREGDLVFLG: permanent('rejected', 'delivery_reports'),
  ESME_RSYSERR: temporary('rejected'),
  ESME_RINVSRCADR: permanent('invalid_sender'),
  ESME_RINVDSTADR: permanent('invalid_number'),
  ESME_RINVPASWD: { ...temporary('credentials'), setting: 'password' },
  ESME_RINVSYSID: { ...temporary('credentials'), setting: 'system_id' },
  ESME_RMSGQFUL: temporary('throttled'),
  ESME_RINVSERTYP: permanent('rejected', 'service_type'),
  ESME_RINVNUMDESTS: permanent('rejected'),
  ESME_RINVDLNAME: permanent('rejected'),
  ESME_RINVDESTFLAG: permanent('rejected'),
  ESME_RINVSUBREP: permanent('rejected'),
  ESME_RINVESMCLASS: permanent('rejected', 'long_texts'),
  ESME_RCNTSUBDL: permanent('rejected'),
  ESME_RSUBMITFAIL: permanent('rejected'),
  ESME_RINVSRCTON: permanent('invalid_sender', 'source_ton'),
  ESME_RINVSRCNPI: permanent('invalid_sender', 'source_npi'),
  ESME_RINVDSTTON: permanent('rejected', 'dest_ton'),
  ESME_RINVDSTNPI: permanent('rejected', 'dest_npi'),
  ESME_RINVSYSTYP: permanent('rejected', 'system_type'),
  ESME_RINVREPFLAG: permanent('rejected'),
  ESME_RINVNUMMSGS: permanent('rejected'),
  ESME_RTHROTTLED: temporary('throttled'),
  ESME_RINVSCHED: permanent('rejected'),
  ESME_RINVEXPIRY: permanent('rejected', 'validity'),
  ESME_RINVDFTMSGID: permanent('rejected'),
  ESME_RX_T_APPN: temporary('rejected'),
  ESME_RX_P_APPN: permanent('rejected'),
  ESME_RX_R_APPN: permanent('rejected'),
  ESME_RINVOPTPARSTREAM: permanent('rejected', 'long_texts'),
  ESME_ROPTPARNOTALLWD: permanent('rejected', 'long_texts'),
  ESME_RINVPARLEN: permanent('rejected', 'long_texts'),
  ESME_RMISSINGOPTPARAM: permanent('rejected', 'long_texts'),
  ESME_RINVOPTPARAMVAL: permanent('rejected', 'long_texts'),
  ESME_RDELIVERYFAILURE: permanent('undelivered'),
}

/** Return the meaning of a `submit_sm_resp` status, with the setting that the operator should check. */
export function readSubmitStatus(status: number): {
  answer: Exclude<SmsAnswer, { outcome: 'sent' }>
  setting?: string
} {
  const name = statusName(status)
  const refusal = name && SUBMIT_REFUSALS[name]
  const words = getMessage('smpp.provider_answers', { code: describeStatus(status) })
  if (!refusal) return { answer: { outcome: 'unknown', message: words } }
  const { reason, retry, setting } = refusal
  return {
    answer: { outcome: 'failed', reason, message: words, code: name, retry },
    ...(setting !== undefined && { setting }),
  }
}

/** The statuses that ask for fewer messages. */
export const isThrottled = (status: number): boolean =>
  statusName(status) === 'ESME_RTHROTTLED' || statusName(status) === 'ESME_RMSGQFUL'

const BIND_ADVICE: Partial<Record<StatusName, string>> = {
  ESME_RBINDFAIL: getMessage('smpp.check_system_id_password'),
  ESME_RINVPASWD: getMessage('smpp.check_password'),
  ESME_RINVSYSID: getMessage('smpp.check_system_id'),
  ESME_RINVSYSTYP: getMessage('smpp.check_system_type'),
  ESME_RALYBND: getMessage('smpp.another_program_earlier'),
  ESME_RINVCMDID: getMessage('smpp.provider_not_take'),
  ESME_RINVBNDSTS: getMessage('smpp.provider_not_take'),
  ESME_RTHROTTLED: getMessage('smpp.account_bound_too'),
}

/** Statuses that say nothing about the credentials: the provider is busy, or has a session of ours. */
const NOT_OURS: ReadonlySet<StatusName | undefined> = new Set<StatusName>([
  'ESME_RALYBND',
  'ESME_RTHROTTLED',
  'ESME_RSYSERR',
  'ESME_RX_T_APPN',
  'ESME_RMSGQFUL',
])

/** Return the reason for a refused bind, with advice. */
export function readBindStatus(status: number): { is_ours: boolean; message: string } {
  const name = statusName(status)
  const advice = (name && BIND_ADVICE[name]) ?? getMessage('smpp.check_system_id_password_system_type')
  return {
    is_ours: !NOT_OURS.has(name),
    message: `The provider refuses the session with ${describeStatus(status)}. ${advice}`,
  }
}

/** Meanings of the states. `UNKNOWN` is no failure: the provider does not know the end of the SMS. */
export const REPORT_STATES: Record<MessageState, Pick<SmsReport, 'state' | 'reason' | 'message'>> = {
  ENROUTE: { state: 'sent' },
  DELIVRD: { state: 'delivered' },
  EXPIRED: { state: 'failed', reason: 'expired', message: getMessage('smpp.phone_not_reached') },
  DELETED: { state: 'failed', reason: 'undelivered', message: getMessage('smpp.provider_deleted') },
  UNDELIV: { state: 'failed', reason: 'undelivered', message: getMessage('smpp.not_delivered') },
  ACCEPTD: { state: 'sent' },
  UNKNOWN: { state: 'sent', message: getMessage('smpp.provider_not_know') },
  REJECTD: { state: 'failed', reason: 'rejected', message: getMessage('smpp.rejected') },
}

/** Return the meaning of a delivery report's state. A provider's own word says nothing certain. */
export function readReportState(state: string, error: string | undefined): Omit<SmsReport, 'sms'> {
  const code = error === undefined ? state : `${state} ${error}`
  const known = Object.hasOwn(REPORT_STATES, state) ? REPORT_STATES[state as MessageState] : undefined
  return {
    ...(known ?? { state: 'sent', message: getMessage('smpp.provider_reports_state') }),
    code: code.slice(0, 100),
  }
}

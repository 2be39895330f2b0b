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
  ...{ reason, retry: false },
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
  const words = `The provider answers ${describeStatus(status)}.`
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
  ESME_RBINDFAIL: 'Check system_id, password and system_type, and that the provider knows the address of this server.',
  ESME_RINVPASWD: 'Check password.',
  ESME_RINVSYSID: 'Check system_id.',
  ESME_RINVSYSTYP: 'Check system_type.',
  ESME_RALYBND: 'Another program, or an earlier session that has not ended yet, is bound to this account.',
  ESME_RINVCMDID: 'The provider does not take bind_transceiver: ask it to allow transceivers for this account.',
  ESME_RINVBNDSTS: 'The provider does not take bind_transceiver: ask it to allow transceivers for this account.',
  ESME_RTHROTTLED: 'The account has bound too often. The next attempt waits longer.',
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
  const advice = (name && BIND_ADVICE[name]) ?? 'Check system_id, password and system_type, or ask the provider.'
  return {
    is_ours: !NOT_OURS.has(name),
    message: `The provider refuses the session with ${describeStatus(status)}. ${advice}`,
  }
}

/** Meanings of the states. `UNKNOWN` is no failure: the provider does not know the end of the SMS. */
export const REPORT_STATES: Record<MessageState, Pick<SmsReport, 'state' | 'reason' | 'message'>> = {
  ENROUTE: { state: 'sent' },
  DELIVRD: { state: 'delivered' },
  EXPIRED: { state: 'failed', reason: 'expired', message: 'The phone was not reached in time.' },
  DELETED: { state: 'failed', reason: 'undelivered', message: 'The provider has deleted it.' },
  UNDELIV: { state: 'failed', reason: 'undelivered', message: 'It could not be delivered.' },
  ACCEPTD: { state: 'sent' },
  UNKNOWN: { state: 'sent', message: 'The provider does not know the result.' },
  REJECTD: { state: 'failed', reason: 'rejected', message: 'It was rejected.' },
}

/** Return the meaning of a delivery report's state. A provider's own word says nothing certain. */
export function readReportState(state: string, error: string | undefined): Omit<SmsReport, 'sms'> {
  const code = error === undefined ? state : `${state} ${error}`
  const known = Object.hasOwn(REPORT_STATES, state) ? REPORT_STATES[state as MessageState] : undefined
  return {
    ...(known ?? { state: 'sent', message: 'The provider reports a state of its own.' }),
    code: code.slice(0, 100),
  }
}

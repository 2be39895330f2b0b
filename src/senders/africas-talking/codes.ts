import type { SmsFailureReason } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { REPAIR_WAIT_S, type Refusal } from '../shared/answers.ts'

/** Codes of a recipient that Africa's Talking has taken. */
export const taken: readonly number[] = [100, 101, 102]

/** Codes of a recipient that Africa's Talking has refused. */
export const refusals: Readonly<Record<number, Refusal>> = {
  401: {
    reason: 'rejected',
    message: getMessage('africas_talking.holds_sms_back'),
    repair: getMessage('africas_talking.ask_why_holds'),
  },
  402: {
    reason: 'invalid_sender',
    message: getMessage('africas_talking.sender_id_not_registered'),
    repair: getMessage('africas_talking.not_know_sender'),
  },
  403: { reason: 'invalid_number', message: getMessage('drivers.phone_number_wrong') },
  404: { reason: 'invalid_number', message: getMessage('africas_talking.kind_number_cannot_receive') },
  405: {
    reason: 'no_credit',
    message: getMessage('africas_talking.account_too_little'),
    retry: true,
    retry_after_s: REPAIR_WAIT_S,
    repair: getMessage('africas_talking.account_too_little_money'),
  },
  406: { reason: 'opted_out', message: getMessage('drivers.customer_takes_no_sms') },
  407: {
    reason: 'no_route',
    message: getMessage('africas_talking.no_route_network'),
    retry: true,
    retry_after_s: REPAIR_WAIT_S,
    repair: getMessage('africas_talking.no_route_network_ask'),
  },
  409: {
    reason: 'not_allowed',
    message: getMessage('africas_talking.operator_takes_no_promotional'),
    retry: false,
  },
  500: { reason: 'rejected', message: getMessage('africas_talking.failed_send_sms'), retry: true },
  501: { reason: 'rejected', message: getMessage('africas_talking.gateway_failed_send'), retry: true },
  502: {
    reason: 'rejected',
    message: getMessage('africas_talking.gateway_rejected_sms'),
    retry: true,
    retry_after_s: REPAIR_WAIT_S,
    repair: getMessage('africas_talking.gateway_rejects_sms'),
  },
}

/** Words that stand instead of recipients, where Africa's Talking refuses the whole call. */
export const refusalWords: Readonly<Record<string, number>> = {
  InvalidSenderId: 402,
  InvalidPhoneNumber: 403,
  UnsupportedNumberType: 404,
  InsufficientBalance: 405,
  UserInBlacklist: 406,
  CouldNotRoute: 407,
  DoNotDisturbRejection: 409,
}

/** Meanings of the status words in delivery reports. */
export const reportStates: Readonly<Record<string, 'sent' | 'delivered' | 'failed'>> = {
  Sent: 'sent',
  Submitted: 'sent',
  Buffered: 'sent',
  Success: 'delivered',
  Failed: 'failed',
  Rejected: 'failed',
  Expired: 'failed',
  AbsentSubscriber: 'failed',
}

/** Failure reasons by status word, where the word names one. */
export const statusReasons: Readonly<Record<string, SmsFailureReason>> = {
  Rejected: 'rejected',
  Expired: 'expired',
  AbsentSubscriber: 'unreachable',
}

/** Failure reasons by `failureReason`, in the spelling of Africa's Talking. */
export const failureReasons: Readonly<Record<string, { reason: SmsFailureReason; message: string }>> = {
  InsufficientCredit: { reason: 'no_credit', message: getMessage('africas_talking.customer_too_little') },
  InvalidLinkId: { reason: 'rejected', message: getMessage('africas_talking.sms_needs_link') },
  UserIsInactive: { reason: 'unreachable', message: getMessage('africas_talking.phone_inactive_account') },
  UserInBlackList: { reason: 'opted_out', message: getMessage('drivers.customer_takes_no_sms') },
  UserAccountSuspended: { reason: 'unreachable', message: getMessage('africas_talking.operator_suspended_phone') },
  NotNetworkSubcriber: { reason: 'invalid_number', message: getMessage('africas_talking.phone_number_not_network') },
  NotNetworkSubscriber: { reason: 'invalid_number', message: getMessage('africas_talking.phone_number_not_network') },
  UserNotSubscribedToProduct: {
    reason: 'not_allowed',
    message: getMessage('africas_talking.customer_not_subscribed'),
  },
  UserDoesNotExist: { reason: 'invalid_number', message: getMessage('africas_talking.no_such_phone') },
  DeliveryFailure: { reason: 'undelivered', message: getMessage('drivers.sms_not_delivered') },
  DoNotDisturbRejection: {
    reason: 'not_allowed',
    message: getMessage('africas_talking.operator_takes_no_promotional_sms'),
  },
}

import type { SmsFailureReason } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { REPAIR_WAIT_S, type Refusal } from '../shared/answers.ts'

/** The groups of statuses. Each status is in one of them. */
export const groups = { pending: 1, undeliverable: 2, delivered: 3, expired: 4, rejected: 5 } as const

/** A status of a message that Infobip has under this id already: an earlier call has arrived. */
export const DUPLICATE = 23

const CREDIT: Refusal = {
  reason: 'no_credit',
  message: getMessage('infobip.account_too_little'),
  retry: true,
  retry_after_s: REPAIR_WAIT_S,
  repair: getMessage('infobip.account_too_little_money'),
}
const SENDER: Refusal = {
  reason: 'invalid_sender',
  message: getMessage('infobip.not_take_sender'),
  repair: getMessage('infobip.not_take_sender_id'),
}
const NUMBER: Refusal = { reason: 'invalid_number', message: getMessage('drivers.phone_number_wrong') }

/** Meanings of the statuses in the group REJECTED, by id. */
export const rejections: Readonly<Record<number, Refusal>> = {
  6: { reason: 'no_route', message: getMessage('infobip.not_serve_network') },
  8: NUMBER,
  10: { reason: 'not_allowed', message: getMessage('infobip.phone_list_those') },
  11: SENDER,
  12: CREDIT,
  13: { reason: 'opted_out', message: getMessage('drivers.customer_takes_no_sms') },
  14: { reason: 'not_allowed', message: getMessage('infobip.phone_list_those_account') },
  17: CREDIT,
  18: {
    reason: 'not_allowed',
    message: getMessage('infobip.trial_account_sends'),
    repair: getMessage('infobip.account_trial_sends'),
  },
  19: {
    reason: 'no_route',
    message: getMessage('infobip.no_route_network'),
    retry: true,
    retry_after_s: REPAIR_WAIT_S,
    repair: getMessage('infobip.no_route_network_ask'),
  },
  20: { reason: 'rejected', message: getMessage('infobip.same_sms_sent') },
  21: { reason: 'rejected', message: getMessage('infobip.failed_send_sms'), retry: true },
  24: { reason: 'not_allowed', message: getMessage('infobip.account_no_rule') },
  51: NUMBER,
  52: NUMBER,
}

/** Failure reasons of an SMS, by the id of the operator's error. */
export const deliveryErrors: Readonly<Record<number, { reason: SmsFailureReason; message: string }>> = {
  1: { reason: 'invalid_number', message: getMessage('drivers.no_such_phone') },
  5: { reason: 'invalid_number', message: getMessage('infobip.network_not_know') },
  6: { reason: 'unreachable', message: getMessage('infobip.phone_cannot_reached') },
  9: { reason: 'invalid_number', message: getMessage('infobip.phone_number_not_exist') },
  11: { reason: 'not_allowed', message: getMessage('infobip.phone_cannot_receive') },
  13: { reason: 'opted_out', message: getMessage('infobip.customer_operator_bars') },
  27: { reason: 'unreachable', message: getMessage('drivers.phone_cannot_reached') },
  31: { reason: 'unreachable', message: getMessage('infobip.phone_busy_another') },
  32: { reason: 'undelivered', message: getMessage('infobip.phone_not_take') },
  33: { reason: 'unreachable', message: getMessage('infobip.too_many_sms') },
  51: NUMBER,
  52: NUMBER,
}

/** Id of an error without information. */
export const NO_ERROR = 0

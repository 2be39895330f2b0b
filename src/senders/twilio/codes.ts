import type { SmsFailureReason } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { REPAIR_WAIT_S, type Refusal } from '../shared/answers.ts'

const SENDER_REPAIR = getMessage('twilio.not_take_sender')

/** Meanings of error codes in answers to the send call. */
export const refusals: Readonly<Record<number, Refusal>> = {
  20005: {
    reason: 'no_credit',
    message: getMessage('twilio.account_suspended'),
    retry: true,
    retry_after_s: REPAIR_WAIT_S,
    repair: getMessage('twilio.suspended_account_most'),
  },
  20404: {
    reason: 'credentials',
    message: getMessage('twilio.knows_no_such_account'),
    retry: true,
    retry_after_s: REPAIR_WAIT_S,
    repair: getMessage('twilio.knows_no_such_account_check'),
  },
  21211: { reason: 'invalid_number', message: getMessage('drivers.phone_number_wrong') },
  21212: { reason: 'invalid_sender', message: getMessage('twilio.sender_wrong'), repair: SENDER_REPAIR },
  21217: { reason: 'invalid_number', message: getMessage('drivers.phone_number_wrong') },
  21408: {
    reason: 'not_allowed',
    message: getMessage('twilio.account_not_send'),
    repair: getMessage('twilio.refuses_country_allow'),
  },
  21602: { reason: 'rejected', message: getMessage('twilio.sms_no_text') },
  21603: { reason: 'invalid_sender', message: getMessage('drivers.sms_no_sender'), repair: SENDER_REPAIR },
  21604: { reason: 'invalid_number', message: getMessage('twilio.sms_no_phone') },
  21606: {
    reason: 'invalid_sender',
    message: getMessage('twilio.sender_not_belong'),
    repair: SENDER_REPAIR,
  },
  21608: {
    reason: 'not_allowed',
    message: getMessage('twilio.trial_account_sends'),
    repair: getMessage('twilio.account_trial_sends'),
  },
  21609: {
    reason: 'rejected',
    message: getMessage('twilio.refuses_address_delivery'),
    repair: getMessage('twilio.refuses_address_delivery_reports'),
  },
  21610: { reason: 'opted_out', message: getMessage('twilio.customer_answered_stop') },
  21611: {
    reason: 'throttled',
    message: getMessage('twilio.too_many_sms'),
    retry: true,
    retry_after_s: 60,
  },
  21612: { reason: 'no_route', message: getMessage('twilio.cannot_reach_phone') },
  21614: { reason: 'invalid_number', message: getMessage('twilio.number_not_one') },
  21617: { reason: 'too_long', message: getMessage('twilio.text_longer_1600') },
  21659: {
    reason: 'invalid_sender',
    message: getMessage('twilio.sender_not_number'),
    repair: SENDER_REPAIR,
  },
  21660: { reason: 'invalid_sender', message: getMessage('twilio.sender_belongs_another'), repair: SENDER_REPAIR },
  21705: {
    reason: 'invalid_sender',
    message: getMessage('twilio.messaging_service_not_exist'),
    repair: getMessage('twilio.not_know_messaging_service_sid'),
  },
  30007: { reason: 'rejected', message: getMessage('twilio.operator_filtered_sms') },
  63038: {
    reason: 'not_allowed',
    message: getMessage('twilio.account_reached_limit'),
    repair: getMessage('twilio.account_reached_daily'),
  },
}

/** Meanings of error codes for undelivered SMS. */
export const deliveryErrors: Readonly<Record<number, { reason: SmsFailureReason; message: string }>> = {
  21610: { reason: 'opted_out', message: getMessage('twilio.customer_answered_stop') },
  30001: { reason: 'throttled', message: getMessage('twilio.too_many_sms_sender') },
  30002: { reason: 'no_credit', message: getMessage('twilio.account_suspended_before') },
  30003: { reason: 'unreachable', message: getMessage('drivers.phone_cannot_reached') },
  30004: { reason: 'not_allowed', message: getMessage('twilio.phone_operator_blocks') },
  30005: { reason: 'invalid_number', message: getMessage('drivers.no_such_phone') },
  30006: { reason: 'invalid_number', message: getMessage('twilio.number_landline_operator') },
  30007: { reason: 'rejected', message: getMessage('twilio.operator_filtered_sms') },
  30008: { reason: 'undelivered', message: getMessage('twilio.sms_not_delivered') },
  30009: { reason: 'undelivered', message: getMessage('twilio.part_sms_lost') },
  30010: { reason: 'not_allowed', message: getMessage('twilio.sms_costs_highest') },
  30034: { reason: 'invalid_sender', message: getMessage('twilio.sender_not_registered') },
  30036: { reason: 'expired', message: getMessage('drivers.sms_waited_longer') },
  30410: { reason: 'undelivered', message: getMessage('twilio.operator_not_answer') },
}

/** Meanings of the status words. */
export const states: Readonly<Record<string, 'sent' | 'delivered' | 'failed'>> = {
  accepted: 'sent',
  scheduled: 'sent',
  queued: 'sent',
  sending: 'sent',
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
}

import type { SmsFailureReason } from '../../lib/adapter-types.ts'
import { REPAIR_WAIT_S, type Refusal } from '../shared/answers.ts'

const SENDER_REPAIR =
  'Twilio does not take the sender of an SMS. Check the sender ids of this connection in the Twilio console.'

/** Meanings of error codes in answers to the send call. */
export const refusals: Readonly<Record<number, Refusal>> = {
  20005: {
    reason: 'no_credit',
    message: 'The account at Twilio is suspended.',
    retry: true,
    retry_after_s: REPAIR_WAIT_S,
    repair: 'Twilio has suspended the account, most often because its money is used up. See the Twilio console.',
  },
  20404: {
    reason: 'credentials',
    message: 'Twilio knows no such account.',
    retry: true,
    retry_after_s: REPAIR_WAIT_S,
    repair: 'Twilio knows no such account. Check account_sid.',
  },
  21211: { reason: 'invalid_number', message: 'The phone number is wrong.' },
  21212: { reason: 'invalid_sender', message: 'The sender is wrong.', repair: SENDER_REPAIR },
  21217: { reason: 'invalid_number', message: 'The phone number is wrong.' },
  21408: {
    reason: 'not_allowed',
    message: 'The account at Twilio may not send to this country.',
    repair: 'Twilio refuses a country. Allow it in the Twilio console under Messaging, Settings, Geo permissions.',
  },
  21602: { reason: 'rejected', message: 'The SMS has no text.' },
  21603: { reason: 'invalid_sender', message: 'The SMS has no sender.', repair: SENDER_REPAIR },
  21604: { reason: 'invalid_number', message: 'The SMS has no phone number.' },
  21606: {
    reason: 'invalid_sender',
    message: 'The sender does not belong to the account, or cannot send SMS.',
    repair: SENDER_REPAIR,
  },
  21608: {
    reason: 'not_allowed',
    message: 'The trial account at Twilio sends to verified numbers only.',
    repair: 'The account at Twilio is a trial, which sends to verified numbers only. Upgrade it.',
  },
  21609: {
    reason: 'rejected',
    message: 'Twilio refuses our address for delivery reports.',
    repair:
      'Twilio refuses our address for delivery reports. The public address of the service must be https and reachable.',
  },
  21610: { reason: 'opted_out', message: 'The customer has answered STOP to this sender.' },
  21611: {
    reason: 'throttled',
    message: 'Too many SMS of this sender wait at Twilio.',
    retry: true,
    retry_after_s: 60,
  },
  21612: { reason: 'no_route', message: 'Twilio cannot reach this phone from this sender.' },
  21614: { reason: 'invalid_number', message: 'The number is not one of a mobile phone.' },
  21617: { reason: 'too_long', message: 'The text is longer than 1600 letters.' },
  21659: {
    reason: 'invalid_sender',
    message: 'The sender is not a number of Twilio, or not of this country.',
    repair: SENDER_REPAIR,
  },
  21660: { reason: 'invalid_sender', message: 'The sender belongs to another account.', repair: SENDER_REPAIR },
  21705: {
    reason: 'invalid_sender',
    message: 'The messaging service does not exist.',
    repair: 'Twilio does not know messaging_service_sid.',
  },
  30007: { reason: 'rejected', message: 'Twilio or the operator has filtered the SMS out.' },
  63038: {
    reason: 'not_allowed',
    message: 'The account at Twilio has reached its limit for this day.',
    repair: 'The account at Twilio has reached its daily limit of SMS. Ask Twilio for a higher one.',
  },
}

/** Meanings of error codes for undelivered SMS. */
export const deliveryErrors: Readonly<Record<number, { reason: SmsFailureReason; message: string }>> = {
  21610: { reason: 'opted_out', message: 'The customer has answered STOP to this sender.' },
  30001: { reason: 'throttled', message: 'Too many SMS of this sender waited at Twilio.' },
  30002: { reason: 'no_credit', message: 'The account at Twilio was suspended before the SMS was sent.' },
  30003: { reason: 'unreachable', message: 'The phone cannot be reached: it is switched off, or has no network.' },
  30004: { reason: 'not_allowed', message: 'The phone or its operator blocks SMS of this sender.' },
  30005: { reason: 'invalid_number', message: 'There is no such phone.' },
  30006: { reason: 'invalid_number', message: 'The number is a landline, or its operator takes no SMS.' },
  30007: { reason: 'rejected', message: 'Twilio or the operator has filtered the SMS out.' },
  30008: { reason: 'undelivered', message: 'The SMS was not delivered. Twilio does not know why.' },
  30009: { reason: 'undelivered', message: 'A part of the SMS was lost.' },
  30010: { reason: 'not_allowed', message: 'The SMS costs more than its highest price.' },
  30034: { reason: 'invalid_sender', message: 'The sender is not registered for this country.' },
  30036: { reason: 'expired', message: 'The SMS waited longer than it may.' },
  30410: { reason: 'undelivered', message: 'The operator did not answer in time.' },
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

import type { SmsFailureReason } from '../../lib/adapter-types.ts'
import { REPAIR_WAIT_S, type Refusal } from '../shared/answers.ts'

/** The groups of statuses. Each status is in one of them. */
export const groups = { pending: 1, undeliverable: 2, delivered: 3, expired: 4, rejected: 5 } as const

/** A status of a message that Infobip has under this id already: an earlier call has arrived. */
export const DUPLICATE = 23

const CREDIT: Refusal = {
  reason: 'no_credit',
  message: 'The account at Infobip has too little money.',
  retry: true,
  retry_after_s: REPAIR_WAIT_S,
  repair: 'The account at Infobip has too little money, or its package has ended. Top it up.',
}
const SENDER: Refusal = {
  reason: 'invalid_sender',
  message: 'Infobip does not take this sender.',
  repair: 'Infobip does not take a sender id. Register it in the portal under Channels and Numbers, for the country.',
}
const NUMBER: Refusal = { reason: 'invalid_number', message: 'The phone number is wrong.' }

/** Meanings of the statuses in the group REJECTED, by id. */
export const rejections: Readonly<Record<number, Refusal>> = {
  6: { reason: 'no_route', message: 'Infobip does not serve the network of this phone for the account.' },
  8: NUMBER,
  10: { reason: 'not_allowed', message: 'The phone is on a list of those that take no SMS.' },
  11: SENDER,
  12: CREDIT,
  13: { reason: 'opted_out', message: 'The customer takes no SMS from this sender.' },
  14: { reason: 'not_allowed', message: 'The phone is on the list of those that the account does not write to.' },
  17: CREDIT,
  18: {
    reason: 'not_allowed',
    message: 'The trial account at Infobip sends to its registered numbers only.',
    repair: 'The account at Infobip is a trial, which sends to registered numbers only. Activate it.',
  },
  19: {
    reason: 'no_route',
    message: 'Infobip has no route to this network.',
    retry: true,
    retry_after_s: REPAIR_WAIT_S,
    repair: 'Infobip has no route to a network. Ask your account manager, or give the country another provider.',
  },
  20: { reason: 'rejected', message: 'The same SMS was sent too often: the filter against floods has stopped it.' },
  21: { reason: 'rejected', message: 'Infobip failed to send the SMS.', retry: true },
  24: { reason: 'not_allowed', message: 'The account has no rule for the country of this phone.' },
  51: NUMBER,
  52: NUMBER,
}

/** Failure reasons of an SMS, by the id of the operator's error. */
export const deliveryErrors: Readonly<Record<number, { reason: SmsFailureReason; message: string }>> = {
  1: { reason: 'invalid_number', message: 'There is no such phone.' },
  5: { reason: 'invalid_number', message: 'The network does not know this phone.' },
  6: { reason: 'unreachable', message: 'The phone cannot be reached.' },
  9: { reason: 'invalid_number', message: 'The phone number does not exist any more.' },
  11: { reason: 'not_allowed', message: 'The phone cannot receive SMS by its contract.' },
  13: { reason: 'opted_out', message: 'The customer or the operator bars SMS to this phone.' },
  27: { reason: 'unreachable', message: 'The phone cannot be reached: it is switched off, or has no network.' },
  31: { reason: 'unreachable', message: 'The phone was busy with another SMS.' },
  32: { reason: 'undelivered', message: 'The phone did not take the SMS, often because its memory is full.' },
  33: { reason: 'unreachable', message: 'Too many SMS wait for this phone.' },
  51: NUMBER,
  52: NUMBER,
}

/** Id of an error without information. */
export const NO_ERROR = 0

import type { SmsFailureReason } from '../../lib/adapter-types.ts'
import { REPAIR_WAIT_S, type Refusal } from '../shared/answers.ts'

/** Codes of a recipient that Africa's Talking has taken. */
export const taken: readonly number[] = [100, 101, 102]

/** Codes of a recipient that Africa's Talking has refused. */
export const refusals: Readonly<Record<number, Refusal>> = {
  401: {
    reason: 'rejected',
    message: "Africa's Talking holds the SMS back for a review.",
    repair: "Ask Africa's Talking why it holds SMS of this account back (RiskHold).",
  },
  402: {
    reason: 'invalid_sender',
    message: "The sender id is not registered at Africa's Talking.",
    repair: "Africa's Talking does not know the sender id. Register it for the country, or send without one.",
  },
  403: { reason: 'invalid_number', message: 'The phone number is wrong.' },
  404: { reason: 'invalid_number', message: 'This kind of number cannot receive SMS.' },
  405: {
    reason: 'no_credit',
    message: "The account at Africa's Talking has too little money.",
    retry: true,
    retry_after_s: REPAIR_WAIT_S,
    repair: "The account at Africa's Talking has too little money. Top it up.",
  },
  406: { reason: 'opted_out', message: 'The customer takes no SMS from this sender.' },
  407: {
    reason: 'no_route',
    message: "Africa's Talking has no route to this network.",
    retry: true,
    retry_after_s: REPAIR_WAIT_S,
    repair: "Africa's Talking has no route to a network. Ask it, or give the country another provider.",
  },
  409: {
    reason: 'not_allowed',
    message: 'The operator takes no promotional SMS for this phone, or none at this hour.',
    retry: false,
  },
  500: { reason: 'rejected', message: "Africa's Talking failed to send the SMS.", retry: true },
  501: { reason: 'rejected', message: "The gateway of Africa's Talking failed to send the SMS.", retry: true },
  502: {
    reason: 'rejected',
    message: "The gateway of Africa's Talking rejected the SMS.",
    retry: true,
    retry_after_s: REPAIR_WAIT_S,
    repair: "The gateway of Africa's Talking rejects SMS of this account. Ask Africa's Talking.",
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
  InsufficientCredit: { reason: 'no_credit', message: 'The customer has too little airtime for this SMS.' },
  InvalidLinkId: { reason: 'rejected', message: 'The SMS needs a link id.' },
  UserIsInactive: { reason: 'unreachable', message: 'The phone is inactive, or its account is.' },
  UserInBlackList: { reason: 'opted_out', message: 'The customer takes no SMS from this sender.' },
  UserAccountSuspended: { reason: 'unreachable', message: 'The operator has suspended this phone number.' },
  NotNetworkSubcriber: { reason: 'invalid_number', message: 'The phone number is not of this network.' },
  NotNetworkSubscriber: { reason: 'invalid_number', message: 'The phone number is not of this network.' },
  UserNotSubscribedToProduct: { reason: 'not_allowed', message: 'The customer has not subscribed to this service.' },
  UserDoesNotExist: { reason: 'invalid_number', message: 'There is no such phone number.' },
  DeliveryFailure: { reason: 'undelivered', message: 'The SMS was not delivered.' },
  DoNotDisturbRejection: { reason: 'not_allowed', message: 'The operator takes no promotional SMS for this phone.' },
}

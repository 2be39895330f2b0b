import type { SmsFault } from '../sms-door.ts'

/** An error as Twilio answers it. */
export interface Problem {
  /** Of HTTP. */
  status: number
  code: number
  message: string
}

/** Faults of a call that concern every recipient alike. */
export const problems = {
  credentials: { status: 401, code: 20003, message: 'Authenticate' },
  not_found: { status: 404, code: 20404, message: 'The requested resource was not found' },
  too_many: { status: 429, code: 20429, message: 'Too Many Requests' },
  no_number: { status: 400, code: 21604, message: "A 'To' phone number is required." },
  no_sender: { status: 400, code: 21603, message: "A 'From' phone number is required." },
  no_service: { status: 400, code: 21705, message: 'The Messaging Service Sid is invalid.' },
  no_body: { status: 400, code: 21602, message: 'Message body is required.' },
  too_long: { status: 400, code: 21617, message: 'The concatenated message body exceeds the 1600 character limit.' },
} as const satisfies Record<string, Problem>

export const refusals: Readonly<Record<SmsFault | 'invalid_sender', Problem>> = {
  invalid_number: { status: 400, code: 21211, message: "The 'To' number is not a valid phone number." },
  opted_out: { status: 400, code: 21610, message: 'Attempt to send to unsubscribed recipient' },
  no_credit: { status: 403, code: 20005, message: 'Account is not active' },
  no_route: {
    status: 400,
    code: 21612,
    message: "The 'To' number is not currently reachable from this 'From' number.",
  },
  not_allowed: { status: 400, code: 21408, message: 'Permission to send an SMS has not been enabled for the region.' },
  unreachable: { status: 400, code: 21612, message: "The 'To' number is not currently reachable." },
  expired: { status: 400, code: 21612, message: "The 'To' number is not currently reachable." },
  rejected: { status: 400, code: 30007, message: 'Message filtered' },
  invalid_sender: { status: 400, code: 21212, message: "The 'From' number is not valid." },
}

/** The error codes of SMS that are not delivered. */
export const reportErrors: Readonly<Record<SmsFault, number>> = {
  unreachable: 30003,
  expired: 30036,
  rejected: 30007,
  opted_out: 30004,
  invalid_number: 30005,
  no_credit: 30002,
  no_route: 30008,
  not_allowed: 30004,
}

/** The numbers of Twilio's own test credentials: SMS to them are refused with these codes. */
export const testNumbers: Readonly<Record<string, number>> = {
  '+15005550001': 21211,
  '+15005550002': 21612,
  '+15005550003': 21408,
  '+15005550004': 21610,
  '+15005550009': 21614,
}

/** SMS from them are refused with these codes. */
export const testSenders: Readonly<Record<string, number>> = {
  '+15005550001': 21212,
  '+15005550007': 21606,
  '+15005550008': 21611,
}

/*
 * Outcome of an SMS. It depends on the phone number, with the same numbers at every simulated provider.
 */

/** Reason for a refused or lost SMS. Doors say it in their provider's own codes. */
export type SmsFault =
  | 'invalid_number'
  | 'opted_out'
  | 'no_credit'
  | 'no_route'
  | 'not_allowed'
  | 'unreachable'
  | 'expired'
  | 'rejected'

export interface SmsBehaviour {
  /** The provider refuses it at the call. */
  refusal: SmsFault | null
  /** Number of times the provider is too busy before it takes an SMS for this phone. */
  throttled: number
  /** True if the provider takes the SMS and never answers the call. */
  never_answers: boolean
  ends: 'delivered' | 'failed' | 'never'
  /** Reason for the failure. */
  reason: SmsFault | null
  /** Seconds from the call to the end. */
  after_s: number
  /** Reports of the end. */
  reports: number
}

const ordinary: SmsBehaviour = {
  refusal: null,
  throttled: 0,
  never_answers: false,
  ends: 'delivered',
  reason: null,
  after_s: 2,
  reports: 1,
}

const failing = (reason: SmsFault, after_s = 2): Partial<SmsBehaviour> => ({ ends: 'failed', reason, after_s })

/** By the last six digits of the phone, in any country. */
const behaviours: Readonly<Record<string, Partial<SmsBehaviour>>> = {
  '000601': { refusal: 'invalid_number' },
  '000602': { refusal: 'opted_out' },
  '000603': { refusal: 'no_credit' },
  '000604': { refusal: 'no_route' },
  '000605': { refusal: 'not_allowed' },
  '000611': failing('unreachable'),
  '000612': failing('expired', 3_600),
  '000613': failing('rejected'),
  '000614': failing('opted_out'),
  '000615': failing('invalid_number'),
  '000621': { after_s: 600 },
  '000622': { reports: 0 },
  '000623': { reports: 2 },
  '000624': { ends: 'never' },
  '000631': { throttled: 2 },
  '000632': { never_answers: true },
}

/** Return the outcome of an SMS to this phone (E.164). Phones without an entry get it after two seconds. */
export function smsBehaviourOf(phonenumber: string): SmsBehaviour {
  return { ...ordinary, ...behaviours[phonenumber.slice(-6)] }
}

/** The phone numbers with an effect at every simulated SMS provider, for people. */
export const smsNumbersOfAllDoors: readonly { number: string; effect: string }[] = [
  { number: '…000601', effect: 'an SMS is refused: the number is wrong' },
  { number: '…000602', effect: 'an SMS is refused: the customer has opted out' },
  { number: '…000603', effect: 'an SMS is refused: the account has no credit' },
  { number: '…000604', effect: 'an SMS is refused: there is no route to the network' },
  { number: '…000605', effect: 'an SMS is refused: the account may not send to it' },
  { number: '…000611', effect: 'an SMS is not delivered: the phone cannot be reached' },
  { number: '…000612', effect: 'an SMS is not delivered: it expires after an hour' },
  { number: '…000613', effect: 'an SMS is not delivered: the operator rejects it' },
  { number: '…000614', effect: 'an SMS is not delivered: the customer has opted out' },
  { number: '…000615', effect: 'an SMS is not delivered: there is no such phone' },
  { number: '…000621', effect: 'an SMS arrives after 10 minutes' },
  { number: '…000622', effect: 'an SMS arrives, and is not reported' },
  { number: '…000623', effect: 'an SMS arrives, and is reported twice' },
  { number: '…000624', effect: 'an SMS stays on its way for ever' },
  { number: '…000631', effect: 'the provider is too busy for the first two calls' },
  { number: '…000632', effect: 'the provider takes the SMS, and never answers the call' },
]

/** Letters of GSM 03.38, and of its extension table, which count as two. */
const GSM = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€\f]*$/
const EXTENSION = /[\^{}\\[~\]|€\f]/g

/**
 * Count the SMS of a text as simulated providers do. One SMS holds 160 letters of GSM 03.38 or 70 of UCS-2; each of
 * several holds 153 or 67.
 */
export function countParts(text: string): number {
  const is_gsm = GSM.test(text)
  const length = is_gsm ? text.length + (text.match(EXTENSION)?.length ?? 0) : text.length
  const [one, several] = is_gsm ? [160, 153] : [70, 67]
  return length <= one ? 1 : Math.ceil(length / several)
}

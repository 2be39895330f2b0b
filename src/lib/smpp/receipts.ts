import { ESM, messageOctets, octetField, type Pdu, TLV, tlvNumber, tlvText } from './pdu.ts'

/** The states of a message (specification, section 5.2.28), with the words that receipts have for them. */
export const MESSAGE_STATES = {
  ENROUTE: 1,
  DELIVRD: 2,
  EXPIRED: 3,
  DELETED: 4,
  UNDELIV: 5,
  ACCEPTD: 6,
  UNKNOWN: 7,
  REJECTD: 8,
} as const

export type MessageState = keyof typeof MESSAGE_STATES

/** What a delivery report says. */
export interface Receipt {
  /** The id of the message, as it is written. */
  message_id: string
  /** The word for its state, in capitals: one of `MESSAGE_STATES`, or one of the provider's own. */
  state: string
  /** The provider's own number for the cause; undefined for none. */
  error: string | undefined
}

/** Reads a delivery report. Undefined: the packet is no report, or names no message. */
export function readReceipt(pdu: Pdu): Receipt | undefined {
  if (!isReceipt(pdu)) return undefined
  const text = Buffer.from(messageOctets(pdu)).toString('latin1')
  const message_id = tlvText(pdu, TLV.receipted_message_id) ?? wordAfter(text, 'id')
  const state = stateOf(tlvNumber(pdu, TLV.message_state)) ?? wordAfter(text, 'stat')?.toUpperCase()
  if (message_id === undefined || state === undefined) return undefined
  const error = wordAfter(text, 'err') ?? networkError(pdu)
  return { message_id, state, error: error === undefined || /^0+$/.test(error) ? undefined : error }
}

/** Whether a packet is a delivery report or a notice of progress, and not an SMS of a customer. */
export function isReceipt(pdu: Pdu): boolean {
  const type = octetField(pdu, 'esm_class') & ESM.type_mask
  return (
    type === ESM.delivery_receipt ||
    type === ESM.intermediate_notification ||
    pdu.tlvs[TLV.receipted_message_id] !== undefined
  )
}

/** Providers write `id:` in either case, and some put a blank after it. What stands after `text:` is the customer's. */
function wordAfter(text: string, name: string): string | undefined {
  const fields = text.replace(/\btext:.*$/is, '')
  return new RegExp(`(?:^|\\s)${name}:\\s*([^\\s:]+)(?=\\s|$)`, 'i').exec(fields)?.[1]
}

function stateOf(number: number | undefined): MessageState | undefined {
  return (Object.keys(MESSAGE_STATES) as MessageState[]).find((word) => MESSAGE_STATES[word] === number)
}

/** The last two of three octets; the first names the kind of network. */
function networkError({ tlvs }: Pdu): string | undefined {
  const octets = tlvs[TLV.network_error_code]
  return octets?.length === 3 ? String((octets[1] ?? 0) * 256 + (octets[2] ?? 0)).padStart(3, '0') : undefined
}

/** Writes a receipt as most message centres do. Times are those of the centre, to the minute. */
export function writeReceipt(receipt: {
  message_id: string
  state: string
  error: string
  submitted: Date
  done: Date
  text: string
}): string {
  const { message_id, state, error, submitted, done, text } = receipt
  const is_delivered = state === 'DELIVRD' ? '001' : '000'
  return (
    `id:${message_id} sub:001 dlvrd:${is_delivered} submit date:${toMinutes(submitted)} done date:${toMinutes(done)} ` +
    `stat:${state} err:${error} text:${text.slice(0, 20)}`
  )
}

/** YYMMDDhhmm, in UTC. */
const toMinutes = (time: Date): string => time.toISOString().replace(/\D/g, '').slice(2, 12)

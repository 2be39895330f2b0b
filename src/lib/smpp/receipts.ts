import { ESM, messageOctets, octetField, type Pdu, TLV, tlvNumber, tlvText } from './pdu.ts'
import { readText } from './texts.ts'

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

/** Content of a delivery report. */
export interface Receipt {
  /** The id of the message, as it is written. */
  message_id: string
  /** The word for its state, in capitals: one of `MESSAGE_STATES`, or one of the provider's own. */
  state: string
  /** The provider's own number for the cause; undefined for none. */
  error: string | undefined
}

/** Words for states, in capitals and without other signs: the specification's, and full forms that providers use. */
const STATE_WORDS: Readonly<Record<string, MessageState>> = {
  ...namesOf('ENROUTE', 'ENROUTE SCHEDULED SENT SUBMITTED BUFFERED BUFFRED'),
  ...namesOf(
    'DELIVRD',
    'DELIVRD DELIVERED DELIVERD DELIVRED DLVRD DELIVEREDTOHANDSET DELIVEREDTOTERMINAL DELIVERYSUCCESS',
  ),
  ...namesOf('EXPIRED', 'EXPIRED EXPIRD'),
  ...namesOf('DELETED', 'DELETED DELETD'),
  ...namesOf('UNDELIV', 'UNDELIV UNDELIVERED UNDELIVRD UNDELIVERABLE UNDELIVERD NOTDELIVERED'),
  ...namesOf('UNDELIV', 'FAILED FAIL FAILURE DELIVERYFAILED DELIVERYFAILURE'),
  ...namesOf('ACCEPTD', 'ACCEPTD ACCEPTED'),
  ...namesOf('UNKNOWN', 'UNKNOWN UNKNOWNSTATE'),
  ...namesOf('REJECTD', 'REJECTD REJECTED'),
}

function namesOf(state: MessageState, words: string): Record<string, MessageState> {
  return Object.fromEntries(words.split(' ').map((word) => [word, state]))
}

/** Maximum length of a word: no state has a longer one. */
const MAX_WORD = 60

/** The state that a word of a report stands for, in any case and spelling; undefined for a word that is not known. */
export function readStateWord(word: string): MessageState | undefined {
  if (word.length > MAX_WORD) return undefined
  const name = word.toUpperCase().replace(/[^A-Z]/g, '')
  return Object.hasOwn(STATE_WORDS, name) ? STATE_WORDS[name] : undefined
}

/** Reads a delivery report. Undefined: the packet is no report, or names no message. */
export function readReceipt(pdu: Pdu): Receipt | undefined {
  return isReceipt(pdu) ? readFields(pdu) : undefined
}

function readFields(pdu: Pdu): Receipt | undefined {
  const text = reportText(pdu)
  const parameter = tlvText(pdu, TLV.receipted_message_id)
  const message_id = parameter !== undefined && IS_ID.test(parameter) ? parameter : fieldIn(text, ID)
  const state = stateOf(tlvNumber(pdu, TLV.message_state)) ?? stateIn(text)
  if (message_id === undefined || state === undefined) return undefined
  const error = fieldIn(text, ERROR) ?? networkError(pdu)
  return { message_id, state, error: error === undefined || /^0+$/.test(error) ? undefined : error }
}

/**
 * True if a packet is a delivery report or a notice of progress, and not an SMS of a customer. Some providers do not
 * say so in `esm_class`. Then the parameters of a report make it one, or a text that begins with the id of a message
 * and has its state.
 */
export function isReceipt(pdu: Pdu): boolean {
  const type = octetField(pdu, 'esm_class') & ESM.type_mask
  if (type === ESM.delivery_receipt || type === ESM.intermediate_notification) return true
  if (pdu.tlvs[TLV.receipted_message_id] !== undefined || pdu.tlvs[TLV.message_state] !== undefined) return true
  return BEGINS_WITH_ID.test(reportText(pdu)) && readFields(pdu) !== undefined
}

/** The text of a report, without the beginning of the SMS, which stands in it after `text:`. */
function reportText(pdu: Pdu): string {
  const octets = messageOctets(pdu)
  const text = isUcs2(octets)
    ? new TextDecoder(octets[0] === 0 ? 'utf-16be' : 'utf-16le').decode(octets)
    : (readText(pdu, 'latin-1')?.text ?? Buffer.from(octets).toString('latin1'))
  const end = /(?:^|[\s,;|])text\s?[:=]/i.exec(text)
  return end ? text.slice(0, end.index) : text
}

/** True if octets are UCS-2, whatever the packet says: every second one of a report in Latin letters is zero. */
function isUcs2(octets: Uint8Array): boolean {
  return octets.length >= 4 && octets.slice(0, 4).filter((octet) => octet === 0).length === 2 && octets[0] !== octets[1]
}

/** The specification has at most 65 octets. */
const IS_ID = /^[!-~]{1,100}$/
const BEGINS_WITH_ID = /^\s{0,9}id\s?[:=]/i
const ID = fieldPattern('id')
const STATE = fieldPattern('stat|state|status')
const ERROR = fieldPattern('err|error')
const DELIVERED_COUNT = fieldPattern('dlvrd')
const SUBMITTED_COUNT = fieldPattern('sub')

/** A field of a report. Providers write names in either case, and some put a blank or an equals sign after them. */
function fieldPattern(names: string): RegExp {
  return new RegExp(`(?:^|[\\s,;|])(?:${names})\\s?[:=]\\s?"?([^\\s:=,;|"]+)(?=[\\s,;|"]|$)`, 'i')
}

function fieldIn(text: string, pattern: RegExp): string | undefined {
  return pattern.exec(text)?.[1]
}

/**
 * Reads the state from the text of a report: after its name, as a word or as the number of the specification; or as a
 * lone word; or by the number of delivered parts. A word of the provider's own is returned in capitals.
 */
function stateIn(text: string): string | undefined {
  const named = fieldIn(text, STATE)
  if (named !== undefined)
    return (/^\d$/.test(named) ? stateOf(Number(named)) : readStateWord(named)) ?? named.toUpperCase()
  // Names of fields end with a colon. `dlvrd` is a name without it, too.
  const words = text.split(/[\s,;|]+/).filter((one) => !/[:=]|^dlvrd$/i.test(one))
  const word = words.map(readStateWord).findIndex((state) => state !== undefined)
  if (word >= 0) return readStateWord(/^not$/i.test(words[word - 1] ?? '') ? `not${words[word]}` : words[word]!)
  const [delivered, submitted] = [fieldIn(text, DELIVERED_COUNT), fieldIn(text, SUBMITTED_COUNT)]
  return delivered !== undefined && Number(delivered) > 0 && delivered === submitted ? 'DELIVRD' : undefined
}

function stateOf(number: number | undefined): MessageState | undefined {
  return (Object.keys(MESSAGE_STATES) as MessageState[]).find((word) => MESSAGE_STATES[word] === number)
}

/** The last two of three octets; the first names the kind of network. */
function networkError({ tlvs }: Pdu): string | undefined {
  const octets = tlvs[TLV.network_error_code]
  return octets?.length === 3 ? String((octets[1] ?? 0) * 256 + (octets[2] ?? 0)).padStart(3, '0') : undefined
}

/** Writes a receipt as common message centres do. Times are the centre's, to the minute. */
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

import { decodeGsm, decodeUcs2, encodeGsm, encodeUcs2, isGsm } from '../sms-text.ts'
import { ESM, messageOctets, octetField, type Pdu, TLV, tlvNumber } from './pdu.ts'

/** The values of `data_coding` that carry text. */
const CODING = { default: 0, ascii: 1, latin_1: 3, ucs_2: 8 } as const

/** Meaning of the provider's default alphabet (`data_coding` 0). */
export type DefaultAlphabet = 'gsm' | 'latin-1'

/** A text as octets. It is UCS-2 where the default alphabet lacks a letter of the whole text. */
export function encodeText(part: string, whole: string, alphabet: DefaultAlphabet) {
  if (!fitsDefault(whole, alphabet)) return { data_coding: CODING.ucs_2, octets: encodeUcs2(part) }
  return { data_coding: CODING.default, octets: alphabet === 'gsm' ? encodeGsm(part) : Buffer.from(part, 'latin1') }
}

/** True if the default alphabet and the GSM alphabet of the phone's network hold every letter of a text. */
export function fitsDefault(text: string, alphabet: DefaultAlphabet): boolean {
  return isGsm(text) && (alphabet === 'gsm' || [...text].every((letter) => letter.charCodeAt(0) <= 0xff))
}

/** A message that came: its text, and which part of a longer one it is. Undefined: it is not text. */
export interface ReceivedText {
  text: string
  part: { reference: number; number: number; total: number } | null
}

export function readText(pdu: Pdu, alphabet: DefaultAlphabet): ReceivedText | undefined {
  const { header, octets } = splitHeader(pdu)
  const text = decodeText(octets, octetField(pdu, 'data_coding'), alphabet)
  return text === undefined ? undefined : { text, part: (header && readHeader(header)) ?? readSar(pdu) }
}

function splitHeader(pdu: Pdu): { header: Uint8Array | undefined; octets: Uint8Array } {
  const octets = messageOctets(pdu)
  if ((octetField(pdu, 'esm_class') & ESM.udh) === 0 || octets.length === 0) return { header: undefined, octets }
  const end = 1 + (octets[0] ?? 0)
  // Message centres mark headers that are not there.
  if (end > octets.length) return { header: undefined, octets }
  return { header: octets.subarray(1, end), octets: octets.subarray(end) }
}

function decodeText(octets: Uint8Array, data_coding: number, alphabet: DefaultAlphabet): string | undefined {
  const latin1 = () => Buffer.from(octets).toString('latin1')
  if ((data_coding & 0xec) === CODING.ucs_2) return decodeUcs2(octets)
  if (data_coding === CODING.default) return alphabet === 'gsm' ? decodeGsm(octets) : latin1()
  // Some write letters of GSM under ASCII. In ASCII these octets would be no letters.
  if (data_coding === CODING.ascii) return octets.some(isNoAscii) ? decodeGsm(octets) : latin1()
  if (data_coding === CODING.latin_1) return latin1()
  // Classes of messages (0x10 to 0x13, 0xF0 to 0xF3) with the alphabet of GSM.
  return (data_coding & 0xfc) === 0x10 || (data_coding & 0xfc) === 0xf0 ? decodeGsm(octets) : undefined
}

const isNoAscii = (octet: number): boolean => octet < 0x20 && octet !== 0x0a && octet !== 0x0d

/** The part, of a header with an 8-bit (0x00) or a 16-bit (0x08) reference. */
function readHeader(header: Uint8Array): ReceivedText['part'] {
  for (let at = 0; at + 2 <= header.length; at += 2 + (header[at + 1] ?? 0)) {
    const [kind = 0, length = 0, ...rest] = header.subarray(at)
    if (kind === 0x00 && length === 3) return toPart(rest[0] ?? 0, rest[1], rest[2])
    if (kind === 0x08 && length === 4) return toPart((rest[0] ?? 0) * 256 + (rest[1] ?? 0), rest[2], rest[3])
  }
  return null
}

function readSar(pdu: Pdu): ReceivedText['part'] {
  const reference = tlvNumber(pdu, TLV.sar_msg_ref_num)
  if (reference === undefined) return null
  return toPart(reference, tlvNumber(pdu, TLV.sar_total_segments), tlvNumber(pdu, TLV.sar_segment_seqnum))
}

function toPart(reference: number, total = 0, number = 0): ReceivedText['part'] {
  return total > 1 && number >= 1 && number <= total ? { reference, number, total } : null
}

/** The header of a part, with the marks of `esm_class`: a reference below 256. */
export function partHeader(reference: number, total: number, number: number): Uint8Array {
  return Uint8Array.of(0x05, 0x00, 0x03, reference & 0xff, total, number)
}

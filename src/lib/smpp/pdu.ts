/*
 * The packets (PDUs) of SMPP 3.4: those that a client needs and those that a server answers. The source is the
 * specification "Short Message Peer to Peer Protocol v3.4, issue 1.2".
 */

/** A field of the body: a text that ends with a zero octet, one octet, or a counted row of octets. */
type FieldKind = 'text' | 'octet' | 'octets'
type Fields = Readonly<Record<string, FieldKind>>

const bind: Fields = {
  system_id: 'text',
  password: 'text',
  system_type: 'text',
  interface_version: 'octet',
  addr_ton: 'octet',
  addr_npi: 'octet',
  address_range: 'text',
}
const addresses: Fields = {
  service_type: 'text',
  source_addr_ton: 'octet',
  source_addr_npi: 'octet',
  source_addr: 'text',
  dest_addr_ton: 'octet',
  dest_addr_npi: 'octet',
  destination_addr: 'text',
  esm_class: 'octet',
}
const message: Fields = {
  ...addresses,
  protocol_id: 'octet',
  priority_flag: 'octet',
  schedule_delivery_time: 'text',
  validity_period: 'text',
  registered_delivery: 'octet',
  replace_if_present_flag: 'octet',
  data_coding: 'octet',
  sm_default_msg_id: 'octet',
  short_message: 'octets',
}

const COMMANDS = {
  bind_receiver: [0x01, bind],
  bind_receiver_resp: [0x8000_0001, { system_id: 'text' }],
  bind_transmitter: [0x02, bind],
  bind_transmitter_resp: [0x8000_0002, { system_id: 'text' }],
  bind_transceiver: [0x09, bind],
  bind_transceiver_resp: [0x8000_0009, { system_id: 'text' }],
  unbind: [0x06, {}],
  unbind_resp: [0x8000_0006, {}],
  enquire_link: [0x15, {}],
  enquire_link_resp: [0x8000_0015, {}],
  submit_sm: [0x04, message],
  submit_sm_resp: [0x8000_0004, { message_id: 'text' }],
  deliver_sm: [0x05, message],
  deliver_sm_resp: [0x8000_0005, { message_id: 'text' }],
  data_sm: [0x103, { ...addresses, registered_delivery: 'octet', data_coding: 'octet' }],
  data_sm_resp: [0x8000_0103, { message_id: 'text' }],
  generic_nack: [0x8000_0000, {}],
} as const satisfies Record<string, readonly [number, Fields]>

export type Command = keyof typeof COMMANDS
export type Request = Exclude<Command, `${string}_resp` | 'generic_nack'>

const BY_ID: ReadonlyMap<number, Command> = new Map(
  Object.entries(COMMANDS).map(([command, [id]]) => [id, command as Command]),
)

/** The optional parameters that are used here, by their names in the specification. */
export const TLV = {
  receipted_message_id: 0x001e,
  user_message_reference: 0x0204,
  sar_msg_ref_num: 0x020c,
  sar_total_segments: 0x020e,
  sar_segment_seqnum: 0x020f,
  sc_interface_version: 0x0210,
  network_error_code: 0x0423,
  message_payload: 0x0424,
  message_state: 0x0427,
} as const

/** The bits of `esm_class`. */
export const ESM = { type_mask: 0x3c, delivery_receipt: 0x04, intermediate_notification: 0x20, udh: 0x40 } as const

type FieldValue = string | number | Uint8Array
export type FieldValues = Readonly<Record<string, FieldValue>>
export type Tlvs = Readonly<Record<number, Uint8Array>>

/** A packet as it came. Fields that it should have and that did not come are empty. */
export interface Pdu {
  /** Undefined for a command that is not known here. */
  command: Command | undefined
  command_id: number
  status: number
  sequence: number
  fields: FieldValues
  tlvs: Tlvs
}

export interface NewPdu {
  command: Command
  sequence: number
  status?: number
  fields?: FieldValues
  tlvs?: Tlvs
}

const HEADER = 16
/** Maximum length of a packet: a payload has at most 64 KiB. */
const MAX_LENGTH = 80 * 1024
const LARGEST_SEQUENCE = 0x7fff_ffff
const RESPONSE_BIT = 0x8000_0000

export const isResponse = ({ command_id }: Pdu): boolean => command_id >= RESPONSE_BIT

/** The sequence number after this one. */
export const nextSequence = (sequence: number): number => (sequence >= LARGEST_SEQUENCE ? 1 : sequence + 1)

/** Writes a packet. Fields that are not given are empty. A response with an error has no body, as the specification says. */
export function encodePdu({ command, sequence, status = 0, fields = {}, tlvs = {} }: NewPdu): Buffer {
  const [id, kinds] = COMMANDS[command]
  const has_body = status === 0
  const body = has_body
    ? [
        ...Object.entries(kinds).map(([name, kind]) => encodeField(kind as FieldKind, fields[name])),
        ...Object.entries(tlvs).map(([tag, value]) => encodeTlv(Number(tag), value)),
      ]
    : []
  const header = Buffer.alloc(HEADER)
  const pdu = Buffer.concat([header, ...body])
  pdu.writeUInt32BE(pdu.length, 0)
  pdu.writeUInt32BE(id, 4)
  pdu.writeUInt32BE(status, 8)
  pdu.writeUInt32BE(sequence, 12)
  return pdu
}

function encodeField(kind: FieldKind, value: FieldValue | undefined): Buffer {
  if (kind === 'octet') return Buffer.of(Number(value ?? 0))
  if (kind === 'text') return Buffer.from(`${String(value ?? '').replaceAll('\0', '')}\0`, 'latin1')
  const octets = value instanceof Uint8Array ? value : new Uint8Array()
  return Buffer.concat([Buffer.of(octets.length), octets])
}

function encodeTlv(tag: number, value: Uint8Array): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(tag, 0)
  head.writeUInt16BE(value.length, 2)
  return Buffer.concat([head, value])
}

/** Reads a complete packet. Truncated or unknown parts are left out, so that the session goes on. */
export function decodePdu(octets: Buffer): Pdu {
  const command_id = octets.readUInt32BE(4)
  const command = BY_ID.get(command_id)
  const head = { command, command_id, status: octets.readUInt32BE(8), sequence: octets.readUInt32BE(12) }
  if (command === undefined) return { ...head, fields: {}, tlvs: {} }
  const fields: Record<string, FieldValue> = {}
  let at = HEADER
  for (const [name, kind] of Object.entries<FieldKind>(COMMANDS[command][1])) {
    const [value, end] = decodeField(kind, octets, at)
    fields[name] = value
    at = end
  }
  return { ...head, fields, tlvs: decodeTlvs(octets.subarray(at)) }
}

function decodeField(kind: FieldKind, octets: Buffer, at: number): [value: FieldValue, end: number] {
  if (kind === 'octet') return [octets[at] ?? 0, at + 1]
  if (kind === 'octets') {
    const end = at + 1 + (octets[at] ?? 0)
    return [octets.subarray(at + 1, end), end]
  }
  const zero = octets.indexOf(0, at)
  const end = zero < 0 ? octets.length : zero
  return [octets.toString('latin1', at, end), end + 1]
}

function decodeTlvs(octets: Buffer): Tlvs {
  const tlvs: Record<number, Uint8Array> = {}
  let at = 0
  while (at + 4 <= octets.length) {
    const end = at + 4 + octets.readUInt16BE(at + 2)
    // Ignore a parameter that is cut off: its value would be another.
    if (end > octets.length) break
    tlvs[octets.readUInt16BE(at)] = octets.subarray(at + 4, end)
    at = end
  }
  return tlvs
}

/** Cuts the bytes of a connection into packets. */
interface PduReader {
  /** @throws RangeError when this is not SMPP: a length that no packet has. Nothing after it can be read. */
  read(chunk: Uint8Array): Pdu[]
}

export function createPduReader(): PduReader {
  let rest: Buffer = Buffer.alloc(0)
  return {
    read(chunk) {
      rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
      const pdus: Pdu[] = []
      while (rest.length >= 4) {
        const length = rest.readUInt32BE(0)
        if (length < HEADER || length > MAX_LENGTH) throw new RangeError(`A packet of SMPP has no ${length} octets.`)
        if (rest.length < length) break
        pdus.push(decodePdu(rest.subarray(0, length)))
        rest = rest.subarray(length)
      }
      return pdus
    },
  }
}

/** A field that holds a text; '' where there is none. */
export function textField({ fields }: Pick<Pdu, 'fields'>, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}

/** A field that holds one octet; 0 where there is none. */
export function octetField({ fields }: Pick<Pdu, 'fields'>, name: string): number {
  const value = fields[name]
  return typeof value === 'number' ? value : 0
}

/** The message of a packet: its `message_payload`, or its `short_message`. */
export function messageOctets({ fields, tlvs }: Pick<Pdu, 'fields' | 'tlvs'>): Uint8Array {
  const { short_message } = fields
  const payload = tlvs[TLV.message_payload]
  if (payload && payload.length > 0) return payload
  return short_message instanceof Uint8Array ? short_message : new Uint8Array()
}

/** An optional parameter as a whole number; undefined where it is absent or empty. */
export function tlvNumber({ tlvs }: Pick<Pdu, 'tlvs'>, tag: number): number | undefined {
  const octets = tlvs[tag]
  return octets && octets.length > 0 && octets.length <= 4
    ? Buffer.from(octets).readUIntBE(0, octets.length)
    : undefined
}

/** An optional parameter that holds a text; undefined where it is absent or empty. */
export function tlvText({ tlvs }: Pick<Pdu, 'tlvs'>, tag: number): string | undefined {
  const octets = tlvs[tag]
  if (!octets) return undefined
  const text = Buffer.from(octets).toString('latin1').replace(/\0.*$/s, '').trim()
  return text === '' ? undefined : text
}

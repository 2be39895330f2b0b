import { describe, expect, it } from 'vitest'
import { createPduReader, encodePdu, type FieldValues, type NewPdu, TLV, type Tlvs } from '../../../src/lib/smpp/pdu.ts'
import type { SmsReport } from '../../../src/senders/contract.ts'
import { createMessages } from '../../../src/senders/smpp/messages.ts'
import { createSentList } from '../../../src/senders/smpp/sent.ts'
import { connectionTo, SHORT } from './server.ts'

/*
 * Reports as message centres send them, each with one changed part: a field that is empty, too long or of another type,
 * an optional parameter that is absent, cut off or of another length, a packet that ends anywhere. Nothing is thrown,
 * and unneeded parts do not change the state of the SMS.
 */

const ID = 'a1b2c3'
const REFERENCE = 'our reference'
const TEXT = `id:${ID} sub:001 dlvrd:000 submit date:2611221200 done date:2611221201 stat:UNDELIV err:027 text:Paid`
const octets = (text: string) => Buffer.from(text, 'latin1')

const common: FieldValues = {
  service_type: 'CMT',
  source_addr_ton: 1,
  source_addr_npi: 1,
  source_addr: '256772123456',
  dest_addr_ton: 5,
  dest_addr_npi: 0,
  destination_addr: 'SHOP',
  esm_class: 4,
  protocol_id: 0,
  priority_flag: 0,
  schedule_delivery_time: '',
  validity_period: '',
  registered_delivery: 0,
  replace_if_present_flag: 0,
  data_coding: 0,
  sm_default_msg_id: 0,
}
const named: Tlvs = {
  [TLV.receipted_message_id]: octets(`${ID}\0`),
  [TLV.message_state]: Uint8Array.of(5),
  [TLV.network_error_code]: Uint8Array.of(3, 0, 27),
}

/** Reports, each with what decides about its state. */
const REPORTS: Record<string, NewPdu & { decides: readonly (string | number)[] }> = {
  'with its text alone': {
    command: 'deliver_sm',
    sequence: 7,
    decides: ['short_message'],
    fields: { ...common, short_message: octets(TEXT) },
  },
  'with its text as a payload': {
    command: 'deliver_sm',
    sequence: 7,
    decides: [TLV.message_payload],
    fields: common,
    tlvs: { [TLV.message_payload]: octets(TEXT) },
  },
  'with parameters alone': {
    command: 'deliver_sm',
    sequence: 7,
    decides: [TLV.receipted_message_id, TLV.message_state],
    fields: common,
    tlvs: named,
  },
  'with both': {
    command: 'deliver_sm',
    sequence: 7,
    decides: [],
    fields: { ...common, short_message: octets(TEXT) },
    tlvs: named,
  },
  'in data_sm': {
    command: 'data_sm',
    sequence: 7,
    decides: [TLV.receipted_message_id, TLV.message_state],
    fields: common,
    tlvs: named,
  },
}

/** A packet with one part in another form. */
interface Mutated {
  what: string
  part: string | number
  packet: Buffer
}

const FIELD_VALUES: readonly (string | number | Uint8Array)[] = [
  '',
  ' ',
  '0',
  '\u00ff'.repeat(21),
  'x'.repeat(300),
  '%00%n',
  'constructor',
  0,
  1,
  0x7f,
  0xff,
  new Uint8Array(),
  Uint8Array.of(0),
  Uint8Array.of(0xff, 0xfe, 0x1b),
]

function mutations({ decides: _, ...report }: (typeof REPORTS)[string]): Mutated[] {
  const { fields = {}, tlvs = {} } = report
  const changed = (part: string | number, what: string, changes: Partial<NewPdu>): Mutated => ({
    part,
    what: `${part} ${what}`,
    packet: encodePdu({ ...report, ...changes }),
  })
  const of_fields = Object.entries(fields).flatMap(([name, value]) =>
    FIELD_VALUES.filter((other) => typeof other === typeof value).map((other) =>
      changed(name, `is ${JSON.stringify(other)}`, { fields: { ...fields, [name]: other } }),
    ),
  )
  const of_tlvs = Object.keys(tlvs).flatMap((tag) => [
    ...[new Uint8Array(), Uint8Array.of(0), Uint8Array.of(0xff), Buffer.alloc(5), octets('\x1b \x7f')].map((other) =>
      changed(Number(tag), `is ${JSON.stringify(other)}`, { tlvs: { ...tlvs, [tag]: other } }),
    ),
    changed(Number(tag), 'is absent', {
      tlvs: Object.fromEntries(Object.entries(tlvs).filter(([other]) => other !== tag)),
    }),
    ...[-1, 1, 0xff00].map((more) => ({
      what: `${tag} says ${more} octets more than it has`,
      // The parameters after it cannot be read.
      part: isLast(tlvs, tag) ? Number(tag) : 'length',
      packet: withTlvLength(encodePdu(report), Number(tag), more),
    })),
  ])
  return [
    ...of_fields,
    ...of_tlvs,
    changed('others', 'of later versions', { tlvs: { ...tlvs, 5: Uint8Array.of(1), 5120: Buffer.alloc(900, 0xff) } }),
    changed('sequence', 'is the largest', { sequence: 0xffff_ffff }),
    changed('reserved bits', 'of esm_class', { fields: { ...fields, esm_class: 0x04 | 0x83 } }),
    changed('gsm features', 'of esm_class', { fields: { ...fields, esm_class: 0x84 } }),
  ]
}

/** Numbers are the names of members in their order. */
const isLast = (tlvs: Tlvs, tag: string): boolean => Object.keys(tlvs).at(-1) === tag

/** The packet with another length in the head of a parameter. */
function withTlvLength(packet: Buffer, tag: number, more: number): Buffer {
  const head = Buffer.alloc(2)
  head.writeUInt16BE(tag)
  const at = packet.lastIndexOf(head) + 2
  packet.writeUInt16BE(Math.max(packet.readUInt16BE(at) + more, 0), at)
  return packet
}

/** The report that a packet gives to the service, and the status that answers it. */
async function take(packet: Buffer, chunk = packet.length) {
  const reports: SmsReport[] = []
  const incoming: string[] = []
  const alarms: string[] = []
  const { settings } = connectionTo(1)
  const sent = createSentList(settings.message_ids)
  sent.take(sent.open(REFERENCE, '+256772123456', 1), 0, ID)
  const messages = createMessages({
    settings,
    waits: SHORT,
    tools: { alarm: (text: string) => alarms.push(text) },
    sent,
    listener: {
      reports: async (list) => void reports.push(...list),
      incoming: async (list) => void incoming.push(...list.map(({ text }) => text)),
    },
    settled: async () => {},
  })
  const reader = createPduReader()
  const statuses: number[] = []
  for (let at = 0; at < packet.length; at += chunk)
    for (const pdu of reader.read(packet.subarray(at, at + chunk))) statuses.push(await messages.take(pdu, 1))
  messages.close()
  return { statuses, report: reports[0], incoming }
}

describe.each(Object.entries(REPORTS))('A report %s', (_name, report) => {
  const mutated = mutations(report)

  it('has the same state, despite any change of other parts', async () => {
    const { report: whole } = await take(encodePdu(report))
    expect(whole).toMatchObject({ sms: { reference: REFERENCE }, state: 'failed' })
    for (const { part, what, packet } of mutated) {
      if (report.decides.includes(part) || part === 'length') continue
      const { statuses, report: read } = await take(packet)
      expect({ what, statuses, sms: read?.sms, state: read?.state }).toEqual({
        what,
        statuses: [0],
        sms: { reference: REFERENCE },
        state: 'failed',
      })
    }
  })

  it('never throws and is never an inbound SMS, despite any change of its parts', async () => {
    for (const { what, packet, part } of mutated) {
      const { statuses, incoming } = await take(packet)
      expect({ what, answered: statuses.length }).toEqual({ what, answered: 1 })
      if (part !== 'esm_class') expect({ what, incoming }).toEqual({ what, incoming: [] })
    }
  })

  it('may end anywhere, and come in any pieces', async () => {
    const packet = encodePdu(report)
    for (let end = 16; end < packet.length; end += 1) {
      const cut = Buffer.from(packet.subarray(0, end))
      cut.writeUInt32BE(end, 0)
      const { statuses, report: read } = await take(cut)
      expect({ end, answered: statuses.length, delivered: read?.state === 'delivered' }).toEqual({
        end,
        answered: 1,
        delivered: false,
      })
      if (read) expect({ end, sms: read.sms }).toEqual({ end, sms: { reference: REFERENCE } })
    }
    const whole = await take(packet)
    for (const size of [1, 3, 17]) expect(await take(packet, size)).toEqual(whole)
  })
})

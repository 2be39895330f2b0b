import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  createPduReader,
  decodePdu,
  encodePdu,
  messageOctets,
  nextSequence,
  octetField,
  type Pdu,
  TLV,
  textField,
  tlvNumber,
  tlvText,
} from '../../../src/lib/smpp/pdu.ts'

const word = (max: number) => fc.stringMatching(new RegExp(`^[\\x20-\\x7e]{0,${max}}$`))
const octet = fc.integer({ min: 0, max: 255 })
const submit = fc.record({
  service_type: word(5),
  source_addr_ton: octet,
  source_addr_npi: octet,
  source_addr: word(20),
  destination_addr: word(20),
  esm_class: octet,
  validity_period: word(16),
  registered_delivery: octet,
  data_coding: octet,
  short_message: fc.uint8Array({ maxLength: 255 }),
})
const sequence = fc.integer({ min: 1, max: 0x7fff_ffff })

test('reads what it writes', () => {
  fc.assert(
    fc.property(submit, sequence, fc.uint8Array({ maxLength: 300 }), (fields, number, payload) => {
      const tlvs = { [TLV.message_payload]: payload }
      const pdu = decodePdu(encodePdu({ command: 'submit_sm', sequence: number, fields, tlvs }))
      expect(pdu).toMatchObject({ command: 'submit_sm', command_id: 4, status: 0, sequence: number })
      const { short_message, ...others } = fields
      expect(pdu.fields).toMatchObject(others)
      expect([...messageOctets(pdu)]).toEqual([...(payload.length > 0 ? payload : short_message)])
    }),
  )
})

test('writes the example of the specification', () => {
  const fields = { system_id: 'SMPP3TEST', password: 'secret08', system_type: 'SUBMIT1', interface_version: 0x00 }
  const pdu = encodePdu({ command: 'bind_transmitter', sequence: 1, fields: { ...fields, addr_ton: 1, addr_npi: 1 } })
  expect(pdu.toString('hex')).toBe(
    '0000002f000000020000000000000001534d50503354455354007365637265743038005355424d495431000001' + '0100',
  )
})

test('cuts a stream into packets, wherever its chunks end', () => {
  const packets = fc.array(submit, { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(packets, fc.integer({ min: 1, max: 50 }), (list, size) => {
      const stream = Buffer.concat(
        list.map((fields, at) => encodePdu({ command: 'submit_sm', sequence: at + 1, fields })),
      )
      const reader = createPduReader()
      const read: Pdu[] = []
      for (let at = 0; at < stream.length; at += size) read.push(...reader.read(stream.subarray(at, at + size)))
      expect(read.map((pdu) => pdu.sequence)).toEqual(list.map((_, at) => at + 1))
    }),
  )
})

test('never throws for what another program writes into a packet', () => {
  fc.assert(
    fc.property(fc.constantFrom(4, 5, 9, 0x103, 0x8000_0004, 0x77), fc.uint8Array({ maxLength: 200 }), (id, body) => {
      const packet = Buffer.concat([Buffer.alloc(16), body])
      packet.writeUInt32BE(packet.length, 0)
      packet.writeUInt32BE(id, 4)
      const [pdu] = createPduReader().read(packet) as [Pdu]
      expect(pdu.command_id).toBe(id)
      messageOctets(pdu)
      tlvNumber(pdu, TLV.message_state)
      tlvText(pdu, TLV.receipted_message_id)
    }),
  )
})

describe('a stream that is no SMPP', () => {
  it.each(['0000000f000000040000000000000001', '48545450', 'ffffffff'])('%s is refused', (hex) => {
    expect(() => createPduReader().read(Buffer.from(hex, 'hex'))).toThrow(RangeError)
  })
})

test('a response with an error has no body', () => {
  const pdu = encodePdu({ command: 'submit_sm_resp', sequence: 7, status: 0x58, fields: { message_id: 'x' } })
  expect(pdu.toString('hex')).toBe('00000010800000040000005800000007')
})

test('a field that did not come is empty', () => {
  const pdu = decodePdu(Buffer.from('00000012800000040000000000000007aabb', 'hex'))
  expect(textField(pdu, 'message_id')).toBe('ª»')
  expect(textField(pdu, 'nothing')).toBe('')
  expect(octetField(pdu, 'nothing')).toBe(0)
  expect(tlvNumber(pdu, TLV.message_state)).toBeUndefined()
})

test('sequence numbers begin anew at their end', () => {
  expect(nextSequence(1)).toBe(2)
  expect(nextSequence(0x7fff_ffff)).toBe(1)
})

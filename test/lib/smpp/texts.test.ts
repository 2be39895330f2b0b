import { expect, test } from 'vitest'
import { decodePdu, encodePdu, type FieldValues, type Tlvs } from '../../../src/lib/smpp/pdu.ts'
import { type DefaultAlphabet, encodeText, partHeader, readText } from '../../../src/lib/smpp/texts.ts'

const read = (fields: FieldValues, tlvs: Tlvs = {}, alphabet: DefaultAlphabet = 'gsm') =>
  readText(decodePdu(encodePdu({ command: 'deliver_sm', sequence: 1, fields, tlvs })), alphabet)
const octets = (...values: number[]) => Uint8Array.from(values)

test.each([
  ['gsm', 'é@€', 0, '05001b65'],
  ['latin-1', 'é@£', 0, 'e940a3'],
  ['latin-1', '€', 8, '20ac'],
  ['latin-1', 'Δ', 8, '0394'],
  ['gsm', 'ọ', 8, '1ecd'],
] as const)('with the default alphabet %s, %s has data_coding %i', (alphabet, text, data_coding, hex) => {
  const encoded = encodeText(text, text, alphabet)
  expect(encoded.data_coding).toBe(data_coding)
  expect(Buffer.from(encoded.octets).toString('hex')).toBe(hex)
})

test.each([
  [0x00, octets(0x05), 'é'],
  [0x01, octets(0x41, 0x24), 'A$'],
  [0x01, octets(0x05, 0x1b, 0x65), 'é€'],
  [0x03, octets(0xe9), 'é'],
  [0x08, octets(0x1e, 0xcd, 0x00), 'ọ'],
  [0x18, octets(0x1e, 0xcd), 'ọ'],
  [0x10, octets(0x05), 'é'],
  [0xf1, octets(0x05), 'é'],
])('data_coding %i is read', (data_coding, short_message, text) => {
  expect(read({ data_coding, short_message })).toEqual({ text, part: null })
})

test.each([0x02, 0x04, 0x05, 0x0e, 0xf5])('data_coding %i is no text', (data_coding) => {
  expect(read({ data_coding, short_message: octets(1, 2) })).toBeUndefined()
})

test('reads the part of a long text from its header or its parameters', () => {
  const with_header = (header: Uint8Array) =>
    read({ esm_class: 0x40, short_message: Buffer.concat([header, Buffer.from('A')]) })
  expect(with_header(partHeader(9, 3, 2))).toEqual({ text: 'A', part: { reference: 9, number: 2, total: 3 } })
  expect(with_header(octets(6, 8, 4, 1, 2, 3, 1))?.part).toEqual({ reference: 258, number: 1, total: 3 })
  // A header for ports stands before the parts' header, one has an impossible part, and one is cut off.
  expect(with_header(octets(11, 5, 4, 0, 1, 0, 2, 0, 3, 7, 2, 2))?.part).toEqual({ reference: 7, number: 2, total: 2 })
  expect(with_header(octets(5, 0, 3, 7, 2, 3))?.part).toBeNull()
  expect(with_header(octets(3, 0, 3, 7))).toBeDefined()
  const sar = { 524: octets(1, 2), 526: octets(2), 527: octets(1) }
  expect(read({ short_message: octets(0x41) }, sar)?.part).toEqual({ reference: 258, number: 1, total: 2 })
})

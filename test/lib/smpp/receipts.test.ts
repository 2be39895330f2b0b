import { describe, expect, it, test } from 'vitest'
import { decodePdu, encodePdu, type FieldValues, type Tlvs } from '../../../src/lib/smpp/pdu.ts'
import { isReceipt, readReceipt, writeReceipt } from '../../../src/lib/smpp/receipts.ts'
import { describeStatus, STATUSES, statusCode, statusName } from '../../../src/lib/smpp/statuses.ts'

const deliver = (fields: FieldValues, tlvs: Tlvs = {}) =>
  decodePdu(encodePdu({ command: 'deliver_sm', sequence: 1, fields, tlvs }))
const receipt = (text: string, tlvs: Tlvs = {}) =>
  readReceipt(deliver({ esm_class: 4, short_message: Buffer.from(text, 'latin1') }, tlvs))

describe('a delivery report', () => {
  it.each([
    [
      'id:A-1_2 sub:001 dlvrd:001 submit date:2611221200 done date:2611221201 stat:DELIVRD err:000 text:Hi',
      'A-1_2',
      'DELIVRD',
      undefined,
    ],
    ['id:7 submitdate:180122230957 donedate:000000000000 stat:REJECTD err:375 text:', '7', 'REJECTD', '375'],
    ['ID: 7 STAT: undeliv ERR: 001', '7', 'UNDELIV', '001'],
    ['id:7 stat:EXPIRED err:0A3 Text:id:8 stat:DELIVRD', '7', 'EXPIRED', '0A3'],
    ['sub:001 stat:DELIVRD id:9', '9', 'DELIVRD', undefined],
  ])('%s', (text, message_id, state, error) => {
    expect(receipt(text)).toEqual({ message_id, state, error })
  })

  it('is read by its parameters before its text', () => {
    const tlvs = { 30: Buffer.from('X9\0'), 1063: Uint8Array.of(5), 1059: Uint8Array.of(3, 0, 27) }
    expect(receipt('id:1 stat:DELIVRD', tlvs)).toEqual({ message_id: 'X9', state: 'UNDELIV', error: '027' })
    expect(receipt('id:1 stat:DELIVRD', { 1063: Uint8Array.of(99) })).toMatchObject({ state: 'DELIVRD' })
  })

  it.each(['', 'hello', 'id:1', 'stat:DELIVRD', 'text:id:1 stat:DELIVRD', 'xid:1 stat:DELIVRD'])(
    'that does not name a message and its state (%j) is none',
    (text) => {
      expect(receipt(text)).toBeUndefined()
    },
  )

  const octets = (text: string) => Buffer.from(text, 'latin1')
  const ucs2 = (text: string) => Buffer.from(text, 'utf16le').swap16()

  it.each<[string, FieldValues, Tlvs, string]>([
    ['no class', { short_message: octets('id:1 sub:001 dlvrd:001 stat:DELIVRD err:000 text:Hi') }, {}, 'DELIVRD'],
    ['a class of its own', { esm_class: 0x20, short_message: octets('id:1 stat:ENROUTE') }, {}, 'ENROUTE'],
    ['no text', {}, { 30: Buffer.from('1\0'), 1063: Uint8Array.of(2) }, 'DELIVRD'],
    ['its id in the text alone', { short_message: octets('id:1') }, { 1063: Uint8Array.of(8) }, 'REJECTD'],
    ['UCS-2', { data_coding: 8, short_message: ucs2('id:1 sub:001 dlvrd:000 stat:UNDELIV err:001') }, {}, 'UNDELIV'],
    ['UCS-2 and a class', { esm_class: 4, data_coding: 8, short_message: ucs2('id:1 stat:EXPIRED') }, {}, 'EXPIRED'],
    ['UCS-2 that it does not name', { short_message: ucs2('id:1 stat:DELIVRD') }, {}, 'DELIVRD'],
    ['UCS-2 of the other order', { short_message: Buffer.from('id:1 stat:DELIVRD', 'utf16le') }, {}, 'DELIVRD'],
    ['a payload', {}, { 1060: octets('id:1 stat:DELIVERED') }, 'DELIVRD'],
    ['a word in full', { short_message: octets('id:1 sub:001 stat:DELIVERED err:000') }, {}, 'DELIVRD'],
    ['a word in lower case', { short_message: octets('id:1 stat:undeliverable') }, {}, 'UNDELIV'],
    ['FAILED', { short_message: octets('id:1 dlvrd:000 stat:FAILED err:034') }, {}, 'UNDELIV'],
    ['a longer name', { short_message: octets('id:1 status:Rejected') }, {}, 'REJECTD'],
    ['a number', { short_message: octets('id:1 stat:3 err:0') }, {}, 'EXPIRED'],
    [
      'a word without a name',
      { short_message: octets('id:1 sub:001 dlvrd:001 done date:2611221201 DELIVERED') },
      {},
      'DELIVRD',
    ],
    ['FAILED beside a count of parts', { short_message: octets('id:1 sub:001 dlvrd:000 FAILED') }, {}, 'UNDELIV'],
    ['two words', { short_message: octets('id:1 NOT DELIVERED') }, {}, 'UNDELIV'],
    [
      'the count of parts alone',
      { short_message: octets('id:1 sub:001 dlvrd:001 submit date:261122 text:x') },
      {},
      'DELIVRD',
    ],
    ['equals signs', { short_message: octets('id=1;stat=ACCEPTED;err=000') }, {}, 'ACCEPTD'],
    [
      'dates as people write them',
      { short_message: octets('id:1 submit date:2026-11-22 12:00:01 done date:22/11/2026 12:01 stat:DELIVRD') },
      {},
      'DELIVRD',
    ],
    ['a blank before it', { short_message: octets(' ID: 1 STAT: Delivrd') }, {}, 'DELIVRD'],
  ])('is no SMS of a customer with %s', (_name, fields, tlvs, state) => {
    const pdu = deliver({ esm_class: 0, ...fields }, tlvs)
    expect([isReceipt(pdu), readReceipt(pdu)]).toMatchObject([true, { message_id: '1', state }])
  })

  it.each([
    'STOP',
    'My id:12 please',
    'id: 12345678 is my number',
    'Delivered, thank you',
    'I failed to pay, id 7',
    'text:id:1 stat:DELIVRD',
    'Hello id:1 stat:DELIVRD',
  ])('is told apart from what a customer writes: %s', (text) => {
    for (const pdu of [
      deliver({ esm_class: 0, short_message: octets(text) }),
      deliver({ esm_class: 0, data_coding: 8, short_message: ucs2(text) }),
    ])
      expect([isReceipt(pdu), readReceipt(pdu)]).toEqual([false, undefined])
  })

  it('that is written here is read as it was meant', () => {
    const time = new Date('2026-11-22T12:34:56Z')
    const text = writeReceipt({
      message_id: '42',
      state: 'UNDELIV',
      error: '027',
      submitted: time,
      done: time,
      text: 'A text of more than twenty letters',
    })
    expect(text).toBe(
      'id:42 sub:001 dlvrd:000 submit date:2611221234 done date:2611221234 stat:UNDELIV err:027 text:A text of more than ',
    )
    expect(receipt(text)).toEqual({ message_id: '42', state: 'UNDELIV', error: '027' })
  })
})

test('a status has a name, a code and words', () => {
  for (const [name, [code]] of Object.entries(STATUSES)) {
    expect(statusName(code)).toBe(name)
    expect(statusCode(name as keyof typeof STATUSES)).toBe(code)
  }
  expect(describeStatus(0x0e)).toBe('ESME_RINVPASWD (0x0000000E): the password is invalid')
  expect(describeStatus(0x400)).toBe("the status 0x00000400, which is the provider's own")
})

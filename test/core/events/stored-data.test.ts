import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packData, unpackData } from '../../../src/core/events/stored-data.ts'

const OBJECT = '{"id":7,"organization":2,"status":"active"}'

describe('the object of an event', () => {
  it('is read as it was recorded, byte for byte', () => {
    for (const text of [
      '{}',
      OBJECT,
      '{"name":"Zoë 🙂","note":"\\u0000"}',
      JSON.stringify({ text: 'x'.repeat(100_000) }),
    ])
      expect(unpackData(packData(text))).toBe(text)
  })

  it('stays readable: this one was stored by version 0.2.0', () => {
    const members = [
      '"agentReference":""',
      '"kind":"electricity"',
      '"payment_type":"money"',
      '"remote_transaction_id":""',
    ]
    const text = `{${members.join(',')},"status":"processing_started","max_attempts":3}`
    expect(unpackData(Buffer.from('AatWIrrZBytP4eUNpDmCp4SHhwrWKgXNnbUA', 'base64'))).toBe(text)
  })

  it('is read as it was recorded when it repeats the dictionary, itself, or nothing', () => {
    const member = fc.constantFrom(
      '"organization":1,"first_name":"',
      '"created":"2026-01-01T00:00:00Z"',
      ...'"status":"successful"|"amount":"00.0000"|}|ab'.split('|'),
    )
    const text = fc.array(fc.oneof(member, fc.string({ unit: 'grapheme' })), { maxLength: 60 })
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (parts, times) => {
        const json = JSON.stringify(parts.join('').repeat(times))
        expect(unpackData(packData(json))).toBe(json)
      }),
    )
  })

  it('of a newer version is refused, and never read as something else', () => {
    expect(() => unpackData(Buffer.concat([Buffer.of(3), packData(OBJECT).subarray(1)]))).toThrow('form 3')
  })
})

import { describe, expect, it } from 'vitest'
import { redactCallback } from '../../src/drivers/redact.ts'
import { rawCallback } from '../connections/fake-connection.ts'

const names = ['pin', 'Authorization']

describe('the redaction of callbacks', () => {
  it('leaves a callback as it is, byte for byte, when it holds nothing secret', () => {
    const callback = rawCallback({ body: '{ "amount" : 5 }', query: 'a=%20b', bytes: Buffer.from([1, 2]) })
    expect(redactCallback(callback, names)).toEqual(callback)
    expect(redactCallback(callback)).toBe(callback)
  })

  it('removes headers, query parameters and JSON members in any case and at any depth', () => {
    const redacted = redactCallback(
      rawCallback({
        headers: { authorization: 'Bearer 9876', accept: '*/*' },
        query: 'Pin=9876&pin=9876',
        body: '{"a":[{"PIN":{"value":"9876"}}],"pin":9876}',
        bytes: Buffer.from('9876'),
      }),
      names,
    )
    expect(JSON.stringify(redacted)).not.toContain('9876')
    expect(redacted.headers.accept).toBe('*/*')
    expect(redacted.bytes).toBe(null)
  })

  it('keeps what is not JSON', () => {
    expect(redactCallback(rawCallback({ body: '<pin>' }), names).body).toBe('<pin>')
  })
})

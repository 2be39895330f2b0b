import { describe, expect, it } from 'vitest'
import type { RawCallback } from '../../../src/drivers/raw-callback.ts'
import { redactCallback } from '../../../src/drivers/redact.ts'
import { gsmaMomo } from '../../../src/networks/gsma-momo/index.ts'
import { CHARGE_REFERENCE, error, openDriver, REFERENCE, transaction } from './gsma-test.ts'

const driver = openDriver('http://127.0.0.1:2')
const success = JSON.stringify(transaction().body)
const failure = JSON.stringify(error(400, 'businessRule', 'insufficientFunds').body)

function callback(more: Partial<RawCallback>): RawCallback {
  return { method: 'PUT', path: '', query: '', headers: {}, body: failure, address: '192.0.2.1', ...more }
}
const about = (reference: string) => ({
  subject: 'order',
  order: { reference },
  verified: false,
  answer: { outcome: 'unknown', message: expect.any(String) },
})

describe('a callback', () => {
  it('names its order in the header alone', () => {
    for (const body of [failure, success, '{"result":"success"}', '', 'x']) {
      const named = callback({ headers: { 'x-correlationid': REFERENCE.toUpperCase() }, body })
      expect(driver.readCallback(named)).toEqual(about(REFERENCE))
    }
  })

  it('names its order by the address that we gave out', () => {
    const named = callback({ path: `/${REFERENCE}`, headers: { 'x-correlationid': CHARGE_REFERENCE } })
    expect(driver.readCallback(named)).toEqual(about(REFERENCE))
  })

  it('names its order in a transaction, if the provider has its own correlation id', () => {
    const named = callback({ body: success, headers: { 'x-correlationid': 'provider-7' } })
    expect(driver.readCallback(named)).toEqual(about(REFERENCE))
  })

  it('is never believed: its claim is checked by a status query', () => {
    for (const body of [success, failure])
      expect(driver.readCallback(callback({ path: `/${REFERENCE}`, body }))).toMatchObject({
        verified: false,
        answer: { outcome: 'unknown' },
      })
  })

  it.each([
    ['nothing', {}],
    ['a name that is not ours', { headers: { 'x-correlationid': 'KR1-1' } }],
    ['a UUID that is not of version 4', { headers: { 'x-correlationid': '3f0c2a4e-8a53-1f0e-9d57-6c1b2a7e9f10' } }],
    ['another method', { method: 'DELETE', path: `/${REFERENCE}` }],
  ])('with %s is not recognized', (_what, more) => {
    expect(driver.readCallback(callback(more))).toMatchObject({ subject: 'unrecognized' })
  })

  it('is answered with 204', () => {
    expect(driver.callbackReply(callback({}))).toEqual({ status: 204, content_type: 'application/json', body: '' })
  })

  it('is read again without its secrets, and says the same', () => {
    const headers = { 'x-correlationid': REFERENCE, 'x-api-key': 'marked', authorization: 'Bearer marked' }
    const stored = redactCallback(callback({ headers }), gsmaMomo.secret_fields)
    expect(JSON.stringify(stored)).not.toContain('marked')
    expect(driver.readCallback(stored)).toEqual(about(REFERENCE))
  })
})

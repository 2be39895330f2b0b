import { describe, expect, it } from 'vitest'
import { readRequestDate, signRequest, verifySignature } from '../../../src/lib/http/signed-requests.ts'

const timestamp = readRequestDate('Thu, 19 Dec 2019 17:40:26 GMT')!
const none = Buffer.alloc(0)

describe('a signed request', () => {
  it('has the signature that other implementations compute, without a body', () => {
    const path = '/api/gateway/superagent/account/balance'
    const signature = signRequest('test-secret', { method: 'GET', path, timestamp, body: none })
    expect(signature).toBe('8OGBqfMR6fO2knO1GqzV08D41fE=')
  })

  it('has the signature that other implementations compute, with a body', () => {
    const text =
      '{"service_type":"mtn","phone":"08012345678","amount":100,"plan":"prepaid","agentId":207,"agentReference":"REF-1"}'
    const path = '/api/gateway/services/airtime/request'
    const request = { method: 'POST', path, timestamp, body: Buffer.from(text) }
    expect(signRequest('test-secret', request)).toBe('LuGQvuRaq6nTopuWwv9iT9KVPBY=')
    expect(verifySignature('test-secret', request, 'LuGQvuRaq6nTopuWwv9iT9KVPBY=')).toBe(true)
  })

  it('is verified in all parts', () => {
    const request = { method: 'POST', path: '/a', timestamp, body: Buffer.from('{}') }
    const signature = signRequest('secret', request)
    expect(verifySignature('secret', request, signature)).toBe(true)
    for (const other of [
      { ...request, method: 'GET' },
      { ...request, path: '/b' },
      { ...request, timestamp: timestamp + 1 },
      { ...request, body: Buffer.from('{ }') },
      { ...request, body: none },
    ])
      expect(verifySignature('secret', other, signature)).toBe(false)
    expect(verifySignature('Secret', request, signature)).toBe(false)
    for (const wrong of ['', 'x', `${signature}=`, signature.slice(1), 'é'])
      expect(verifySignature('secret', request, wrong)).toBe(false)
  })
})

describe('the date of a signed request', () => {
  it('is accepted in the forms that clients send', () => {
    for (const text of [
      'Thu, 19 Dec 2019 17:40:26 GMT',
      'Thu, 19 Dec 2019 17:40:26 +0000',
      'Thu, 19 Dec 2019 18:40:26 +0100',
      '2019-12-19T17:40:26Z',
      '2019-12-19T17:40:26.123Z',
      '2019-12-19T18:40:26+01:00',
      'Thu Dec 19 2019 17:40:26 GMT+0000 (Coordinated Universal Time)',
      ' 1576777226 ',
    ])
      expect([text, readRequestDate(text)]).toEqual([text, 1_576_777_226])
  })

  it('must be exact', () => {
    for (const text of ['', '2019/12/19', '19,Dec 2019', '2019-12-19T17:40:26', 'now', 'Thu, 39 Dec 2019 17:40:26 GMT'])
      expect([text, readRequestDate(text)]).toEqual([text, undefined])
  })
})

import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { signatureHeaders, signingKey } from '../../../src/lib/http/standard-webhooks.ts'

const BODY = '{"hook":{"id":1},"data":{"name":"Zoë"}}'
const secret = () => `whsec_${randomBytes(32).toString('base64')}`

describe('a signed notification', () => {
  it('is accepted by the reference library of the specification', () => {
    const own = secret()
    const headers = signatureHeaders([signingKey(own)], 'msg_1', new Date(), BODY)
    expect(new Webhook(own).verify(BODY, headers)).toEqual(JSON.parse(BODY))
  })

  it('is accepted with both secrets during a change of secrets', () => {
    const [fresh, old] = [secret(), secret()]
    const headers = signatureHeaders([fresh, old].map(signingKey), 'msg_1', new Date(), BODY)
    for (const known of [fresh, old]) expect(() => new Webhook(known).verify(BODY, headers)).not.toThrow()
    expect(headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/)
  })

  it('is refused after a change of its body, id or time, or with another secret', () => {
    const own = secret()
    const headers = signatureHeaders([signingKey(own)], 'msg_1', new Date(), BODY)
    const check = (body: string, changed: object, key = own) =>
      new Webhook(key).verify(body, { ...headers, ...changed })
    expect(() => check(BODY.replace('1', '2'), {})).toThrow()
    expect(() => check(BODY, { 'webhook-id': 'msg_2' })).toThrow()
    expect(() => check(BODY, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) })).toThrow()
    expect(() => check(BODY, {}, secret())).toThrow()
  })

  it('has its time in whole seconds', () => {
    const at = new Date('2030-01-15T12:00:00.999Z')
    expect(signatureHeaders([signingKey(secret())], 'msg_1', at, BODY)['webhook-timestamp']).toBe('1894708800')
  })
})

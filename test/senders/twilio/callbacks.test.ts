import twilio_package from 'twilio'
import { describe, expect, it } from 'vitest'
import { twilio } from '../../../src/senders/twilio/index.ts'
import { CALLBACK_URL, openSms, sms } from '../sms-test.ts'

/*
 * The unmodified package of Twilio signs, and judges what we accept.
 */

const ACCOUNT = `AC${'0'.repeat(32)}`
const TOKEN = 'the auth token'
const SID = `SM${'a'.repeat(32)}`
const { operations } = openSms(twilio, { account_sid: ACCOUNT, auth_token: TOKEN })
const PATH = `/${sms.reference}/report`

type Fields = Record<string, string | string[]>
const fields = {
  MessageSid: SID,
  MessageStatus: 'delivered',
  To: sms.phonenumber,
  From: 'MAMASHOP',
  AccountSid: ACCOUNT,
}

/** Differences of a callback from an ordinary one: its address, and the signed address and key. */
interface Sent {
  path?: string
  query?: string
  token?: string
  url?: string
}

/** A callback as Twilio sends it to an address, signed by its package. */
function callback(sent: Fields, { path = PATH, query = '', token = TOKEN, url }: Sent = {}) {
  const body = new URLSearchParams()
  for (const [name, value] of Object.entries(sent)) for (const one of [value].flat()) body.append(name, one)
  const headers = { 'x-twilio-signature': sign(token, url ?? CALLBACK_URL + path + query, sent) }
  return { method: 'POST', path, query: query.slice(1), headers, body: body.toString(), address: null }
}

const sign = (token: string, url: string, sent: Fields) => twilio_package.getExpectedTwilioSignature(token, url, sent)
const read = (...given: Parameters<typeof callback>) => operations.readCallback!(callback(...given))

describe('the signature', () => {
  it("matches the package's, for a report and for a query", () => {
    expect(read(fields)).toEqual({
      subject: 'reports',
      verified: true,
      reports: [{ sms: { reference: sms.reference }, state: 'delivered' }],
    })
    expect(read(fields, { query: "?who=O'Neil&x=%20" })).toMatchObject({ verified: true })
  })

  it('holds for letters of all kinds, blanks, and a field that comes twice', () => {
    const sent = { ...fields, Body: 'Ŋŋ & + é 😀 \n', Note: ['b', 'a', 'b'], empty: '' }
    expect(read(sent)).toMatchObject({ verified: true })
  })

  it('holds with and without the usual port, as the package judges it', () => {
    for (const host of ['pay.example.com:443', 'pay.example.com']) {
      const url = CALLBACK_URL.replace('pay.example.com', host) + PATH
      expect(twilio_package.validateRequest(TOKEN, sign(TOKEN, url, fields), CALLBACK_URL + PATH, fields)).toBe(true)
      expect(read(fields, { url })).toMatchObject({ verified: true })
    }
  })

  it('holds at the address without the secret', () => {
    const short = CALLBACK_URL.replace(/\/[^/]*$/, '')
    expect(read(fields, { path: '', url: short })).toMatchObject({
      verified: true,
      reports: [{ sms: { remote_id: SID } }],
    })
  })

  it('is wrong with another token, another address, changed content, or missing', () => {
    expect(read(fields, { token: 'another' })).toMatchObject({ verified: false })
    expect(read(fields, { url: 'https://evil.example.com/' })).toMatchObject({ verified: false })
    const sent = callback(fields)
    const changed = { ...sent, body: sent.body.replace('delivered', 'failed') }
    expect(operations.readCallback!(changed)).toMatchObject({ verified: false })
    expect(operations.readCallback!({ ...sent, headers: {} })).toMatchObject({ verified: false })
    expect(operations.readCallback!({ ...sent, headers: { 'x-twilio-signature': '' } })).toMatchObject({
      verified: false,
    })
  })

  it('of another account is not recognized', () => {
    const other = { ...fields, AccountSid: `AC${'9'.repeat(32)}` }
    expect(read(other)).toMatchObject({ subject: 'unrecognized', verified: true })
  })
})

describe('a report', () => {
  it.each([
    ['queued', 'sent'],
    ['sending', 'sent'],
    ['sent', 'sent'],
    ['delivered', 'delivered'],
    ['read', 'delivered'],
  ])('with %s says %s', (MessageStatus, state) => {
    expect(read({ ...fields, MessageStatus })).toMatchObject({ reports: [{ state }] })
  })

  it.each([
    ['21610', 'opted_out'],
    ['30001', 'throttled'],
    ['30002', 'no_credit'],
    ['30003', 'unreachable'],
    ['30004', 'not_allowed'],
    ['30005', 'invalid_number'],
    ['30006', 'invalid_number'],
    ['30007', 'rejected'],
    ['30008', 'undelivered'],
    ['30009', 'undelivered'],
    ['30010', 'not_allowed'],
    ['30034', 'invalid_sender'],
    ['30036', 'expired'],
    ['30410', 'undelivered'],
    ['39999', 'undelivered'],
  ])('with the error %s says why: %s', (ErrorCode, reason) => {
    const expected = { state: 'failed', reason, code: ErrorCode, message: expect.stringContaining(ErrorCode) }
    expect(read({ ...fields, MessageStatus: 'undelivered', ErrorCode })).toMatchObject({ reports: [expected] })
    expect(read({ ...fields, MessageStatus: 'failed', ErrorCode })).toMatchObject({ reports: [expected] })
  })

  it('with an unknown word is kept for a person', () => {
    expect(read({ ...fields, MessageStatus: 'teleported' })).toMatchObject({ subject: 'unrecognized', verified: true })
  })
})

describe('an SMS of a customer', () => {
  it('is handed over, and answered with nothing to send', () => {
    const incoming = { MessageSid: SID, From: sms.phonenumber, To: '+15005550006', Body: 'Stop', AccountSid: ACCOUNT }
    expect(read(incoming, { path: '/incoming' })).toEqual({
      subject: 'incoming',
      verified: true,
      messages: [{ remote_id: SID, from: sms.phonenumber, to: '+15005550006', text: 'Stop' }],
    })
    expect(operations.callbackReply!(callback(incoming))).toMatchObject({
      content_type: 'text/xml',
      body: '<Response></Response>',
    })
  })
})

import twilio from 'twilio'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSmsDoor } from '../sms-doors-test.ts'

/*
 * The unmodified package of Twilio judges the simulated Twilio: it sends, reads answers and errors, and checks signatures.
 */

const ACCOUNT = `AC${'5'.repeat(32)}`
const TOKEN = 'simulated-twilio-auth-token'

let door: Awaited<ReturnType<typeof openSmsDoor>>
beforeAll(async () => {
  door = await openSmsDoor('twilio')
})
afterAll(() => door.close())

/** The client of Twilio, whose calls go to the simulation. */
function client(token = TOKEN) {
  class Redirected extends twilio.RequestClient {
    override request<Data>(options: Parameters<typeof twilio.RequestClient.prototype.request<Data>>[0]) {
      return super.request<Data>({ ...options, uri: options.uri.replace('https://api.twilio.com', door.api) })
    }
  }
  return twilio(ACCOUNT, token, { httpClient: new Redirected(), accountSid: ACCOUNT })
}

const sms = { to: '+256772000001', from: '+15005550006', body: 'Hello' }

it('sends for the package, and reports the state of the SMS', async () => {
  const sent = await client().messages.create(sms)
  expect(sent).toMatchObject({ status: 'queued', numSegments: '1', price: null })
  await door.advance(3)
  expect(await client().messages(sent.sid).fetch()).toMatchObject({ status: 'delivered', price: '-0.00790' })
  expect(await client().messages.list({ to: sms.to, limit: 5 })).toMatchObject([{ sid: sent.sid }])
})

it.each([
  ['+15005550001', sms.from, 21211],
  ['+15005550009', sms.from, 21614],
  ['+15005550004', sms.from, 21610],
  ['+15005550003', sms.from, 21408],
  [sms.to, '+15005550001', 21212],
  [sms.to, '+15005550007', 21606],
  ['+256772000602', sms.from, 21610],
])('refuses an SMS to %s from %s with %i', async (to, from, code) => {
  await expect(client().messages.create({ ...sms, to, from })).rejects.toMatchObject({ status: 400, code })
})

it('refuses a wrong token, and a text that is too long', async () => {
  await expect(client('another').messages.create(sms)).rejects.toMatchObject({ status: 401, code: 20003 })
  await expect(client().messages.create({ ...sms, body: 'x'.repeat(1_601) })).rejects.toMatchObject({ code: 21617 })
})

it('signs its reports as the package checks them', async () => {
  const url = `${door.listener}/status?shop=Mama's`
  await client().messages.create({ ...sms, to: '+256772000611', statusCallback: url })
  await door.advance(3)
  const words = door.heard.map(({ headers, body }) => {
    const fields = Object.fromEntries(new URLSearchParams(body))
    expect(twilio.validateRequest(TOKEN, headers['x-twilio-signature']!, url, fields)).toBe(true)
    expect(twilio.validateRequest('another', headers['x-twilio-signature']!, url, fields)).toBe(false)
    return [fields.MessageStatus, fields.ErrorCode]
  })
  expect(words).toEqual([
    ['sent', undefined],
    ['undelivered', '30003'],
  ])
})

import { describe, expect, it } from 'vitest'
import { deliveryErrors, refusals } from '../../../src/senders/twilio/codes.ts'
import { twilio } from '../../../src/senders/twilio/index.ts'
import { type Answer, CALLBACK_URL, faultsOf, nonsense, openSms, sms } from '../sms-test.ts'

const ACCOUNT = `AC${'0'.repeat(32)}`
const SID = `SM${'a'.repeat(32)}`
const SERVICE = `MG${'1'.repeat(32)}`
const KEY = { api_key_sid: `SK${'2'.repeat(32)}`, api_key_secret: 'the secret of the key' }
const settings = { account_sid: ACCOUNT, auth_token: 'the auth token' }
const open = (more: Record<string, unknown> = {}) => openSms(twilio, { ...settings, ...more })

const message = { sid: SID, status: 'queued', num_segments: '2', price: null, price_unit: 'USD', error_code: null }
const problem = (code: number, status = 400): Answer => ({ status, body: { code, message: 'Words.', status } })

describe('an SMS', () => {
  it('is one form, byte for byte', async () => {
    const { sendWith, calls } = open()
    expect(await sendWith({ status: 201, body: message })).toEqual({ outcome: 'sent', remote_id: SID, parts: 2 })
    const url = encodeURIComponent(`${CALLBACK_URL}/${sms.reference}/report`)
    expect(calls).toEqual([
      {
        verb: 'sms',
        method: 'POST',
        url: `https://api.example.com/2010-04-01/Accounts/${ACCOUNT}/Messages.json`,
        headers: {
          Authorization: `Basic ${Buffer.from(`${ACCOUNT}:the auth token`).toString('base64')}`,
          Accept: 'application/json',
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body: `To=%2B256772123456&From=MAMASHOP&Body=Pay+1500+%26+confirm+%2B+%22*165%23%22&StatusCallback=${url}&ValidityPeriod=7200`,
      },
    ])
  })

  it('goes out by the messaging service without a sender, and with the API key if there is one', async () => {
    const { sendWith, calls } = open({ messaging_service_sid: SERVICE, ...KEY })
    await sendWith({ status: 201, body: message }, { sender: null, valid_s: 100_000 })
    expect(calls[0]!.body).toContain(`To=%2B256772123456&MessagingServiceSid=${SERVICE}&Body=`)
    expect(calls[0]!.body).toMatch(/ValidityPeriod=36000$/)
    const credentials = Buffer.from(`${KEY.api_key_sid}:${KEY.api_key_secret}`).toString('base64')
    expect(calls[0]!.headers!.Authorization).toBe(`Basic ${credentials}`)
  })

  it('is not sent without any sender', async () => {
    const { sendWith, calls, alarms } = open()
    const answer = await sendWith({}, { sender: null })
    expect(answer).toMatchObject({ outcome: 'failed', reason: 'invalid_sender', retry: false })
    expect([calls, alarms.length]).toEqual([[], 1])
  })

  it.each(['accepted', 'scheduled', 'queued', 'sending', 'sent'])('is taken with the status %s', async (status) => {
    expect(await open().sendWith({ status: 201, body: { ...message, status } })).toMatchObject({ outcome: 'sent' })
  })

  it('may have failed already', async () => {
    const body = { ...message, status: 'failed', error_code: 30_007 }
    expect(await open().sendWith({ status: 201, body })).toMatchObject({
      outcome: 'failed',
      reason: 'rejected',
      code: '30007',
    })
  })

  const codes: [number, string, boolean][] = [
    [20005, 'no_credit', true],
    [20404, 'credentials', true],
    [21211, 'invalid_number', false],
    [21212, 'invalid_sender', false],
    [21217, 'invalid_number', false],
    [21408, 'not_allowed', false],
    [21602, 'rejected', false],
    [21603, 'invalid_sender', false],
    [21604, 'invalid_number', false],
    [21606, 'invalid_sender', false],
    [21608, 'not_allowed', false],
    [21609, 'rejected', false],
    [21610, 'opted_out', false],
    [21611, 'throttled', true],
    [21612, 'no_route', false],
    [21614, 'invalid_number', false],
    [21617, 'too_long', false],
    [21659, 'invalid_sender', false],
    [21660, 'invalid_sender', false],
    [21705, 'invalid_sender', false],
    [30007, 'rejected', false],
    [63038, 'not_allowed', false],
  ]
  it.each(codes)('is refused with %i: %s', async (code, reason, retry) => {
    const { sendWith, alarms } = open()
    expect(await sendWith(problem(code))).toMatchObject({ outcome: 'failed', reason, retry, code: String(code) })
    expect(alarms.length).toBe(refusals[code]!.repair ? 1 : 0)
  })

  it('has a test for each code', () => {
    expect(codes.map(([code]) => code)).toEqual(Object.keys(refusals).map(Number))
  })

  it('is refused for the credentials, with the settings to check', async () => {
    const by_token = open()
    const refused = { outcome: 'failed', reason: 'credentials', retry: true }
    expect(await by_token.sendWith(problem(20003, 401))).toMatchObject(refused)
    expect(by_token.alarms.join()).toMatch(/account_sid and auth_token/)
    const by_key = open(KEY)
    expect(await by_key.sendWith(problem(20003, 403))).toMatchObject(refused)
    expect(by_key.alarms.join()).toMatch(/api_key_sid and api_key_secret/)
  })

  it('waits after too many calls, as long as Twilio says', async () => {
    const answer = await open().sendWith({ ...problem(20429, 429), headers: { 'retry-after': '7' } })
    expect(answer).toMatchObject({ outcome: 'failed', reason: 'throttled', retry: true, retry_after_s: 7 })
  })

  it.each([
    ...nonsense,
    ['an unknown code', problem(99999)],
    ['an unknown status', { status: 201, body: { ...message, status: 'teleported' } }],
    ['an answer without an id', { status: 201, body: { ...message, sid: undefined } }],
    ['20500', problem(20500, 500)],
  ] satisfies typeof nonsense)('is unknown after %s', async (_, answer) => {
    expect(await open().sendWith(answer)).toMatchObject({ outcome: 'unknown', message: expect.stringMatching(/\w/) })
  })
})

describe('the state of an SMS', () => {
  const asked = { reference: sms.reference, remote_id: SID }

  it('is in its resource, with the price', async () => {
    const { operations, answer, calls } = open()
    answer({ body: { ...message, status: 'delivered', price: '-0.00755' } })
    expect(await operations.report!(asked)).toEqual({
      sms: { reference: sms.reference },
      state: 'delivered',
      parts: 2,
      cost: { amount: 76n, currency: 'USD' },
    })
    expect(calls[0]!.url).toBe(`https://api.example.com/2010-04-01/Accounts/${ACCOUNT}/Messages/${SID}.json`)
  })

  it('is found in the list without the id, if only one SMS has the text', async () => {
    const { operations, answer, calls } = open()
    const listed = { ...message, status: 'sent', to: sms.phonenumber, body: sms.body, direction: 'outbound-api' }
    const unnamed = {
      ...asked,
      remote_id: null,
      phonenumber: sms.phonenumber,
      body: sms.body,
      sent: new Date('2026-11-22T09:30:00Z'),
    }
    answer({ body: { messages: [{ ...listed, body: 'another' }, listed] } })
    expect(await operations.report!(unnamed)).toMatchObject({ sms: { reference: sms.reference }, state: 'sent' })
    expect(calls[0]!.url).toMatch(/Messages\.json\?To=%2B256772123456&DateSent%3E=2026-11-22&PageSize=100$/)
    const earlier = { ...listed, date_created: 'Sun, 22 Nov 2026 08:00:00 +0000' }
    answer({ body: { messages: [earlier] } })
    expect(await operations.report!(unnamed)).toBe(undefined)
    answer({ body: { messages: [earlier, { ...listed, date_created: 'Sun, 22 Nov 2026 09:30:01 +0000' }] } })
    expect(await operations.report!(unnamed)).toMatchObject({ state: 'sent' })
    answer({ body: { messages: [listed, listed] } })
    expect(await operations.report!(unnamed)).toBe(undefined)
    expect(await operations.report!({ ...asked, remote_id: null })).toBe(undefined)
  })

  it.each(nonsense)('is not known after %s', async (_, given) => {
    const { operations, answer } = open()
    answer(given)
    expect(await operations.report!(asked)).toBe(undefined)
  })
})

describe('the connection', () => {
  it('reports its balance', async () => {
    const { operations, answer } = open()
    answer({ body: { account_sid: ACCOUNT, balance: '-5.21875', currency: 'USD' } })
    expect(await operations.balance!()).toEqual({
      outcome: 'found',
      balances: [{ currency: 'USD', amount: -52_187n }],
    })
  })

  it('is tested: it names the wrong setting', async () => {
    const balance = { body: { balance: '12', currency: 'USD' } }
    const { operations, answer } = open(KEY)
    answer(balance)
    expect(await operations.test!()).toMatchObject([
      { name: 'credentials', outcome: 'ok' },
      { name: 'auth token', outcome: 'ok' },
      { name: 'balance', outcome: 'ok' },
      { outcome: 'skipped', message: expect.stringContaining(`${CALLBACK_URL}/incoming`) },
    ])
    answer(balance, problem(20003, 401), balance)
    expect(await operations.test!()).toContainEqual(
      expect.objectContaining({ name: 'auth token', outcome: 'failed', message: expect.stringMatching(/auth_token/) }),
    )
    answer(problem(20404, 404))
    expect(await open().testWith(problem(20404, 404))).toContainEqual(
      expect.objectContaining({ outcome: 'failed', message: expect.stringMatching(/account_sid/) }),
    )
  })

  it('needs both halves of an API key', () => {
    expect(faultsOf(twilio, 'production', { ...settings, api_key_sid: KEY.api_key_sid })).toHaveProperty(
      'api_key_secret',
    )
    expect(faultsOf(twilio, 'production', { ...settings, api_key_secret: 'long enough' })).toHaveProperty('api_key_sid')
    expect(faultsOf(twilio, 'production', { ...settings, ...KEY })).toEqual({})
  })
})

describe('the codes of reports', () => {
  it('each have a reason and a sentence', () => {
    for (const { reason, message } of Object.values(deliveryErrors)) expect([reason, message]).not.toContain('')
  })
})

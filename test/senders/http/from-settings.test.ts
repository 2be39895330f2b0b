import { describe, expect, it } from 'vitest'
import { WrongSetting } from '../../../src/lib/wrong-setting.ts'
import { type SmsSettings, toHttpConnection } from '../../../src/senders/http/from-settings.ts'
import { httpSms } from '../../../src/senders/http/index.ts'
import { openSms, sms } from '../sms-test.ts'

const GIVEN: SmsSettings = {
  SMS_URL: 'https://sms.example/send',
  SMS_METHOD: 'POST',
  SMS_HEADERS: {},
  SMS_REPORTS: {},
}
const SMS = {
  id: 7,
  phonenumber: '+256772000001',
  body: 'Pay "UGX 1,500" & more: 100% \\ {id} $& 🇺🇬\nThank you -Powered by Kusanya',
}

const open = (changes: Partial<SmsSettings> = {}) => openSms(httpSms, toHttpConnection({ ...GIVEN, ...changes }), {})

/** The call that the settings make for an SMS. */
async function callOf(changes: Partial<SmsSettings> = {}) {
  const { sendWith, calls } = open(changes)
  await sendWith({}, SMS)
  return calls[0]!
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

describe('the SMS settings of the program', () => {
  it('post JSON with their headers by default', async () => {
    const call = await callOf({ SMS_HEADERS: { authorization: 'Bearer s3cret-key' } })
    expect(call).toMatchObject({ method: 'POST', url: GIVEN.SMS_URL })
    expect(call.headers).toEqual({ authorization: 'Bearer s3cret-key', 'content-type': 'application/json' })
    expect(JSON.parse(String(call.body))).toEqual({ to: SMS.phonenumber, message: SMS.body })
  })

  it('fill in a JSON template with any text, and {id} with a number', async () => {
    const { body } = await callOf({ SMS_BODY: '{"sms":{"to":["{msisdn}"],"body":"{text}","ref":"{id}","n":{id}}}' })
    const expected = { to: ['256772000001'], body: SMS.body, ref: '7', n: 7 }
    expect(JSON.parse(String(body))).toEqual({ sms: expected })
  })

  it('fill in a form template with any text, and have one of their own', async () => {
    const SMS_BODY = 'number={phone}&message={text}&id={id}'
    const call = await callOf({ SMS_HEADERS: FORM, SMS_BODY, SMS_METHOD: 'PUT' })
    expect(call).toMatchObject({ method: 'PUT', headers: FORM })
    expect([...new URLSearchParams(String(call.body))]).toEqual([
      ['number', SMS.phonenumber],
      ['message', SMS.body],
      ['id', '7'],
    ])
    const usual = new URLSearchParams(String((await callOf({ SMS_HEADERS: FORM })).body))
    expect(Object.fromEntries(usual)).toEqual({ to: SMS.phonenumber, message: SMS.body })
  })

  it('fill in the address for providers that require everything there', async () => {
    const call = await callOf({ SMS_METHOD: 'GET', SMS_URL: 'https://sms.example/send?to={msisdn}&text={text}&n={id}' })
    expect(call).not.toHaveProperty('body')
    const query = new URL(call.url).searchParams
    expect(Object.fromEntries(query)).toEqual({ to: '256772000001', text: SMS.body, n: '7' })
  })

  it('read reports and inbound SMS if SMS_REPORTS describes them', async () => {
    expect(open().operations.readCallback).toBe(undefined)
    const SMS_REPORTS = { id_field: 'id', report_id_field: 'id', report_status_field: 'status' }
    const { read, sendWith } = open({ SMS_REPORTS })
    expect(await sendWith({ body: { id: 'P1' } })).toEqual({ outcome: 'sent', remote_id: 'P1' })
    expect(read({ body: '{"id":"P1","status":"delivered"}' })).toMatchObject({
      subject: 'reports',
      verified: true,
      reports: [{ sms: { remote_id: 'P1' }, state: 'delivered' }],
    })
  })

  it('mask their secrets in messages', async () => {
    const { sendWith, calls } = open({
      SMS_URL: 'https://sms.example/sms?user=shop&key=abcdef123',
      SMS_HEADERS: { authorization: 'Bearer s3cret-key', 'x-account': 'Basic c2VjcmV0OnBhc3M=' },
      SMS_BODY: '{"password":"hunter2","to":"{phone}","text":"{text}"}',
    })
    await sendWith({}, sms)
    const quoted = `No such key ${JSON.stringify(calls[0])}${'!'.repeat(1_000)}`
    const answer = await sendWith({ status: 400, body: quoted }, sms)
    expect(answer).toMatchObject({ outcome: 'failed', message: expect.stringMatching(/answered 400: No such key/) })
    const { message } = answer as { message: string }
    expect(message).not.toMatch(/s3cret-key|c2VjcmV0OnBhc3M|hunter2|abcdef123/)
    expect(message.length).toBeLessThan(250)
  })
})

describe('SMS settings that do not fit together', () => {
  it.each<[string, Partial<SmsSettings>]>([
    ['SMS_BODY is wrong: it must hold {text}', { SMS_BODY: '{"to":"{phone}"}' }],
    ['SMS_BODY is wrong: it must hold {text}', { SMS_BODY: '{"message":"{text}"}' }],
    ['SMS_BODY is wrong: it must be JSON', { SMS_BODY: '{"to":{phone},"message":"{text}"}' }],
    ['SMS_BODY is wrong: it must be JSON', { SMS_BODY: 'to={phone}&message={text}' }],
    ['SMS_BODY is wrong: it must not be set', { SMS_METHOD: 'GET', SMS_BODY: '{"to":"{phone}","m":"{text}"}' }],
    ['SMS_URL is wrong: it must hold {text}', { SMS_METHOD: 'GET' }],
    ['SMS_URL is wrong: it must be an address', { SMS_URL: 'https://shop:hunter2@sms.example/' }],
    ['SMS_HEADERS is wrong: it must name a content-type', { SMS_HEADERS: { 'content-type': 'text/plain' } }],
    ['SMS_HEADERS is wrong: it must hold names', { SMS_HEADERS: { 'x-key': 'two\nlines' } }],
    ['SMS_HEADERS is wrong: it must hold names', { SMS_HEADERS: { 'no name': 'x' } }],
    ['SMS_REPORTS is wrong: it must hold only id_field', { SMS_REPORTS: { url: 'https://hunter2' } }],
    ['SMS_REPORTS is wrong: it does not fit together: report_id', { SMS_REPORTS: { report_status_field: 's' } }],
  ])('are refused: %s', (message, settings) => {
    const refusal = wrongSetting(() => toHttpConnection({ ...GIVEN, ...settings }))
    expect(refusal).toContain(`The setting ${message}`)
    expect(refusal).not.toMatch(/hunter2|\n/)
  })
})

function wrongSetting(create: () => unknown): string {
  try {
    create()
  } catch (error) {
    expect(error).toBeInstanceOf(WrongSetting)
    return (error as Error).message
  }
  throw new Error('The settings were accepted.')
}

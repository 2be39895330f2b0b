import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WrongSetting } from '../../src/lib/wrong-setting.ts'
import { createHttpSmsSender, type HttpSmsSettings } from '../../src/senders/http-sms.ts'
import { openProvider, type Provider, type ProviderReply } from './provider.ts'

let provider: Provider
beforeAll(async () => {
  provider = await openProvider()
})
beforeEach(() => {
  provider.requests.length = 0
  provider.reply = () => ({ status: 200 })
})
afterAll(() => provider.close())

const SMS = {
  id: 7,
  phonenumber: '+256772000001',
  body: 'Pay "UGX 1,500" & more: 100% \\ {id} $& 🇺🇬\nThank you -Powered by Kusanya',
}

function sender(settings: Partial<HttpSmsSettings> = {}, path = '/sms', timeout_ms = 20_000) {
  return createHttpSmsSender(
    { SMS_URL: provider.url + path, SMS_METHOD: 'POST', SMS_HEADERS: {}, ...settings },
    timeout_ms,
  )
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

describe('the HTTP sender', () => {
  it('posts JSON with its headers by default', async () => {
    const result = await sender({ SMS_HEADERS: { authorization: 'Bearer s3cret-key' } }).send(SMS)
    expect(result).toEqual({ outcome: 'sent' })
    const [request] = provider.requests
    expect(request).toMatchObject({ method: 'POST', path: '/sms' })
    expect(request!.headers).toMatchObject({ authorization: 'Bearer s3cret-key', 'content-type': 'application/json' })
    expect(JSON.parse(request!.body)).toEqual({ to: SMS.phonenumber, message: SMS.body })
  })

  it('fills in a JSON template with any text', async () => {
    await sender({ SMS_BODY: '{"sms":{"to":["{msisdn}"],"body":"{text}","ref":"{id}","n":{id}}}' }).send(SMS)
    const expected = { to: ['256772000001'], body: SMS.body, ref: '7', n: 7 }
    expect(JSON.parse(provider.requests[0]!.body)).toEqual({ sms: expected })
  })

  it('fills in a form template with any text', async () => {
    const SMS_BODY = 'number={phone}&message={text}&id={id}'
    await sender({ SMS_HEADERS: FORM, SMS_BODY, SMS_METHOD: 'PUT' }).send(SMS)
    expect(provider.requests[0]).toMatchObject({ method: 'PUT', headers: { 'content-type': FORM['Content-Type'] } })
    expect([...new URLSearchParams(provider.requests[0]!.body)]).toEqual([
      ['number', SMS.phonenumber],
      ['message', SMS.body],
      ['id', '7'],
    ])
  })

  it('has a default form for providers that require forms', async () => {
    await sender({ SMS_HEADERS: FORM }).send(SMS)
    const form = Object.fromEntries(new URLSearchParams(provider.requests[0]!.body))
    expect(form).toEqual({ to: SMS.phonenumber, message: SMS.body })
  })

  it('fills in the URL for providers that require everything there', async () => {
    await sender({ SMS_METHOD: 'GET' }, '/send?to={msisdn}&text={text}').send(SMS)
    const [request] = provider.requests
    expect(request).toMatchObject({ method: 'GET', body: '' })
    const query = new URL(request!.path, provider.url).searchParams
    expect(Object.fromEntries(query)).toEqual({ to: '256772000001', text: SMS.body })
  })

  it.each<[ProviderReply, object]>([
    [{ status: 200, body: 'queued' }, { outcome: 'sent' }],
    [{ status: 202 }, { outcome: 'sent' }],
    [{ status: 204 }, { outcome: 'sent' }],
    [
      { status: 302, headers: { location: '/elsewhere' } },
      { outcome: 'failed', retry: false },
    ],
    [
      { status: 400, body: 'bad number' },
      { outcome: 'failed', retry: false },
    ],
    [{ status: 401 }, { outcome: 'failed', retry: false, message: 'The SMS provider answered 401' }],
    [{ status: 404 }, { outcome: 'failed', retry: false }],
    [{ status: 408 }, { outcome: 'failed', retry: true }],
    [
      { status: 429, body: 'slow\n down\0' },
      { outcome: 'failed', retry: true, message: 'The SMS provider answered 429: slow down' },
    ],
    [{ status: 500 }, { outcome: 'failed', retry: true }],
    [{ status: 503 }, { outcome: 'failed', retry: true }],
    ['hang', { outcome: 'unknown' }],
    ['hang up', { outcome: 'unknown' }],
  ])('maps %j to %j', async (reply, result) => {
    provider.reply = () => reply
    // The time limit for a hanging provider is long enough for the SMS to reach it.
    const timeout_ms = reply === 'hang' ? 3_000 : 20_000
    expect(await sender({}, '/sms', timeout_ms).send(SMS)).toMatchObject(result)
    expect(provider.requests).toHaveLength(1)
  })

  it('is unknown when no server listens', async () => {
    const result = await createHttpSmsSender({
      SMS_URL: 'http://127.0.0.1:2/',
      SMS_METHOD: 'POST',
      SMS_HEADERS: {},
    }).send(SMS)
    expect(result).toMatchObject({ outcome: 'unknown', message: expect.stringContaining('did not answer') })
  })

  it('masks the secrets of its settings in its messages, and shortens long ones', async () => {
    provider.reply = ({ headers, path }) => ({
      status: 400,
      body: `No such key ${JSON.stringify(headers)}${path}${'!'.repeat(1_000_000)}`,
    })
    const settings = {
      SMS_HEADERS: { authorization: 'Bearer s3cret-key', 'x-account': 'Basic c2VjcmV0OnBhc3M=' },
      SMS_BODY: '{"password":"hunter2","to":"{phone}","text":"{text}"}',
    }
    const result = await sender(settings, '/sms?user=shop&key=abcdef123').send(SMS)
    expect(result).toMatchObject({ outcome: 'failed', message: expect.stringMatching(/^.*answered 400: No such key/) })
    const { message } = result as { message: string }
    expect(message).not.toMatch(/s3cret-key|c2VjcmV0OnBhc3M|hunter2|abcdef123/)
    expect(message.length).toBeLessThan(250)
  })
})

describe('settings of the HTTP sender that do not fit together', () => {
  it.each<[string, Partial<HttpSmsSettings>]>([
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
  ])('are refused: %s', (message, settings) => {
    const refusal = wrongSetting(() =>
      createHttpSmsSender({ SMS_URL: 'https://sms.example/send', SMS_METHOD: 'POST', SMS_HEADERS: {}, ...settings }),
    )
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

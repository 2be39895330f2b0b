import { describe, expect, it } from 'vitest'
import { kannel } from '../../../src/senders/kannel/index.ts'
import { type Answer, CALLBACK_URL, nonsense, openSms, sms } from '../sms-test.ts'

const settings = { username: 'kusanya', password: 'the-password' }
const open = (more: Record<string, unknown> = {}) =>
  openSms(kannel, { ...settings, ...more }, { api: 'http://127.0.0.1:13013' })

const ACCEPTED: Answer = { status: 202, body: '0: Accepted for delivery' }

describe('an SMS', () => {
  it('is a text with headers, byte for byte', async () => {
    const { sendWith, calls } = open({ smsc: 'mtn' })
    expect(await sendWith(ACCEPTED)).toEqual({ outcome: 'sent' })
    expect(calls).toEqual([
      {
        verb: 'sms',
        method: 'POST',
        url: 'http://127.0.0.1:13013/cgi-bin/sendsms',
        headers: {
          'Content-Type': 'text/plain; charset=UTF-8',
          'X-Kannel-Username': 'kusanya',
          'X-Kannel-Password': 'the-password',
          'X-Kannel-SMSC': 'mtn',
          'X-Kannel-To': '+256772123456',
          'X-Kannel-From': 'MAMASHOP',
          'X-Kannel-Coding': '0',
          'X-Kannel-Validity': '120',
          'X-Kannel-DLR-Mask': '31',
          'X-Kannel-DLR-Url': `${CALLBACK_URL}/${sms.reference}/report?type=%d&smsc-id=%F&text=%A&at=%T`,
        },
        body: 'Pay 1500 & confirm + "*165#"',
      },
    ])
  })

  it.each([
    ['é € ñ { Ω', '0'],
    ['“quoted”', '2'],
    ['Ŋ', '2'],
    ['😀', '2'],
    ['`', '2'],
  ])('with %s has the coding %s', async (body, coding) => {
    const { sendWith, calls } = open()
    await sendWith(ACCEPTED, { body, sender: null })
    expect(calls[0]).toMatchObject({ body, headers: { 'X-Kannel-Coding': coding } })
    expect(calls[0]!.headers).not.toHaveProperty('X-Kannel-From')
  })

  it.each([
    ['0: Accepted for delivery', {}],
    ['3: Queued for later delivery', {}],
    ['Sent.', {}],
    ['Sent. Message splits: 3', { parts: 3 }],
  ])('is taken with %s', async (body, more) => {
    expect(await open().sendWith({ status: 202, body })).toEqual({ outcome: 'sent', ...more })
  })

  it.each([
    [403, 'Authorization failed for sendsms', 'credentials', true],
    [403, 'Not routable. Do not try again.', 'no_route', false],
    [400, 'Missing receiver(s) number(s), rejected', 'invalid_number', false],
    [400, 'Missing receiver number, rejected', 'invalid_number', false],
    [400, 'Empty receiver number not allowed, rejected', 'invalid_number', false],
    [400, "Garbage 'to' field, rejected.", 'invalid_number', false],
    [400, 'Sender missing and no global set, rejected', 'invalid_sender', false],
    [400, 'Number(s) has/have been denied by white- and/or black-lists.', 'not_allowed', false],
    [400, 'DLR-URL field misformed, rejected', 'rejected', false],
    [400, 'Charset or body misformed, rejected', 'rejected', false],
    [503, 'Temporal failure, try again later.', 'throttled', true],
  ])('is refused with %i %s: %s', async (status, body, reason, retry) => {
    expect(await open().sendWith({ status, body })).toMatchObject({ outcome: 'failed', reason, retry })
  })

  it.each([
    ...nonsense,
    ['another 202', { status: 202, body: 'hello' }],
    ['half of the words', { status: 202, body: '0: Accepted f' }],
    ['another 400', { status: 400, body: 'Odd' }],
    ['a 403 of a proxy', { status: 403, body: '<html>Forbidden</html>' }],
    ['Sending failed.', { status: 500, body: 'Sending failed.' }],
    ['a 429', { status: 429 }],
  ] satisfies typeof nonsense)('is unknown after %s', async (_, answer) => {
    expect(await open().sendWith(answer)).toMatchObject({ outcome: 'unknown', message: expect.stringMatching(/\w/) })
  })
})

describe('a report', () => {
  const read = (fields: Record<string, string>) =>
    open().read({ method: 'GET', path: `/${sms.reference}/report`, query: new URLSearchParams(fields).toString() })
  const receipt = (stat: string, err = '000') => `id:1 sub:001 dlvrd:000 stat:${stat} err:${err} text:Pay`

  it.each([
    ['1', 'delivered'],
    ['4', 'sent'],
    ['8', 'sent'],
  ])('of the type %s says %s', (type, state) => {
    expect(read({ type, text: receipt('DELIVRD') })).toEqual({
      subject: 'reports',
      verified: true,
      reports: [{ sms: { reference: sms.reference }, state }],
    })
  })

  it.each([
    ['2', receipt('UNDELIV', '027'), 'undelivered', 'UNDELIV 027'],
    ['2', receipt('EXPIRED'), 'expired', 'EXPIRED 000'],
    ['2', receipt('DELETED'), 'undelivered', 'DELETED 000'],
    ['2', receipt('REJECTD', '008'), 'rejected', 'REJECTD 008'],
    ['2', '', 'undelivered', 'type 2'],
    ['16', '', 'rejected', 'type 16'],
    ['16', 'NACK/11/Invalid Destination Address', 'invalid_number', 'NACK 11'],
    ['16', 'NACK/0x0000000a/Invalid Source Address', 'invalid_sender', 'NACK 10'],
    ['16', 'NACK/0x00000058/Throttling error', 'throttled', 'NACK 88'],
    ['16', 'NACK/20/Message Queue Full', 'throttled', 'NACK 20'],
    ['16', 'NACK/69/Submit failed', 'rejected', 'NACK 69'],
    ['16', 'NACK/1234/Vendor specific', 'rejected', 'NACK 1234'],
  ])('of the type %s with %s says why: %s', (type, text, reason, code) => {
    expect(read({ type, text })).toMatchObject({ reports: [{ state: 'failed', reason, code }] })
  })

  it('says when it happened', () => {
    expect(read({ type: '1', at: '1795340000' })).toMatchObject({ reports: [{ at: new Date(1_795_340_000_000) }] })
  })

  it('of another type is kept for a person', () => {
    for (const type of ['0', '32', 'x', '']) expect(read({ type })).toMatchObject({ subject: 'unrecognized' })
    expect(open().read({ method: 'GET', query: 'type=1' })).toMatchObject({ subject: 'unrecognized' })
  })
})

describe('an SMS of a customer', () => {
  const read = (query: string) => open().read({ method: 'GET', path: '/incoming', query })
  const common = 'id=u-1&from=%2B256772123456&to=8181'

  it.each([
    ['UTF-8', 'text=STOP+now%2B', 'STOP now+'],
    ['', 'text=caf%C3%A9', 'café'],
    ['UTF-16BE', 'text=%01%4a%00%20%01%4b', 'Ŋ ŋ'],
    ['ISO-8859-1', 'text=%e9', 'é'],
  ])('in %s is read', (charset, text, expected) => {
    expect(read(`${common}&charset=${charset || 'UTF-8'}&${text}`)).toEqual({
      subject: 'incoming',
      verified: true,
      messages: [{ remote_id: 'u-1', from: '+256772123456', to: '8181', text: expected }],
    })
  })

  it('in an unknown charset is kept for a person', () => {
    expect(read(`${common}&charset=klingon&text=x`)).toMatchObject({ subject: 'unrecognized' })
  })
})

describe('the connection', () => {
  it('is tested by an SMS without a phone', async () => {
    const { testWith, calls } = open()
    expect(await testWith({ status: 400, body: 'Missing receiver(s) number(s), rejected' })).toMatchObject([
      { outcome: 'ok' },
      { message: expect.stringContaining(`${CALLBACK_URL}/incoming?id=%I`) },
    ])
    expect(calls[0]!.headers).not.toHaveProperty('X-Kannel-To')
    expect(await testWith({ status: 403, body: 'Authorization failed for sendsms' })).toMatchObject([
      { outcome: 'failed', message: expect.stringMatching(/username and password/) },
    ])
    expect(await testWith({ status: 404 })).toMatchObject([
      { outcome: 'failed', message: expect.stringMatching(/smsbox/) },
    ])
    expect(await testWith({ status: 500 })).toMatchObject([{ outcome: 'unknown' }])
  })
})

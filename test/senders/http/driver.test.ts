import { describe, expect, it } from 'vitest'
import { httpSms } from '../../../src/senders/http/index.ts'
import { CALLBACK_URL, faultsOf, nonsense, openSms, sms } from '../sms-test.ts'

const url = 'https://sms.example.com/send'
const open = (settings: Record<string, unknown> = {}) => openSms(httpSms, { url, ...settings }, {})

describe('an SMS', () => {
  it('is the usual JSON without a template', async () => {
    const { sendWith, calls } = open({ headers: 'Authorization: Bearer the-token' })
    expect(await sendWith({ status: 202 })).toEqual({ outcome: 'sent' })
    expect(calls).toEqual([
      {
        verb: 'sms',
        method: 'POST',
        url,
        headers: { Authorization: 'Bearer the-token', 'content-type': 'application/json' },
        body: '{"to":"+256772123456","message":"Pay 1500 & confirm + \\"*165#\\""}',
      },
    ])
  })

  it('is a form if content-type says so, with headers as JSON', async () => {
    const headers = '{"Content-Type":"application/x-www-form-urlencoded","X-Key":"the-key"}'
    const { sendWith, calls } = open({
      headers,
      body: 'to={msisdn}&from={sender}&text={text}&ref={id}&dlr={report_url}',
    })
    await sendWith({})
    expect(calls[0]!.headers).toEqual({ 'Content-Type': 'application/x-www-form-urlencoded', 'X-Key': 'the-key' })
    expect(calls[0]!.body).toBe(
      `to=256772123456&from=MAMASHOP&text=Pay%201500%20%26%20confirm%20%2B%20%22*165%23%22&ref=${sms.reference}&dlr=${encodeURIComponent(`${CALLBACK_URL}/${sms.reference}/report`)}`,
    )
  })

  it('is an address if the method is GET', async () => {
    const { sendWith, calls } = open({ url: `${url}?key=the-key&to={phone}&text={text}`, method: 'GET' })
    await sendWith({}, { body: '{phone} 5 %' })
    expect(calls[0]).toMatchObject({
      method: 'GET',
      url: `${url}?key=the-key&to=%2B256772123456&text=%7Bphone%7D%205%20%25`,
    })
    expect(calls[0]).not.toHaveProperty('body')
  })

  it("counts as sent only with its id in the answer, if the settings name the id's place", async () => {
    const { sendWith } = open({ id_field: 'data.0.id' })
    expect(await sendWith({ body: { data: [{ id: 4711 }] } })).toEqual({ outcome: 'sent', remote_id: '4711' })
    expect(await sendWith({ body: { error: 'no credit' } })).toMatchObject({ outcome: 'unknown' })
    expect(await sendWith({ body: '<html>' })).toMatchObject({ outcome: 'unknown' })
  })

  it.each([
    [400, 'rejected', false],
    [422, 'rejected', false],
    [401, 'credentials', true],
    [403, 'credentials', true],
    [429, 'throttled', true],
  ])('is refused with %i: %s', async (status, reason, retry) => {
    const { sendWith, alarms } = open()
    const message = `The SMS provider answered ${status}: no money`
    expect(await sendWith({ status, body: 'no\n money' })).toMatchObject({ outcome: 'failed', reason, retry, message })
    expect(alarms.length).toBe(reason === 'credentials' ? 1 : 0)
  })

  it.each(
    nonsense.filter(
      ([, answer]) => !('status' in answer) || answer.status! >= 500 || answer.status === 408 || answer.status === 302,
    ),
  )('is unknown after %s', async (name, answer) => {
    if (name === 'an empty answer' || name === 'half an answer') return
    expect(await open().sendWith(answer)).toMatchObject({ outcome: 'unknown' })
  })

  it('never shows the words of the settings', async () => {
    const { sendWith } = open({ url: `${url}?key=secret-in-url`, headers: 'Authorization: Basic c2VjcmV0cw==' })
    const answer = await sendWith({ status: 400, body: 'unknown secret-in-url and c2VjcmV0cw==' })
    expect(answer).toMatchObject({ message: 'The SMS provider answered 400: unknown *** and ***==' })
  })
})

describe('a report', () => {
  const settings = {
    id_field: 'id',
    report_status_field: 'status',
    report_id_field: 'message.id',
    report_reason_field: 'why',
    incoming_from_field: 'from',
    incoming_text_field: 'text',
  }
  const path = `/${sms.reference}/report`
  const read = (callback: Parameters<ReturnType<typeof open>['read']>[0], more = {}) =>
    open({ ...settings, ...more }).read(callback)
  const delivered = {
    subject: 'reports',
    verified: true,
    reports: [{ sms: { reference: sms.reference }, state: 'delivered' }],
  }

  it('is read in a query, a form and JSON, and names its SMS by the address', () => {
    expect(read({ method: 'GET', path, query: 'status=DELIVRD' })).toEqual(delivered)
    expect(read({ path, body: 'status=Delivered&x=1' })).toEqual(delivered)
    expect(read({ path, body: '{"status":"success"}' })).toEqual(delivered)
  })

  it('names its SMS by the id of the provider', () => {
    expect(read({ body: '{"status":"delivered","message":{"id":4711}}' })).toMatchObject({
      reports: [{ sms: { remote_id: '4711' }, state: 'delivered' }],
    })
    expect(read({ body: 'status=delivered&message.id=a-1' })).toMatchObject({
      reports: [{ sms: { remote_id: 'a-1' } }],
    })
  })

  it('says that it failed, or that it is on its way', () => {
    const failed = {
      state: 'failed',
      reason: 'undelivered',
      code: 'UNDELIV',
      message: 'The SMS was not delivered: absent',
    }
    expect(read({ path, body: 'status=UNDELIV&why=absent' })).toMatchObject({ reports: [failed] })
    expect(read({ path, body: 'status=queued' })).toMatchObject({ reports: [{ state: 'sent' }] })
    expect(read({ path, body: 'status=7' }, { failed_words: '6, 7' })).toMatchObject({ reports: [{ state: 'failed' }] })
  })

  it('without status or name is kept for a person', () => {
    expect(read({ path, body: 'x=1' })).toMatchObject({ subject: 'unrecognized' })
    expect(read({ body: 'status=delivered' })).toMatchObject({ subject: 'unrecognized' })
    expect(read({ path, body: '{"status":{"toString":1}}' })).toMatchObject({ subject: 'unrecognized' })
  })

  it('is not read if the settings do not describe it', () => {
    expect(open().operations.readCallback).toBe(undefined)
  })

  it('may be an inbound SMS, which has the same id when it is repeated', () => {
    const twice = [1, 2].map(() => read({ path: '/incoming', body: 'from=256772123456&text=STOP' }))
    expect(twice[0]).toMatchObject({
      subject: 'incoming',
      messages: [{ is_digest: true, from: '+256772123456', text: 'STOP' }],
    })
    expect(twice[1]).toEqual(twice[0])
  })
})

describe('the settings', () => {
  it.each([
    [{ body: '{"to":"{phone}"}' }, 'body'],
    [{ body: '{"to":{phone},"text":{text}}' }, 'body'],
    [{ method: 'GET' }, 'url'],
    [{ method: 'GET', url: `${url}?to={phone}&text={text}`, body: 'x' }, 'body'],
    [{ url: 'ftp://sms.example.com/{phone}/{text}' }, 'url'],
    [{ url: 'https://user:word@sms.example.com/' }, 'url'],
    [{ headers: 'no colon' }, 'headers'],
    [{ headers: '{"a":1}' }, 'headers'],
    [{ headers: 'Bad Name: x' }, 'headers'],
    [{ headers: 'content-type: text/plain' }, 'headers'],
    [{ report_status_field: 'status' }, 'report_id_field'],
    [{ report_status_field: 'status', report_id_field: 'id' }, 'id_field'],
    [{ incoming_from_field: 'from' }, 'incoming_from_field'],
  ])('%j are wrong: %s', (given, name) => {
    expect(Object.keys(faultsOf(httpSms, 'production', { url, ...given }))).toEqual([name])
  })

  it('list untestable parts', async () => {
    expect(await open().testWith({})).toMatchObject([{ outcome: 'skipped' }, { outcome: 'skipped' }])
  })
})

import { describe, expect, it } from 'vitest'
import { deliveryErrors, rejections } from '../../../src/senders/infobip/codes.ts'
import { infobip } from '../../../src/senders/infobip/index.ts'
import { type Answer, CALLBACK_URL, nonsense, openSms, sms } from '../sms-test.ts'

const open = () => openSms(infobip, { api_key: 'the-key-of-infobip' })

const status = (groupId: number, id: number, name = 'SOME_NAME') => ({ groupId, groupName: 'GROUP', id, name })
const answerWith = (given: object, more: object = {}): Answer => ({
  body: { bulkId: 'b', messages: [{ messageId: sms.reference, status: given, destination: '256772123456', ...more }] },
})

describe('an SMS', () => {
  it('is one JSON, byte for byte', async () => {
    const { sendWith, calls } = open()
    const answer = await sendWith(answerWith(status(1, 26), { details: { messageCount: 2 } }))
    expect(answer).toEqual({ outcome: 'sent', remote_id: sms.reference, parts: 2 })
    expect(calls).toEqual([
      {
        verb: 'sms',
        method: 'POST',
        url: 'https://api.example.com/sms/3/messages',
        headers: {
          Authorization: 'App the-key-of-infobip',
          Accept: 'application/json',
          'Content-Type': 'application/json',
        },
        body:
          `{"messages":[{"sender":"MAMASHOP","destinations":[{"to":"256772123456","messageId":"${sms.reference}"}],` +
          '"content":{"text":"Pay 1500 & confirm + \\"*165#\\""},"options":{"validityPeriod":{"amount":120,"timeUnit":"MINUTES"}},' +
          `"webhooks":{"delivery":{"url":"${CALLBACK_URL}/report"},"contentType":"application/json","callbackData":"${sms.reference}"}}]}`,
      },
    ])
  })

  it('has no sender where none is set, and is kept for 48 hours at most', async () => {
    const { sendWith, calls } = open()
    await sendWith(answerWith(status(1, 26)), { sender: null, valid_s: 1e6 })
    expect(calls[0]!.body).toMatch(/^\{"messages":\[\{"destinations"/)
    expect(calls[0]!.body).toContain('"validityPeriod":{"amount":2880,"timeUnit":"MINUTES"}')
  })

  it.each([
    [1, 3],
    [1, 7],
    [1, 26],
    [3, 5],
    // An earlier call with this id has arrived.
    [5, 23],
  ])('is taken with the group %i and the status %i', async (group, id) => {
    expect(await open().sendWith(answerWith(status(group, id)))).toMatchObject({ outcome: 'sent' })
  })

  const codes: [number, string, boolean][] = [
    [6, 'no_route', false],
    [8, 'invalid_number', false],
    [10, 'not_allowed', false],
    [11, 'invalid_sender', false],
    [12, 'no_credit', true],
    [13, 'opted_out', false],
    [14, 'not_allowed', false],
    [17, 'no_credit', true],
    [18, 'not_allowed', false],
    [19, 'no_route', true],
    [20, 'rejected', false],
    [21, 'rejected', true],
    [24, 'not_allowed', false],
    [51, 'invalid_number', false],
    [52, 'invalid_number', false],
  ]
  it.each(codes)('is rejected with the status %i: %s', async (id, reason, retry) => {
    const { sendWith, alarms } = open()
    const answer = await sendWith(answerWith(status(5, id, 'REJECTED_X')))
    expect(answer).toMatchObject({ outcome: 'failed', reason, retry, code: 'REJECTED_X' })
    expect(alarms.length).toBe(rejections[id]!.repair ? 1 : 0)
  })

  it('has a test for each status', () => {
    expect(codes.map(([code]) => code)).toEqual(Object.keys(rejections).map(Number))
  })

  it.each([
    [5, 999, 'rejected'],
    [2, 4, 'rejected'],
    [2, 9, 'undelivered'],
    [4, 15, 'expired'],
  ])('is refused with the group %i and the status %i: %s', async (group, id, reason) => {
    expect(await open().sendWith(answerWith(status(group, id)))).toMatchObject({ outcome: 'failed', reason })
  })

  it.each([
    [401, /exists/],
    [403, /scopes/],
  ])('is refused for the credentials with HTTP %i', async (http_status, repair) => {
    const { sendWith, alarms } = open()
    const serviceException = { messageId: 'UNAUTHORIZED', text: 'Invalid login details' }
    const answer = await sendWith({ status: http_status, body: { requestError: { serviceException } } })
    expect(answer).toMatchObject({ outcome: 'failed', reason: 'credentials', retry: true })
    expect(alarms.join()).toMatch(repair)
  })

  it('is refused if the call is wrong, in both forms of errors', async () => {
    const serviceException = { messageId: 'BAD_REQUEST', text: 'Bad Request' }
    for (const body of [{ requestError: { serviceException } }, { errorCode: 'E400', description: 'Bad Request' }]) {
      const answer = await open().sendWith({ status: 400, body })
      expect(answer).toMatchObject({ outcome: 'failed', reason: 'rejected', retry: false })
    }
  })

  it('waits after too many calls', async () => {
    const answer = await open().sendWith({ status: 429, headers: { 'retry-after': '5' } })
    expect(answer).toMatchObject({ outcome: 'failed', reason: 'throttled', retry: true, retry_after_s: 5 })
  })

  it.each([
    ...nonsense,
    ['an unknown group', answerWith(status(9, 9))],
    ['a 400 without a reason', { status: 400, body: 'no' }],
    ['no message at all', { body: { messages: [] } }],
  ] satisfies typeof nonsense)('is unknown after %s', async (_, answer) => {
    expect(await open().sendWith(answer)).toMatchObject({ outcome: 'unknown', message: expect.stringMatching(/\w/) })
  })
})

const result = {
  bulkId: 'b',
  messageId: sms.reference,
  to: '256772123456',
  callbackData: sms.reference,
  sentAt: '2026-11-22T09:30:00.000+0000',
  doneAt: '2026-11-22T12:30:05.000+0300',
  messageCount: 2,
  price: { pricePerMessage: 0.00855, currency: 'EUR' },
  status: status(3, 5, 'DELIVERED_TO_HANDSET'),
  error: { groupId: 0, groupName: 'OK', id: 0, name: 'NO_ERROR', permanent: false },
}
const delivered = {
  sms: { reference: sms.reference },
  state: 'delivered',
  parts: 2,
  at: new Date('2026-11-22T09:30:05Z'),
  cost: { amount: 171n, currency: 'EUR' },
}
const read = (...results: unknown[]) => open().read({ body: JSON.stringify({ results }) })

describe('a callback', () => {
  it('reports up to a hundred SMS with their costs', () => {
    const others = Array.from({ length: 99 }, (_, n) => ({ ...result, messageId: `m${n}`, callbackData: undefined }))
    const parsed = read(result, ...others)
    expect(parsed).toMatchObject({ subject: 'reports', verified: true })
    const reports = parsed.subject === 'reports' ? parsed.reports : []
    expect(reports[0]).toEqual(delivered)
    expect(reports.length).toBe(100)
    expect(reports[99]!.sms).toEqual({ remote_id: 'm98' })
  })

  it('may say that an SMS is on its way', () => {
    expect(read({ ...result, status: status(1, 7) })).toMatchObject({ reports: [{ state: 'sent' }] })
  })

  it.each([
    [1, 'invalid_number'],
    [5, 'invalid_number'],
    [6, 'unreachable'],
    [9, 'invalid_number'],
    [11, 'not_allowed'],
    [13, 'opted_out'],
    [27, 'unreachable'],
    [31, 'unreachable'],
    [32, 'undelivered'],
    [33, 'unreachable'],
    [51, 'invalid_number'],
    [52, 'invalid_number'],
    [4711, 'undelivered'],
  ])('with the error %i says why: %s', (id, reason) => {
    if (id < 1_000) expect(Object.keys(deliveryErrors)).toContain(String(id))
    const failed = { ...result, status: status(2, 9), error: { id, name: 'EC_SOMETHING' } }
    expect(read(failed)).toMatchObject({ reports: [{ state: 'failed', reason, code: 'EC_SOMETHING' }] })
  })

  it.each([
    [4, 15, 'expired'],
    [4, 29, 'expired'],
    [5, 12, 'no_credit'],
    [5, 999, 'rejected'],
    [2, 4, 'rejected'],
  ])('with the group %i and the status %i says why: %s', (group, id, reason) => {
    expect(read({ ...result, status: status(group, id) })).toMatchObject({ reports: [{ state: 'failed', reason }] })
  })

  it('skips other content, and is kept for a person if nothing is left', () => {
    expect(read(null, { ...result, status: status(7, 7) }, result)).toMatchObject({ reports: [delivered] })
    expect(read({ ...result, status: status(7, 7) })).toMatchObject({ subject: 'unrecognized' })
    expect(open().read({ body: '<html>' })).toMatchObject({ subject: 'unrecognized' })
  })

  it('hands over SMS of customers', () => {
    const incoming = {
      messageId: '817',
      from: '256772123456',
      to: '22123',
      text: 'STOP',
      receivedAt: '2026-11-22T09:30:00Z',
    }
    expect(read(incoming)).toEqual({
      subject: 'incoming',
      verified: true,
      messages: [{ remote_id: '817', from: '+256772123456', to: '22123', text: 'STOP' }],
    })
  })
})

describe('the state of an SMS', () => {
  const asked = { reference: sms.reference, remote_id: null }

  it('is in the logs', async () => {
    const { operations, answer, calls } = open()
    answer({ body: { results: [result] } })
    expect(await operations.report!(asked)).toEqual(delivered)
    expect(calls[0]!.url).toBe(`https://api.example.com/sms/3/logs?messageId=${sms.reference}`)
  })

  it('is not known from the log of another SMS', async () => {
    const { operations, answer } = open()
    answer({ body: { results: [{ ...result, messageId: 'another' }] } })
    expect(await operations.report!(asked)).toBe(undefined)
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
    answer({ body: { balance: 47.79134, currency: 'EUR' } })
    expect(await operations.balance!()).toEqual({
      outcome: 'found',
      balances: [{ currency: 'EUR', amount: 477_913n }],
    })
  })

  it('is tested: it names the wrong setting', async () => {
    const { testWith } = open()
    expect(await testWith({ body: { balance: 1, currency: 'EUR' } })).toMatchObject([
      { outcome: 'ok' },
      { message: expect.stringContaining(`${CALLBACK_URL}/incoming`) },
    ])
    expect(await testWith({ status: 401 })).toMatchObject([
      { outcome: 'failed', message: expect.stringMatching(/api_key/) },
    ])
    expect(await testWith({ status: 403 })).toMatchObject([{ outcome: 'skipped' }, {}])
    expect(await testWith({ status: 200, body: '<html>' })).toMatchObject([
      { outcome: 'failed', message: expect.stringMatching(/host api/) },
    ])
    expect(await testWith({ status: 503 })).toMatchObject([{ outcome: 'unknown' }])
  })
})

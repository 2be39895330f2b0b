import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { receiveSmsCallback } from '../../../src/api/sms-callbacks.ts'
import { createKey, type Permission } from '../../../src/core/access/api-keys.ts'
import { queueSms } from '../../../src/core/sms/outbox.ts'
import { begin } from '../../../src/db/client.ts'
import { sendSmsMessages } from '../../../src/jobs/send-sms-messages.ts'
import type { SmsCallback } from '../../../src/senders/contract.ts'
import { rawCallback } from '../../connections/fake-connection.ts'
import { fakeSmsConnection, useSmsConnections } from '../../connections/fake-sms.ts'
import { buildTestApp, createApiClient, type TestApp } from '../../test-app.ts'

const PHONE = '+256772000001'

let testApp: TestApp
let url: string
let api: ReturnType<typeof createApiClient>
/** Result of the driver for the next callback. */
let read: () => SmsCallback
const connection = fakeSmsConnection('texts', {
  send: async () => ({ outcome: 'sent', remote_id: 'P1', cost: { amount: 350_000n, currency: 'UGX' } }),
  readCallback: () => read(),
  callbackReply: () => ({ status: 202, content_type: 'text/plain', body: 'OK' }),
})
beforeAll(async () => {
  testApp = await buildTestApp()
  useSmsConnections(testApp.app, [connection])
  url = (await testApp.startService({ jobs: false })).url
  api = createApiClient(url, testApp.api_key)
})
beforeEach(async () => {
  const { organization } = testApp
  await begin(testApp.db, async (tx) => {
    await tx`delete from sms_messages`
    await queueSms(tx, testApp.clock.now(), [
      { organization, collection_request: 1, purpose: 'success', phonenumber: PHONE, body: 'Thanks' },
      { organization, purpose: 'message', phonenumber: '+256772000002', body: 'It’s an offer' },
    ])
  })
  const job = sendSmsMessages(testApp.app)
  await job.run(await job.claim(10))
})
afterAll(() => testApp.close())

describe('GET /api/sms', () => {
  it('lists the SMS of the organization with their states, newest first', async () => {
    const { status, body } = await api.get('/api/sms')
    expect([status, body.count]).toEqual([200, 2])
    expect(body.results[0]).toMatchObject({
      collection_request: null,
      bill_purchase: null,
      purpose: 'message',
      state: 'sent',
      parts: 1,
      encoding: 'gsm',
      body: "It's an offer -Powered by Kusanya",
      cost: '35.0000',
      currency: 'UGX',
      reason: null,
    })
    const { id } = body.results[1]
    expect((await api.get(`/api/sms/${id}`)).body).toEqual(body.results[1])
  })

  it.each([
    ['phonenumber=%2B256772000001', 1],
    ['collection_request=1', 1],
    ['state=sent&purpose=message', 1],
    ['state=failed', 0],
    ['bill_purchase=1', 0],
    ['payment=1', 0],
  ])('with %s finds %d', async (query, count) => {
    expect((await api.get(`/api/sms?${query}`)).body.count).toBe(count)
  })

  it('hides the digits of goods from those who may not pay bills', async () => {
    const { db, clock, organization } = testApp
    const goods = { organization, bill_purchase: 1, purpose: 'goods' as const, phonenumber: PHONE, body: 'Token 1234' }
    await begin(db, (tx) => queueSms(tx, clock.now(), [goods]))
    const [{ id: user }] = (await db`select id from users where kind = 'person' order by id limit 1`) as [
      { id: number },
    ]
    const bodyFor = async (permissions: Permission[]) => {
      const input = { organization, user, name: 'fewer', permissions }
      const { key } = await begin(db, (tx) => createKey(tx, clock.now(), input))
      return (await createApiClient(url, key).get('/api/sms?purpose=goods')).body.results[0].body
    }
    expect(await bodyFor(['view'])).toBe('Token **** -Powered by Kusanya')
    expect(await bodyFor(['view', 'pay_bills'])).toBe('Token 1234 -Powered by Kusanya')
  })

  it('refuses a state that does not exist, and hides the SMS of others', async () => {
    expect(await api.get('/api/sms?state=lost')).toMatchObject({ status: 400, body: { state: [expect.any(String)] } })
    await testApp.db`update sms_messages set organization = organization + 1000`
    const [row] = await testApp.db<{ id: number }[]>`select id from sms_messages limit 1`
    expect((await api.get('/api/sms')).body.count).toBe(0)
    expect((await api.get(`/api/sms/${row!.id}`)).status).toBe(403)
    expect((await api.get('/api/sms/999999')).status).toBe(404)
  })
})

describe('a callback of an SMS provider', () => {
  const receive = () => receiveSmsCallback(testApp.app, connection, rawCallback({ body: 'anything' }))
  const states = async () => (await api.get('/api/sms')).body.results.map(({ state }: { state: string }) => state)

  it('with a verified report changes the SMS before it is answered', async () => {
    read = () => ({ subject: 'reports', verified: true, reports: [{ sms: { remote_id: 'P1' }, state: 'delivered' }] })
    expect(await receive()).toMatchObject({ status: 202, body: 'OK' })
    expect(await states()).toContain('delivered')
  })

  it('is refused and changes nothing if it is not verified', async () => {
    read = () => ({ subject: 'reports', verified: false, reports: [{ sms: { remote_id: 'P1' }, state: 'failed' }] })
    expect(await receive()).toMatchObject({ status: 403 })
    read = () => ({
      subject: 'incoming',
      verified: false,
      messages: [{ remote_id: 'x', from: PHONE, to: '1', text: 'STOP' }],
    })
    expect(await receive()).toMatchObject({ status: 403 })
    expect(await states()).toEqual(['sent', 'sent'])
    expect(await testApp.db`select from sms_consents`).toHaveLength(0)
  })

  it('is answered and changes nothing if it is not understood, or breaks the driver', async () => {
    read = () => ({ subject: 'unrecognized', message: 'What is this?', verified: true })
    expect(await receive()).toMatchObject({ status: 202 })
    read = () => {
      throw new Error('a bug in the driver')
    }
    expect(await receive()).toMatchObject({ status: 403 })
    expect(await states()).toEqual(['sent', 'sent'])
  })

  it('comes to the address of the connection, by POST and by GET, and only with its secret', async () => {
    const { app } = testApp
    const find = (slug: string) => (slug === connection.slug ? connection : undefined)
    app.providers = { ...app.providers, find }
    read = () => ({ subject: 'reports', verified: true, reports: [{ sms: { remote_id: 'P1' }, state: 'delivered' }] })
    const call = (method: string, secret: string) =>
      fetch(`${url}/api/callbacks/texts/${secret}/report?id=P1`, { method }).then(({ status }) => status)
    expect(await call('POST', 'f'.repeat(32))).toBe(404)
    expect(await states()).toEqual(['sent', 'sent'])
    expect(await call('POST', connection.callback_secret)).toBe(202)
    expect(await states()).toContain('delivered')
    expect(await call('GET', connection.callback_secret)).toBe(202)
  })

  it('with STOP is honoured', async () => {
    const message = { remote_id: 'M1', from: PHONE, to: '8008', text: 'ACHA' }
    read = () => ({ subject: 'incoming', verified: true, messages: [message] })
    await receive()
    await receive()
    expect(await testApp.db`select state, word from sms_consents`).toEqual([{ state: 'withdrawn', word: 'acha' }])
  })
})

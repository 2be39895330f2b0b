import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type SmsMessage, smsSuffix } from '../../src/core/sms/message.ts'
import { listSms, queueSms } from '../../src/core/sms/outbox.ts'
import { begin } from '../../src/db/client.ts'
import { sendSmsMessages } from '../../src/jobs/send-sms-messages.ts'
import type { SmsSender } from '../../src/senders/sms-sender.ts'
import { openProvider, type Provider } from '../senders/provider.ts'
import { buildTestApp, createApiClient, eventually, type TestApp } from '../test-app.ts'

const SUFFIX = smsSuffix('Kusanya')
const smsTo = (testApp: TestApp, phonenumber: string) => listSms(testApp.db, { phonenumber }, 10, SUFFIX)

/** Request 1,500 BXC over the API, and wait for the prompt if it has one. Returns a function that reads the status. */
async function collect(api: ReturnType<typeof createApiClient>, body: object): Promise<() => Promise<string>> {
  const created = await api.post('/api/collectionrequests', { amount: '1500', currency: 'BXC', ...body })
  expect(created.status).toBe(201)
  const status = async () => (await api.get(`/api/collectionrequests/${created.body.id}`)).body.status
  const prompted = async () => ((await status()) === 'instructions_sent' ? true : undefined)
  if ('send_instructions' in body) await eventually('the prompt', prompted)
  return status
}

/** Wait until a number has this count of SMS, none of them waiting. */
function endedSms(testApp: TestApp, phonenumber: string, count: number): Promise<SmsMessage[]> {
  return eventually(`${count} SMS`, async () => {
    testApp.app.wake()
    const messages = await smsTo(testApp, phonenumber)
    return messages.length === count && messages.every((sms) => sms.state !== 'waiting') ? messages : undefined
  })
}

describe('a collection in the sandbox', () => {
  let testApp: TestApp
  let api: ReturnType<typeof createApiClient>
  beforeAll(async () => {
    testApp = await buildTestApp({ settings: { SERVICE_NAME: 'Pesa Hub' } })
    api = createApiClient((await testApp.startService()).url, testApp.api_key)
  })
  afterAll(() => testApp.close())

  it('leaves the instructions and the confirmation in the outbox', async () => {
    const phonenumber = '+80000000003'
    await collect(api, { phonenumber, send_instructions: true, reason: 'Rent', first_name: 'Grace' })
    const [instructions] = await endedSms(testApp, phonenumber, 1)
    expect(instructions).toMatchObject({
      purpose: 'instructions',
      state: 'sent',
      sender: 'outbox',
      body: 'Approve the request of BXC 1,500 from Demo Shop for Rent on your phone. -Powered by Pesa Hub',
    })
    testApp.clock.advance(2)
    const [success] = await endedSms(testApp, phonenumber, 2)
    expect(success).toMatchObject({
      purpose: 'success',
      state: 'sent',
      sender: 'outbox',
      body: 'Your payment of BXC 1,500 to Demo Shop for Rent has arrived. Thank you. -Powered by Pesa Hub',
    })
  })
})

describe('sending through a provider', () => {
  let testApp: TestApp
  let provider: Provider
  let api: ReturnType<typeof createApiClient>
  beforeAll(async () => {
    provider = await openProvider()
    const SMS_HEADERS = JSON.stringify({ authorization: 'Bearer s3cret-key' })
    testApp = await buildTestApp({ settings: { SMS_URL: `${provider.url}/sms`, SMS_HEADERS } })
    api = createApiClient((await testApp.startService()).url, testApp.api_key)
  })
  afterEach(() => {
    provider.reply = () => ({ status: 200 })
  })
  afterAll(async () => {
    await testApp.close()
    await provider.close()
  })
  const sentTo = (phonenumber: string) =>
    provider.requests.map((request) => JSON.parse(request.body)).filter((sms) => sms.to === phonenumber)

  it('sends the SMS of the outbox', async () => {
    const phonenumber = '+80000000021'
    await collect(api, { phonenumber, success_message: '{customer}, we got {amount} 🎉' })
    await eventually('the money', async () => {
      testApp.clock.advance(2)
      testApp.app.wake()
      return (await smsTo(testApp, phonenumber))[0]
    })
    const [sms] = await endedSms(testApp, phonenumber, 1)
    expect(sms).toMatchObject({ state: 'sent', sender: 'http', attempts: 1 })
    expect(sms!.body).toBe(`${phonenumber}, we got BXC 1,500 🎉 -Powered by Kusanya`)
    expect(sentTo(phonenumber)).toEqual([{ to: phonenumber, message: sms!.body }])
  })

  it('does not delay money while the provider is down, and sends the SMS later', async () => {
    const phonenumber = '+80000000022'
    provider.reply = () => ({ status: 503, body: 's3cret-key is fine, we are not' })
    const status = await collect(api, { phonenumber, success_message: 'Thank you!' })
    await eventually('the money', async () => {
      testApp.clock.advance(1)
      testApp.app.wake()
      return (await status()) === 'successful' ? true : undefined
    })
    const waiting = await eventually('the first attempt', async () => {
      testApp.app.wake()
      const [sms] = await smsTo(testApp, phonenumber)
      return sms?.last_error ? sms : undefined
    })
    expect(waiting).toMatchObject({
      state: 'waiting',
      last_error: 'The SMS provider answered 503: *** is fine, we are not',
    })
    provider.reply = () => ({ status: 200 })
    testApp.clock.advance(30)
    const [sms] = await endedSms(testApp, phonenumber, 1)
    expect(sms).toMatchObject({ state: 'sent', last_error: null })
    expect(sms!.attempts).toBeGreaterThan(1)
  })

  it('sends each confirmation, and leaves out instructions alone, while customers pay at the same time', async () => {
    const phones = Array.from({ length: 20 }, (_, n) => `+800100200${10 + n}`)
    const accepted: string[] = []
    provider.reply = ({ body }) => {
      const { to, message } = JSON.parse(body) as { to: string; message: string }
      // The provider refuses half of the instructions for now, and their customers pay meanwhile.
      if (message.startsWith('Approve') && Number(to) % 2 === 1) return { status: 503, body: 'Try again.' }
      accepted.push(to)
      return { status: 200 }
    }
    const bodies = phones.map((phonenumber) => ({ phonenumber, send_instructions: true }))
    const created = Promise.all(
      bodies.map((body) => api.post('/api/collectionrequests', { amount: '1500', currency: 'BXC', ...body })),
    )
    const messages = await eventually('the end of all SMS', async () => {
      // Customers pay a second after the prompt, so payments, instructions and confirmations overlap.
      testApp.clock.advance(1)
      testApp.app.wake()
      const found = await testApp.db<SmsMessage[]>`
        select purpose, phonenumber, state, reason, due_at from sms_messages where phonenumber = any(${phones}::text[])`
      const confirmations = found.filter(({ purpose }) => purpose === 'success').length
      return confirmations === phones.length && found.every(({ due_at }) => due_at === null) ? found : undefined
    })
    expect(new Set((await created).map(({ status }) => status))).toEqual(new Set([201]))
    for (const { purpose, state, reason } of messages)
      expect([
        ['success', 'sent', null],
        ['instructions', 'sent', null],
        ['instructions', 'failed', 'request_ended'],
      ]).toContainEqual([purpose, state, reason])
    const sent = messages.filter(({ state }) => state === 'sent').map(({ phonenumber }) => phonenumber)
    expect(accepted.sort()).toEqual(sent.sort())
    // Instructions of customers who pay before the network has answered are not even written.
    const unwritten = phones.length - messages.filter(({ purpose }) => purpose === 'instructions').length
    const ended = messages.filter(({ reason }) => reason === 'request_ended').length
    expect(unwritten + ended).toBeGreaterThanOrEqual(10)
  })

  it('marks an SMS that the provider refuses as failed', async () => {
    const phonenumber = '+80000000023'
    provider.reply = () => ({ status: 400, body: 'no such number' })
    await collect(api, { phonenumber, send_instructions: true })
    const [sms] = await endedSms(testApp, phonenumber, 1)
    expect(sms).toMatchObject({
      state: 'failed',
      attempts: 1,
      last_error: 'The SMS provider answered 400: no such number',
    })
  })
})

describe('a batch of SMS', () => {
  let testApp: TestApp
  const sent: string[] = []
  const sender: SmsSender = {
    code: 'failing',
    async send({ body }) {
      if (body.startsWith('Break')) throw new Error('a bug in the sender')
      sent.push(body)
      return { outcome: 'sent' }
    },
  }
  beforeAll(async () => {
    testApp = await buildTestApp({ overrides: { sms_sender: sender } })
  })
  afterAll(() => testApp.close())

  it('is sent, except the SMS for which the sender fails', async () => {
    const { organization } = testApp
    const queue = (body: string, request: number) =>
      begin(testApp.db, (tx) =>
        queueSms(tx, testApp.clock.now(), [
          { organization, collection_request: request, purpose: 'success', phonenumber: '+80000000001', body },
        ]),
      )
    await queue('Hello', 1)
    await queue('Break', 2)
    const job = sendSmsMessages(testApp.app)
    await job.run(await job.claim(10))
    const states = (await listSms(testApp.db, {}, 10, SUFFIX)).map((sms) => [sms.body, sms.state, sms.attempts])
    expect(states).toEqual([
      [`Break${SUFFIX}`, 'waiting', 1],
      [`Hello${SUFFIX}`, 'sent', 1],
    ])
    expect(await job.claim(10)).toEqual([])
    expect(sent).toEqual([`Hello${SUFFIX}`])
  })

  it('does not send instructions after the end of their request', async () => {
    const late = { organization: testApp.organization, collection_request: 3, phonenumber: '+80000000001' }
    await begin(testApp.db, (tx) =>
      queueSms(tx, testApp.clock.now(), [{ ...late, purpose: 'instructions', body: 'Approve it' }]),
    )
    const job = sendSmsMessages(testApp.app)
    await job.run(await job.claim(10))
    const [sms] = await listSms(testApp.db, {}, 1, SUFFIX)
    expect(sms).toMatchObject({
      state: 'failed',
      last_error: 'The request ended before its instructions could be sent.',
    })
    expect(sent).toHaveLength(1)
  })
})

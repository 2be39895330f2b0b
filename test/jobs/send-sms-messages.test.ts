import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { SmsMessage } from '../../src/core/collections/sms.ts'
import { listSms, queueSms, smsSuffix } from '../../src/core/collections/sms.ts'
import { begin } from '../../src/db/client.ts'
import { sendSmsMessages } from '../../src/jobs/send-sms-messages.ts'
import type { SmsSender } from '../../src/senders/sms-sender.ts'
import { openProvider, type Provider } from '../senders/provider.ts'
import { buildTestApp, createApiClient, eventually, type TestApp } from '../test-app.ts'

const SUFFIX = smsSuffix('Kusanya')
const textsTo = (testApp: TestApp, phonenumber: string) => listSms(testApp.db, { phonenumber }, 10, SUFFIX)

/** Asks a customer for 1,500 BXC over the API, and waits for the prompt if there is to be one. Gives the status later. */
async function collect(api: ReturnType<typeof createApiClient>, body: object): Promise<() => Promise<string>> {
  const made = await api.post('/api/collectionrequests', { amount: '1500', currency: 'BXC', ...body })
  expect(made.status).toBe(201)
  const status = async () => (await api.get(`/api/collectionrequests/${made.body.id}`)).body.status
  const prompted = async () => ((await status()) === 'instructions_sent' ? true : undefined)
  if ('send_instructions' in body) await eventually('the prompt', prompted)
  return status
}

/** The texts to a number once all of them have left `waiting`. */
function settledTexts(testApp: TestApp, phonenumber: string, count: number): Promise<SmsMessage[]> {
  return eventually(`${count} texts`, async () => {
    testApp.app.wake()
    const texts = await textsTo(testApp, phonenumber)
    return texts.length === count && texts.every((text) => text.state !== 'waiting') ? texts : undefined
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
    const [instructions] = await settledTexts(testApp, phonenumber, 1)
    expect(instructions).toMatchObject({
      purpose: 'instructions',
      state: 'sent',
      sender: 'outbox',
      body: 'Approve the request of BXC 1,500 from Demo Shop for Rent on your phone. -Powered by Pesa Hub',
    })
    testApp.clock.advance(2)
    const [success] = await settledTexts(testApp, phonenumber, 2)
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
    provider.requests.map((asked) => JSON.parse(asked.body)).filter((sms) => sms.to === phonenumber)

  it('sends what the outbox shows', async () => {
    const phonenumber = '+80000000021'
    await collect(api, { phonenumber, success_message: '{customer}, we got {amount} 🎉' })
    await eventually('the money', async () => {
      testApp.clock.advance(2)
      testApp.app.wake()
      return (await textsTo(testApp, phonenumber))[0]
    })
    const [text] = await settledTexts(testApp, phonenumber, 1)
    expect(text).toMatchObject({ state: 'sent', sender: 'http', attempts: 1 })
    expect(text!.body).toBe(`${phonenumber}, we got BXC 1,500 🎉 -Powered by Kusanya`)
    expect(sentTo(phonenumber)).toEqual([{ to: phonenumber, message: text!.body }])
  })

  it('holds up no money while the provider is down, and sends when it is back', async () => {
    const phonenumber = '+80000000022'
    provider.reply = () => ({ status: 503, body: 's3cret-key is fine, we are not' })
    const status = await collect(api, { phonenumber })
    await eventually('the money', async () => {
      testApp.clock.advance(1)
      testApp.app.wake()
      return (await status()) === 'successful' ? true : undefined
    })
    const waiting = await eventually('the first try', async () => {
      testApp.app.wake()
      const [text] = await textsTo(testApp, phonenumber)
      return text?.last_error ? text : undefined
    })
    expect(waiting).toMatchObject({
      state: 'waiting',
      last_error: 'The SMS provider answered 503: *** is fine, we are not',
    })
    provider.reply = () => ({ status: 200 })
    testApp.clock.advance(30)
    const [text] = await settledTexts(testApp, phonenumber, 1)
    expect(text).toMatchObject({ state: 'sent', last_error: null })
    expect(text!.attempts).toBeGreaterThan(1)
  })

  it('shows as failed what the provider refuses', async () => {
    const phonenumber = '+80000000023'
    provider.reply = () => ({ status: 400, body: 'no such number' })
    await collect(api, { phonenumber, send_instructions: true })
    const [text] = await settledTexts(testApp, phonenumber, 1)
    expect(text).toMatchObject({
      state: 'failed',
      attempts: 1,
      last_error: 'The SMS provider answered 400: no such number',
    })
  })
})

describe('one batch of texts', () => {
  let testApp: TestApp
  const sent: string[] = []
  const sender: SmsSender = {
    code: 'moody',
    async send({ body }) {
      if (body.startsWith('Break')) throw new Error('a fault of the sender')
      sent.push(body)
      return { outcome: 'sent' }
    },
  }
  beforeAll(async () => {
    testApp = await buildTestApp({ overrides: { sms_sender: sender } })
  })
  afterAll(() => testApp.close())

  it('is not spoiled by one on which the sender breaks', async () => {
    const { organization } = testApp
    const write = (body: string, request: number) =>
      begin(testApp.db, (tx) =>
        queueSms(tx, testApp.clock.now(), [
          { organization, collection_request: request, purpose: 'success', phonenumber: '+80000000001', body },
        ]),
      )
    await write('Hello', 1)
    await write('Break', 2)
    const job = sendSmsMessages(testApp.app)
    await job.run(await job.claim(10))
    const states = (await listSms(testApp.db, {}, 10, SUFFIX)).map((text) => [text.body, text.state, text.attempts])
    expect(states).toEqual([
      [`Break${SUFFIX}`, 'waiting', 1],
      [`Hello${SUFFIX}`, 'sent', 1],
    ])
    expect(await job.claim(10)).toEqual([])
    expect(sent).toEqual([`Hello${SUFFIX}`])
  })

  it('leaves out instructions whose request is over', async () => {
    const late = { organization: testApp.organization, collection_request: 3, phonenumber: '+80000000001' }
    await begin(testApp.db, (tx) =>
      queueSms(tx, testApp.clock.now(), [{ ...late, purpose: 'instructions', body: 'Approve it' }]),
    )
    const job = sendSmsMessages(testApp.app)
    await job.run(await job.claim(10))
    const [text] = await listSms(testApp.db, {}, 1, SUFFIX)
    expect(text).toMatchObject({
      state: 'failed',
      last_error: 'The request ended before its instructions could be sent.',
    })
    expect(sent).toHaveLength(1)
  })
})

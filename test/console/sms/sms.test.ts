import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDemo } from '../../../src/cli/service/demo.ts'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { setConsents } from '../../../src/core/sms/consents.ts'
import { queueSms } from '../../../src/core/sms/outbox.ts'
import { setSmsLimit } from '../../../src/core/sms/usage.ts'
import { begin } from '../../../src/db/client.ts'
import { sendSmsMessages } from '../../../src/jobs/send-sms-messages.ts'
import { fakeSmsConnection, useSmsConnections } from '../../connections/fake-sms.ts'
import { PASSWORD } from '../../password.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { openBrowser } from '../browser.ts'

let testApp: TestApp
let owner: ReturnType<typeof openBrowser>
/** Answer of the provider. */
let answer: Parameters<typeof fakeSmsConnection>[1]['send']

beforeAll(async () => {
  testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD } })
  await prepareDemo(testApp.app)
  owner = openBrowser((await testApp.startService({ jobs: false })).url)
  await owner.signIn('owner@demo.example', PASSWORD)
  const texts = fakeSmsConnection('texts', { send: (sms, tools) => answer(sms, tools) })
  useSmsConnections(testApp.app, [texts])
})
afterAll(() => testApp.close())

/** Send all that waits. */
async function sendAll(): Promise<void> {
  const job = sendSmsMessages(testApp.app)
  await job.run(await job.claim(10))
}

describe('SMS in the console', () => {
  it('have a page with the list, the months, the limit and who said STOP', async () => {
    const { organization, clock } = testApp
    answer = async () => ({ outcome: 'sent', cost: { amount: 350_000n, currency: 'UGX' } })
    const said = { organization, phonenumber: '+256772000009', state: 'withdrawn', word: 'stop' } as const
    await begin(testApp.db, async (tx) => {
      await setSmsLimit(tx, organization, { monthly_parts: 50 })
      await setConsents(tx, [{ ...said, connection: 'texts', by: null, at: clock.now() }])
      await queueSms(tx, clock.now(), [
        { organization, purpose: 'message', phonenumber: '+256772000001', body: 'Hello' },
      ])
    })
    await sendAll()
    expect((await owner.get('/sms')).body).toMatchObject({ count: 1, results: [{ state: 'sent', cost: '35.0000' }] })
    expect((await owner.get('/settings/sms')).body).toMatchObject({
      monthly_parts: 50,
      editable: true,
      connections: ['texts'],
      months: [{ messages: 1, parts: 1, costs: [{ connection: 'texts', currency: 'UGX', cost: '35.0000' }] }],
      opt_outs: [{ phonenumber: '+256772000009', word: 'stop' }],
    })
    expect((await owner.get('/home')).body.warnings).toEqual([])
    await begin(testApp.db, (tx) => setSmsLimit(tx, organization, { monthly_parts: 1 }))
    expect((await owner.get('/home')).body.warnings).toEqual([
      '1 of the 1 SMS parts of this month are used. Beyond that, no SMS is sent.',
    ])
    await begin(testApp.db, (tx) => setSmsLimit(tx, organization, { monthly_parts: null }))
  })

  it('notify the shop of instructions that never arrived', async () => {
    const { organization, clock } = testApp
    answer = async () => ({
      outcome: 'failed',
      reason: 'invalid_number',
      code: '403',
      message: 'no such number',
      retry: false,
    })
    const input = { phonenumber: '+80000000077', amount: '10', currency: 'BXC', send_instructions: false }
    const { id } = (await owner.post('/collectionrequests', input)).body
    await begin(testApp.db, (tx) =>
      queueSms(tx, clock.now(), [
        { organization, collection_request: id, purpose: 'instructions', phonenumber: '+80000000077', body: 'Pay' },
      ]),
    )
    await sendAll()
    expect((await owner.get('/home')).body.not_instructed).toEqual([
      { collection_request: id, phonenumber: '+80000000077', state: 'failed', problem: 'no such number' },
    ])
    const { results } = (await owner.get(`/collectionrequests/${id}/timeline`)).body
    expect(results.filter(({ kind }: { kind: string }) => kind.startsWith('text'))).toMatchObject([
      { kind: 'text', state: 'failed', problem: 'no such number' },
      { kind: 'text_answer', connection: 'texts', outcome: 'failed', message: 'no such number, 403' },
    ])
    await owner.post(`/collectionrequests/${id}/cancel`, {})
    expect((await owner.get('/home')).body.not_instructed).toEqual([])
  })

  it('have routes that the managers of the only organization change', async () => {
    const url = '/settings/sms/routes'
    const set = await owner.send('PUT', url, {
      connection: 'texts',
      country: 'ug',
      priority: '5',
      sender_id: '',
      price: '',
    })
    expect(set).toMatchObject({ status: 200, body: { connection: 'texts', country: 'UG', priority: 5, own: false } })
    expect(await owner.send('PUT', url, { connection: 'nowhere' })).toMatchObject({ status: 400 })
    expect(await owner.send('PUT', url, { connection: 'texts', price: '5' })).toMatchObject({ status: 400 })
    expect((await owner.get('/settings/sms')).body.routes).toHaveLength(1)
    expect((await owner.send('DELETE', `${url}/${set.body.id}`)).status).toBe(204)
    await begin(testApp.db, (tx) => createOrganization(tx, testApp.clock.now(), 'Another'))
    expect((await owner.send('PUT', url, { connection: 'texts' })).status).toBe(403)
    expect((await owner.get('/settings/sms')).body).toMatchObject({ editable: false, connections: [], routes: [] })
  })
})

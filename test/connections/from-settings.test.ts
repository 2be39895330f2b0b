import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import { tryConnection } from '../../src/connections/operate.ts'
import { findRow } from '../../src/connections/settings-rows.ts'
import { describeSmsWay, findSmsWay } from '../../src/connections/sms.ts'
import { getConnection } from '../../src/core/connections/connections.ts'
import { listSms, queueSms } from '../../src/core/sms/outbox.ts'
import { begin } from '../../src/db/client.ts'
import { sendSmsMessages } from '../../src/jobs/send-sms-messages.ts'
import { openProvider, type Provider } from '../senders/provider.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'
import { fakeSmsConnection } from './fake-sms.ts'

let testApp: TestApp
let app: App
let provider: Provider
let url: string
beforeAll(async () => {
  provider = await openProvider()
  testApp = await buildTestApp({
    settings: {
      SMS_URL: `${provider.url}/sms`,
      SMS_HEADERS: '{"authorization":"Bearer s3cret-key"}',
      SMS_BODY: '{"to":"{phone}","text":"{text}","n":{id},"dlr":"{report_url}"}',
      SMS_REPORTS: '{"report_status_field":"status","incoming_from_field":"from","incoming_text_field":"text"}',
    },
  })
  app = testApp.app
  url = (await testApp.startService({ jobs: false })).url
})
beforeEach(() => {
  provider.requests.length = 0
})
afterAll(async () => {
  await testApp.close()
  await provider.close()
})

/** Queue an SMS and send what waits. */
async function send(phonenumber: string) {
  const { organization, clock } = testApp
  const message = { organization, purpose: 'success' as const, phonenumber, body: 'Thanks' }
  await begin(testApp.db, (tx) => queueSms(tx, clock.now(), [message]))
  const job = sendSmsMessages(app)
  await job.run(await job.claim(10))
  const [sms] = await listSms(testApp.db, { phonenumber }, 1, '')
  return sms!
}

describe('the SMS provider of the settings', () => {
  it('is a connection with the driver http, shown without secrets and changed only in the settings', async () => {
    const row = await findRow(app, app.db, 'http')
    expect(row).toMatchObject({ kind: 'sms', driver: 'http', environment: 'test', state: 'active', organization: null })
    expect(JSON.stringify(row)).not.toMatch(/s3cret-key|127\.0\.0\.1/)
    expect(row.settings).toMatchObject({ method: 'POST', report_status_field: 'status' })
    expect(await tryConnection(app, row)).toMatchObject([
      { name: 'request', outcome: 'skipped' },
      { name: 'reports', outcome: 'skipped' },
      { name: 'callback address' },
    ])
    await expect(getConnection(app.db, 'http')).rejects.toThrow('comes from the settings (SMS_URL)')
  })

  it('sends, is measured, and reports the state of an SMS', async () => {
    const sms = await send('+256772000001')
    expect(sms).toMatchObject({ state: 'sent', sender: 'http' })
    const { n, dlr } = JSON.parse(provider.requests[0]!.body)
    expect(n).toBe(sms.id)
    const figures = await Promise.all(app.connection_tools.metrics.all.map((metric) => metric.get()))
    const calls = figures.find(({ name }) => name === 'kusanya_network_call_duration_seconds')
    expect(calls!.values.some(({ labels }) => labels.connection === 'http' && labels.verb === 'sms')).toBe(true)
    const report = (to: string) => fetch(to.replace(app.address.url, url), { method: 'POST', body: 'status=delivered' })
    expect((await report(dlr.replace(/callbacks\/http\/\w{8}/, 'callbacks/http/00000000'))).status).toBe(404)
    expect((await listSms(testApp.db, { id: sms.id }, 1, ''))[0]!.state).toBe('sent')
    expect((await report(dlr)).status).toBe(200)
    expect((await listSms(testApp.db, { id: sms.id }, 1, ''))[0]!.state).toBe('delivered')
  })

  it('names itself in the message of a call without an answer', async () => {
    provider.reply = () => 'hang up'
    const sms = await send('+256772000002')
    provider.reply = () => ({ status: 200 })
    expect(sms).toMatchObject({
      state: 'waiting',
      last_error: expect.stringMatching(/^The SMS provider did not answer/),
    })
  })

  it('describes the delivery path of SMS in plain words', () => {
    const { organization } = testApp
    expect(describeSmsWay(findSmsWay(app))).toBe('SMS go over http, the provider of the setting SMS_URL.')
    const own = fakeSmsConnection('own', { send: async () => ({ outcome: 'sent' }) }, { organization })
    const draft = fakeSmsConnection('draft', own.operations, { state: 'draft' })
    const wayWith = (parts: Partial<App>, owner?: number) => findSmsWay({ ...app, ...parts }, owner)
    const settings = app.sms_connections.list()
    const both = { list: () => [...settings, own, draft], find: () => undefined }
    // Without SMS_URL, in the sandbox and in live mode, with and without a connection of the organization.
    const none = { list: () => [own, draft], find: () => undefined }
    const live = { code: 'none', send: async () => ({ outcome: 'sent' as const }) }
    expect(wayWith({ sms_connections: both }, organization)).toEqual({ kind: 'connections', connections: ['own'] })
    expect(wayWith({ sms_connections: both }, organization + 1)).toEqual({ kind: 'settings', connections: ['http'] })
    expect(wayWith({ sms_connections: none }, organization + 1)).toEqual({ kind: 'kept', connections: [] })
    const nowhere = wayWith({ sms_connections: none, sms_sender: live })
    expect(describeSmsWay(nowhere)).toMatch(/^No SMS provider is connected, and SMS_URL is not set/)
    expect(wayWith({ sms_connections: none, sms_sender: live }, organization).kind).toBe('connections')
  })
})

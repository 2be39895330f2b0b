import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDemo } from '../../../src/cli/service/demo.ts'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { setConsents } from '../../../src/core/sms/consents.ts'
import { queueSms } from '../../../src/core/sms/outbox.ts'
import { begin } from '../../../src/db/client.ts'
import { sendSmsMessages } from '../../../src/jobs/send-sms-messages.ts'
import { fakeSmsConnection, useSmsConnections } from '../../connections/fake-sms.ts'
import { PASSWORD } from '../../password.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { openBrowser } from '../browser.ts'
import { addPerson } from '../shop.ts'

const URL = '/settings/sms'
const PHONE = '+256772000009'

let testApp: TestApp
let owner: ReturnType<typeof openBrowser>
let viewer: ReturnType<typeof openBrowser>
const sent: { phonenumber: string; sender: string | null }[] = []
beforeAll(async () => {
  testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD } })
  await prepareDemo(testApp.app)
  const { url } = await testApp.startService({ jobs: false })
  owner = openBrowser(url)
  viewer = openBrowser(url)
  await owner.signIn('owner@demo.example', PASSWORD)
  const { organization } = testApp
  await addPerson(testApp, { email: 'viewer@shop.example', organization, permissions: ['view'] })
  await viewer.signIn('viewer@shop.example', PASSWORD)
  const texts = fakeSmsConnection('texts', {
    send: async ({ phonenumber, sender }) => {
      sent.push({ phonenumber, sender })
      return { outcome: 'sent' }
    },
  })
  useSmsConnections(testApp.app, [texts])
})
afterAll(() => testApp.close())

const read = async () => (await owner.get(URL)).body
const put = (path: string, body: unknown) => owner.send('PUT', `${URL}/${path}`, body)
const actions = async () =>
  (await owner.get('/audit?limit=1000')).body.results.map(
    ({ action, details }: { action: string; details: object }) => ({ action, details }),
  )

/** Queue an SMS of a person, such as an offer, and send what is due. */
async function sendOffer(phonenumber: string) {
  const { organization, clock, db } = testApp
  const offer = { organization, purpose: 'message' as const, phonenumber, body: 'Offer', transactional: false }
  const [id] = await begin(db, (tx) => queueSms(tx, clock.now(), [offer]))
  const job = sendSmsMessages(testApp.app)
  await job.run(await job.claim(10))
  return (await owner.get(`/sms/${id}`)).body as { state: string; reason: string | null; sender_id: string | null }
}

describe('the SMS settings in the console', () => {
  it('have sender ids, which phones show', async () => {
    const set = await put('senders', { sender_id: 'DemoShop', country: 'ug' })
    expect(set).toMatchObject({ status: 200, body: { sender_id: 'DemoShop', country: 'UG', own: true } })
    expect(await put('senders', { sender_id: 'A name that is long' })).toMatchObject({ status: 400 })
    expect(await put('senders', { sender_id: 'TooLongAName' })).toMatchObject({ status: 400 })
    expect(await put('senders', { sender_id: 'Shop', country: 'Uganda' })).toMatchObject({ status: 400 })
    const { body: all } = await put('senders', { sender_id: '8080', own: false })
    expect(all).toMatchObject({ country: null, own: false })
    expect((await read()).senders).toEqual([set.body, all])
    expect(await sendOffer('+256772000001')).toMatchObject({ state: 'sent', sender_id: 'DemoShop' })
    expect(sent.at(-1)).toEqual({ phonenumber: '+256772000001', sender: 'DemoShop' })
    expect((await owner.send('DELETE', `${URL}/senders/${all.id}`)).status).toBe(204)
    expect((await owner.send('DELETE', `${URL}/senders/${all.id}`)).status).toBe(404)
    expect((await read()).senders).toEqual([set.body])
    expect(await actions()).toContainEqual({
      action: 'set sms sender',
      details: { sender_id: 'DemoShop', country: 'UG', own: true },
    })
  })

  it('have a monthly limit with the figure so far, which is never passed', async () => {
    const { parts_this_month } = await read()
    expect(parts_this_month).toBe(1)
    expect(await put('limit', { monthly_parts: '-1' })).toMatchObject({ status: 400 })
    expect(await put('limit', { monthly_parts: '1.5' })).toMatchObject({ status: 400 })
    expect(await put('limit', {})).toMatchObject({ status: 400 })
    expect(await put('limit', { monthly_parts: '1' })).toMatchObject({ status: 200, body: { monthly_parts: 1 } })
    expect(await sendOffer('+256772000002')).toMatchObject({ state: 'failed', reason: 'limit_reached' })
    const set = await put('limit', { monthly_parts: '', stop_covers_receipts: true })
    expect(set.body).toEqual({ monthly_parts: null, stop_covers_receipts: true })
    expect(await put('limit', { stop_covers_receipts: false })).toMatchObject({ body: { monthly_parts: null } })
    expect(await actions()).toContainEqual({
      action: 'set sms limit',
      details: { monthly_parts: 1, stop_covers_receipts: false },
    })
  })

  it('have opt-outs, which are listed, entered, exported, and removed with a reason', async () => {
    const list = async (query = '') => (await owner.get(`${URL}/opt-outs${query}`)).body
    expect(await list()).toMatchObject({ count: 0 })
    expect(await owner.post(`${URL}/opt-outs`, { phonenumber: PHONE })).toMatchObject({
      status: 400,
      body: { reason: ['This field is required.'] },
    })
    const said = await owner.post(`${URL}/opt-outs`, { phonenumber: PHONE, reason: 'Said so on the phone' })
    expect(said.status).toBe(204)
    const { results } = await list('?state=withdrawn&ordering=id&limit=1000')
    const [entry] = results
    expect(results).toMatchObject([{ phonenumber: PHONE, state: 'withdrawn', own: true, word: null }])
    expect(entry.by).toEqual(expect.any(String))
    expect(await list('?state=given')).toMatchObject({ count: 0 })
    expect(await list(`?phonenumber=${encodeURIComponent(PHONE)}`)).toMatchObject({ count: 1 })
    expect(await sendOffer(PHONE)).toMatchObject({ state: 'failed', reason: 'opted_out' })
    const remove = (body: object) => owner.post(`${URL}/opt-outs/${entry.id}/remove`, body)
    expect(await remove({ reason: ' ' })).toMatchObject({ status: 400 })
    expect(await remove({ reason: 'Asked for offers again' })).toMatchObject({ status: 204 })
    expect(await remove({ reason: 'Twice' })).toMatchObject({ status: 404 })
    expect(await sendOffer(PHONE)).toMatchObject({ state: 'sent' })
    const logged = await actions()
    expect(logged).toContainEqual({
      action: 'remove sms consent',
      details: { consent: entry.id, state: 'withdrawn', reason: 'Asked for offers again' },
    })
    expect(JSON.stringify(logged)).not.toContain(PHONE.slice(1))
  })

  it('have rules of countries and the words of customers', async () => {
    const { rules, words, way } = await read()
    expect(rules).toContainEqual({
      country: 'NG',
      time_zone: 'Africa/Lagos',
      quiet_from: '20:00',
      quiet_until: '08:00',
      consent_required: false,
      is_set: false,
    })
    expect(words.stop).toContain('acha')
    expect(way).toEqual({ kind: 'connections', connections: ['texts'] })
    const set = await put('rules/ke', { quiet_from: '21:00', quiet_until: '07:00', consent_required: true })
    expect(set.body).toMatchObject({ country: 'KE', time_zone: 'Africa/Nairobi', quiet_from: '21:00', is_set: true })
    expect(await sendOffer('+254712000001')).toMatchObject({ state: 'failed', reason: 'no_consent' })
    expect(await put('rules/KE', { quiet_from: '21:00', quiet_until: '' })).toMatchObject({ status: 400 })
    expect(await put('rules/KE', { quiet_from: '9pm', quiet_until: '07:00' })).toMatchObject({ status: 400 })
    expect(await put('rules/KE', { time_zone: 'Mars' })).toMatchObject({ status: 400 })
    expect(await put('rules/KE', { quiet_from: '', quiet_until: '' })).toMatchObject({
      status: 200,
      body: { quiet_from: null, quiet_until: null, consent_required: true },
    })
    expect((await owner.send('DELETE', `${URL}/rules/KE`)).status).toBe(204)
    expect((await owner.send('DELETE', `${URL}/rules/KE`)).status).toBe(404)
    expect((await actions()).map(({ action }: { action: string }) => action)).toContain('remove sms rule')
  })

  it('are changed by managers only, and settings for all organizations only in a sole one', async () => {
    const changes = [
      ['PUT', 'senders', { sender_id: 'Other' }],
      ['PUT', 'limit', { monthly_parts: 5 }],
      ['PUT', 'rules/UG', { consent_required: true }],
      ['DELETE', 'rules/UG', {}],
      ['PUT', 'routes', { connection: 'texts' }],
    ] as const
    for (const [method, path, body] of changes)
      expect((await viewer.send(method, `${URL}/${path}`, body)).status).toBe(403)
    const opt_out = { phonenumber: PHONE, reason: 'Wish' }
    expect((await viewer.post(`${URL}/opt-outs`, opt_out)).status).toBe(403)
    expect((await viewer.get(URL)).body).toMatchObject({ editable: false, may_manage: false })

    const other = await begin(testApp.db, async (tx) => {
      const { id } = await createOrganization(tx, testApp.clock.now(), 'Another')
      const said = { phonenumber: PHONE, state: 'withdrawn', word: 'stop', connection: 'texts', by: null } as const
      await setConsents(tx, [
        { ...said, organization: id, at: testApp.clock.now() },
        { ...said, organization: null, at: testApp.clock.now() },
      ])
      return id
    })
    for (const [method, path, body] of changes)
      expect((await owner.send(method, `${URL}/${path}`, body)).status).toBe(403)
    expect((await owner.send('PUT', `${URL}/limit`, { stop_covers_receipts: true })).status).toBe(200)
    expect((await owner.post(`${URL}/opt-outs`, opt_out)).status).toBe(204)
    // Consent for another organization is not shown; consent for all is, and stays.
    const { results } = (await owner.get(`${URL}/opt-outs`)).body as { results: { id: number; own: boolean }[] }
    expect(results.map(({ own }) => own)).toEqual([true, false])
    const remove = (id: number) => owner.post(`${URL}/opt-outs/${id}/remove`, { reason: 'Wish' })
    expect((await remove(results[1]!.id)).status).toBe(403)
    const [theirs] = await testApp.db<{ id: number }[]>`select id from sms_consents where organization = ${other}`
    expect((await remove(theirs!.id)).status).toBe(404)
    expect((await remove(results[0]!.id)).status).toBe(204)
    expect(await read()).toMatchObject({ editable: false, may_manage: true })
  })
})

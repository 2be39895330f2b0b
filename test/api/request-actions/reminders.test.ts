import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cancelRequest } from '../../../src/core/collections/actions.ts'
import { listOrdersOf } from '../../../src/core/connections/network-orders.ts'
import { eraseContact } from '../../../src/core/contacts/erasure.ts'
import { begin } from '../../../src/db/client.ts'
import { type Json, openTestService, type TestService } from '../../interface/test-service.ts'
import { eventually } from '../../test-app.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService()
})
beforeEach(() => service.testApp.db`delete from sms_country_rules`)
afterAll(() => service.close())

/** Never pays, so the prompt stays on the phone. */
const SILENT = '+80000000009'
/** Do not answer the first prompt, and pay after the second. */
const SECOND_PROMPT = '+80000000110'
const SHARED = { currency: 'BXC', send_instructions: true, reason: 'Order 7' }

/** Wait for a person who approves the prompt. */
const WAITING = '+80010000109'

const remind = (id: number, body?: object, headers?: Record<string, string>) =>
  service.shop.post(`/api/collectionrequests/${id}/remind`, body, headers)
const smsOf = async (id: number, purpose: string) =>
  (await service.shop.get(`/api/sms?collection_request=${id}&purpose=${purpose}`)).body.results as Json[]
const ordersOf = (id: number) => listOrdersOf(service.testApp.db, { collection_request: id })
const instructed = async (phonenumber = SILENT) => {
  const { id } = await service.createRequest({ ...SHARED, phonenumber })
  await service.waitForStatus(id, 'instructions_sent')
  return id
}
const reasonOf = ({ status, body }: { status: number; body: Json }) => [status, String(body.collection_request)]

describe('a reminder', () => {
  it('sends the instructions again, keeps who did it and why, and leaves the open prompt alone', async () => {
    const id = await instructed()
    const [first] = await smsOf(id, 'instructions')
    const { status, body } = await remind(id, { comment: 'The customer asked for it.' })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        kind: 'reminder',
        collection_request: id,
        created: '2030-01-15T12:00:00Z',
        author: service.user,
        author_name: expect.any(String),
        comment: 'The customer asked for it.',
        reason: null,
        sms: expect.any(Number),
        prompt: false,
        new_request: null,
        payment_link: null,
        payment: null,
      },
    ])
    const [sms] = await smsOf(id, 'reminder')
    expect(sms).toMatchObject({ id: body.sms, body: first!.body, phonenumber: SILENT })
    expect(await ordersOf(id)).toHaveLength(1)
    const list = (await service.shop.get(`/api/collectionrequests/${id}/actions`)).body
    expect(list).toMatchObject({ count: 1, results: [body] })
    const [entry] = await service.testApp
      .db`select action, "user", details from audit_log where object = ${id} and action = 'remind customer'`
    expect(entry).toEqual({ action: 'remind customer', user: service.user, details: { requestaction: body.id } })
  })

  it('is sent only as often as the settings allow', async () => {
    const id = await instructed()
    expect((await remind(id)).status).toBe(201)
    expect(reasonOf(await remind(id))).toEqual([400, expect.stringMatching(/again at 20\d\d-.*Z\.$/)])
    for (const _ of [2, 3]) {
      service.advance(600)
      expect((await remind(id)).status).toBe(201)
    }
    service.advance(600)
    expect(reasonOf(await remind(id))).toEqual([400, 'This request has had 3 reminders, the maximum.'])
    expect(await smsOf(id, 'reminder')).toHaveLength(3)
  })

  it('is sent once if two people ask at once, and once for each key', async () => {
    const id = await instructed()
    const both = await Promise.all([remind(id), remind(id)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400])
    expect(await smsOf(id, 'reminder')).toHaveLength(1)
    service.advance(600)
    const headers = { 'duplicate-check-key': `remind ${id}` }
    const calls = await Promise.all([1, 2, 3].map(() => remind(id, {}, headers)))
    expect(calls.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(await smsOf(id, 'reminder')).toHaveLength(2)
  })

  it('waits for the end of the night, by the clock of the customer', async () => {
    const { id } = await service.createRequest({ ...SHARED, phonenumber: '+256780000009', currency: 'UGX' })
    await service.waitForStatus(id, 'instructions_sent')
    // 12:00 UTC and some minutes is the afternoon in Kampala.
    await service.testApp.db`
      insert into sms_country_rules (country, time_zone, quiet_from, quiet_until, consent_required)
      values ('UG', 'Africa/Kampala', '15:00', '17:00', false)`
    expect(reasonOf(await remind(id))).toEqual([400, expect.stringContaining('at 2030-01-15T14:00:00Z.')])
    await service.testApp.db`delete from sms_country_rules`
    expect((await remind(id)).status).toBe(201)
  })

  it('is refused before the start of a request and after its end', async () => {
    const { id: later } = await service.createRequest({ ...SHARED, start_date: 'tomorrow' })
    expect(reasonOf(await remind(later))).toEqual([400, `Request ${later} has not started yet.`])
    const { id: refused } = await service.createRequest({ ...SHARED, phonenumber: '+80000000001' })
    await service.advanceUntilStatus(refused, 'failed')
    expect(reasonOf(await remind(refused))).toEqual([400, `Request ${refused} is failed already.`])
    const { id: mute } = await service.createRequest({ ...SHARED, phonenumber: SILENT, instructions: 'skip' })
    await service.waitForStatus(mute, 'instructions_sent')
    expect(reasonOf(await remind(mute))).toEqual([400, expect.stringContaining('There is nothing to send')])
    expect((await remind(mute, { comment: 'x'.repeat(501) })).body).toHaveProperty('comment')
  })

  it('brings the next prompt forward once the first has ended, so that the customer never has two', async () => {
    const { id } = await service.createRequest({ ...SHARED, phonenumber: SECOND_PROMPT })
    await eventually('the first prompt to end', async () => {
      service.advance(1)
      return (await ordersOf(id))[0]?.state === 'failed' || undefined
    })
    const before = service.testApp.clock.now()
    const calls = await Promise.all([remind(id), remind(id)])
    const made = calls.find(({ status }) => status === 201)!
    expect(made.body).toMatchObject({ prompt: true, sms: expect.any(Number) })
    await service.advanceUntilStatus(id, 'successful')
    const orders = await ordersOf(id)
    expect(orders.map(({ state }) => state)).toEqual(['failed', 'successful'])
    // Without the reminder the second prompt comes ten minutes after the end of the first.
    expect(orders[1]!.created.getTime() - before.getTime()).toBeLessThan(60_000)
  })

  it('loses its words when the customer is erased', async () => {
    const id = await instructed(WAITING)
    const { contact } = (await service.shop.get(`/api/collectionrequests/${id}`)).body
    expect((await remind(id, { comment: 'Mr Doe asked.' })).status).toBe(201)
    const { db, clock } = service.testApp
    await begin(db, (tx) => cancelRequest(tx, clock.now(), { request: id, by: { user: null, name: 'Jane' } }))
    await begin(db, (tx) => eraseContact(tx, clock.now(), contact.id, { author: service.user, lease_end: null }))
    const list = (await service.shop.get(`/api/collectionrequests/${id}/actions`)).body
    expect(list.results).toMatchObject([{ kind: 'reminder', comment: '' }])
  })
})

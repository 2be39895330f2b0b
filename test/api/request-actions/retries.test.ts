import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cancelRequest } from '../../../src/core/collections/actions.ts'
import { begin } from '../../../src/db/client.ts'
import { type Json, openTestService, type TestService } from '../../interface/test-service.ts'
import { eventually } from '../../test-app.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const REFUSES = '+80000000001'
const CONTENTS = {
  currency: 'BXC',
  amount: '1500.5',
  reason: 'Order 7',
  metadata: { order: 7 },
  send_instructions: true,
  first_name: 'Jane',
  last_name: 'Doe',
  success_message: 'Thanks!',
  expiry_date: '2 hours',
  max_attempts: 1,
  retry_interval_minutes: 30,
}

const post = (id: number, verb: string, body: object = {}, headers?: Record<string, string>) =>
  service.shop.post(`/api/collectionrequests/${id}/${verb}`, body, headers)
const actionsOf = async (id: number) =>
  (await service.shop.get(`/api/collectionrequests/${id}/actions`)).body.results as Json[]
const failed = async (contents: { amount?: string } = {}) => {
  const { id } = await service.createRequest({ ...CONTENTS, phonenumber: REFUSES, ...contents })
  return service.advanceUntilStatus(id, 'failed')
}
const reasonOf = ({ status, body }: { status: number; body: Json }) => [status, String(body.collection_request)]
const cancel = (id: number) =>
  begin(service.testApp.db, (tx) =>
    cancelRequest(tx, service.testApp.clock.now(), { request: id, by: { user: null, name: 'Jane' } }),
  )

const phone = (phonenumber: string, verb: string) => `/api/simulator/phones/${encodeURIComponent(phonenumber)}/${verb}`

describe('a request that has failed', () => {
  it('is tried again with the same contents and the same time, and both name each other', async () => {
    const old = await failed()
    service.advance(3_600)
    const { status, body } = await post(old.id, 'retry', { comment: 'She has money now.' })
    expect(status).toBe(201)
    const shared = [
      'amount',
      'phonenumber',
      'reason',
      'metadata',
      'success_message',
      'account',
      'max_attempts',
    ] as const
    for (const name of [...shared, 'retry_interval_minutes', 'send_instructions'])
      expect([name, body[name]]).toEqual([name, old[name]])
    expect(body).toMatchObject({ status: 'pending', error_message: null, collection: null, author: service.user })
    const now = service.testApp.clock.now().getTime()
    const left_ms = new Date(body.expiry_date.replace(' ', 'T')).getTime() - now
    expect(Math.abs(left_ms - 7_200_000)).toBeLessThan(2_000)
    const action = { kind: 'retry', collection_request: old.id, new_request: body.id, comment: 'She has money now.' }
    expect(await actionsOf(old.id)).toMatchObject([action])
    expect(await actionsOf(body.id)).toMatchObject([action])
    expect(reasonOf(await post(old.id, 'retry'))).toEqual([400, `It was already retried: request ${body.id}.`])
    expect(reasonOf(await post(old.id, 'paymentlink'))[0]).toBe(400)
    await service.advanceUntilStatus(body.id, 'failed')
  })

  it('is tried again once if two people do it at once, and once for each key', async () => {
    const one = await failed()
    const both = await Promise.all([post(one.id, 'retry'), post(one.id, 'paymentlink'), post(one.id, 'retry')])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400, 400])
    const other = await failed()
    const headers = { 'duplicate-check-key': `retry ${other.id}` }
    const calls = await Promise.all([1, 2, 3].map(() => post(other.id, 'retry', {}, headers)))
    expect(calls.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const made = calls.find(({ status }) => status === 201)!.body.id
    const again = await post(other.id, 'retry', {}, headers)
    expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining(`(collectionrequest ${made})`)])
  })

  it('is not tried again while it is open, or after it was paid', async () => {
    const { id } = await service.createRequest(CONTENTS_OF_PAYER)
    expect(reasonOf(await post(id, 'retry'))).toEqual([400, expect.stringContaining('is still open')])
    await service.advanceUntilStatus(id, 'successful')
    expect(reasonOf(await post(id, 'retry'))).toEqual([400, expect.stringContaining('is successful')])
    expect(reasonOf(await post(id, 'paymentlink'))[0]).toBe(400)
  })

  it('is not tried again while the end of its prompt is unknown, or when the customer paid it late', async () => {
    const phonenumber = '+80000000109'
    const { id } = await service.createRequest({ ...CONTENTS, phonenumber, amount: '1104' })
    await service.waitForStatus(id, 'instructions_sent')
    await cancel(id)
    expect(reasonOf(await post(id, 'retry'))).toEqual([400, expect.stringContaining('has not reported the result')])
    expect(reasonOf(await post(id, 'paymentlink'))).toEqual([
      400,
      expect.stringContaining('has not reported the result'),
    ])
    // The prompt still stands on the phone.
    await service.shop.post(phone(phonenumber, 'answer'), { answer: 'approve', pin: '1234' })
    const { db } = service.testApp
    await eventually('the answer of the network', async () => {
      service.advance(1)
      const [order] = await db`select state from network_orders where collection_request = ${id}`
      return order?.state === 'successful' || undefined
    })
    expect(reasonOf(await post(id, 'retry'))).toEqual([400, expect.stringContaining('customer has paid')])
    expect((await service.shop.get('/api/collectionrequests?amount=1104')).body.count).toBe(1)
  })

  it('is not tried again when its money came in for no request', async () => {
    const amount = '777'
    const { id } = await failed({ amount })
    await service.shop.post(phone(REFUSES, 'pay'), { amount, currency: 'BXC' })
    const collection = await eventually('the money', async () => {
      service.advance(1)
      return (await service.shop.get(`/api/collections?amount=${amount}`)).body.results[0]?.id as number | undefined
    })
    expect(reasonOf(await post(id, 'retry'))).toEqual([400, expect.stringContaining(`collection ${collection}`)])
  })
})

const CONTENTS_OF_PAYER = { ...CONTENTS, phonenumber: '+80000000003' }

describe('a payment link for a request that has failed', () => {
  it('is for one use and the same amount, and its address comes by SMS', async () => {
    const old = await failed()
    const { status, body } = await post(old.id, 'paymentlink', { comment: 'From her other phone.' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      amount: '1500.5000',
      currency: 'BXC',
      single_use: true,
      state: 'active',
      title: 'Order 7',
      account: old.account,
      success_message: 'Thanks!',
      author: service.user,
    })
    const path = `/api/sms?collection_request=${old.id}&purpose=payment_link`
    const [sms] = (await service.shop.get(path)).body.results
    expect(sms.body).toContain(`Pay BXC 1,500.50 to Demo Shop for Order 7: ${body.url}`)
    expect(await actionsOf(old.id)).toMatchObject([
      { kind: 'payment_link', payment_link: body.id, sms: sms.id, comment: 'From her other phone.' },
    ])
    await eventually('the SMS to be sent', async () => {
      service.advance(1)
      return ['sent', 'delivered'].includes((await service.shop.get(path)).body.results[0].state) || undefined
    })
    expect(reasonOf(await post(old.id, 'retry'))).toEqual([400, expect.stringContaining('Close it first')])
    await service.shop.send('PATCH', `/api/paymentlinks/${body.id}`, { state: 'closed' })
    expect((await post(old.id, 'retry')).status).toBe(201)
  })

  it('stops on a date of your own, and is refused for a wrong one', async () => {
    const { id } = await failed()
    expect((await post(id, 'paymentlink', { expiry_date: 'soon' })).body).toHaveProperty('expiry_date')
    expect((await post(id, 'paymentlink', { expiry_date: '01/01/2029' })).body).toHaveProperty('expiry_date')
    const { body } = await post(id, 'paymentlink', { expiry_date: '2 hours' })
    const left_ms = new Date(body.expiry_date).getTime() - service.testApp.clock.now().getTime()
    expect(Math.abs(left_ms - 7_200_000)).toBeLessThan(2_000)
  })
})

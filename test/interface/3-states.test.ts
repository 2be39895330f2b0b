import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../test-app.ts'
import { type Json, openTestService, type TestService } from './test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

/** The statuses of one request in its events, oldest first. */
async function statusesOf(id: number): Promise<string[]> {
  await service.waitForFeed()
  const { body } = await service.shop.get('/api/events?type=collectionrequest.status.changed&limit=1000&ordering=id')
  return body.results.flatMap(({ data }: { data: Json }) => (data.id === id ? [data.status] : []))
}

const prompted = { send_instructions: true }

describe('interface 3: the states of a collection request', () => {
  it('"A request returned at creation … has status pending"', async () => {
    expect((await service.createRequest()).status).toBe('pending')
  })

  it('1. "marked expired at its expiry_date … when no collection has been received"', async () => {
    const created = await service.createRequest({ phonenumber: '+80000000009', ...prompted, expiry_date: '2 minutes' })
    expect(created.expiry_date).toBe('2030-01-15 12:02:00.000000+00:00')
    await service.waitForStatus(created.id, 'instructions_sent')
    service.advance(125)
    const expired = await service.advanceUntilStatus(created.id, 'expired')
    expect(expired.collection).toBeNull()
    expect(await statusesOf(created.id)).toEqual(['processing_started', 'instructions_sent', 'expired'])
  })

  it('1. "default 24 hours after creation"', async () => {
    const created = await service.createRequest({ phonenumber: '+80000000009' })
    const lifetime_ms = Date.parse(String(created.expiry_date)) - Date.parse(String(created.created))
    expect(Math.round(lifetime_ms / 1_000)).toBe(24 * 60 * 60)
  })

  it('2. "a collection is created and the request\'s collection field refers to it"', async () => {
    const created = await service.createRequest({ phonenumber: '+80000000032', ...prompted })
    await service.waitForContactLookups()
    const paid = await service.advanceUntilStatus(created.id, 'successful')
    expect(paid.collection).toEqual(expect.any(Number))
    const { body } = await service.shop.get(`/api/collectionrequests?collection=${paid.collection}`)
    expect(body.results).toEqual([paid])
    await service.waitForFeed()
    const received = await service.shop.get('/api/events?type=collection.received&limit=1000')
    const event = received.body.results.find(({ data }: { data: Json }) => data.id === paid.collection)
    expect(event.data).toMatchObject({ amount: '1500.0000', currency: 'BXC', phonenumber: '+80000000032' })
    expect(event.data.collection_request).toMatchObject({ id: created.id })
  })

  it('2. matches "even if the customer omits a reference", and without a prompt', async () => {
    const created = await service.createRequest({ phonenumber: '+80000000033', amount: '33' })
    await service.advanceUntilStatus(created.id, 'successful')
    expect(await statusesOf(created.id)).toEqual(['processing_started', 'successful'])
  })

  it('4.3.1 send_instructions: "when omitted or false the customer is not notified", except by a success_message', async () => {
    const textsOf = async (fields: { phonenumber: string } & Record<string, unknown>) => {
      const { id } = await service.createRequest({ amount: '34', ...fields })
      const textsNow = async () =>
        (await service.shop.get(`/api/simulator/phones/${fields.phonenumber}`)).body.texts as {
          body: string
          state: string
        }[]
      // Instructions that are not sent when the customer pays are not sent any more.
      if (fields.send_instructions)
        await eventually(
          'the instructions',
          async () => (await textsNow()).some(({ state }) => state === 'sent') || undefined,
        )
      await service.advanceUntilStatus(id, 'successful')
      return (await textsNow()).map(({ body }) => body)
    }
    expect(await textsOf({ phonenumber: '+80000000034' })).toEqual([])
    expect(await textsOf({ phonenumber: '+80000000035', send_instructions: false, success_message: ' ' })).toEqual([])
    expect(await textsOf({ phonenumber: '+80000000036', success_message: 'Asante' })).toEqual([
      'Asante -Powered by Kusanya',
    ])
    expect(await textsOf({ phonenumber: '+80000000037', send_instructions: true })).toHaveLength(2)
  })

  it('3. "Every status change of a collection request emits the event", and the creation is not a change', async () => {
    const paid = await service.createRequest({ phonenumber: '+80000000034', ...prompted })
    const refused = await service.createRequest({ phonenumber: '+80000000001', ...prompted })
    // The clock stands still until both are prompted, because a payment may come before the network's answer is stored.
    await eventually('both prompts', async () => {
      const { body } = await service.shop.get('/api/collectionrequests?status=instructions_sent&limit=1000')
      const ids = body.results.map(({ id }: Json) => id)
      return (ids.includes(paid.id) && ids.includes(refused.id)) || undefined
    })
    await service.advanceUntilStatus(paid.id, 'successful')
    const failed = await service.advanceUntilStatus(refused.id, 'failed')
    expect(failed.error_message).toBe('Cancelled By User')
    expect(await statusesOf(paid.id)).toEqual(['processing_started', 'instructions_sent', 'successful'])
    expect(await statusesOf(refused.id)).toEqual(['processing_started', 'instructions_sent', 'failed'])
  })

  it('is reversed when the network reverses the payment', async () => {
    const created = await service.createRequest({ phonenumber: '+80000000108', ...prompted })
    // Two simultaneous callbacks have no fixed order.
    await service.waitForStatus(created.id, 'instructions_sent')
    service.advance(1)
    await service.waitForStatus(created.id, 'successful')
    service.advance(10)
    const reversed = await service.waitForStatus(created.id, 'reversed')
    expect(reversed.collection).toEqual(expect.any(Number))
    expect((await statusesOf(created.id)).slice(-2)).toEqual(['successful', 'reversed'])
  })

  it('stays pending until its start_date', async () => {
    const created = await service.createRequest({ phonenumber: '+80000000035', ...prompted, start_date: 'tomorrow' })
    service.advance(60)
    expect((await service.shop.get(`/api/collectionrequests/${created.id}`)).body.status).toBe('pending')
    service.advance(24 * 60 * 60)
    await service.advanceUntilStatus(created.id, 'successful')
  })

  it('lets a request expire when another amount comes, which is a collection without a request', async () => {
    const created = await service.createRequest({
      phonenumber: '+80000000107',
      amount: '70',
      ...prompted,
      expiry_date: '10 minutes',
    })
    await service.waitForStatus(created.id, 'instructions_sent')
    service.advance(5)
    service.advance(600)
    const expired = await service.advanceUntilStatus(created.id, 'expired')
    expect(expired.collection).toBeNull()
    // A single advance of the clock brings both the expiry and the payment, in any order.
    const strange = await eventually('the money of another amount', async () => {
      const { body } = await service.shop.get('/api/events?type=collection.received&limit=1000')
      return body.results.find(({ data }: { data: Json }) => data.phonenumber === '+80000000107')
    })
    expect(strange.data).toMatchObject({ amount: '69.0000', collection_request: null })
  })
})

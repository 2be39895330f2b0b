import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, openTestService, type TestService } from './test-service.ts'

let service: TestService
let paid: Json
let events: (Json & { type: string; data: Json })[]

beforeAll(async () => {
  service = await openTestService()
  paid = await service.createRequest({ phonenumber: '+80000000061', send_instructions: true, metadata: { order: 61 } })
  await service.waitForContactLookups()
  await service.waitForStatus(paid.id, 'instructions_sent')
  paid = await service.advanceUntilStatus(paid.id, 'successful')
  await service.waitForFeed()
  events = (await service.shop.get('/api/events?ordering=id&limit=100')).body.results
})
afterAll(() => service.close())

describe('interface 4.4: events', () => {
  it('are "created automatically by changes", in the order of the changes', () => {
    expect(events.map(({ type, data }) => `${type} ${data.status}`)).toEqual([
      'contact.created active',
      'collectionrequest.status.changed processing_started',
      'collectionrequest.status.changed instructions_sent',
      expect.stringMatching(/^collection/),
      expect.stringMatching(/^collection/),
    ])
  })

  it('can be read by id', async () => {
    for (const event of events)
      expect(await service.shop.get(`/api/events/${event.id}`)).toMatchObject({ status: 200, body: event })
  })

  it('"Optional filter type (event type, exact)"', async () => {
    for (const type of ['contact.created', 'collection.received', 'collectionrequest.status.changed']) {
      const { body } = await service.shop.get(`/api/events?type=${type}&ordering=id`)
      expect(body.results).toEqual(events.filter((event) => event.type === type))
      expect(body.count).toBeGreaterThan(0)
    }
    for (const type of ['payment.status.changed', 'collection', 'no.such.type', 'CONTACT.CREATED'])
      expect((await service.shop.get(`/api/events?type=${type}`)).body.count).toBe(0)
  })

  it('"data: Representation of the object that triggered the event", as it was then', async () => {
    const changes = events.filter(({ type }) => type === 'collectionrequest.status.changed')
    const { body: now } = await service.shop.get(`/api/collectionrequests/${paid.id}`)
    for (const { data } of changes) {
      expect(data).toMatchObject({ id: paid.id, metadata: { order: 61 }, amount: '1500.0000' })
      expect(Object.keys(data)).toEqual(Object.keys(now))
    }
    expect(changes.at(-1)!.data).toEqual(now)
    expect(changes[0]!.data).toMatchObject({ status: 'processing_started', collection: null })
  })

  it('"Events are read-only"', async () => {
    for (const path of ['/api/events', `/api/events/${events[0]!.id}`])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        expect((await service.shop.send(method, path)).status).toBe(405)
  })

  it('belong to their organization', async () => {
    expect((await service.otherShop.get('/api/events')).body.count).toBe(0)
    expect((await service.otherShop.get(`/api/events/${events[0]!.id}`)).status).toBe(403)
    expect((await service.shop.get('/api/events/999999')).status).toBe(404)
  })
})

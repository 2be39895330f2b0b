import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, openTestService, type TestService } from './test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

async function read(type: string) {
  await service.waitForFeed()
  const { body } = await service.shop.get(`/api/events?type=${type}&limit=1000&ordering=id`)
  return body.results as (Json & { data: Json })[]
}

describe('interface 6: which changes are events', () => {
  it('contact.created: "A contact is created in the account", once for each contact', async () => {
    const first = await service.createRequest({ phonenumber: '+80000000071', first_name: 'Jane' })
    await service.createRequest({ phonenumber: '+80000000071' })
    await service.createRequest({ phonenumber: '+80000000072' })
    const events = await read('contact.created')
    expect(events.map(({ data }) => data.phone_number)).toEqual(['+80000000071', '+80000000072'])
    expect(events[0]!.data).toEqual(first.contact)
  })

  it('collection.received: "A collection (incoming payment) is received from a customer", once for three callbacks', async () => {
    const created = await service.createRequest({ phonenumber: '+80000000106', send_instructions: true })
    const { collection } = await service.advanceUntilStatus(created.id, 'successful')
    service.advance(60)
    await service
      .createRequest({ phonenumber: '+80000000106', send_instructions: true, amount: 5 })
      .then(({ id }) => service.advanceUntilStatus(id, 'successful'))
    const events = (await read('collection.received')).filter(({ data }) => data.id === collection)
    expect(events).toHaveLength(1)
    expect(events[0]!.data).toMatchObject({
      amount: '1500.0000',
      currency: 'BXC',
      phonenumber: '+80000000106',
      status: 'successful',
      collection_request: { id: created.id, collection },
    })
  })

  it('collectionrequest.status.changed: "A collection request status changes", with the request at that time', async () => {
    const created = await service.createRequest({ phonenumber: '+80000000101', send_instructions: true })
    await service.waitForStatus(created.id, 'instructions_sent')
    await service.advanceUntilStatus(created.id, 'failed')
    const events = (await read('collectionrequest.status.changed')).filter(({ data }) => data.id === created.id)
    expect(events.map(({ data }) => [data.status, data.error_message])).toEqual([
      ['processing_started', null],
      ['instructions_sent', null],
      ['failed', 'Insufficient Funds'],
    ])
  })

  it('has the system user as author of changes by the service', async () => {
    const created = await service.createRequest({ phonenumber: '+80000000073' })
    await service.advanceUntilStatus(created.id, 'successful')
    const [first] = (await read('collectionrequest.status.changed')).filter(({ data }) => data.id === created.id)
    expect(first!.author).not.toBe(service.user)
    expect(first!.author).toEqual(expect.any(Number))
  })

  it('contains every event once, in order', async () => {
    const ids = (await service.shop.get('/api/events?limit=1000&ordering=id')).body.results.map(({ id }: Json) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual([...ids].sort((a: number, b: number) => a - b))
  })
})

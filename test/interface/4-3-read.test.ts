import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, openTestService, type TestService } from './test-service.ts'

let service: TestService
let paid: Json
let failed: Json
let named: Json
const PATH = '/api/collectionrequests'

beforeAll(async () => {
  service = await openTestService()
  paid = await service.createRequest({
    phonenumber: '+80000000051',
    amount: '51',
    reason: 'Paid',
    send_instructions: true,
  })
  failed = await service.createRequest({
    phonenumber: '+80000000001',
    amount: '51',
    reason: 'Failed',
    send_instructions: true,
  })
  await service.waitForContactLookups()
  paid = await service.advanceUntilStatus(paid.id, 'successful')
  failed = await service.advanceUntilStatus(failed.id, 'failed')
  service.advance(3_600)
  named = await service.createRequest({
    phonenumber: '+256772000001',
    amount: '1000',
    currency: 'UGX',
    first_name: 'Jane',
    last_name: 'Doe',
    reason: 'Failed',
  })
  await service.waitForFeed()
})
afterAll(() => service.close())

async function find(query: string): Promise<number[]> {
  const { status, body } = await service.shop.get(`${PATH}?${query}`)
  expect(status).toBe(200)
  return body.results.map(({ id }: Json) => id)
}

describe('interface 4.3: reading collection requests', () => {
  it('"Returns one Collection request object" by its id', async () => {
    expect(await service.shop.get(`${PATH}/${paid.id}`)).toMatchObject({ status: 200, body: paid })
  })

  it('answers 404 for an unknown object and 403 for one of another organization', async () => {
    expect(await service.shop.get(`${PATH}/999999`)).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
    expect(await service.otherShop.get(`${PATH}/${paid.id}`)).toMatchObject({
      status: 403,
      body: { detail: 'You do not have permission to perform this action.' },
    })
    expect((await service.otherShop.get(PATH)).body.count).toBe(0)
  })

  it('offers no other methods', async () => {
    for (const [path, allow, methods] of [
      [PATH, 'GET, POST, HEAD, OPTIONS', ['PUT', 'PATCH', 'DELETE']],
      [`${PATH}/${paid.id}`, 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'PATCH', 'DELETE']],
    ] as const)
      for (const method of methods) {
        const answer = await service.shop.send(method, path)
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow])
        expect(answer.body).toEqual({ detail: `Method "${method}" not allowed.` })
      }
  })
})

describe('interface 4.3.2: filters', () => {
  it('amount: "Exact amount"', async () => {
    expect(await find('amount=51')).toEqual([failed.id, paid.id])
    expect(await find('amount=51.0000')).toEqual([failed.id, paid.id])
    expect(await find('amount=5')).toEqual([])
  })

  it('currency: "Currency code"', async () => {
    expect(await find('currency=UGX')).toEqual([named.id])
    expect(await find('currency=KES')).toEqual([])
  })

  it('collection: "ID of the collection that fulfilled or matched the request"', async () => {
    expect(await find(`collection=${paid.collection}`)).toEqual([paid.id])
    expect(await find('collection=999999')).toEqual([])
  })

  it('phonenumber: "a missing leading + is added before matching (a literal plus in a URL is sent as %2B)"', async () => {
    for (const form of ['%2B256772000001', '256772000001', '+256772000001'])
      expect(await find(`phonenumber=${form}`)).toEqual([named.id])
    expect(await find('phonenumber=25677200000')).toEqual([])
  })

  it('remote_transaction_id: "on the mobile network operator\'s side"', async () => {
    const events = await service.shop.get('/api/events?type=collection.received')
    const { remote_transaction_id } = events.body.results[0].data
    expect(remote_transaction_id).toMatch(/./)
    expect(await find(`remote_transaction_id=${remote_transaction_id}`)).toEqual([paid.id])
    expect(await find('remote_transaction_id=none')).toEqual([])
  })

  it('created_after, created_before, modified_after, modified_before', async () => {
    expect(await find(`created_after=${paid.created}`)).not.toContain(paid.id)
    expect(await find(`created_after=${paid.created}`)).toContain(named.id)
    expect(await find(`created_before=${named.created}`)).toEqual([failed.id, paid.id])
    expect(await find(`modified_after=${failed.modified}&status=failed`)).toEqual([])
    expect(await find(`modified_before=${named.created}&status=failed`)).toEqual([failed.id])
  })

  it('status: "Exact status"; an unknown status matches nothing', async () => {
    expect(await find('status=successful')).toEqual([paid.id])
    expect(await find('status=failed')).toEqual([failed.id])
    expect(await find('status=fail')).toEqual([])
  })

  it('reason: "Exact reason text"', async () => {
    expect(await find('reason=Failed')).toEqual([named.id, failed.id])
    expect(await find('reason=failed')).toEqual([])
  })

  it('contact_first_name, contact_last_name: "Names in the contact"', async () => {
    expect(await find('contact_first_name=Jane')).toEqual([named.id])
    expect(await find('contact_last_name=Doe')).toEqual([named.id])
    expect(await find('contact_last_name=Contact')).toEqual([failed.id, paid.id])
  })

  it('all of them together', async () => {
    expect(await find('status=failed&amount=51&currency=BXC&reason=Failed&contact_last_name=Contact')).toEqual([
      failed.id,
    ])
    expect(await find('status=failed&amount=51&currency=UGX')).toEqual([])
  })

  it('refuses invalid filters and names each', async () => {
    const { status, body } = await service.shop.get(`${PATH}?amount=x&collection=y&created_after=z`)
    expect(status).toBe(400)
    expect(Object.keys(body).sort()).toEqual(['amount', 'collection', 'created_after'])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ingestIncomingPayments } from '../../src/core/collections/incoming-payments.ts'
import { begin } from '../../src/db/client.ts'
import { parseAmount } from '../../src/lib/money.ts'
import { storePlace } from '../connections/fake-connection.ts'
import { callRaw, fieldTypes, openTestService, type TestService } from '../interface/test-service.ts'

let service: TestService
let till: string

beforeAll(async () => {
  service = await openTestService()
  const [receiver] = await service.testApp.db<{ number: string }[]>`
    select r.number from connection_places r join accounts a on a.id = r.account
    where a.organization = ${service.organization} and a.currency = 'BXC'`
  till = receiver!.number
  // The look-up of a new contact at its network changes it a moment later, so the tests wait for all look-ups.
  for (const phone_number of ['+80000000003', '+80000000055', '+80000000056'])
    await service.shop.post('/api/contacts', { phone_number, first_name: 'Jane', last_name: 'Doe' })
  await service.waitForContactLookups()
})
afterAll(() => service.close())

/** An unrequested payment in the form in which networks report it. */
async function receive(remote_id: string, changes: { phonenumber?: string; amount?: string; network?: string } = {}) {
  const { phonenumber = '+80000000055', amount = '70', network = 'sandbox' } = changes
  const { testApp } = service
  await begin(testApp.db, (tx) =>
    ingestIncomingPayments(tx, testApp.clock.now(), [
      {
        network: { slug: network, code: network, name: 'Network' },
        remote_id,
        status: 'successful',
        receiver: till,
        phonenumber,
        amount: parseAmount(amount)!,
        currency: 'BXC',
        order_reference: null,
        reference: 'rent',
        paid_at: testApp.clock.now(),
      },
    ]),
  )
}

describe('GET /api/collections', () => {
  it('shows the collection that fulfilled a request, with all its fields', async () => {
    const request = await service.advanceUntilStatus((await service.createRequest()).id, 'successful')
    const { status, body } = await service.shop.get(`/api/collections/${request.collection}`)
    expect(status).toBe(200)
    expect(fieldTypes(body)).toEqual({
      id: 'number',
      organization: 'number',
      remote_transaction_id: 'string',
      amount: 'string',
      reversed_amount: 'string',
      currency: 'string',
      account: 'number',
      phonenumber: 'string',
      payment_date: 'string',
      reference: 'null',
      status: 'string',
      created: 'string',
      author: 'number',
      modified: 'string',
      updated_by: 'null',
      contact: 'object',
      collection_request: 'object',
      transaction: 'object',
    })
    expect(body).toMatchObject({
      amount: '1500.0000',
      status: 'successful',
      collection_request: { id: request.id, status: 'successful', contact: { phone_number: request.phonenumber } },
      contact: { phone_number: request.phonenumber },
      transaction: {
        amount: '1500.0000',
        type: 'mobile_collection',
        currency: 'BXC',
        account: { id: body.account, organization: service.organization, currency: 'BXC' },
        fee_transaction: null,
      },
    })
    const { body: list } = await service.shop.get(`/api/collections?collection_request=${request.id}`)
    expect(list).toEqual({ count: 1, next: null, previous: null, results: [body] })
  })

  it('shows the same object as the event collection.received', async () => {
    const { collection } = await service.advanceUntilStatus(
      (await service.createRequest({ phonenumber: '+80000000056' })).id,
      'successful',
    )
    const { body } = await service.shop.get(`/api/collections/${collection}`)
    await service.waitForFeed()
    const { body: events } = await service.shop.get('/api/events?type=collection.received&limit=1')
    expect(events.results[0].data).toEqual(body)
  })

  it('has null for the request of an unmatched collection', async () => {
    await receive('PLAIN1')
    const { body } = await service.shop.get('/api/collections?remote_transaction_id=PLAIN1')
    expect(body.results).toMatchObject([{ collection_request: null, reference: 'rent', status: 'successful' }])
  })

  it("answers 403 for another organization's collection and 404 for an unknown one", async () => {
    await receive('PLAIN2')
    const { body } = await service.shop.get('/api/collections?remote_transaction_id=PLAIN2')
    const { id } = body.results[0]
    expect((await service.otherShop.get(`/api/collections/${id}`)).status).toBe(403)
    expect((await service.otherShop.get('/api/collections')).body.count).toBe(0)
    expect((await service.shop.get('/api/collections/999999')).body).toEqual({ detail: 'Not found.' })
  })

  it('is read-only', async () => {
    const answer = await service.shop.post('/api/collections', {})
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })
})

describe('GET /api/collections?claim=True', () => {
  const claim = (remote_id: string, more = '') =>
    `/api/collections?claim=True&amount=70&remote_transaction_id=${remote_id}&phonenumber=80000000055${more}`

  it('claims one unmatched collection: the same user gets it again, other users do not', async () => {
    await receive('CLAIM1')
    const first = await service.shop.get(claim('CLAIM1'))
    expect(first.body).toMatchObject({ count: 1, next: null, previous: null })
    expect(first.body.results[0]).toMatchObject({
      remote_transaction_id: 'CLAIM1',
      status: 'successful',
      updated_by: String(service.user),
    })
    expect((await service.shop.get(claim('CLAIM1'))).body).toEqual(first.body)
    expect((await service.otherShop.get(claim('CLAIM1'))).body.count).toBe(0)

    const { testApp, organization } = service
    const [other] = await testApp.db<{ service_user: number }[]>`
      select service_user from organizations where id = ${organization}`
    const others_key = await service.newKey({ user: other!.service_user })
    const answer = await callRaw(service.url, 'GET', claim('CLAIM1'), {
      headers: { authorization: `Token ${others_key}` },
    })
    expect(answer.body).toEqual({ count: 0, next: null, previous: null, results: [] })
  })

  it('gives the collection to one of many simultaneous claims', async () => {
    await receive('CLAIM2')
    const { testApp, organization } = service
    const [other] = await testApp.db<{ service_user: number }[]>`
      select service_user from organizations where id = ${organization}`
    const keys = [service.key, await service.newKey({ user: other!.service_user })]
    const answers = await Promise.all(
      [...keys, ...keys, ...keys].map((key) =>
        callRaw(service.url, 'GET', claim('CLAIM2'), { headers: { authorization: `Token ${key}` } }),
      ),
    )
    expect(answers.map(({ body }) => body.count).toSorted()).toEqual([0, 0, 0, 1, 1, 1])
  })

  it('refuses and claims none when several match', async () => {
    await receive('CLAIM3')
    const [place] = await service.testApp.db<{ account: number }[]>`
      select account from connection_places where number = ${till}`
    await storePlace(service.testApp.db, { connection: 'other', number: till, account: place!.account })
    await receive('CLAIM3', { network: 'other' })
    const { status, body } = await service.shop.get(claim('CLAIM3'))
    expect([status, body]).toEqual([400, { claim: ['2 collections match, and only one can be claimed.'] }])
    expect((await service.shop.get(claim('CLAIM3', '&network=other'))).body.count).toBe(1)
  })

  it('finds no collection that is matched or has another phone or amount', async () => {
    const { id, phonenumber } = await service.createRequest({ amount: '70', phonenumber: '+80000000055' })
    const { collection } = await service.advanceUntilStatus(id, 'successful')
    const { body } = await service.shop.get(`/api/collections/${collection}`)
    const query = `amount=70&phonenumber=${phonenumber}`
    const claimed = await service.shop.get(
      `/api/collections?claim=True&${query}&remote_transaction_id=${body.remote_transaction_id}`,
    )
    expect(claimed.body.count).toBe(0)
    await receive('CLAIM4', { phonenumber: '+80000000056' })
    await receive('CLAIM5', { amount: '71' })
    expect((await service.shop.get(claim('CLAIM4'))).body.count).toBe(0)
    expect((await service.shop.get(claim('CLAIM5'))).body.count).toBe(0)
  })

  it('names the missing parameters', async () => {
    const { status, body } = await service.shop.get('/api/collections?claim=True&amount=70')
    const required = ['This field is required to claim.']
    expect([status, body]).toEqual([400, { remote_transaction_id: required, phonenumber: required }])
  })

  it('needs a key that may initiate collections and write', async () => {
    await receive('CLAIM6')
    for (const options of [{ read_only: true }, { permissions: ['view' as const] }]) {
      const key = await service.newKey(options)
      const headers = { authorization: `Token ${key}` }
      expect((await callRaw(service.url, 'GET', claim('CLAIM6'), { headers })).status).toBe(403)
      const plain = await callRaw(service.url, 'GET', '/api/collections?remote_transaction_id=CLAIM6', { headers })
      expect(plain.body.count).toBe(1)
    }
  })

  it('changes nothing for a HEAD', async () => {
    await receive('CLAIM7')
    const headers = { authorization: `Token ${service.key}` }
    expect((await callRaw(service.url, 'HEAD', claim('CLAIM7'), { headers })).status).toBe(200)
    const [row] = await service.testApp.db`select claimed_by from collections where remote_transaction_id = 'CLAIM7'`
    expect(row!.claimed_by).toBe(null)
  })
})

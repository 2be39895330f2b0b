import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setCredentials, WEBHOOK_KEY_PURPOSE } from '../../src/core/events/webhooks.ts'
import { begin } from '../../src/db/client.ts'
import { openReceiver, type Receiver, type Responder } from '../receiver.ts'
import { createApiClient, eventually } from '../test-app.ts'
import { type Json, openTestService, type TestService } from './test-service.ts'

let service: TestService
const receivers: Receiver[] = []
const PATH = '/api/webhooks'
/** A webhook for an event that does not happen in these tests, so that no delivery is sent. */
const HOOK = { event: 'payment.status.changed', target: 'https://shop.example/hook' }

beforeAll(async () => {
  service = await openTestService()
})
afterAll(async () => {
  await service.close()
  // Not earlier: a new receiver could get the port of a closed one and receive its notifications.
  for (const receiver of receivers) await receiver.close()
})

describe('interface 4.2: creating and reading webhooks', () => {
  it('POST "Returns the new Webhook object", and GET the same', async () => {
    const created = await service.shop.post(PATH, HOOK)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ ...HOOK, user: service.user })
    const read = await service.shop.get(`${PATH}/${created.body.id}`)
    expect([read.status, read.body]).toEqual([200, created.body])
  })

  it('event and target are required', async () => {
    const required = ['This field is required.']
    expect(await service.shop.post(PATH, {})).toMatchObject({
      status: 400,
      body: { event: required, target: required },
    })
  })

  it('"event … must be a supported event type"', async () => {
    const { status, body } = await service.shop.post(PATH, { ...HOOK, event: 'order.shipped' })
    expect([status, body]).toEqual([
      400,
      { event: [expect.stringContaining('"order.shipped" is not a valid choice.')] },
    ])
  })

  it('"target … must be an https URL; non-HTTPS URLs are rejected"', async () => {
    for (const target of [
      'http://shop.example/hook',
      'ftp://shop.example',
      'shop.example',
      '',
      'https://u:p@shop.example',
    ]) {
      const { status, body } = await service.shop.post(PATH, { ...HOOK, target })
      expect([target, status, Object.keys(body)]).toEqual([target, 400, ['target']])
    }
    expect((await service.shop.post(PATH, { ...HOOK, target: 'https://site.example?ipn=1' })).status).toBe(201)
  })

  it('GET has the exact filters user and event', async () => {
    const created = (await service.shop.post(PATH, { event: 'collection.received', target: 'https://127.0.0.1:9' }))
      .body
    const find = async (query: string) =>
      (await service.shop.get(`${PATH}?${query}`)).body.results.map(({ id }: Json) => id)
    expect(await find('event=collection.received')).toEqual([created.id])
    expect(await find('event=collection')).toEqual([])
    expect(await find(`user=${service.user}&event=collection.received`)).toEqual([created.id])
    expect(await find(`user=${service.otherShop.user}`)).toEqual([])
    const { status, body } = await service.shop.get(`${PATH}?user=me`)
    expect([status, body]).toEqual([400, { user: ['A valid integer is required.'] }])
  })

  it('"Only create and read operations exist in the interface"', async () => {
    const { id } = (await service.shop.post(PATH, HOOK)).body
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      for (const path of [PATH, `${PATH}/${id}`]) expect((await service.shop.send(method, path)).status).toBe(405)
  })

  it('"requires the permission named Manage Users and Organization Settings"', async () => {
    const { id } = (await service.shop.post(PATH, HOOK)).body
    const clerk = createApiClient(service.url, await service.newKey({ permissions: ['view', 'initiate_collections'] }))
    const refusal = { status: 403, body: { detail: 'You do not have permission to perform this action.' } }
    expect(await clerk.post(PATH, HOOK)).toMatchObject(refusal)
    expect(await clerk.get(PATH)).toMatchObject(refusal)
    expect(await clerk.get(`${PATH}/${id}`)).toMatchObject(refusal)
  })

  it('are stored per organization', async () => {
    const { id } = (await service.shop.post(PATH, HOOK)).body
    expect((await service.otherShop.get(PATH)).body.count).toBe(0)
    expect((await service.otherShop.get(`${PATH}/${id}`)).status).toBe(403)
    expect((await service.shop.get(`${PATH}/999999`)).status).toBe(404)
  })
})

let phone = 80000000200
/** Cause an event: create a contact, and return it. */
async function makeContact(): Promise<Json> {
  phone += 1
  return (await service.createRequest({ phonenumber: `+${phone}` })).contact as Json
}

async function listen(
  answer?: Responder,
): Promise<{ receiver: Receiver; hook: Json; arrived(count: number): Promise<void> }> {
  const receiver = await openReceiver(answer)
  receivers.push(receiver)
  const { body: hook } = await service.shop.post(PATH, {
    event: 'contact.created',
    target: `${receiver.url}/?skip-cert-verify`,
  })
  const arrived = async (count: number) => {
    await eventually(`${count} notifications`, async () => (receiver.received.length >= count ? true : undefined))
  }
  return { receiver, hook, arrived }
}

describe('interface 4.2: notifications', () => {
  it('"HTTP POST with a JSON body containing hook (Webhook object) and data (object that triggered the event …)"', async () => {
    const { receiver, hook, arrived } = await listen()
    const contact = await makeContact()
    await arrived(1)
    const { headers, body } = receiver.received[0]!
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(body)).toEqual({ hook, data: contact })
  })

  it('"Without credentials no such header is sent", with them "Basic <BASE64_CREDENTIALS>"', async () => {
    const { receiver, arrived } = await listen()
    await makeContact()
    await arrived(1)
    expect(receiver.received[0]!.headers.authorization).toBeUndefined()
    const { testApp, organization } = service
    const key = testApp.app.deriveSecret(WEBHOOK_KEY_PURPOSE)
    await begin(testApp.db, (tx) =>
      setCredentials(tx, testApp.clock.now(), organization, { user: 'shop', password: 'secret' }, key),
    )
    await makeContact()
    await arrived(2)
    expect(receiver.received[1]!.headers.authorization).toBe(`Basic ${Buffer.from('shop:secret').toString('base64')}`)
  })

  it('"registering several URLs for one event type yields duplicate notifications"', async () => {
    const one = await listen()
    const other = await listen()
    await makeContact()
    await one.arrived(1)
    await other.arrived(1)
  })

  it('"On no reply or an error, the request is retried", with the same body', async () => {
    const { receiver, arrived } = await listen((received) => (receiver.received[0] === received ? 500 : 200))
    await makeContact()
    await arrived(1)
    await eventually('the second attempt', async () => {
      service.advance(2)
      return receiver.received.length > 1 ? true : undefined
    })
    const [first, second] = receiver.received
    expect(second!.body).toBe(first!.body)
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
  })

  it('"410 … Leads to deletion of the webhook"', async () => {
    const { receiver, hook, arrived } = await listen(() => 410)
    await makeContact()
    await arrived(1)
    await eventually('the deletion', async () =>
      (await service.shop.get(`${PATH}/${hook.id}`)).status === 404 ? true : undefined,
    )
    await makeContact()
    service.advance(60)
    expect(receiver.received).toHaveLength(1)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from '../../interface/test-service.ts'
import { buildTestApp } from '../../test-app.ts'
import { openShell } from '../shell.ts'

let testService: TestService
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  testService = await openTestService()
  kusanya = openShell({ KUSANYA_URL: testService.url, KUSANYA_API_KEY: testService.key })
})
afterAll(() => testService.close())

/** Run the command while time passes, and return its JSON. */
async function trigger(...args: string[]) {
  const clock = setInterval(() => testService.advance(1), 100)
  try {
    const { code, out, err } = await kusanya(['trigger', ...args, '--json'])
    expect([code, err]).toEqual([0, ''])
    return JSON.parse(out)
  } finally {
    clearInterval(clock)
  }
}

const eventOf = async (id: number) => (await testService.shop.get(`/api/events/${id}`)).body

describe('trigger', () => {
  it('creates a contact', async () => {
    const { id, event, data } = await trigger('contact.created')
    expect(event).toBe('contact.created')
    expect((await eventOf(id)).data).toEqual(data)
    expect((await testService.shop.get(`/api/contacts/${data.id}`)).body).toMatchObject({ first_name: 'Jane' })
  })

  it.each(['successful', 'failed', 'reversed'])('creates a collection request that ends as %s', async (status) => {
    const { data } = await trigger('collectionrequest.status.changed', '--status', status)
    expect(data).toMatchObject({ status, amount: '1500.0000', currency: 'BXC' })
    expect((await testService.shop.get(`/api/collectionrequests/${data.id}`)).body.status).toBe(status)
  })

  it('collects the given amount from the given phone', async () => {
    const options = ['--phone', '+256772000004', '--amount', '20', '--currency', 'ugx']
    const { data } = await trigger('collection.received', ...options)
    expect(data).toMatchObject({ phonenumber: '+256772000004', amount: '20.0000', currency: 'UGX' })
  })

  it('sends money', async () => {
    const { data } = await trigger('payment.status.changed', '--amount', '70')
    expect(data).toMatchObject({ amount: '70.0000', phone_nos: ['+80000000003'] })
  })

  it('buys airtime', async () => {
    const { data } = await trigger('billpayment.status.changed')
    expect(data).toMatchObject({ kind: 'airtime', amount: '1500.0000' })
  })

  it('prints what it created', async () => {
    expect((await kusanya(['trigger', 'contact.created'])).out).toMatch(/^Created contact \d+; its event is \d+\.$/)
  })

  it('lists the events', async () => {
    const { out } = await kusanya(['trigger', '--help'])
    const { err } = await kusanya(['trigger', 'contact'])
    for (const type of ['contact.created', 'collection.received', 'payment.status.changed']) {
      expect(out).toContain(`  ${type} `)
      expect(err).toContain(type)
    }
  })

  it('prints the reason of a refusal', async () => {
    const reader = await testService.newKey({ read_only: true })
    expect(await kusanya(['trigger', 'contact.created', '--api-key', reader])).toMatchObject({
      code: 1,
      err: 'This API key is read-only.',
    })
    const { err } = await kusanya(['trigger', 'collection.received', '--currency', 'XYZ'])
    expect(err).toContain('currency: "XYZ" is not a valid choice.')
  })
})

describe('trigger in live mode', () => {
  it('refuses', async () => {
    const live = await buildTestApp({
      settings: { MODE: 'live', SECRET_KEY: 'x'.repeat(40) },
      overrides: { connections: testService.testApp.app.connections.list() },
    })
    const { url } = await live.startService({ jobs: false })
    const { code, err } = await kusanya(['trigger', 'contact.created', '--url', url, '--api-key', live.api_key])
    expect(code).toBe(1)
    expect(err).toMatch(/^The service at \S+ is in live mode, where real money moves\./)
    await live.close()
  })
})

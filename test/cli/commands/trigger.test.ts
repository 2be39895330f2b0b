import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from '../../interface/test-service.ts'
import { buildTestApp } from '../../test-app.ts'
import { openShell } from '../shell.ts'

let market: TestService
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  market = await openTestService()
  kusanya = openShell({ KUSANYA_URL: market.url, KUSANYA_API_KEY: market.key })
})
afterAll(() => market.close())

/** Runs the command while time passes, and gives what it says in JSON. */
async function trigger(...args: string[]) {
  const clock = setInterval(() => market.advance(1), 100)
  try {
    const { code, out, err } = await kusanya(['trigger', ...args, '--json'])
    expect([code, err]).toEqual([0, ''])
    return JSON.parse(out)
  } finally {
    clearInterval(clock)
  }
}

const eventOf = async (id: number) => (await market.shop.get(`/api/events/${id}`)).body

describe('trigger', () => {
  it('makes a contact', async () => {
    const { id, event, data } = await trigger('contact.created')
    expect(event).toBe('contact.created')
    expect((await eventOf(id)).data).toEqual(data)
    expect((await market.shop.get(`/api/contacts/${data.id}`)).body).toMatchObject({ first_name: 'Jane' })
  })

  it.each(['successful', 'failed', 'reversed'])('brings a collection request to its end: %s', async (status) => {
    const { data } = await trigger('collectionrequest.status.changed', '--status', status)
    expect(data).toMatchObject({ status, amount: '1500.0000', currency: 'BXC' })
    expect((await market.shop.get(`/api/collectionrequests/${data.id}`)).body.status).toBe(status)
  })

  it('collects money, of whom and as much as one likes', async () => {
    const wishes = ['--phone', '+256772000004', '--amount', '20', '--currency', 'ugx']
    const { data } = await trigger('collection.received', ...wishes)
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

  it('says in a sentence what it has made', async () => {
    expect((await kusanya(['trigger', 'contact.created'])).out).toMatch(/^Made contact \d+; event \d+ tells of it\.$/)
  })

  it('lists what can happen', async () => {
    const { out } = await kusanya(['trigger', '--help'])
    const { err } = await kusanya(['trigger', 'contact'])
    for (const type of ['contact.created', 'collection.received', 'payment.status.changed']) {
      expect(out).toContain(`  ${type} `)
      expect(err).toContain(type)
    }
  })

  it('passes on what the service has against it', async () => {
    const reader = await market.newKey({ read_only: true })
    expect(await kusanya(['trigger', 'contact.created', '--api-key', reader])).toMatchObject({
      code: 1,
      err: 'This API key is read-only.',
    })
    const { err } = await kusanya(['trigger', 'collection.received', '--currency', 'XYZ'])
    expect(err).toBe('currency: "XYZ" is not a valid choice.')
  })
})

describe('trigger, where real money moves', () => {
  it('refuses', async () => {
    const live = await buildTestApp({
      settings: { MODE: 'live', SECRET_KEY: 'x'.repeat(40) },
      overrides: { networks: market.testApp.app.networks },
    })
    const { url } = await live.startService({ jobs: false })
    const { code, err } = await kusanya(['trigger', 'contact.created', '--url', url, '--api-key', live.api_key])
    expect(code).toBe(1)
    expect(err).toMatch(/^The service at \S+ is in live mode, where real money moves\./)
    await live.close()
  })
})

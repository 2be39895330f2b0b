import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBillConnection } from '../../../src/connections/bill-sellers.ts'
import { addConnection, callbackAddress } from '../../../src/connections/changes.ts'
import { connectionContext } from '../../../src/connections/operate.ts'
import { findService } from '../../../src/core/bills/catalogue.ts'
import { addOffer } from '../../../src/core/bills/offers.ts'
import { findPurchase } from '../../../src/core/bills/purchases.ts'
import { listGoodsSms } from '../../../src/core/bills/token-sms.ts'
import { listAttempts } from '../../../src/core/bills/vends/attempts.ts'
import { readSmsAttempts } from '../../../src/core/sms/outbox.ts'
import { begin } from '../../../src/db/client.ts'
import { syncConnection } from '../../../src/jobs/bills/sync-catalogues.ts'
import { africasTalkingDoor } from '../../../src/simulator/doors/africas-talking/index.ts'
import type { Door } from '../../../src/simulator/doors/door.ts'
import { infobipDoor } from '../../../src/simulator/doors/infobip/index.ts'
import { reloadlyDoor } from '../../../src/simulator/doors/reloadly/index.ts'
import { KEYS } from '../../../src/simulator/doors/vtpass/switches.ts'
import { buildTestApp, eventually, type TestApp } from '../../test-app.ts'
import { airtimeOrder, createBuyer, electricityOrder } from './buyer.ts'

/*
 * A shop in Kampala buys airtime for a Kenyan number and light for a Nigerian meter. The drivers of VTpass and Reloadly
 * reach their simulated providers. Our wallet at VTpass becomes empty. Texts go over Africa's Talking, which does not
 * deliver them, and then over Infobip.
 */

let testApp: TestApp
let buyer: ReturnType<typeof createBuyer>

beforeAll(async () => {
  testApp = await buildTestApp()
  const { app, clock } = testApp
  const { url } = await testApp.startService()
  buyer = createBuyer(testApp, url)
  const valuesOf = ({ credentials }: Pick<Door, 'credentials'>) =>
    Object.fromEntries(credentials.map(({ name, value }) => [name, value]))
  const accounts = [
    { slug: 'vtpass', values: KEYS.sandbox },
    ...[reloadlyDoor, africasTalkingDoor].map((door) => ({ slug: door.code, values: valuesOf(door) })),
    // Our sender uses one of the authorizations that its simulator takes.
    { slug: 'infobip', values: { api_key: valuesOf(infobipDoor).api_key } },
  ]
  for (const { slug, values } of accounts) {
    const hosts = app.simulator!.hostsOf(slug)
    const input = { slug, driver: slug, environment: 'simulated', organization: null, hosts, values }
    const row = await begin(app.db, (tx) => addConnection(tx, connectionContext(app), input))
    if (slug === 'africas-talking') {
      const delivery_reports_url = callbackAddress(connectionContext(app), row)
      await app.simulator!.setSwitches(slug, { delivery_reports_url, outcome: 'undelivered' })
    }
  }
  const slugs = accounts.map(({ slug }) => slug)
  await app.db`update connections set state = 'active' where slug = any(${slugs}::text[])`
  await app.db`update connections set priority = 1 where slug = 'africas-talking'`
  await app.providers.refresh()
  await begin(app.db, async (tx) => {
    const power = await findService(tx, 'electricity', 'ikeja_electric_prepaid')
    const airtime = await findService(tx, 'airtime', 'safaricom_ke')
    const terms = { product: null, price: null, min: null, max: null, priority: 10 }
    for (const [service, connection, remote_service, remote_product, commission_percent] of [
      [power.id, 'vtpass', 'ikeja-electric', 'prepaid', '2'],
      [power.id, 'reloadly', 'biller:2', null, null],
      [airtime.id, 'reloadly', '265', null, '3'],
    ] as const)
      await addOffer(tx, clock.now(), {
        ...terms,
        service,
        connection,
        remote_service,
        remote_product,
        commission_percent,
      })
  })
})
afterAll(() => testApp.close())

const attemptsOf = async (agent_reference: string) => {
  const purchase = (await findPurchase(testApp.db, testApp.organization, { agent_reference }))!
  return { purchase, attempts: await listAttempts(testApp.db, purchase) }
}

describe('a shop in Kampala', () => {
  it('buys airtime for a Kenyan number', async () => {
    const order = airtimeOrder({ service_type: 'safaricom_ke', phone: '+254712000001', amount: 100 })
    const { status, body } = await buyer.post('/services/airtime/request', order)
    expect([status, body.status]).toEqual([200, 'success'])
    const { attempts } = await attemptsOf(order.agentReference)
    expect(attempts).toMatchObject([{ connection: 'reloadly', remote_service: '265', outcome: 'successful' }])
  })

  it('buys light for a Nigerian meter at the second provider, and its customer gets the token by SMS', async () => {
    const order = electricityOrder({ amount: 2_000, phone: '+256772000001', sendToken: true })
    // The money goes after the hourly question for the float, so VTpass is tried, and refuses.
    await eventually('the float', async () => {
      const [float] = await testApp.db`select 1 from connection_floats where connection = 'vtpass' and balance > 0`
      return float
    })
    await testApp.app.simulator!.setSwitches('vtpass', { wallet: 0 })
    const { body: first } = await buyer.post('/services/electricity/request', order)
    expect([first.status, first.message]).toEqual(['pending', 'Transaction is pending'])
    const { data } = await eventually('the token', async () => {
      testApp.clock.advance(5)
      testApp.app.wake()
      const { body } = await buyer.requery(order.agentReference)
      return body.status === 'success' ? body : undefined
    })
    const { purchase, attempts } = await attemptsOf(order.agentReference)
    expect(attempts).toMatchObject([
      { connection: 'vtpass', outcome: 'failed', reason: 'no_funds_at_biller' },
      { connection: 'reloadly', outcome: 'successful' },
    ])
    const [sms] = await listGoodsSms(testApp.db, purchase.id)
    expect(sms).toMatchObject({ phonenumber: '+256772000001' })
    expect(sms!.body.replace(/\D/g, '')).toContain(data.tokenCode)
    await eventually('the SMS over the second route', async () => {
      testApp.clock.advance(5)
      testApp.app.wake()
      const [now] = await listGoodsSms(testApp.db, purchase.id)
      return now!.state === 'delivered' ? true : undefined
    })
    const routes = (await readSmsAttempts(testApp.db, [sms!.id])).get(sms!.id)!
    expect(routes.map(({ connection, outcome }) => [connection, outcome])).toEqual([
      ['africas-talking', 'failed'],
      ['infobip', 'delivered'],
    ])
    const received = await testApp.app.simulator!.sms({ phonenumber: '+256772000001' })
    expect(received.map(({ door, state }) => [door, state])).toContainEqual(['infobip', 'delivered'])
    expect(received.every(({ body }) => body.replace(/\D/g, '').includes(data.tokenCode))).toBe(true)
    expect(await buyer.ledgerErrors()).toEqual([])
  })

  it('sees what both providers sell, as differences to approve', async () => {
    for (const slug of ['vtpass', 'reloadly']) {
      const result = await syncConnection(testApp.app, findBillConnection(testApp.app, slug)!)
      expect(result).toMatchObject({ connection: slug, differences: expect.any(Number) })
      expect((result as { products: number }).products).toBeGreaterThan(3)
    }
  })
})

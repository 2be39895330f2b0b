import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDemo } from '../../../src/cli/service/demo.ts'
import { listOffers, removeOffer } from '../../../src/core/bills/offers.ts'
import { listProviderFloats } from '../../../src/core/bills/provider-floats.ts'
import { begin } from '../../../src/db/client.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { airtimeOrder, createBuyer, electricityOrder } from '../../api/bills/buyer.ts'
import { buildTestApp, eventually, type TestApp } from '../../test-app.ts'

/* A sandbox as `npm start` opens it buys some services at its simulated VTpass and Reloadly. */

let testApp: TestApp
let buyer: ReturnType<typeof createBuyer>
beforeAll(async () => {
  testApp = await buildTestApp()
  await prepareDemo(testApp.app)
  buyer = createBuyer(testApp, (await testApp.startService()).url)
})
afterAll(() => testApp.close())

const soldAt = async (reference: string) => {
  const [row] = await testApp.db`
    select o.connection as biller, o.charged::text, o.charged_currency, p.status from bill_purchases p
    join network_orders o on o.bill_purchase = p.id and o.attempt = p.attempt where p.agent_reference = ${reference}`
  return row
}

describe('the sandbox', () => {
  it('buys airtime for a Kenyan number at Reloadly, which says what it took in dollars', async () => {
    const order = airtimeOrder({ service_type: 'safaricom_ke', phone: '0712345678', amount: 100 })
    const { status, body } = await buyer.post('/services/airtime/request', order)
    expect([status, body.status]).toEqual([200, 'success'])
    expect(await soldAt(order.agentReference)).toMatchObject({
      biller: 'sandbox-reloadly',
      charged_currency: 'USD',
      charged: expect.stringMatching(/^0\.[1-9]\d*$/),
    })
  })

  it('buys light for a Nigerian meter at VTpass, with the holder and the token from there', async () => {
    const meter = { service_type: 'ibadan_electric_prepaid', account_number: '04042404048' }
    const found = await buyer.post('/services/electricity/verify', meter)
    expect([found.status, typeof found.body.data.user.name]).toEqual([200, 'string'])
    const order = electricityOrder({ ...meter, amount: '2000' })
    const { status, body } = await buyer.post('/services/electricity/request', order)
    expect([status, body.status, body.data.tokenCode]).toEqual([200, 'success', expect.stringMatching(/^\d{20}$/)])
    expect(await soldAt(order.agentReference)).toMatchObject({ biller: 'sandbox-vtpass', charged_currency: 'NGN' })
  })

  it('still does at the simulated biller what a scenario says', async () => {
    const order = electricityOrder({ service_type: 'ibadan_electric_prepaid' })
    const { body } = await buyer.post('/services/electricity/request', order, { 'x-sandbox-scenario': 'decline' })
    expect(body.code).toBe('EXC00107')
    expect(await soldAt(order.agentReference)).toMatchObject({ biller: 'sandbox' })
  })

  it('knows the floats there, and how long they last', async () => {
    const floats = await eventually('the floats', async () => {
      const found = await listProviderFloats(testApp.db, ['sandbox-reloadly', 'sandbox-vtpass'])
      return found.length === 2 ? found : undefined
    })
    expect(floats.map(({ connection, currency }) => [connection, currency])).toEqual([
      ['sandbox-reloadly', 'USD'],
      ['sandbox-vtpass', 'NGN'],
    ])
    expect(floats[0]!.balance).toBeGreaterThan(parseAmount('990')!)
  })

  it('has its offers once: a later start adds none, and brings back none that was removed', async () => {
    const before = await listOffers(testApp.db)
    expect(before.map(({ service_type }) => service_type)).toEqual(
      expect.arrayContaining(['safaricom_ke', 'mtn_ug', 'ibadan_electric_prepaid']),
    )
    await begin(testApp.db, (tx) => removeOffer(tx, before[0]!.id))
    await prepareDemo(testApp.app)
    expect((await listOffers(testApp.db)).map(({ id }) => id)).toEqual(before.slice(1).map(({ id }) => id))
  })
})

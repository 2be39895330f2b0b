import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setFee } from '../../../src/core/ledger/fees.ts'
import { begin } from '../../../src/db/client.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { airtimeOrder, createBuyer } from './buyer.ts'

let testApp: TestApp
let buyer: ReturnType<typeof createBuyer>
beforeAll(async () => {
  testApp = await buildTestApp()
  buyer = createBuyer(testApp, (await testApp.startService()).url)
  const fee = { fixed: parseAmount('10')!, percent: parseAmount('2')!, min_fee: 0n, max_fee: null }
  await begin(testApp.db, (tx) =>
    setFee(tx, testApp.clock.now(), {
      organization: testApp.organization,
      kind: 'bill',
      currency: 'NGN',
      network: null,
      ...fee,
    }),
  )
})
afterAll(() => testApp.close())

const buy = (scenario: string) =>
  buyer.post('/services/airtime/request', airtimeOrder(), { 'X-Sandbox-Scenario': scenario })

describe('the fee of a bill payment', () => {
  it('is charged with a purchase that succeeds', async () => {
    const before = await buyer.wallet()
    expect((await buy('success')).status).toBe(200)
    expect(await buyer.wallet()).toBe(before - parseAmount('112')!)
    expect(await buyer.held()).toBe(0n)
    const [charge] = await testApp.db`select amount from transfers where kind = 'service_charge'`
    expect(charge).toEqual({ amount: parseAmount('12') })
  })

  it('is refunded with a purchase that fails', async () => {
    const before = await buyer.wallet()
    expect((await buy('decline')).status).toBe(400)
    expect(await buyer.wallet()).toBe(before)
    expect(await buyer.held()).toBe(0n)
  })
})

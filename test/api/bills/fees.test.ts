import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setFee } from '../../../src/core/ledger/fees.ts'
import { begin } from '../../../src/db/client.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { airtimeOrder, createBuyer } from './buyer.ts'

let house: TestApp
let counter: ReturnType<typeof createBuyer>
beforeAll(async () => {
  house = await buildTestApp()
  counter = createBuyer(house, (await house.startService()).url)
  const fee = { fixed: parseAmount('10')!, percent: parseAmount('2')!, min_fee: 0n, max_fee: null }
  await begin(house.db, (tx) =>
    setFee(tx, house.clock.now(), {
      ...{ organization: house.organization, kind: 'bill', currency: 'NGN', network: null },
      ...fee,
    }),
  )
})
afterAll(() => house.close())

const buy = (scenario: string) =>
  counter.post('/services/airtime/request', airtimeOrder(), { 'X-Sandbox-Scenario': scenario })

describe('the fee of a bill payment', () => {
  it('is charged with a purchase that succeeds', async () => {
    const before = await counter.wallet()
    expect((await buy('success')).status).toBe(200)
    expect(await counter.wallet()).toBe(before - parseAmount('112')!)
    expect(await counter.held()).toBe(0n)
    const [charge] = await house.db`select amount from transfers where kind = 'service_charge'`
    expect(charge).toEqual({ amount: parseAmount('12') })
  })

  it('is given back with a purchase that fails', async () => {
    const before = await counter.wallet()
    expect((await buy('decline')).status).toBe(400)
    expect(await counter.wallet()).toBe(before)
    expect(await counter.held()).toBe(0n)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProviderProduct } from '../../../src/billers/contract.ts'
import { sellersOf } from '../../../src/connections/bill-sellers.ts'
import { findProduct, findService } from '../../../src/core/bills/catalogue.ts'
import { findSellers, findSellersOfAll, type SellerQuery } from '../../../src/core/bills/choose-seller.ts'
import {
  approveDifference,
  type DifferenceState,
  listDifferences,
  rejectDifference,
} from '../../../src/core/bills/differences.ts'
import { listOffers } from '../../../src/core/bills/offers.ts'
import { listProviderFloats } from '../../../src/core/bills/provider-floats.ts'
import { setFloatThreshold } from '../../../src/core/ledger/balances.ts'
import { begin } from '../../../src/db/client.ts'
import { syncCatalogues, syncConnection } from '../../../src/jobs/bills/sync-catalogues.ts'
import { checkBalances } from '../../../src/jobs/check-balances.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { type FakeSeller, fakeSeller } from './bill-sellers.ts'

/* A provider's answers about its catalogue and our float there, and their effects. */

let testApp: TestApp
let vendor: FakeSeller
let products: ProviderProduct[]
let balance = '100000'
let stated = 'NGN'

beforeAll(async () => {
  vendor = fakeSeller('vendor', {
    own_names: false,
    operations: {
      catalogue: async () => ({ outcome: 'found', products }),
      balance: async () => ({ outcome: 'found', balances: [{ currency: stated, amount: parseAmount(balance)! }] }),
    },
  })
  testApp = await buildTestApp({ overrides: { connections: [], bill_connections: [vendor.connection], billers: [] } })
})
afterAll(() => testApp.close())

const power: ProviderProduct = {
  kind: 'electricity',
  country: 'NG',
  currency: 'NGN',
  remote_service: 'ikeja-electric',
  remote_product: 'prepaid',
  name: 'Ikeja Electric',
  price: null,
  min: parseAmount('500')!,
  max: parseAmount('50000')!,
  commission_percent: '1.5',
  is_available: true,
}
const bouquet: ProviderProduct = {
  kind: 'cabletv',
  country: 'NG',
  currency: 'NGN',
  remote_service: 'dstv',
  remote_product: 'COMPE36',
  name: 'DStv Compact',
  price: parseAmount('12500')!,
  min: null,
  max: null,
  commission_percent: '2',
  is_available: true,
}
const sync = () => syncConnection(testApp.app, vendor.connection)
const differences = async (state: DifferenceState = 'waiting') =>
  (await listDifferences(testApp.db, { state }, { limit: 50, offset: 0 })).rows.toReversed()
const approve = (id: number) => begin(testApp.db, (tx) => approveDifference(tx, testApp.clock.now(), id, 'Ada'))
const need = (amount: string): SellerQuery => ({
  organization: testApp.organization,
  kind: 'electricity',
  service_type: 'ikeja_electric_prepaid',
  country: 'NG',
  currency: 'NGN',
  amount: parseAmount(amount)!,
  details: { prepaid: true },
})
const sellersFor = (one: SellerQuery) => findSellers(testApp.db, one, sellersOf(testApp.app))

describe('the catalogue of a provider', () => {
  it('is compared with the offers; what is new waits, with a suggestion, and is not sold before it is approved', async () => {
    products = [power, bouquet, { ...power, remote_service: 'unknown-power', remote_product: null, name: 'Unknown' }]
    expect(await sync()).toMatchObject({ products: 3, differences: 3, taken_off_sale: [] })
    expect(await sync()).toMatchObject({ differences: 0 })
    const waiting = await differences()
    expect(waiting.map(({ kind, suggestion }) => [kind, suggestion])).toEqual([
      ['new', 'electricity/ikeja_electric_prepaid'],
      ['new', 'cabletv/dstv/COMPE36'],
      ['new', null],
    ])
    expect(await sellersFor(need('1000'))).toEqual([])
    for (const { id } of waiting.slice(0, 2)) await approve(id)
    await expect(approve(waiting[0]!.id)).rejects.toMatchObject({ fields: { state: expect.anything() } })
    await expect(approve(waiting[2]!.id)).rejects.toMatchObject({ fields: { service: expect.anything() } })
    await begin(testApp.db, (tx) => rejectDifference(tx, testApp.clock.now(), waiting[2]!.id, 'Ada'))
    expect(await sellersFor(need('1000'))).toEqual([
      { connection: 'vendor', remote_service: 'ikeja-electric', remote_product: 'prepaid', cost: parseAmount('985') },
    ])
    expect(await sellersFor(need('499'))).toEqual([])
    const tv: SellerQuery = {
      ...need('12500'),
      kind: 'cabletv',
      service_type: 'dstv',
      details: { product_code: 'COMPE36' },
    }
    const needs = [need('499'), tv, need('1000'), { ...tv, details: { product_code: '0' } }, need('2000')]
    // Several needs at once get what each gets alone.
    const alone = await Promise.all(needs.map(sellersFor))
    expect(await findSellersOfAll(testApp.db, needs, sellersOf(testApp.app))).toEqual(alone)
    expect(alone.map((sellers) => sellers.map(({ remote_service }) => remote_service))).toEqual([
      [],
      ['dstv'],
      ['ikeja-electric'],
      [],
      ['ikeja-electric'],
    ])
    expect(await sync()).toMatchObject({ differences: 0 })
    expect(await differences('rejected')).toHaveLength(1)
  })

  it('that has become a little dearer changes nothing before it is approved; then our price follows', async () => {
    const service = await findService(testApp.db, 'cabletv', 'dstv')
    const ours = async () => (await findProduct(testApp.db, service.id, 'bouquet', 'COMPE36'))!.prices[0]!.price
    expect(await ours()).toBe(parseAmount('12500'))
    products = [power, { ...bouquet, price: parseAmount('12700')! }]
    expect(await sync()).toMatchObject({ differences: 1, taken_off_sale: [] })
    const [price] = await differences()
    expect(price).toMatchObject({ kind: 'price', before: { price: '12500.0000' }, after: { price: '12700.0000' } })
    expect(await ours()).toBe(parseAmount('12500'))
    await approve(price!.id)
    expect(await ours()).toBe(parseAmount('12700'))
    const { prices } = (await findProduct(testApp.db, service.id, 'bouquet', 'COMPE36'))!
    expect(prices.find(({ months }) => months === 12)!.price).toBe(parseAmount('139700'))
    expect((await listOffers(testApp.db, { service: service.id }))[0]).toMatchObject({ price: parseAmount('12700') })
  })

  it('that has become much dearer is off sale until a person decides, or until it is as before', async () => {
    products = [power, { ...bouquet, price: parseAmount('20000')! }]
    expect(await sync()).toMatchObject({ differences: 1, taken_off_sale: [{ service_type: 'dstv' }] })
    const offer = async () => (await listOffers(testApp.db)).find(({ service_type }) => service_type === 'dstv')
    expect(await offer()).toMatchObject({ off_sale: 'price_rise' })
    products = [power, { ...bouquet, price: parseAmount('12700')! }]
    await sync()
    expect(await offer()).toMatchObject({ off_sale: null })
    expect(await differences()).toEqual([])
    expect((await differences('superseded')).map(({ kind }) => kind)).toEqual(['price'])
  })

  it('without something that we offer is not bought there, and the offer goes when that is approved', async () => {
    products = [{ ...bouquet, price: parseAmount('12700')! }]
    await sync()
    expect(await sellersFor(need('1000'))).toEqual([])
    const [gone] = await differences()
    expect(gone).toMatchObject({ kind: 'gone', remote_service: 'ikeja-electric' })
    await approve(gone!.id)
    expect((await listOffers(testApp.db)).map(({ service_type }) => service_type)).toEqual(['dstv'])
  })

  it('is read every night, by one process', async () => {
    await testApp.db`update bill_catalogue_syncs set due_at = ${testApp.clock.now()}`
    const job = syncCatalogues(testApp.app)
    const claimed = await job.claim(10)
    expect(claimed).toEqual(['vendor'])
    expect(await syncCatalogues(testApp.app).claim(10)).toEqual([])
    await job.run(claimed)
    const due = (await job.nextDue())!
    expect([due.getUTCHours(), due > testApp.clock.now()]).toEqual([2, true])
  })
})

describe('the float at a provider', () => {
  it('warns below the threshold, and before it is empty at the pace of the last day', async () => {
    await testApp.db`
      insert into connections (slug, driver, kind, environment, callback_secret, priority, state, created, modified)
      values ('vendor', 'vendor', 'bills', 'test', repeat('a', 32), 100, 'active', now(), now())`
    const warned: unknown[] = []
    testApp.app.log.warn = (...line: unknown[]) => void warned.push(line[0])
    const check = async () => {
      await testApp.db`update connection_balance_checks set due_at = ${testApp.clock.now()}`
      const job = checkBalances(testApp.app)
      await job.run(await job.claim(10))
      return (await listProviderFloats(testApp.db, ['vendor']))[0]
    }
    expect(await check()).toMatchObject({ balance: parseAmount('100000'), hours_left: null, short_since: null })
    await testApp.db`
      insert into network_orders (organization, bill_purchase, attempt, reference, kind, connection, receiver, phonenumber,
        reason, amount, currency, state, sent, closed, created, cost)
      values (${testApp.organization}, 1, 1, 'sold', 'vend', 'vendor', '', '1', '', 250000, 'NGN', 'successful', now(), now(),
        ${testApp.clock.now()}, 240000)`
    expect(await check()).toMatchObject({ spent_last_day: parseAmount('240000'), hours_left: 10 })
    expect(warned).toEqual([
      { event: 'bill_float_short', connection: 'vendor', currency: 'NGN', balance: '100000.0000', hours_left: 10 },
    ])
    await begin(testApp.db, (tx) =>
      setFloatThreshold(tx, { connection: 'vendor', currency: 'NGN', warn_below: parseAmount('5000')! }),
    )
    balance = '4000'
    expect(await check()).toMatchObject({ low_since: expect.any(Date), short_since: expect.any(Date) })
    expect(warned).toHaveLength(2)
    balance = '900000'
    expect(await check()).toMatchObject({ low_since: null, short_since: null })
  })

  it('in dollars lasts as long as the provider says what sales in other currencies have taken', async () => {
    const { db, clock } = testApp
    const warned: unknown[] = []
    testApp.app.log.warn = (...line: unknown[]) => void warned.push(line[0])
    const sell = (reference: string, currency: string, charge: [string, string] | null) =>
      db`
        insert into network_orders (organization, bill_purchase, attempt, reference, kind, connection, receiver, phonenumber,
          reason, amount, currency, state, sent, closed, created, cost, charged, charged_currency)
        select ${testApp.organization}, coalesce(max(bill_purchase), 0) + 1, 1, ${reference}, 'vend', 'vendor', '', '1', '', 13000,
          ${currency}, 'successful', now(), now(), ${clock.now()}, 12900, ${charge?.[0] ?? null}::numeric, ${charge?.[1] ?? null}::text
        from network_orders`
    stated = 'USD'
    balance = '60'
    await db`delete from network_orders`
    await db`delete from connection_floats`
    const threshold = (currency: string) => ({ connection: 'vendor', currency, warn_below: parseAmount('70')! })
    await begin(db, (tx) => setFloatThreshold(tx, threshold('USD')))
    await expect(begin(db, (tx) => setFloatThreshold(tx, threshold('UDS')))).rejects.toThrow(
      /"UDS" is not a valid choice/,
    )
    await sell('kenya', 'KES', ['100', 'USD'])
    await sell('uganda', 'UGX', ['20', 'USD'])
    await sell('nigeria', 'NGN', null)
    await db`update connection_balance_checks set due_at = ${clock.now()}`
    const job = checkBalances(testApp.app)
    await job.run(await job.claim(10))
    const float = (await listProviderFloats(db, ['vendor'])).find(({ currency }) => currency === 'USD')
    expect(float).toMatchObject({ spent_last_day: parseAmount('120'), hours_left: 12, uncounted_last_day: 1 })
    expect(warned).toEqual([
      { event: 'float_low', connection: 'vendor', currency: 'USD', balance: '60.0000', warn_below: '70.0000' },
      { event: 'bill_float_short', connection: 'vendor', currency: 'USD', balance: '60.0000', hours_left: 12 },
    ])
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fundAccount } from '../../../src/core/ledger/accounts.ts'
import { checkLedger } from '../../../src/core/ledger/transfers.ts'
import { begin } from '../../../src/db/client.ts'
import { amount, openShop, type Shop } from '../shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => shop.clear())
afterAll(() => shop.close())

describe('a reversal by the network', () => {
  it('takes the money out of the wallet and reverses the request', async () => {
    const request = await shop.createRequest()
    const before = await shop.wallet()
    const report = shop.paymentReport()
    await shop.ingest(report)
    shop.testApp.clock.advance(60)
    expect(await shop.ingest({ ...report, status: 'reversed' })).toEqual(['reversed'])

    expect((await shop.wallet()).balance).toBe(before.balance)
    expect(await shop.collections()).toMatchObject([{ status: 'reversed', modified: shop.now() }])
    expect(await shop.request(request.id)).toMatchObject({
      status: 'reversed',
      error_message: 'The network has taken the money back.',
      due_at: null,
    })
    expect(await shop.history(request.id)).toEqual(['pending → successful', 'successful → reversed'])
    const changes = await shop.events('collectionrequest.status.changed')
    expect(changes.map((event) => event.data.status)).toEqual(['successful', 'reversed'])
    const transfers = await shop.db`select kind from transfers order by id desc limit 2`
    expect([...transfers]).toEqual([{ kind: 'mobile_collection_reversal' }, { kind: 'mobile_collection' }])
  })

  it('takes the money out once, even if it is reported several times', async () => {
    const before = await shop.wallet()
    const report = shop.paymentReport()
    await shop.ingest(report)
    const reversal = { ...report, status: 'reversed' as const }
    const results = await Promise.all([shop.ingest(reversal, reversal), shop.ingest(reversal), shop.ingest(reversal)])
    expect(new Set(results.flat())).toEqual(new Set(['reversed', 'known']))
    expect(await shop.ingest(reversal)).toEqual(['known'])
    expect((await shop.wallet()).balance).toBe(before.balance)
    const [{ count }] = (await shop.db`
      select count(*) from transfers where kind = 'mobile_collection_reversal' and reference like ${`%:${(await shop.collections())[0]!.id}`}`) as [
      { count: number },
    ]
    expect(count).toBe(1)
  })

  it('of an unmatched collection only takes the money out of the wallet', async () => {
    const before = await shop.wallet()
    const report = shop.paymentReport()
    await shop.ingest(report, { ...report, status: 'reversed' })
    expect((await shop.wallet()).balance).toBe(before.balance)
    expect(await shop.events('collectionrequest.status.changed')).toEqual([])
  })

  it('may be reported before the payment: then both are in the books, and the payment is known later', async () => {
    const request = await shop.createRequest()
    const before = await shop.wallet()
    const report = shop.paymentReport()
    expect(await shop.ingest({ ...report, status: 'reversed' })).toEqual(['reversed'])
    expect(await shop.ingest(report)).toEqual(['known'])
    expect((await shop.wallet()).balance).toBe(before.balance)
    expect(await shop.history(request.id)).toEqual(['pending → successful', 'successful → reversed'])
    expect((await shop.events('collection.received')).length).toBe(1)
  })

  it('may be in one batch with the payment, in either order', async () => {
    const before = await shop.wallet()
    const [first, second] = [shop.paymentReport(), shop.paymentReport()]
    const results = await shop.ingest({ ...first, status: 'reversed' }, first, second, {
      ...second,
      status: 'reversed',
    })
    expect(results.filter((result) => result === 'reversed')).toHaveLength(2)
    expect((await shop.collections()).map((collection) => collection.status)).toEqual(['reversed', 'reversed'])
    expect((await shop.wallet()).balance).toBe(before.balance)
  })

  it('overdraws the wallet if the money was spent', async () => {
    const report = shop.paymentReport()
    await shop.ingest(report)
    const full = await shop.wallet()
    await begin(shop.db, (tx) =>
      fundAccount(tx, shop.now(), { account: full.id, amount: -full.balance, description: 'Spent', author: 1 }),
    )
    await shop.ingest({ ...report, status: 'reversed' })
    const [overdrawn] = await shop.db`select balance, overdrawn from accounts where id = ${full.id}`
    expect(overdrawn).toEqual({ balance: amount('-1500'), overdrawn: true })
    expect(await checkLedger(shop.db)).toEqual([])
    // An overdrawn wallet still receives payments.
    await shop.ingest(shop.paymentReport({ amount: amount('2000') }))
    const [filled] = await shop.db`select balance, overdrawn from accounts where id = ${full.id}`
    expect(filled).toEqual({ balance: amount('500'), overdrawn: false })
  })

  it('is found by the id of the network, also under another receiver', async () => {
    const report = shop.paymentReport()
    await shop.ingest(report)
    expect(await shop.ingest({ ...report, status: 'reversed', receiver: 'unknown' })).toEqual(['reversed'])
    expect(await shop.collections()).toMatchObject([{ status: 'reversed' }])
  })

  it('does not open the request again: a later payment is unmatched', async () => {
    const request = await shop.createRequest()
    const report = shop.paymentReport()
    await shop.ingest(report)
    await shop.ingest({ ...report, status: 'reversed' })
    await shop.ingest(shop.paymentReport())
    expect((await shop.request(request.id)).status).toBe('reversed')
    expect((await shop.collections())[1]).toMatchObject({ collection_request: null, status: 'successful' })
  })
})

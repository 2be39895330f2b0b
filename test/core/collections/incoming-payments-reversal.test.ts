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

describe('money that the network takes back', () => {
  it('leaves the wallet, and the request that it had fulfilled is reversed', async () => {
    const request = await shop.createRequest()
    const before = await shop.wallet()
    const money = shop.paymentReport()
    await shop.ingest(money)
    shop.testApp.clock.advance(60)
    expect(await shop.ingest({ ...money, status: 'reversed' })).toEqual(['reversed'])

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

  it('leaves the wallet once, however often that is reported', async () => {
    const before = await shop.wallet()
    const money = shop.paymentReport()
    await shop.ingest(money)
    const reversal = { ...money, status: 'reversed' as const }
    const taken = await Promise.all([shop.ingest(reversal, reversal), shop.ingest(reversal), shop.ingest(reversal)])
    expect(new Set(taken.flat())).toEqual(new Set(['reversed', 'known']))
    expect(await shop.ingest(reversal)).toEqual(['known'])
    expect((await shop.wallet()).balance).toBe(before.balance)
    const [{ count }] = (await shop.db`
      select count(*) from transfers where kind = 'mobile_collection_reversal' and reference like ${`%:${(await shop.collections())[0]!.id}`}`) as [
      { count: number },
    ]
    expect(count).toBe(1)
  })

  it('that matched no request just leaves the wallet', async () => {
    const before = await shop.wallet()
    const money = shop.paymentReport()
    await shop.ingest(money, { ...money, status: 'reversed' })
    expect((await shop.wallet()).balance).toBe(before.balance)
    expect(await shop.events('collectionrequest.status.changed')).toEqual([])
  })

  it('may be told of before the money: both are then in the books, and the money later is known', async () => {
    const request = await shop.createRequest()
    const before = await shop.wallet()
    const money = shop.paymentReport()
    expect(await shop.ingest({ ...money, status: 'reversed' })).toEqual(['reversed'])
    expect(await shop.ingest(money)).toEqual(['known'])
    expect((await shop.wallet()).balance).toBe(before.balance)
    expect(await shop.history(request.id)).toEqual(['pending → successful', 'successful → reversed'])
    expect((await shop.events('collection.received')).length).toBe(1)
  })

  it('may come in one batch with the money, in either order', async () => {
    const before = await shop.wallet()
    const [one, two] = [shop.paymentReport(), shop.paymentReport()]
    const taken = await shop.ingest({ ...one, status: 'reversed' }, one, two, { ...two, status: 'reversed' })
    expect(taken.filter((outcome) => outcome === 'reversed')).toHaveLength(2)
    expect((await shop.collections()).map((collection) => collection.status)).toEqual(['reversed', 'reversed'])
    expect((await shop.wallet()).balance).toBe(before.balance)
  })

  it('may overdraw the wallet when the business has spent it, and only then', async () => {
    const money = shop.paymentReport()
    await shop.ingest(money)
    const full = await shop.wallet()
    await begin(shop.db, (tx) =>
      fundAccount(tx, shop.now(), { account: full.id, amount: -full.balance, description: 'Spent', author: 1 }),
    )
    await shop.ingest({ ...money, status: 'reversed' })
    const [overdrawn] = await shop.db`select balance, overdrawn from accounts where id = ${full.id}`
    expect(overdrawn).toEqual({ balance: amount('-1500'), overdrawn: true })
    expect(await checkLedger(shop.db)).toEqual([])
    // An overdrawn wallet still takes what comes in.
    await shop.ingest(shop.paymentReport({ amount: amount('2000') }))
    const [filled] = await shop.db`select balance, overdrawn from accounts where id = ${full.id}`
    expect(filled).toEqual({ balance: amount('500'), overdrawn: false })
  })

  it('for a receiver that is not ours changes nothing', async () => {
    const money = shop.paymentReport()
    await shop.ingest(money)
    expect(await shop.ingest({ ...money, status: 'reversed', receiver: 'nobody' })).toEqual(['no_account'])
    expect(await shop.collections()).toMatchObject([{ status: 'successful' }])
  })

  it('leaves the request free for nobody: later money is unmatched', async () => {
    const request = await shop.createRequest()
    const money = shop.paymentReport()
    await shop.ingest(money)
    await shop.ingest({ ...money, status: 'reversed' })
    await shop.ingest(shop.paymentReport())
    expect((await shop.request(request.id)).status).toBe('reversed')
    expect((await shop.collections())[1]).toMatchObject({ collection_request: null, status: 'successful' })
  })
})

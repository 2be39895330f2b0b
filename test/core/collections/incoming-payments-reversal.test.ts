import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { matchManually } from '../../../src/core/collections/actions.ts'
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

describe('a reversal of a part', () => {
  const part = (remote_id: string, value: string) => ({ remote_id, amount: amount(value) })
  const reversals = async () =>
    [
      ...(await shop.db<{ remote_id: string; amount: bigint }[]>`
      select remote_id, amount from collection_reversals order by remote_id`),
    ].map((row) => ({ ...row }))

  it('takes that part from the wallet, and the request and the collection stay successful', async () => {
    const request = await shop.createRequest()
    const { balance } = await shop.wallet()
    const report = shop.paymentReport()
    await shop.ingest(report)
    expect(await shop.ingest({ ...report, reversals: [part('V1', '300')] })).toEqual(['reversed'])
    expect((await shop.wallet()).balance).toBe(balance + amount('1200'))
    const [collection] = await shop.collections()
    expect(collection).toMatchObject({ status: 'successful', amount: amount('1500'), reversed_in_parts: amount('300') })
    expect((await shop.request(request.id)).status).toBe('successful')
    expect(await shop.history(request.id)).toEqual(['pending → successful'])
    const events = await shop.events('collection.reversed')
    expect(events.map(({ data }) => [data.status, data.amount, data.reversed_amount])).toEqual([
      ['successful', '1500.0000', '300.0000'],
    ])
  })

  it('is taken once, and several add up until nothing is left', async () => {
    const request = await shop.createRequest()
    const { balance } = await shop.wallet()
    const report = shop.paymentReport()
    await shop.ingest(report)
    const [first, second, third] = [part('V1', '300'), part('V2', '700'), part('V3', '9000')]
    const twice = { ...report, reversals: [first, second] }
    const results = await Promise.all([shop.ingest(twice, twice), shop.ingest({ ...report, reversals: [second] })])
    expect(results.flat()).toContain('reversed')
    expect(await shop.ingest(twice)).toEqual(['known'])
    expect((await shop.wallet()).balance).toBe(balance + amount('500'))
    // The network reports more than is left: no more than that is taken.
    await shop.ingest({ ...report, reversals: [first, second, third] })
    expect((await shop.wallet()).balance).toBe(balance)
    expect((await shop.collections())[0]).toMatchObject({ status: 'reversed', reversed_in_parts: amount('1500') })
    expect(await reversals()).toEqual([first, second, part('V3', '500')])
    expect((await shop.request(request.id)).status).toBe('reversed')
    await shop.ingest({ ...report, status: 'reversed' }, { ...report, reversals: [part('V4', '1')] })
    expect((await shop.wallet()).balance).toBe(balance)
  })

  it('is followed by a reversal of everything, which takes the rest', async () => {
    await shop.createRequest()
    const { balance } = await shop.wallet()
    const report = shop.paymentReport()
    await shop.ingest(report, { ...report, reversals: [part('V1', '300')] })
    await shop.ingest({ ...report, status: 'reversed' })
    expect((await shop.wallet()).balance).toBe(balance)
    const [collection] = await shop.collections()
    const transfers = await shop.db<{ reference: string; amount: bigint }[]>`
      select reference, amount from transfers where kind = 'mobile_collection_reversal' order by id desc limit 2`
    expect([...transfers]).toEqual([
      { reference: `reversal:${collection!.id}`, amount: amount('1200') },
      { reference: `reversal:${collection!.id}:part:V1`, amount: amount('300') },
    ])
  })

  it('may be reported before the payment, and with a reversal of everything in one batch', async () => {
    const { balance } = await shop.wallet()
    const [first, second] = [shop.paymentReport(), shop.paymentReport()]
    await shop.ingest({ ...first, reversals: [part('V1', '300')] })
    await shop.ingest(first, { ...second, status: 'reversed' }, { ...second, reversals: [part('V1', '5')] })
    expect((await shop.wallet()).balance).toBe(balance + amount('1200'))
    expect((await shop.collections()).map(({ status }) => status)).toEqual(['successful', 'reversed'])
  })

  it('ignores amounts that are not above zero', async () => {
    const { balance } = await shop.wallet()
    const report = shop.paymentReport()
    await shop.ingest(report)
    expect(await shop.ingest({ ...report, reversals: [part('V1', '0'), part('V2', '-5')] })).toEqual(['known'])
    expect((await shop.wallet()).balance).toBe(balance + amount('1500'))
    expect(await reversals()).toEqual([])
  })

  it('leaves less to match: the money no longer fulfils a request of the whole amount', async () => {
    const report = shop.paymentReport({ reference: 'x' })
    await shop.ingest(report, { ...report, reversals: [part('V1', '300')] })
    const request = await shop.createRequest()
    const [collection] = await shop.collections()
    const by = { user: null, name: 'Grace' }
    await expect(
      begin(shop.db, (tx) => matchManually(tx, shop.now(), { collection: collection!.id, request: request.id, by })),
    ).rejects.toThrow('The network has taken back a part')
  })
})

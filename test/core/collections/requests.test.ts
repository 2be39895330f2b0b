import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDuplicateKeyClaim } from '../../../src/core/idempotency.ts'
import { fundAccount } from '../../../src/core/ledger/accounts.ts'
import { Duplicate, Forbidden, Invalid } from '../../../src/core/refusals.ts'
import { begin } from '../../../src/db/client.ts'
import { amount, openShop, type Shop } from '../shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => shop.clear())
afterAll(() => shop.close())

describe('making requests', () => {
  it('leaves each pending, and due at once or at its start', async () => {
    const start_date = new Date('2030-02-01T08:00:00Z')
    const [now, later] = [await shop.createRequest(), await shop.createRequest({ start_date })]
    expect(await shop.request(now.id)).toMatchObject({
      status: 'pending',
      due_at: shop.now(),
      attempt: 0,
      collection: null,
    })
    expect(await shop.request(later.id)).toMatchObject({ status: 'pending', due_at: start_date, start_date })
    // The creation is not a change.
    expect(await shop.events('collectionrequest.status.changed')).toEqual([])
    expect(await shop.history(now.id)).toEqual([])
  })

  it('keeps the order of a batch in the ids', async () => {
    const wishes = Array.from({ length: 50 }, (_, index) => shop.requestInput({ amount: BigInt(index + 1) }))
    const made = (await shop.createRequests(wishes)).map((one) => (one.ok ? one.value : undefined)!)
    expect(made.map((one) => one.amount)).toEqual(wishes.map((wish) => wish.amount))
    const ids = made.map((one) => one.id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  })

  it('keeps texts and metadata exactly, whatever is in them', async () => {
    const strange = `'; drop table x; -- "{}[]\\,NULL 🌊 \n\t ẞ\u202e`
    const metadata = { [strange]: [strange, null, 1.5, { deep: true }], empty: '', __proto: 1 }
    const request = await shop.createRequest({
      reason: strange,
      success_message: strange,
      instructions: strange,
      metadata,
    })
    expect(await shop.request(request.id)).toMatchObject({
      reason: strange,
      success_message: strange,
      instructions: strange,
      metadata,
    })
  })

  it('refuses one of a batch alone, each with its own reason', async () => {
    const claim = createDuplicateKeyClaim(shop.organization, 'twin')
    const settled = await shop.createRequests([
      shop.requestInput(),
      shop.requestInput({ account: 999_999 }),
      shop.requestInput({ claim }),
      shop.requestInput({ currency: 'XYZ' }),
      shop.requestInput({ claim }),
      shop.requestInput(),
    ])
    const reasons = settled.map((one) => (one.ok ? 'made' : (one.error as Error).constructor))
    expect(reasons).toEqual(['made', Invalid, 'made', Invalid, Duplicate, 'made'])
    expect(await shop.db`select 1 from collection_requests`).toHaveLength(3)
  })

  it('lets nobody collect into the wallet of somebody else', async () => {
    const settled = await shop.createRequests([
      { ...shop.requestInput({ account: (await shop.wallet()).id }), organization: shop.organization + 1 },
    ])
    expect(settled).toMatchObject([{ ok: false }])
    expect(!settled[0]!.ok && settled[0]!.error).toBeInstanceOf(Forbidden)
  })

  it('needs a wallet with something in it, unless the request starts later', async () => {
    const { id, balance } = await shop.wallet()
    const fund = (sum: bigint) =>
      begin(shop.db, (tx) => fundAccount(tx, shop.now(), { account: id, amount: sum, description: '', author: 1 }))
    await fund(-balance)
    await expect(shop.createRequest()).rejects.toMatchObject({
      fields: { currency: ['Your BXC account has no funds. Add funds before you collect.'] },
    })
    expect((await shop.createRequest({ start_date: new Date('2030-02-01T00:00:00Z') })).status).toBe('pending')
    await fund(amount('0.0001'))
    expect((await shop.createRequest()).status).toBe('pending')
    await fund(balance)
  })
})

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

describe('creating requests', () => {
  it('makes each pending, and due at once or at its start date', async () => {
    const start_date = new Date('2030-02-01T08:00:00Z')
    const [immediate, later] = [await shop.createRequest(), await shop.createRequest({ start_date })]
    expect(await shop.request(immediate.id)).toMatchObject({
      status: 'pending',
      due_at: shop.now(),
      attempt: 0,
      collection: null,
    })
    expect(await shop.request(later.id)).toMatchObject({ status: 'pending', due_at: start_date, start_date })
    // The creation is not a status change.
    expect(await shop.events('collectionrequest.status.changed')).toEqual([])
    expect(await shop.history(immediate.id)).toEqual([])
  })

  it('gives ids in the order of the batch', async () => {
    const inputs = Array.from({ length: 50 }, (_, index) => shop.requestInput({ amount: BigInt(index + 1) }))
    const created = (await shop.createRequests(inputs)).map((result) => (result.ok ? result.value : undefined)!)
    expect(created.map((request) => request.amount)).toEqual(inputs.map((input) => input.amount))
    const ids = created.map((request) => request.id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  })

  it('stores texts and metadata exactly, with any characters', async () => {
    const special = `'; drop table x; -- "{}[]\\,NULL 🌊 \n\t ẞ\u202e`
    const metadata = { [special]: [special, null, 1.5, { deep: true }], empty: '', __proto: 1 }
    const request = await shop.createRequest({
      reason: special,
      success_message: special,
      instructions: special,
      metadata,
    })
    expect(await shop.request(request.id)).toMatchObject({
      reason: special,
      success_message: special,
      instructions: special,
      metadata,
    })
  })

  it('refuses single requests of a batch, each with its own error', async () => {
    const claim = createDuplicateKeyClaim(shop.organization, 'key')
    const results = await shop.createRequests([
      shop.requestInput(),
      shop.requestInput({ account: 999_999 }),
      shop.requestInput({ claim }),
      shop.requestInput({ currency: 'XYZ' }),
      shop.requestInput({ claim }),
      shop.requestInput(),
    ])
    const outcomes = results.map((result) => (result.ok ? 'created' : (result.error as Error).constructor))
    expect(outcomes).toEqual(['created', Invalid, 'created', Invalid, Duplicate, 'created'])
    expect(await shop.db`select 1 from collection_requests`).toHaveLength(3)
  })

  it('gives the key of a refused request to the next request of the batch that has it', async () => {
    const claim = createDuplicateKeyClaim(shop.organization, 'passed on')
    const batch = () =>
      shop.createRequests([
        shop.requestInput({ claim, currency: 'XYZ' }),
        shop.requestInput({ claim }),
        shop.requestInput({ claim, account: 999_999 }),
        shop.requestInput({ claim }),
      ])
    const [wrong, made, wrong_too, duplicate] = await batch()
    const id = made!.ok && made!.value.id
    expect([wrong, wrong_too]).toMatchObject([{ error: expect.any(Invalid) }, { error: expect.any(Invalid) }])
    expect(id).toBeTruthy()
    expect(duplicate).toMatchObject({ error: { name: 'Duplicate', id } })
    const refusals = (await batch()).map((result) => !result.ok && (result.error as Error).constructor)
    expect(refusals).toEqual([Invalid, Duplicate, Invalid, Duplicate])
    expect(await shop.db`select object from idempotency_keys`).toEqual([{ object: id }])
  })

  it('refuses the wallet of another organization', async () => {
    const results = await shop.createRequests([
      { ...shop.requestInput({ account: (await shop.wallet()).id }), organization: shop.organization + 1 },
    ])
    expect(results).toMatchObject([{ ok: false }])
    expect(!results[0]!.ok && results[0]!.error).toBeInstanceOf(Forbidden)
  })

  it('needs a wallet with funds, unless the request starts later', async () => {
    const { id, balance } = await shop.wallet()
    const fund = (change: bigint) =>
      begin(shop.db, (tx) => fundAccount(tx, shop.now(), { account: id, amount: change, description: '', author: 1 }))
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

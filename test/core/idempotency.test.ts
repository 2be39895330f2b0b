import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { claimDuplicateKeys, createDuplicateKeyClaim, deleteExpiredKeys } from '../../src/core/idempotency.ts'
import { Duplicate, Invalid } from '../../src/core/refusals.ts'
import { begin } from '../../src/db/client.ts'
import { openShop, type Shop } from './shop.ts'

const DAY_S = 24 * 60 * 60

let shop: Shop
let key: string
let keys = 0

beforeAll(async () => {
  shop = await openShop()
})
beforeEach(() => {
  keys += 1
  key = `order ${keys}`
})
afterAll(() => shop.close())

describe('a Duplicate-Check-Key', () => {
  it('is claimed by the first request, and the refusal of the second names the first', async () => {
    const first = await ask()
    await expect(ask()).rejects.toMatchObject({
      type: 'collectionrequest',
      id: first.id,
      message: expect.stringMatching(/^Duplicate Request Detected! /),
    })
  })

  it('can be a text of any length', async () => {
    key = `🔑 ${'x'.repeat(10_000)} ${keys}`
    await ask()
    await expect(ask()).rejects.toThrow(Duplicate)
  })

  it('is valid for exactly 24 hours, and then allows a new request', async () => {
    const first = await ask()
    shop.testApp.clock.advance(DAY_S - 1)
    await expect(ask()).rejects.toMatchObject({ id: first.id })
    shop.testApp.clock.advance(1)
    const second = await ask()
    expect(second.id).toBeGreaterThan(first.id)
    await expect(ask()).rejects.toMatchObject({ id: second.id })
  })

  it('is separate for each organization', async () => {
    await ask()
    const claims = [shop.organization, shop.organization + 1].map((organization) =>
      createDuplicateKeyClaim(organization, key),
    )
    const [mine, theirs] = await begin(shop.db, (tx) => claimDuplicateKeys(tx, shop.now(), 'payment', claims))
    expect(mine).toBeInstanceOf(Duplicate)
    expect(theirs).toBeUndefined()
  })

  it('is not used up by a refused request', async () => {
    await expect(ask({ account: 999_999 })).rejects.toThrow(Invalid)
    await expect(ask({ currency: 'XYZ' })).rejects.toThrow(Invalid)
    expect((await ask()).status).toBe('pending')
  })

  it('is not used up by a transaction that fails', async () => {
    await expect(ask({ amount: 10n ** 30n })).rejects.toThrow('numeric field overflow')
    expect((await ask()).status).toBe('pending')
  })

  it('is deleted when it expires, and not before', async () => {
    await ask()
    const forget = () => begin(shop.db, (tx) => deleteExpiredKeys(tx, shop.now(), 100))
    await forget()
    await expect(ask()).rejects.toThrow(Duplicate)
    shop.testApp.clock.advance(DAY_S)
    await forget()
    expect(await shop.db`select 1 from idempotency_keys`).toHaveLength(0)
  })
})

describe('duplicates', () => {
  it('in one batch: the first creates an object, and the refusals of the others name it', async () => {
    const settled = await shop.createRequests(Array.from({ length: 8 }, inputWithKey))
    const [winner, ...duplicates] = settled
    expect(winner).toMatchObject({ ok: true, value: { status: 'pending' } })
    const id = winner!.ok ? winner!.value.id : 0
    for (const duplicate of duplicates)
      expect(duplicate).toMatchObject({ ok: false, error: { type: 'collectionrequest', id, name: 'Duplicate' } })
    expect(duplicates.every((duplicate) => !duplicate.ok && duplicate.error instanceof Duplicate)).toBe(true)
    const [{ object }] = (await shop.db`
      select object from idempotency_keys order by created desc, object desc limit 1`) as [{ object: number }]
    expect(object).toBe(id)
  })

  it('in one batch: if the first is refused, the second can use the key', async () => {
    const [refused, made] = await shop.createRequests([{ ...inputWithKey(), account: 999_999 }, inputWithKey()])
    expect(refused).toMatchObject({ ok: false, error: { fields: { account: expect.anything() } } })
    expect(made).toMatchObject({ ok: true })
  })

  it('on many connections: exactly one creates an object, and all refusals name it', async () => {
    const batches = await Promise.all(
      Array.from({ length: 10 }, () => shop.createRequests([inputWithKey(), shop.requestInput(), inputWithKey()])),
    )
    const duplicates = batches.flatMap(([one, , two]) => [one!, two!])
    const winners = duplicates.flatMap((duplicate) => (duplicate.ok ? [duplicate.value.id] : []))
    expect(winners).toHaveLength(1)
    const named = duplicates.flatMap((duplicate) => (duplicate.ok ? [] : [(duplicate.error as Duplicate).id]))
    expect(new Set(named)).toEqual(new Set(winners))
    // Their neighbours without a key are not touched.
    expect(batches.every(([, neighbour]) => neighbour!.ok)).toBe(true)
  })

  it('on many connections: many keys in different orders do not deadlock', async () => {
    const inputs = Array.from({ length: 15 }, (_, index) => ({
      ...shop.requestInput(),
      claim: createDuplicateKeyClaim(shop.organization, `${key} ${index}`),
    }))
    const batches = await Promise.all([
      shop.createRequests(inputs),
      shop.createRequests(inputs.toReversed()),
      shop.createRequests(inputs),
    ])
    expect(batches.flat().filter((one) => one.ok)).toHaveLength(15)
  })

  it('of an expired key: again exactly one creates an object', async () => {
    const first = await ask()
    shop.testApp.clock.advance(DAY_S)
    const batches = await Promise.all(Array.from({ length: 6 }, () => shop.createRequests([inputWithKey()])))
    const made = batches.flat().flatMap((one) => (one.ok ? [one.value.id] : []))
    expect(made).toHaveLength(1)
    expect(made[0]).toBeGreaterThan(first.id)
  })
})

function inputWithKey(changes: Parameters<Shop['requestInput']>[0] = {}) {
  return shop.requestInput({ claim: createDuplicateKeyClaim(shop.organization, key), ...changes })
}

async function ask(changes: Parameters<Shop['requestInput']>[0] = {}) {
  return shop.createRequest(inputWithKey(changes))
}

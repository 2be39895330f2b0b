import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkSequences, listOpenWork, prepareRestoredData } from '../../../src/core/operations/restored-data.ts'
import { readSendingHold } from '../../../src/core/sending.ts'
import { begin } from '../../../src/db/client.ts'
import { openShop, type Shop } from '../shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

it('Data of a backup is held, and the next ids are new ones', async () => {
  const { db } = shop
  const before = await shop.createRequest()
  const backup = { created: '2030-01-01T00:00:00Z' }
  const result = await begin(db, (tx) => prepareRestoredData(tx, { now: shop.now(), real: shop.now() }, backup))
  expect(result).toEqual({ asked_orders: 0, asked_purchases: 0 })
  expect(await readSendingHold(db)).toMatchObject({ reason: expect.stringContaining(backup.created) })
  const after = await shop.createRequest()
  expect(after.id).toBeGreaterThan(before.id + 9_000_000)
  expect(await checkSequences(db)).toEqual([])
  expect(await listOpenWork(db, 10)).toEqual({ rows: [], count: 0 })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { beginBatch, digestOf, findBatchesOf, listBatches, readBatch } from '../../../src/core/batches/batches.ts'
import { createDuplicateKeyClaim } from '../../../src/core/idempotency.ts'
import { begin } from '../../../src/db/client.ts'
import { openShop, type Shop } from '../shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

it('batches of invoices and of requests are kept apart, also by their keys', async () => {
  const { db, organization } = shop
  const [{ id: author }] = await db<[{ id: number }]>`select id from users where kind = 'person'`
  const digest = digestOf({ file: 1 })
  const given = {
    organization,
    author,
    source: 'file' as const,
    name: 'a.csv',
    digest,
    asked: digest,
    rows: 1,
    refused: 0,
  }
  const claim = createDuplicateKeyClaim(organization, 'one key')
  const start = (kind: 'invoices' | 'requests') =>
    begin(db, (tx) => {
      const issue = kind === 'invoices' ? false : null
      return beginBatch(tx, shop.now(), { ...given, kind, duplicates: 'skip', issue }, claim)
    })
  const { id } = await start('requests')
  expect(await start('requests')).toEqual({ id, is_new: false })
  await expect(start('invoices')).rejects.toMatchObject({ type: 'requestbatch' })
  expect(await readBatch(db, { kind: 'requests', organization, id })).toMatchObject({ name: 'a.csv', made: 0 })
  await expect(readBatch(db, { kind: 'invoices', organization, id })).rejects.toThrow()
  expect(await findBatchesOf(db, { kind: 'requests', organization, digest })).toHaveLength(1)
  expect(await findBatchesOf(db, { kind: 'invoices', organization, digest })).toEqual([])
  const page = { limit: 5, offset: 0, descending: true }
  expect(await listBatches(db, { kind: 'invoices', organization }, page)).toEqual({ rows: [], count: 0 })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { chargeNetworks } from '../../../src/connections/request-actions.ts'
import { beginBatch, digestOf, readBatch } from '../../../src/core/batches/batches.ts'
import { makeNextRequests } from '../../../src/core/request-batches/batches.ts'
import { checkRequestFile } from '../../../src/core/request-batches/check.ts'
import { readRequestFile } from '../../../src/core/request-batches/columns.ts'
import { begin } from '../../../src/db/client.ts'
import { openShop, type Shop } from '../shop.ts'

let shop: Shop
const ROWS = 10_000

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

it('a file of 10,000 rows becomes 10,000 requests', async () => {
  const { db, organization, testApp } = shop
  const [{ id: author }] = await db<[{ id: number }]>`select id from users where kind = 'person'`
  const lines = Array.from({ length: ROWS }, (_, index) => `+8000${String(1_000_000 + index)},100,Term 1`)
  const bytes = Buffer.from(['Phone,Amount,Reason', ...lines].join('\n'))
  const file = await readRequestFile({ name: 'fees.csv', bytes })
  const choices = { currency: 'BXC', reason: '', expiry_date: undefined, send_instructions: false, currencies: ['BXC'] }
  const context = {
    now: shop.now(),
    organization,
    author,
    chooseNetwork: chargeNetworks(testApp.app.connections.list()),
  }
  const { planned } = await checkRequestFile(db, file, choices, context)
  expect(planned).toHaveLength(ROWS)
  const of = { kind: 'requests' as const, organization, author, source: 'file' as const, name: 'fees.csv' }
  const rest = { digest: file.digest, asked: digestOf({}), duplicates: 'skip' as const, issue: null }
  const counts = { rows: ROWS, refused: 0 }
  const { id } = await begin(db, (tx) => beginBatch(tx, shop.now(), { ...of, ...rest, ...counts }, undefined))
  let more = true
  while (more) more = (await begin(db, (tx) => makeNextRequests(tx, { organization, id }, planned, shop.now()))).more
  expect(await readBatch(db, { kind: 'requests', organization, id })).toMatchObject({ made: ROWS, skipped: 0 })
})

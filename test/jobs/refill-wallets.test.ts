import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fundAccount } from '../../src/core/ledger/accounts.ts'
import { begin } from '../../src/db/client.ts'
import { refillWallets } from '../../src/jobs/refill-wallets.ts'
import type { Job } from '../../src/lib/loop.ts'
import { amount, openShop, type Shop } from '../core/shop.ts'

let shop: Shop
let job: Job<number>
beforeAll(async () => {
  shop = await openShop()
  job = refillWallets(shop.testApp.app)
})
afterAll(() => shop.close())

async function fund(value: string) {
  const { id, author } = await shop.wallet()
  const entry = { account: id, amount: amount(value), description: 'A test', author }
  await begin(shop.db, (tx) => fundAccount(tx, shop.now(), entry))
}
const balance = async () => (await shop.wallet()).balance

describe('the nightly refill of test wallets', () => {
  it('waits for midnight', async () => {
    await fund('-40000')
    expect(await job.nextDue()).toEqual(new Date('2030-01-16T00:00:00Z'))
    expect(await job.claim(10)).toEqual([])
    expect(await balance()).toBe(amount('60000'))
  })

  it('refills the wallet to 100,000 by a transfer, once each night', async () => {
    shop.testApp.clock.advance(12 * 60 * 60)
    const claims = await Promise.all([job.claim(10), job.claim(10)])
    expect(claims.flat()).toHaveLength(1)
    expect(await balance()).toBe(amount('100000'))
    const [transfer] = await shop.db`select kind, amount from transfers order by id desc limit 1`
    expect(transfer).toEqual({ kind: 'test_funds_refill', amount: amount('40000') })
    expect(await job.claim(10)).toEqual([])
  })

  it('refills once after missed nights, and takes nothing from a wallet with more', async () => {
    await fund('5')
    shop.testApp.clock.advance(5 * 24 * 60 * 60)
    expect(await job.claim(10)).toHaveLength(1)
    expect(await balance()).toBe(amount('100005'))
    expect(await job.nextDue()).toEqual(new Date('2030-01-22T00:00:00Z'))
  })
})

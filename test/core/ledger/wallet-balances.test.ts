import { afterAll, beforeAll, expect, it } from 'vitest'
import { listTransactions } from '../../../src/core/ledger/transactions.ts'
import { readBalancesAfter, readHeld } from '../../../src/core/ledger/wallet-balances.ts'
import { COUNT, createManyPayments, createManyPurchases } from '../many-rows.ts'
import { amount, openShop, type Shop } from '../shop.ts'

let shop: Shop
let wallet: number
let opening: bigint

beforeAll(async () => {
  shop = await openShop()
  const { id, balance } = await shop.wallet()
  wallet = id
  opening = balance
  await shop.ingest(shop.paymentReport({ amount: amount('500') }))
  await createManyPayments(shop)
  await shop.ingest(shop.paymentReport({ amount: amount('70') }))
})
afterAll(() => shop.close())

it('gives the balance after each transaction, on every page, in any order and with a filter', async () => {
  const { db, organization } = shop
  const page = { field: 'id', descending: false, limit: 1_000, offset: 0 } as const
  const all = (await listTransactions(db, organization, { account: wallet }, page)).rows
  const ids = all.map(({ id }) => id)
  const balances = await readBalancesAfter(db, wallet, ids)
  let balance = (await shop.wallet()).balance - all.reduce((sum, one) => sum + one.amount, 0n)
  for (const one of all) {
    balance += one.amount
    expect(balances.get(one.id)).toBe(balance)
  }
  expect(balances.get(ids.at(-1)!)).toBe((await shop.wallet()).balance)
  const some = [ids.at(-1)!, ids.at(-9)!, ids[0]!]
  expect(await readBalancesAfter(db, wallet, some)).toEqual(new Map(some.map((id) => [id, balances.get(id)])))
  expect(await readBalancesAfter(db, wallet, [])).toEqual(new Map())
})

it('adds up what is on hold for payments and bills of this wallet, with fees', async () => {
  const { db, organization } = shop
  const paid_in = amount('570')
  const held = opening + paid_in - (await shop.wallet()).balance
  expect(held).toBeGreaterThanOrEqual(BigInt(COUNT) * amount('1'))
  expect(await readHeld(db, organization, wallet)).toBe(held)
  await createManyPurchases(shop)
  const [bills] = await db<{ account: number; held: bigint }[]>`
    select account, sum(amount + fee)::numeric(38,4) as held from bill_purchases group by account`
  const other = bills!.account === wallet ? held : 0n
  expect(await readHeld(db, organization, bills!.account)).toBe(bills!.held + other)
  expect(await readHeld(db, organization + 1, wallet)).toBe(0n)
})

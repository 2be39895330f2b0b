import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Hold, holdMoney, releaseHolds, settleHolds } from '../../../src/core/ledger/holds.ts'
import { begin } from '../../../src/db/client.ts'
import { amount, openShop, type Shop } from '../shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

let last = 0

/** A hold of 100 BXC with a fee of 2, with these changes; another reference at every call. */
async function some(changes: Partial<Hold> = {}): Promise<Hold> {
  const wallet = await shop.wallet()
  last += 1
  return {
    reference: `test:${last}`,
    kind: 'mobile_payment',
    organization: shop.organization,
    account: wallet.id,
    connection: null,
    currency: 'BXC',
    amount: amount('100'),
    fee: amount('2'),
    description: 'A test',
    author: wallet.author,
    ...changes,
  }
}

async function balances() {
  const rows = await shop.db<{ kind: string; balance: bigint }[]>`
    select kind, balance from accounts where organization = ${shop.organization} and currency = 'BXC' and connection is null`
  return Object.fromEntries(rows.map((row) => [row.kind, row.balance])) as Record<string, bigint>
}

async function kindsOf(hold: Hold) {
  const rows = await shop.db<{ kind: string }[]>`
    select kind from transfers where reference like ${`%${hold.reference}%`} order by id`
  return rows.map((row) => row.kind)
}

const write = (work: typeof holdMoney, ...holds: Hold[]) => begin(shop.db, (tx) => work(tx, shop.now(), holds))

describe('holding money', () => {
  it('takes the amount and the fee from the wallet, and returns both on release', async () => {
    const before = await balances()
    const hold = await some()
    await write(holdMoney, hold)
    const during = await balances()
    expect(during.local).toBe(before.local! - amount('102'))
    expect(during.held).toBe(before.held! + amount('102'))
    await write(releaseHolds, hold)
    expect(await balances()).toEqual(before)
    expect(await kindsOf(hold)).toEqual([
      'mobile_payment_hold',
      'service_charge_hold',
      'mobile_payment_release',
      'service_charge_release',
    ])
  })

  it('spends the amount and earns the fee on settlement', async () => {
    const before = await balances()
    const hold = await some({ kind: 'bill_payment' })
    await write(holdMoney, hold)
    await write(settleHolds, hold)
    const after = await balances()
    expect(after.local).toBe(before.local! - amount('102'))
    expect(after.held).toBe(before.held)
    expect(after.external).toBe(before.external! + amount('100'))
    expect(after.fees).toBe(before.fees! + amount('2'))
  })

  it('moves no money for a fee of zero', async () => {
    const hold = await some({ fee: 0n })
    await write(holdMoney, hold)
    await write(settleHolds, hold)
    expect(await kindsOf(hold)).toEqual(['mobile_payment_hold', 'mobile_payment'])
  })

  it('refuses more than the balance of the wallet, including the fee', async () => {
    const { balance } = await shop.wallet()
    await expect(write(holdMoney, await some({ amount: balance - amount('1') }))).rejects.toThrow(/not enough/)
  })

  it('can never both spend and return the money', async () => {
    const hold = await some()
    await write(holdMoney, hold)
    await write(settleHolds, hold)
    await expect(write(releaseHolds, hold)).rejects.toThrow(/unique/)
    await expect(write(settleHolds, hold)).rejects.toThrow(/unique/)
  })
})

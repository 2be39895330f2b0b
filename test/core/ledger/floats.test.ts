import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFloats } from '../../../src/core/ledger/floats.ts'
import { type Hold, holdMoney, settleHolds } from '../../../src/core/ledger/holds.ts'
import { bookNetworkFees } from '../../../src/core/ledger/network-fees.ts'
import { checkLedger } from '../../../src/core/ledger/transfers.ts'
import { begin } from '../../../src/db/client.ts'
import { storeConnection, storePlace } from '../../connections/fake-connection.ts'
import { amount, NETWORK, openShop, type Shop } from '../shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
  const { id: account } = await shop.wallet()
  for (const connection of ['north', 'south', 'own'])
    await storePlace(shop.db, { connection, number: '700700', account })
  await shop.db`update connections set organization = ${shop.organization} where slug = 'own'`
})
afterAll(() => shop.close())

interface CounterAccount {
  organization: number | null
  kind: string
  connection: string | null
  balance: bigint
}

/** The accounts that are no wallets, as `owner kind connection` with their balances. Empty ones are left out. */
async function counterAccounts() {
  const rows = await shop.db<CounterAccount[]>`
    select organization, kind, connection, balance from accounts
    where currency = 'BXC' and kind not in ('local', 'cross_border') and balance <> 0`
  return Object.fromEntries(
    rows.map(({ organization, kind, connection, balance }) => [
      `${organization === null ? 'operator' : 'shop'} ${kind} ${connection ?? '-'}`,
      balance,
    ]),
  )
}

/** Return the changes since `before`. */
async function changesSince(before: Record<string, bigint>) {
  const after = await counterAccounts()
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changes = keys.map((key) => [key, (after[key] ?? 0n) - (before[key] ?? 0n)] as const)
  return Object.fromEntries(changes.filter(([, change]) => change !== 0n))
}

const over = (slug: string) => ({ network: { ...NETWORK, slug }, receiver: '700700' })

describe('the float of a connection', () => {
  it('holds the money that arrived over it, and no other', async () => {
    const before = await counterAccounts()
    await shop.ingest(
      shop.paymentReport({ ...over('north'), amount: amount('30') }),
      shop.paymentReport({ ...over('south'), amount: amount('12.5') }),
      shop.paymentReport({ amount: amount('1') }),
    )
    expect(await changesSince(before)).toEqual({
      'shop external north': -amount('30'),
      'shop external south': -amount('12.5'),
      'shop external sandbox': -amount('1'),
    })
  })

  it('loses what its network takes back', async () => {
    const report = shop.paymentReport({ ...over('south'), amount: amount('9') })
    const before = await counterAccounts()
    await shop.ingest(report)
    await shop.ingest({ ...report, reversals: [{ remote_id: 'PART-1', amount: amount('4') }] })
    expect(await changesSince(before)).toEqual({ 'shop external south': -amount('5') })
    await shop.ingest({ ...report, status: 'reversed' })
    expect(await changesSince(before)).toEqual({})
  })

  it('loses what is sent over it, while bills leave no float', async () => {
    const wallet = await shop.wallet()
    const hold = (reference: string, connection: string | null): Hold => ({
      reference,
      connection,
      kind: 'mobile_payment',
      organization: shop.organization,
      account: wallet.id,
      currency: 'BXC',
      amount: amount('7'),
      fee: 0n,
      description: 'A test',
      author: wallet.author,
    })
    const holds = [hold('float-test:1', 'north'), hold('float-test:2', null)]
    const before = await counterAccounts()
    await begin(shop.db, (tx) => holdMoney(tx, shop.now(), holds))
    await begin(shop.db, (tx) => settleHolds(tx, shop.now(), holds))
    expect(await changesSince(before)).toEqual({ 'shop external north': amount('7'), 'shop external -': amount('7') })
  })

  it('is opened once, however many need it first at the same time', async () => {
    await storeConnection(shop.db, 'busy')
    const { author } = await shop.wallet()
    const wanted = ['UGX', 'KES', 'BXC'].map((currency) => ({
      organization: shop.organization,
      connection: 'busy',
      currency,
      author,
    }))
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, lane) =>
        begin(shop.db, async (tx) => {
          const find = await findFloats(tx, shop.now(), lane % 2 === 0 ? wanted : wanted.toReversed())
          return wanted.map((float) => find(float))
        }),
      ),
    )
    expect(new Set(ids.map((found) => found.join())).size).toBe(1)
    expect(new Set(ids[0]).size).toBe(3)
  })
})

describe('what a network charges', () => {
  const fee = { subject: 'collection:990001', currency: 'BXC', amount: amount('0.5'), author: 1 }

  it('is an expense of the operator where the merchant account is his', async () => {
    const before = await counterAccounts()
    await begin(shop.db, (tx) => bookNetworkFees(tx, shop.now(), [{ ...fee, connection: 'north' }]))
    expect(await changesSince(before)).toEqual({
      'operator network_fees -': -amount('0.5'),
      'operator external north': amount('0.5'),
    })
  })

  it('is an expense of the organization where the merchant account is its own', async () => {
    const before = await counterAccounts()
    const report = shop.paymentReport({ ...over('own'), amount: amount('20'), fee: amount('0.25') })
    const { balance } = await shop.wallet()
    await shop.ingest(report)
    expect(await changesSince(before)).toEqual({
      'shop network_fees -': -amount('0.25'),
      'shop external own': -amount('19.75'),
    })
    expect((await shop.wallet()).balance).toBe(balance + amount('20'))
    expect((await shop.events('collection.received')).at(-1)!.data).toMatchObject({ amount: '20.0000' })
  })

  it('is booked once, also when two reports say it at the same time or only a later one does', async () => {
    const before = await counterAccounts()
    const report = shop.paymentReport({ ...over('south'), amount: amount('5') })
    await shop.ingest(report)
    const with_fee = { ...report, fee: amount('0.1') }
    await Promise.all([shop.ingest(with_fee), shop.ingest(with_fee), shop.ingest(with_fee)])
    await shop.ingest({ ...report, fee: amount('0.2') })
    expect(await changesSince(before)).toEqual({
      'shop external south': -amount('5'),
      'operator network_fees -': -amount('0.1'),
      'operator external south': amount('0.1'),
    })
    expect(await checkLedger(shop.db)).toEqual([])
  })
})

describe('the check of the books', () => {
  it('finds an organization whose accounts do not sum to zero, although those of all together do', async () => {
    const { author } = await shop.wallet()
    const undo = new Error('put it back')
    const found = begin(shop.db, async (tx) => {
      const find = await findFloats(tx, shop.now(), [
        { organization: null, currency: 'BXC', connection: 'north', author },
        { organization: shop.organization, currency: 'BXC', connection: 'north', author },
      ])
      const of = (organization: number | null) => find({ organization, currency: 'BXC', connection: 'north' })
      await tx`
        insert into transfers (reference, kind, from_account, to_account, currency, amount, description, created, author)
        values ('crossing', 'admin_funds_update', ${of(null)}, ${of(shop.organization)}, 'BXC', 3, '', now(), ${author})`
      await tx`update accounts set balance = balance - 3 where id = ${of(null)}`
      await tx`update accounts set balance = balance + 3 where id = ${of(shop.organization)}`
      expect(await checkLedger(tx)).toEqual([
        `All BXC accounts of organization ${shop.organization} together hold 3 instead of zero.`,
        'All BXC accounts of the operator together hold -3 instead of zero.',
      ])
      throw undo
    })
    await expect(found).rejects.toThrow(undo)
  })
})

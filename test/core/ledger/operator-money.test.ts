import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { fundAccount } from '../../../src/core/ledger/accounts.ts'
import { adjustFloat, settleFloat } from '../../../src/core/ledger/floats.ts'
import { type Hold, holdMoney, releaseHolds, settleHolds } from '../../../src/core/ledger/holds.ts'
import { bookNetworkFees } from '../../../src/core/ledger/network-fees.ts'
import { checkOperatorMoney } from '../../../src/core/ledger/operator-money.ts'
import { createPayments, type NewPayment } from '../../../src/core/payments/create.ts'
import { Invalid } from '../../../src/core/refusals.ts'
import { begin } from '../../../src/db/client.ts'
import { formatAmount } from '../../../src/lib/money.ts'
import { storePlace } from '../../connections/fake-connection.ts'
import { amount, NETWORK, openShop, type Shop } from '../shop.ts'

/*
 * The demo shop collects over its own connection `own` and over `shared`, which belongs to the operator. What came over its
 * own can leave over its own only, unless it is the only organization.
 */

let shop: Shop
let wallet: { id: number; author: number }
let holds = 0
beforeAll(async () => {
  shop = await openShop()
  wallet = await shop.wallet()
  for (const connection of ['own', 'shared'])
    await storePlace(shop.db, { connection, number: '700700', account: wallet.id })
  await shop.db`update connections set organization = ${shop.organization} where slug = 'own'`
})
afterAll(() => shop.close())
beforeEach(empty)

const fund = (sum: bigint) =>
  begin(shop.db, (tx) =>
    fundAccount(tx, shop.now(), { account: wallet.id, amount: sum, description: 'A test', author: wallet.author }),
  )
const collect = (slug: string, sum: string) =>
  shop.ingest(
    shop.paymentReport({ network: { ...NETWORK, slug }, receiver: '700700', amount: amount(sum), currency: 'BXC' }),
  )
function toHold(connection: string | null, sum: bigint): Hold {
  holds += 1
  return {
    reference: `operator-money:${holds}`,
    connection,
    kind: 'mobile_payment',
    organization: shop.organization,
    account: wallet.id,
    currency: 'BXC',
    amount: sum,
    fee: 0n,
    description: 'A test',
    author: wallet.author,
  }
}
async function hold(connection: string | null, sum: string): Promise<Hold> {
  const one = toHold(connection, amount(sum))
  await begin(shop.db, (tx) => holdMoney(tx, shop.now(), [one]))
  return one
}
/** Make a payment to one phone. @throws its refusal */
async function pay(slug: string, sum: string): Promise<void> {
  const network = { ...NETWORK, slug }
  const recipient = {
    phonenumber: '+80000000003',
    amount: amount(sum),
    network,
    description: '',
    metadata: {},
    national_id: null,
    national_id_type: null,
  }
  const payment: NewPayment = {
    organization: shop.organization,
    author: wallet.author,
    purpose: 'payment',
    collection: null,
    payment_type: 'money',
    amount: amount(sum),
    currency: 'BXC',
    account: wallet.id,
    source: wallet.id,
    description: '',
    metadata: {},
    send_sms_message: false,
    start_date: null,
    recipients: [recipient],
  }
  const [result] = await begin(shop.db, (tx) => createPayments(tx, shop.now(), [payment]))
  if (!result!.ok) throw result!.error
}
const settle = (...ended: Hold[]) => begin(shop.db, (tx) => settleHolds(tx, shop.now(), ended))
const enter = (write: typeof adjustFloat, sum: string) =>
  begin(shop.db, (tx) =>
    write(tx, shop.now(), { connection: 'own', currency: 'BXC', amount: amount(sum), description: 'A test' }),
  )

describe('money of an own connection', () => {
  it('leaves over any connection where the organization is alone: it is the operator', async () => {
    await collect('own', '50')
    await settle(await hold('shared', '50'))
    expect(await checkOperatorMoney(shop.db)).toEqual([])
  })

  it('leaves over its own connection, and neither over those of the operator nor for bills, where others share the installation', async () => {
    await begin(shop.db, (tx) => createOrganization(tx, shop.now(), 'Other shop'))
    await collect('own', '100')
    for (const connection of ['shared', null])
      await expect(hold(connection, '1')).rejects.toThrow("operator's connections lack BXC 1 of yours")
    expect((await shop.wallet()).balance).toBe(amount('100'))
    await collect('shared', '30')
    await expect(hold('shared', '30.01')).rejects.toThrow(Invalid)
    await settle(await hold('shared', '20'))
    await settle(await hold('own', '100'))
    await settle(await hold(null, '10'))
    expect(await checkOperatorMoney(shop.db)).toEqual([])
  })

  it('leaves over the operator once the operator has entered what the organization handed over', async () => {
    await collect('own', '70')
    await enter(adjustFloat, '-70')
    await enter(adjustFloat, '500')
    await expect(hold('shared', '70')).rejects.toThrow(Invalid)
    await expect(enter(settleFloat, '-70')).rejects.toThrow('above zero')
    await enter(settleFloat, '69')
    await expect(hold('shared', '70')).rejects.toThrow('lack BXC 1 of')
    await enter(settleFloat, '1')
    await hold('shared', '70').then(settle)
    await expect(
      begin(shop.db, (tx) =>
        settleFloat(tx, shop.now(), { connection: 'shared', currency: 'BXC', amount: amount('1'), description: '' }),
      ),
    ).rejects.toThrow('no connection of an organization')
  })

  it('does not become the operator’s by what its own network says that it charged', async () => {
    await collect('own', '10')
    const fee = { subject: 'collection:880001', currency: 'BXC', amount: amount('1000'), author: 1 }
    await begin(shop.db, (tx) => bookNetworkFees(tx, shop.now(), [{ ...fee, connection: 'own' }]))
    await expect(hold('shared', '10')).rejects.toThrow(Invalid)
    await hold('own', '10').then(settle)
  })

  it('lets only as many of many holds at once through as the operator has money for', async () => {
    await collect('own', '1000')
    await collect('shared', '30')
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => hold('shared', '10')))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    await settle(...results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))
  })
})

/** A step of a random story; each moves money in another way. */
const step = fc.record({
  way: fc.constantFrom('own in', 'shared in', 'own out', 'shared out', 'bill', 'fund', 'settle', 'adjust', 'fail'),
  sum: fc.integer({ min: 1, max: 60 }),
})

it('whatever happens in whatever order, no more leaves over the operator than came over it, was entered or was settled', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (story) => {
      let at_operator = 0
      let in_wallet = 0
      const out = async (connection: string | null, sum: number) => {
        const held = await hold(connection, `${sum}`).catch((error: unknown) => {
          if (!(error instanceof Invalid)) throw error
        })
        const is_backed = sum <= in_wallet && (connection === 'own' || sum <= at_operator)
        expect(held !== undefined).toBe(is_backed)
        return held
      }
      for (const { way, sum } of story) {
        if (way === 'own in') await collect('own', `${sum}`)
        if (way === 'shared in') await collect('shared', `${sum}`)
        if (way === 'fund') await fund(amount(`${sum}`))
        if (way === 'settle') await enter(settleFloat, `${sum}`)
        if (way === 'adjust') await enter(adjustFloat, `${sum}`)
        if (way.endsWith(' in') || way === 'fund') in_wallet += sum
        if (way === 'shared in' || way === 'fund' || way === 'settle') at_operator += sum
        if (way === 'fail') {
          const held = await out('shared', sum)
          if (held) await begin(shop.db, (tx) => releaseHolds(tx, shop.now(), [held]))
        }
        if (way.endsWith(' out') || way === 'bill') {
          const held = await out(way === 'bill' ? null : way === 'own out' ? 'own' : 'shared', sum)
          if (!held) continue
          await settle(held)
          in_wallet -= sum
          if (way !== 'own out') at_operator -= sum
        }
      }
      expect(await checkOperatorMoney(shop.db)).toEqual([])
      await empty()
    }),
    { numRuns: 12 },
  )
})

// The last one: its payments stay under way.
it('an own payout that is under way does not keep what the operator has from leaving', async () => {
  await collect('own', '40')
  await collect('shared', '40')
  await pay('own', '60')
  await expect(pay('shared', '20.01')).rejects.toThrow(Invalid)
  await pay('shared', '20')
  expect((await shop.wallet()).balance).toBe(0n)
  expect(await checkOperatorMoney(shop.db)).toEqual([])
})

/** Leave neither money in the wallet nor money of it on the own connection. */
async function empty(): Promise<void> {
  const [own] = await shop.db<{ sum: bigint | null }[]>`
    select sum(case when a.id = t.from_account then t.amount else -t.amount end)::numeric(38,4) as sum
    from transfers t join accounts a on a.id in (t.from_account, t.to_account)
    where a.connection = 'own' and t.kind not in ('float_adjustment', 'network_fee')`
  const sum = own?.sum ?? 0n
  if (sum > 0n) await enter(settleFloat, formatAmount(sum))
  if (sum < 0n) await collect('own', formatAmount(-sum))
  const { balance } = await shop.wallet()
  if (balance > 0n) await fund(-balance)
}

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeFloat, listFloatNotices, listFloats, setFloatThreshold } from '../../src/core/ledger/balances.ts'
import { adjustFloat } from '../../src/core/ledger/floats.ts'
import { begin } from '../../src/db/client.ts'
import { checkBalances } from '../../src/jobs/check-balances.ts'
import type { Job } from '../../src/lib/loop.ts'
import type { BalanceAnswer } from '../../src/networks/contract.ts'
import { fakeConnection, storePlace } from '../connections/fake-connection.ts'
import { amount, NETWORK, openShop, type Shop } from '../core/shop.ts'
import { eventually } from '../test-app.ts'

let shop: Shop
let job: Job<string>
/** Answer of the network to the next queries. */
let answer: () => Promise<BalanceAnswer>
let questions = 0

const LIMITS = { decimals: 2, min: 1n, max: 10n ** 12n }
const HOUR_S = 3_600

beforeAll(async () => {
  const north = fakeConnection({
    code: 'north',
    name: 'North',
    limits: LIMITS,
    balance: () => {
      questions += 1
      return answer()
    },
    readCallback: ({ body }) => {
      const [, stated = '', verified] = body.split(' ')
      const balances = [{ currency: 'BXC', amount: amount(stated), name: 'Utility' }]
      return { subject: 'balance', verified: verified === 'signed', balances }
    },
  })
  const paused = fakeConnection({
    code: 'paused',
    name: 'Paused',
    limits: LIMITS,
    connection: { state: 'paused' },
    balance: async () => {
      throw new Error('A paused connection is not asked.')
    },
  })
  shop = await openShop({ overrides: { connections: [north, paused] } })
  const { id: account } = await shop.wallet()
  for (const connection of ['north', 'paused']) await storePlace(shop.db, { connection, number: '700700', account })
})
afterAll(() => shop.close())

beforeEach(async () => {
  job = checkBalances(shop.testApp.app)
  questions = 0
  await shop.db`delete from connection_floats`
  await shop.db`delete from network_orders`
  await shop.db`delete from unassigned_payments`
})

const states = (text: string) => async (): Promise<BalanceAnswer> => ({
  outcome: 'found',
  balances: [{ currency: 'BXC', amount: amount(text) }],
})
const receive = (text: string) =>
  shop.ingest(shop.paymentReport({ network: { ...NETWORK, slug: 'north' }, receiver: '700700', amount: amount(text) }))
const north = async () => (await listFloats(shop.db, 'north')).find(({ currency }) => currency === 'BXC')!

/** Set the float of the books to an amount. */
async function setFloat(text: string) {
  const booked = (await listFloats(shop.db, 'north')).find(({ currency }) => currency === 'BXC')?.booked ?? 0n
  if (booked === amount(text)) return
  const entry = { connection: 'north', currency: 'BXC', amount: amount(text) - booked, description: 'A test' }
  await begin(shop.db, (tx) => adjustFloat(tx, shop.now(), entry))
}

/** Let an hour pass, and ask what is due. */
async function ask() {
  shop.testApp.clock.advance(HOUR_S)
  const claimed = await job.claim(10)
  await job.run(claimed, () => {})
  return claimed
}

async function storeOrder(kind: 'charge' | 'payout', value: string) {
  const { request } =
    kind === 'charge' ? { request: (await shop.createRequest({ amount: amount(value) })).id } : { request: null }
  await shop.db`
    insert into network_orders (reference, kind, connection, organization, collection_request, payment_recipient, attempt,
      receiver, phonenumber, amount, currency, reason, state, created, due_at)
    values (${`balance-test-${kind}-${value}`}, ${kind}, 'north', ${shop.organization}, ${request},
      ${kind === 'charge' ? null : 990_001}, 1, '700700', '+80000000003', ${value}, 'BXC', '', 'sent', now(), now())`
}

describe('the hourly question for the balance', () => {
  it('asks active connections once an hour, and stores what they state', async () => {
    await setFloat('100')
    answer = states('100.5')
    expect(await ask()).toEqual(['north'])
    expect(await job.claim(10)).toEqual([])
    expect(await job.nextDue()).toEqual(new Date(shop.now().getTime() + HOUR_S * 1_000))
    expect(questions).toBe(1)
    expect(await north()).toMatchObject({
      booked: amount('100'),
      balance: amount('100.5'),
      drift: 0n,
      drift_since: null,
    })
    const [stored] = await shop.db`
      select source, amount, booked, lowest, highest, drift from connection_balances order by id desc limit 1`
    expect(stored).toEqual({
      source: 'reply',
      amount: amount('100.5'),
      booked: amount('100'),
      drift: 0n,
      lowest: amount('99'),
      highest: amount('101'),
    })
  })

  it('raises a notice when the balance is outside twice in a row, and ends it when both agree again', async () => {
    await setFloat('100')
    answer = states('80')
    await ask()
    expect(await listFloatNotices(shop.db)).toEqual([])
    await ask()
    const since = shop.now()
    await ask()
    const [notice, ...others] = await listFloatNotices(shop.db)
    expect(others).toEqual([])
    expect(notice).toMatchObject({ connection: 'north', drift: -amount('19'), drift_since: since })
    expect(describeFloat(notice!)).toEqual([
      'The network of north states BXC 80, which is BXC 19 less than the books allow. `npx kusanya reconcile --connection north` finds the difference.',
    ])
    await setFloat('80')
    await ask()
    expect(await listFloatNotices(shop.db)).toEqual([])
  })

  it('allows for what is on its way: payouts downwards, charges upwards, and money without an account', async () => {
    await setFloat('100')
    await storeOrder('payout', '40')
    await storeOrder('charge', '30')
    await shop.ingest(
      shop.paymentReport({ network: { ...NETWORK, slug: 'north' }, receiver: 'nobody', amount: amount('5') }),
    )
    answer = states('64')
    await ask()
    expect(await north()).toMatchObject({ drift: 0n })
    answer = states('136')
    await ask()
    expect(await north()).toMatchObject({ drift: 0n })
    answer = states('137.05')
    await ask()
    expect(await north()).toMatchObject({ drift: amount('1') })
  })

  it('allows for money that is entered into the books while the network answers', async () => {
    await setFloat('100')
    answer = async () => {
      await receive('50')
      return states('100')()
    }
    await ask()
    expect(await north()).toMatchObject({ booked: amount('150'), drift: 0n })
    answer = states('150')
    await ask()
    expect(await north()).toMatchObject({ drift: 0n })
  })

  it('adds up the accounts of a network', async () => {
    await setFloat('100')
    answer = async () => ({
      outcome: 'found',
      balances: [
        { currency: 'BXC', amount: amount('70'), name: 'Working' },
        { currency: 'BXC', amount: amount('30'), name: 'Utility' },
        { currency: 'ZZZ', amount: amount('9') },
      ],
    })
    await ask()
    expect(await north()).toMatchObject({ balance: amount('100'), drift: 0n })
    const [stored] = await shop.db<{ parts: object }[]>`select parts from connection_balances order by id desc limit 1`
    expect(stored!.parts).toEqual({ Working: '70.0000', Utility: '30.0000' })
  })

  it('asks again after ten minutes without an answer, and after its lease if the process was killed', async () => {
    answer = async () => ({ outcome: 'unknown', message: 'no answer' })
    await ask()
    expect(await job.nextDue()).toEqual(new Date(shop.now().getTime() + 600_000))
    expect(await listFloats(shop.db, 'north')).toMatchObject([{ balance: null, reported: null }])
    shop.testApp.clock.advance(HOUR_S)
    expect(await job.claim(10)).toEqual(['north'])
    expect(await checkBalances(shop.testApp.app).claim(10)).toEqual([])
    await shop.db`update connection_balance_checks set leased_until = now() - interval '1 second'`
    expect(await checkBalances(shop.testApp.app).claim(10)).toEqual(['north'])
    await shop.db`update connection_balance_checks set leased_until = null`
  })
})

describe('a low float', () => {
  it('raises a notice once while it is below its threshold', async () => {
    await setFloat('100')
    await begin(shop.db, (tx) =>
      setFloatThreshold(tx, { connection: 'north', currency: 'BXC', warn_below: amount('100') }),
    )
    answer = states('99.5')
    await ask()
    const [notice] = await listFloatNotices(shop.db)
    expect(describeFloat(notice!)).toEqual(['The float of north is low: BXC 99.50, below BXC 100.'])
    answer = states('100')
    await ask()
    expect(await listFloatNotices(shop.db)).toEqual([])
  })
})

describe('a balance that a network states at the callback address', () => {
  it('is compared when it is signed, and ignored when it is not', async () => {
    await setFloat('100')
    answer = async () => ({ outcome: 'asked' })
    await ask()
    expect(await listFloats(shop.db, 'north')).toMatchObject([{ balance: null }])
    const { url } = await shop.testApp.startService()
    const send = (body: string) =>
      fetch(`${url}/api/callbacks/north/${'0'.repeat(32)}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'text/plain' },
      })
    await send('balance 77')
    await send('balance 100 signed')
    const stated = await eventually('the balance of the callback', async () => {
      const { balance, drift } = await north()
      return balance === null ? undefined : { balance, drift }
    })
    expect(stated).toEqual({ balance: amount('100'), drift: 0n })
    const stored = await shop.db<{ source: string; amount: bigint }[]>`
      select source, amount from connection_balances where source = 'callback'`
    expect(stored).toEqual([{ source: 'callback', amount: amount('100') }])
  })
})

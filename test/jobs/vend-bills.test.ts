import { afterEach, describe, expect, it } from 'vitest'
import { type App, buildApp } from '../../src/app.ts'
import type { Biller, Vend, VendAnswer, VendCheck, VendedGoods } from '../../src/billers/biller.ts'
import { createPurchases, findPurchasesById, type NewPurchase } from '../../src/core/bills/purchases.ts'
import { findBillWallet } from '../../src/core/bills/wallets.ts'
import { begin } from '../../src/db/client.ts'
import { startJobs } from '../../src/jobs/index.ts'
import { vendBills } from '../../src/jobs/vend-bills.ts'
import { createBuyer, electricityOrder, freshReference } from '../api/bills/buyer.ts'
import { buildTestApp, eventually, type TestApp, type TestClock, testClock } from '../test-app.ts'

/*
 * What the job does when billers are slow, silent or broken, and when processes die. A fake biller notes what it is told.
 * Whatever happens, it is told to sell at most once.
 */

let house: TestApp
/** What the biller was told, in order. */
let told: string[]
let clock: TestClock
/** How far leases and the times of sending are ahead: they stand still but for this, so that a slow machine makes nothing late. */
let ahead_ms: number

afterEach(() => house.close())

describe('the job that buys from billers', () => {
  it('calls no biller inside of a transaction, and has the purchase marked as sent before', async () => {
    const seen: unknown[] = []
    await openHouse({
      vend: async () => {
        seen.push(
          ...(await house.db`select sent is not null as sent, status from bill_purchases for update skip locked`),
        )
        return sold
      },
    })
    const id = await order()
    await work()
    expect(seen).toEqual([{ sent: true, status: 'pending' }])
    expect(await look(id)).toMatchObject({ status: 'success', vended: { token: TOKEN } })
  })

  it('never sells what a process had claimed that died before it called: it asks, and gives the money back', async () => {
    await openHouse({ vend: async () => sold, checkVend: async () => ({ outcome: 'not_found' }) })
    const id = await order()
    // Claimed by a process that dies here.
    expect(await job().claim(10)).toHaveLength(1)
    expect(await job().claim(10)).toEqual([])
    ahead_ms = 16_000
    await work()
    // It may still be on its way, as far as anybody knows.
    expect(await look(id)).toMatchObject({ status: 'pending', outcome: 'not_found' })
    expect(await held()).toBe(PRICE)
    ahead_ms = 16_000 + IN_FLIGHT_MS
    clock.advance(1)
    await work()
    expect(await look(id)).toMatchObject({ status: 'failed', failure_code: 'BX0024' })
    expect(await held()).toBe(0n)
    expect(told).toEqual(['check', 'check'])
  })

  it('finds what a process had bought that died during the call', async () => {
    await openHouse({ vend: () => new Promise(() => {}), checkVend: async () => sold })
    const id = await order()
    void job().run(await job().claim(10))
    await eventually('the call', async () => (told.length === 1 ? true : undefined))
    ahead_ms = 16_000
    await work()
    expect(told).toEqual(['vend', 'check'])
    expect(await look(id)).toMatchObject({ status: 'success', vended: { token: TOKEN } })
    expect(await held()).toBe(0n)
  })

  it('settles wholly or not at all, and later what it could not settle', async () => {
    await openHouse({
      async vend() {
        await house.db`alter table events rename to events_away`
        return sold
      },
      checkVend: async () => sold,
    })
    const id = await order()
    await expect(work()).rejects.toThrow('1 vends could not be settled')
    await house.db`alter table events_away rename to events`
    expect(await look(id)).toMatchObject({ status: 'pending', vended: null })
    expect(await held()).toBe(PRICE)
    ahead_ms = 16_000
    await work()
    expect(await look(id)).toMatchObject({ status: 'success' })
    expect(told).toEqual(['vend', 'check'])
  })

  it('does not send what stood still for too long: another process may have given it up', async () => {
    await openHouse({ vend: async () => sold, checkVend: async () => ({ outcome: 'not_found' }) })
    const id = await order()
    const steps = await job().claim(10)
    ahead_ms = 5_000
    await job().run(steps)
    expect(told).toEqual([])
    expect(await look(id)).toMatchObject({ status: 'pending', outcome: 'unknown' })
  })

  it('keeps the money on hold while nobody knows, asks at growing intervals, and believes the answer', async () => {
    let answer: VendCheck = silence
    await openHouse({ vend: async () => silence, checkVend: async () => answer })
    const id = await order()
    await work()
    for (const wait_s of [1, 2, 5, 10, 30, 60, 300, 900, 3_600, 3_600]) {
      clock.advance(wait_s - 1)
      expect(await job().claim(10)).toEqual([])
      clock.advance(1)
      await work()
      expect(await held()).toBe(PRICE)
    }
    answer = sold
    clock.advance(3_600)
    await work()
    expect(await look(id)).toMatchObject({ status: 'success' })
    expect(told.filter((one) => one === 'vend')).toHaveLength(1)
  })

  it('calls a prepaid success without its token pending until the token is there', async () => {
    let answer: VendAnswer = { ...sold, vended: { ...goods, token: null } }
    await openHouse({ vend: async () => answer, checkVend: async () => answer })
    const id = await order()
    await work()
    expect(await look(id)).toMatchObject({ status: 'pending', outcome: 'accepted' })
    answer = sold
    clock.advance(1)
    await work()
    expect(await look(id)).toMatchObject({ status: 'success', vended: { token: TOKEN } })
  })

  it('lets a connector that throws, and one that is slow, hold up nobody else', async () => {
    let finish = (_answer: VendAnswer) => {}
    await openHouse({
      vend: ({ phone }) => {
        if (phone === '08030000001') throw new Error('a bug in the connector')
        if (phone === '08030000002') return new Promise((resolve) => (finish = resolve))
        return Promise.resolve(sold)
      },
    })
    const [bad, slow, good] = [
      await order({ phone: '08030000001' }),
      await order({ phone: '08030000002' }),
      await order(),
    ]
    const all = work()
    await eventually('the good one', async () => ((await look(good)).status === 'success' ? true : undefined))
    expect(await look(slow)).toMatchObject({ status: 'pending' })
    finish(declined)
    await all
    expect(await look(slow)).toMatchObject({ status: 'failed', failure_code: 'EXC00107' })
    expect(await look(bad)).toMatchObject({ status: 'pending', message: 'The connector to this biller failed.' })
  })

  it('leaves alone what was bought from a biller that is gone', async () => {
    await openHouse({ vend: async () => sold })
    const id = await order({ biller: 'another' })
    await work()
    expect(await look(id)).toMatchObject({
      status: 'pending',
      message: 'The biller another is no longer configured.',
    })
  })

  it('settles once, however many answers come', async () => {
    await openHouse({ vend: async () => sold, checkVend: async () => declined })
    const id = await order()
    const late = await job().claim(10)
    ahead_ms = 16_000
    await work()
    expect(await look(id)).toMatchObject({ status: 'failed' })
    ahead_ms = 0
    await job().run(late)
    expect(await look(id)).toMatchObject({ status: 'failed', vended: null })
    expect(await held()).toBe(0n)
  })

  it('says in the log when something was sold that had been given up', async () => {
    await openHouse({ vend: async () => sold, checkVend: async () => ({ outcome: 'not_found' }) })
    const said: unknown[] = []
    house.app.log.error = (...words: unknown[]) => void said.push(words)
    const id = await order()
    const late = await job().claim(10)
    ahead_ms = 16_000 + IN_FLIGHT_MS
    await work()
    expect(await look(id)).toMatchObject({ status: 'failed', failure_code: 'BX0024' })
    ahead_ms = 0
    await job().run(late)
    expect(said).toEqual([[{ purchase: id }, 'the biller has sold what had been given up']])
    expect(await held()).toBe(0n)
  })

  it('tells of the end in one event, and notifies webhooks where that is switched on', async () => {
    await openHouse({ vend: async () => sold }, { EXTRA_EVENT_TYPES: 'on' })
    await house.db`
      insert into webhooks (organization, "user", event, target, token, secret, created, updated)
      select ${house.organization}, 1, 'billpayment.status.changed', 'https://shop.example/hook', 't', 's', ${clock.now()}, ${clock.now()}`
    const id = await order()
    await work()
    const events = await house.db`select data from events where type = 'billpayment.status.changed'`
    expect(events).toMatchObject([
      {
        data: {
          id,
          organization: house.organization,
          transactionStatus: 'success',
          transactionReference: id,
          tokenCode: TOKEN,
          amount: '1000.0000',
        },
      },
    ])
    const bodies = await house.db<{ body: string }[]>`select body from webhook_deliveries`
    expect(bodies.map(({ body }) => body)).toEqual([expect.stringContaining(TOKEN)])
  })

  it('wakes the door that waits in another process', async () => {
    await openHouse({ vend: async () => sold })
    const service = await house.startService({ jobs: false })
    const other: App = await buildApp(house.app.config, house.app.log, {
      clock,
      billers: house.app.billers,
    })
    const jobs = startJobs(other)
    try {
      const answer = await createBuyer(house, service.url).post('/services/electricity/request', electricityOrder())
      expect(answer.body).toMatchObject({ status: 'success', data: { tokenCode: TOKEN } })
    } finally {
      await jobs.stop()
      await other.close()
    }
  })
})

const PRICE = 10_000_000n
const IN_FLIGHT_MS = 20_000
const TOKEN = '01234567890123456789'
const goods: VendedGoods = {
  token: TOKEN,
  amount_of_power: '13.9KWH',
  pins: [],
  provider_message: 'OK',
  raw_output: { status: 'ACCEPTED' },
  more: {},
}
const sold: VendAnswer & { outcome: 'successful' } = { outcome: 'successful', remote_id: '77', vended: goods }
const declined: VendAnswer & VendCheck = { outcome: 'failed', reason: 'declined', message: 'No.' }
const silence: VendAnswer & VendCheck = { outcome: 'unknown', message: 'no answer' }

/** A house with one biller, which does what the test says and takes note of it. */
async function openHouse(biller: Pick<Biller, 'vend'> & Partial<Biller>, settings: Record<string, string> = {}) {
  told = []
  ahead_ms = 0
  const noted = (what: string) => {
    told.push(what)
  }
  const fake: Biller = {
    code: 'fake',
    name: 'Fake Biller',
    in_flight_ms: IN_FLIGHT_MS,
    lookUpAccountHolder: async () => ({ outcome: 'not_found', message: 'Nobody.' }),
    vend: (order) => {
      noted('vend')
      return biller.vend(order)
    },
    async checkVend(order: Vend) {
      noted('check')
      return biller.checkVend ? biller.checkVend(order) : { outcome: 'not_found' }
    },
  }
  const began_ms = Date.now()
  clock = { ...testClock(), real: () => new Date(began_ms + ahead_ms) }
  house = await buildTestApp({ settings, overrides: { billers: [fake], clock } })
}

const job = () => vendBills(house.app)

/** One turn of the job. */
async function work(): Promise<void> {
  await job().run(await job().claim(10))
}

async function order(more: Partial<NewPurchase> = {}): Promise<number> {
  const wallet = await findBillWallet(house.db, house.organization)
  const purchase: NewPurchase = {
    organization: house.organization,
    account: wallet!.id,
    agent_reference: freshReference(),
    agent_id: '207',
    biller: 'fake',
    kind: 'electricity',
    service_type: 'ikeja_electric_prepaid',
    account_number: '04042404048',
    phone: '08031234567',
    amount: PRICE,
    details: { prepaid: true },
    scenario: null,
    metadata: {},
    author: 1,
    pin: null,
    ...more,
  }
  const [made] = await begin(house.db, (tx) => createPurchases(tx, clock.now(), [purchase]))
  if (!made?.ok) throw new Error('The purchase was refused.')
  return made.value
}

async function look(id: number) {
  return (await findPurchasesById(house.db, [id])).get(id)!
}

async function held(): Promise<bigint> {
  return createBuyer(house, '').held()
}

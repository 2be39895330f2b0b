import { afterEach, describe, expect, it } from 'vitest'
import { type App, buildApp } from '../../../src/app.ts'
import type { Biller, Vend, VendAnswer, VendCheck, VendedGoods } from '../../../src/billers/biller.ts'
import { createPurchases, findPurchasesById, type NewPurchase } from '../../../src/core/bills/purchases.ts'
import { findBillWallet } from '../../../src/core/bills/wallets.ts'
import { createWebhook, WEBHOOK_KEY_PURPOSE } from '../../../src/core/events/webhooks.ts'
import { begin } from '../../../src/db/client.ts'
import { startJobs } from '../../../src/jobs/index.ts'
import { networkOrders } from '../../../src/jobs/orders/network-orders.ts'
import { createBuyer, electricityOrder, freshReference } from '../../api/bills/buyer.ts'
import { readEvents } from '../../recorded-events.ts'
import { buildTestApp, eventually, type TestApp, type TestClock, testClock } from '../../test-app.ts'

/*
 * The job with billers that are slow, silent or broken, and with processes that die. A fake biller records its calls. It is
 * asked to sell a purchase at most once, whatever happens.
 */

let testApp: TestApp
/** The calls to the biller, in order. */
let calls: string[]
let clock: TestClock
/** Added to the real clock, which stands still otherwise, so that no lease ends early on a slow machine. */
let ahead_ms: number

afterEach(() => testApp.close())

describe('the job that vends bills', () => {
  it('marks a purchase as sent and commits before it calls the biller', async () => {
    const seen: unknown[] = []
    await openApp({
      vend: async () => {
        seen.push(
          ...(await testApp.db`
            select o.sent is not null as sent, p.status from bill_purchases p join network_orders o on o.bill_purchase = p.id
            for update skip locked`),
        )
        return sold
      },
    })
    const id = await order()
    await work()
    expect(seen).toEqual([{ sent: true, status: 'pending' }])
    expect(await look(id)).toMatchObject({ status: 'success', vended: { token: TOKEN } })
  })

  it('only checks a purchase whose process died before the call, and releases its money', async () => {
    await openApp({ vend: async () => sold, checkVend: async () => ({ outcome: 'not_found' }) })
    const id = await order()
    // Claimed by a process that dies here.
    expect(await job().claim(10)).toHaveLength(1)
    expect(await job().claim(10)).toEqual([])
    // The database itself refuses to have it sent again.
    await expect(
      testApp.db`update network_orders set state = 'new', sent = null where bill_purchase = ${id}`,
    ).rejects.toThrow('violates check constraint')
    ahead_ms = 16_000
    await work()
    // The vend may still be in flight.
    expect(await look(id)).toMatchObject({ status: 'pending', outcome: 'not_found' })
    expect(await held()).toBe(PRICE)
    ahead_ms = 16_000 + IN_FLIGHT_MS
    clock.advance(1)
    await work()
    expect(await look(id)).toMatchObject({ status: 'failed', failure_code: 'BX0024' })
    expect(await held()).toBe(0n)
    expect(calls).toEqual(['check', 'check'])
  })

  it('finds the result of a vend whose process died during the call', async () => {
    await openApp({ vend: () => new Promise(() => {}), checkVend: async () => sold })
    const id = await order()
    void job().run(await job().claim(10))
    await eventually('the call', async () => (calls.length === 1 ? true : undefined))
    ahead_ms = 16_000
    await work()
    expect(calls).toEqual(['vend', 'check'])
    expect(await look(id)).toMatchObject({ status: 'success', vended: { token: TOKEN } })
    expect(await held()).toBe(0n)
  })

  it('rolls back an answer that cannot be applied, logs it, and applies it later', async () => {
    await openApp({
      async vend() {
        await testApp.db`alter table events rename to events_away`
        return sold
      },
      checkVend: async () => sold,
    })
    const id = await order()
    const logged = recordErrors(testApp.app)
    await expect(work()).rejects.toThrow('1 of 1 answers could not be applied.')
    expect(logged).toEqual([
      [expect.objectContaining({ event: 'vend_result_failed', purchase: id }), 'vend result could not be recorded'],
    ])
    await testApp.db`alter table events_away rename to events`
    expect(await look(id)).toMatchObject({ status: 'pending', vended: null })
    expect(await held()).toBe(PRICE)
    ahead_ms = 16_000
    await work()
    expect(await look(id)).toMatchObject({ status: 'success' })
    expect(calls).toEqual(['vend', 'check'])
  })

  it('does not send a vend after a long standstill, because another process may have recorded it as failed', async () => {
    await openApp({ vend: async () => sold, checkVend: async () => ({ outcome: 'not_found' }) })
    const id = await order()
    const actions = await job().claim(10)
    ahead_ms = 5_000
    await job().run(actions)
    expect(calls).toEqual([])
    expect(await look(id)).toMatchObject({ status: 'pending', outcome: 'unknown' })
  })

  it('keeps the money on hold while the result is unknown, checks at growing intervals, and applies the answer', async () => {
    let answer: VendCheck = silence
    await openApp({ vend: async () => silence, checkVend: async () => answer })
    const id = await order()
    await work()
    for (const wait_s of [1, 2, 5, 10, 30, ...new Array<number>(7).fill(60), 300, 900, 3_600, 3_600]) {
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
    expect(calls.filter((call) => call === 'vend')).toHaveLength(1)
  })

  it('keeps a successful prepaid purchase pending until its token arrives', async () => {
    let answer: VendAnswer = { ...sold, vended: { ...goods, token: null } }
    await openApp({ vend: async () => answer, checkVend: async () => answer })
    const id = await order()
    await work()
    expect(await look(id)).toMatchObject({ status: 'pending', outcome: 'accepted' })
    answer = sold
    clock.advance(1)
    await work()
    expect(await look(id)).toMatchObject({ status: 'success', vended: { token: TOKEN } })
  })

  it('is not delayed by a connector that throws, or by a slow one', async () => {
    let finish = (_answer: VendAnswer) => {}
    await openApp({
      vend: ({ phone }) => {
        if (phone === '08030000001') throw new Error('a bug in the connector')
        if (phone === '08030000002') return new Promise((resolve) => (finish = resolve))
        return Promise.resolve(sold)
      },
    })
    const [broken, slow, normal] = [
      await order({ phone: '08030000001' }),
      await order({ phone: '08030000002' }),
      await order(),
    ]
    const all = work()
    await eventually('the normal purchase', async () => ((await look(normal)).status === 'success' ? true : undefined))
    expect(await look(slow)).toMatchObject({ status: 'pending' })
    finish(declined)
    await all
    expect(await look(slow)).toMatchObject({ status: 'failed', failure_code: 'EXC00107' })
    expect(await look(broken)).toMatchObject({ status: 'pending', message: 'The connector to this provider failed.' })
  })

  it('keeps a purchase pending when its biller is no longer configured', async () => {
    await openApp({ vend: async () => sold })
    const id = await order({ biller: 'another' })
    await work()
    expect(await look(id)).toMatchObject({
      status: 'pending',
      message: 'The biller another is no longer configured.',
    })
  })

  it('applies only the first final answer', async () => {
    await openApp({ vend: async () => sold, checkVend: async () => declined })
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

  it('logs when the biller has sold a purchase that was recorded as failed', async () => {
    await openApp({ vend: async () => sold, checkVend: async () => ({ outcome: 'not_found' }) })
    const logged = recordErrors(testApp.app)
    const id = await order()
    const late = await job().claim(10)
    ahead_ms = 16_000 + IN_FLIGHT_MS
    await work()
    expect(await look(id)).toMatchObject({ status: 'failed', failure_code: 'BX0024' })
    ahead_ms = 0
    await job().run(late)
    expect(logged).toEqual([
      [{ event: 'vend_succeeded_late', purchase: id }, 'biller sold a purchase that was recorded as failed'],
    ])
    expect(await held()).toBe(0n)
  })

  it('records one event at the end, and notifies webhooks where that is switched on', async () => {
    await openApp({ vend: async () => sold }, { EXTRA_EVENT_TYPES: 'on' })
    const { organization, app } = testApp
    const hook = { organization, user: 1, event: 'billpayment.status.changed', target: 'https://shop.example/hook' }
    await begin(app.db, (tx) => createWebhook(tx, clock.now(), hook, app.deriveSecret(WEBHOOK_KEY_PURPOSE)))
    const id = await order()
    await work()
    const events = await readEvents(testApp.db, 'billpayment.status.changed')
    expect(events).toMatchObject([
      {
        data: {
          id,
          organization: testApp.organization,
          transactionStatus: 'success',
          transactionReference: id,
          tokenCode: TOKEN,
          amount: '1000.0000',
        },
      },
    ])
    expect(await testApp.db`select state from webhook_deliveries`).toEqual([{ state: 'waiting' }])
  })

  it('wakes the request that waits in another process', async () => {
    await openApp({ vend: async () => sold })
    const service = await testApp.startService({ jobs: false })
    const other: App = await buildApp(testApp.app.config, testApp.app.log, {
      clock,
      billers: testApp.app.billers,
    })
    const jobs = startJobs(other)
    try {
      const answer = await createBuyer(testApp, service.url).post('/services/electricity/request', electricityOrder())
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

/** An app with one fake biller, which records its calls. */
async function openApp(biller: Pick<Biller, 'vend'> & Partial<Biller>, settings: Record<string, string> = {}) {
  calls = []
  ahead_ms = 0
  const fake: Biller = {
    code: 'fake',
    name: 'Fake Biller',
    in_flight_ms: IN_FLIGHT_MS,
    lookUpAccountHolder: async () => ({ outcome: 'not_found', message: 'Not found.' }),
    vend: (order) => {
      calls.push('vend')
      return biller.vend(order)
    },
    async checkVend(order: Vend) {
      calls.push('check')
      return biller.checkVend ? biller.checkVend(order) : { outcome: 'not_found' }
    },
  }
  const started_ms = Date.now()
  clock = { ...testClock(), real: () => new Date(started_ms + ahead_ms) }
  testApp = await buildTestApp({ settings, overrides: { billers: [fake], clock } })
}

/** The error lines that this app logs from now on: fields and message. */
function recordErrors(app: App): unknown[] {
  const lines: unknown[] = []
  app.log.error = (...line: unknown[]) => void lines.push(line)
  return lines
}

const job = () => networkOrders(testApp.app)

/** Claim and run once. */
async function work(): Promise<void> {
  await job().run(await job().claim(10))
}

async function order(fields: Partial<NewPurchase> = {}): Promise<number> {
  const wallet = await findBillWallet(testApp.db, testApp.organization)
  const purchase: NewPurchase = {
    organization: testApp.organization,
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
    ...fields,
  }
  const [created] = await begin(testApp.db, (tx) => createPurchases(tx, clock.now(), [purchase]))
  if (!created?.ok) throw new Error('The purchase was refused.')
  return created.value
}

async function look(id: number) {
  return (await findPurchasesById(testApp.db, [id])).get(id)!
}

async function held(): Promise<bigint> {
  return createBuyer(testApp, '').held()
}

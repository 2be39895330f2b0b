import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BillConnection } from '../../../src/connections/connection.ts'
import { unlimited } from '../../../src/connections/tools/index.ts'
import { findService } from '../../../src/core/bills/catalogue.ts'
import { addOffer } from '../../../src/core/bills/offers.ts'
import { createPurchases, findPurchasesById } from '../../../src/core/bills/purchases.ts'
import { listAttempts } from '../../../src/core/bills/vends/attempts.ts'
import { findBillWallet } from '../../../src/core/bills/wallets.ts'
import { settle } from '../../../src/core/settlements/settle.ts'
import { begin } from '../../../src/db/client.ts'
import { networkOrders } from '../../../src/jobs/orders/network-orders.ts'
import { createBuyer, freshReference } from '../../api/bills/buyer.ts'
import { currentVend, postponeVends } from '../../core/vends.ts'
import { buildTestApp, type TestApp, type TestClock, testClock } from '../../test-app.ts'
import { type FakeSeller, fakeSeller, refused, silence, sold, TOKEN } from './bill-sellers.ts'

/* The job with several providers. At most one of them may ever have sold a purchase, as far as anybody can know. */

let testApp: TestApp
let clock: TestClock
let ahead_ms: number

const connections: BillConnection[] = []
let held_before: bigint

beforeAll(async () => {
  ahead_ms = 0
  const started_ms = Date.now()
  clock = { ...testClock(), real: () => new Date(started_ms + ahead_ms) }
  testApp = await buildTestApp({ overrides: { connections: [], bill_connections: connections, billers: [], clock } })
})
afterAll(() => testApp.close())

describe('a purchase at several providers', () => {
  it('moves on after a refusal that is about the provider, with a reference of its own, once each', async () => {
    const [one, two, three] = await open(fakeSeller('first'), fakeSeller('second'), fakeSeller('third'))
    one.answers.vend = refused('no_funds_at_biller')
    two.answers.vend = refused('service_inactive')
    const id = await order()
    for (const _ of [1, 2, 3, 4]) await work()
    expect([one, two, three].map(({ vends }) => vends.length)).toEqual([1, 1, 1])
    const references = [one, two, three].map(({ vends }) => vends[0]!.reference)
    expect(new Set(references).size).toBe(3)
    const purchase = await look(id)
    expect(purchase).toMatchObject({ status: 'success', biller: 'third', attempt: 3, vended: { token: TOKEN } })
    expect(await listAttempts(testApp.db, purchase)).toMatchObject([
      { attempt: 1, connection: 'first', outcome: 'failed', reason: 'no_funds_at_biller', reference: references[0] },
      { attempt: 2, connection: 'second', outcome: 'failed', reason: 'service_inactive', reference: references[1] },
      { attempt: 3, connection: 'third', outcome: 'successful', reference: references[2] },
    ])
    // Times follow the service's clock, which the sandbox can move.
    const times = (await listAttempts(testApp.db, purchase)).flatMap(({ sent, ended }) => [sent, ended])
    expect(new Set(times.map((time) => time?.toISOString()))).toEqual(new Set([clock.now().toISOString()]))
    expect(await held()).toBe(0n)
  })

  it('never goes to a second provider while the first one does not say what happened', async () => {
    const [one, two] = await open(fakeSeller('first'), fakeSeller('second'))
    one.answers = { vend: silence, status: silence }
    const id = await order()
    for (const wait_s of [0, 1, 2, 5, 10, 30, 60, 300, 900, 3_600, 86_400]) {
      clock.advance(wait_s)
      ahead_ms += wait_s * 1_000
      await work()
    }
    expect(two.vends).toEqual([])
    expect(await look(id)).toMatchObject({ status: 'pending', biller: 'first', attempt: 1 })
    expect(await held()).toBe(PRICE)
    one.answers.status = sold
    clock.advance(3_600)
    await work()
    expect(await look(id)).toMatchObject({ status: 'success', biller: 'first' })
  })

  it('moves on when the first provider has certainly never got it, and not before', async () => {
    const [one, two] = await open(fakeSeller('first'), fakeSeller('second'))
    one.answers = { vend: silence, status: { outcome: 'not_found' } }
    const id = await order()
    await work()
    clock.advance(1)
    await work()
    expect([one.asked.length, two.vends.length]).toEqual([1, 0])
    ahead_ms += 23_000
    clock.advance(10)
    await work()
    await work()
    expect(two.vends).toHaveLength(1)
    expect(await look(id)).toMatchObject({ status: 'success', biller: 'second' })
  })

  it('stays where it is when not found is never certain', async () => {
    const [one, two] = await open(fakeSeller('first', { traits: { unseen: 'never-certain' } }), fakeSeller('second'))
    one.answers = { vend: silence, status: { outcome: 'not_found' } }
    const id = await order()
    await work()
    ahead_ms += 86_400_000
    clock.advance(86_400)
    await work()
    expect([two.vends.length, (await look(id)).status]).toEqual([0, 'pending'])
  })

  it('ends when the customer is the reason, and when no provider is left', async () => {
    const [one, two] = await open(fakeSeller('first'), fakeSeller('second'))
    one.answers.vend = refused('declined')
    const declined = await order()
    await work()
    expect(await look(declined)).toMatchObject({ status: 'failed', failure_code: 'EXC00107', attempt: 1 })
    expect(two.vends).toEqual([])
    one.answers.vend = refused('service_inactive')
    two.answers.vend = refused('out_of_stock')
    const nowhere = await order()
    for (const _ of [1, 2, 3]) await work()
    expect(await look(nowhere)).toMatchObject({ status: 'failed', failure_code: 'EXC00131', attempt: 2 })
    expect(await held()).toBe(0n)
  })

  it('that a provider sold after all, once another one was tried, needs a person and is not paid twice', async () => {
    const [one, two] = await open(fakeSeller('first'), fakeSeller('second'))
    one.answers.vend = refused('service_inactive')
    two.answers.vend = silence
    two.answers.status = silence
    const id = await order()
    const vend = await currentVend(testApp.db, id)
    await work()
    await work()
    const answer = sold as typeof sold & { outcome: 'successful' }
    const { late_sales } = await begin(testApp.db, (tx) =>
      settle(tx, clock.now(), [{ order: vend, source: 'callback', answer }]),
    )
    expect(late_sales).toEqual([id])
    expect(await look(id)).toMatchObject({
      status: 'pending',
      biller: 'second',
      attention: expect.stringContaining('first says that it has sold this'),
    })
    expect(await held()).toBe(PRICE)
  })

  it('is sent by the provider that answers when the other one stopped to answer before it was sent', async () => {
    const [one, two] = await open(fakeSeller('first'), fakeSeller('second'))
    const id = await order()
    one.degraded = true
    await work()
    expect([one.vends.length, two.vends.length]).toEqual([0, 1])
    expect(await look(id)).toMatchObject({ status: 'success', biller: 'second', attempt: 1 })
  })

  it('is not asked about by an id that nobody has told, and waits', async () => {
    const [one, two] = await open(fakeSeller('first', { traits: { asked_by: 'remote_id' } }), fakeSeller('second'))
    one.answers.vend = silence
    const id = await order()
    await work()
    clock.advance(1)
    await work()
    expect([one.asked.length, two.vends.length]).toEqual([0, 0])
    expect(await look(id)).toMatchObject({ status: 'pending', message: expect.stringContaining('has not told its id') })
  })

  it('of a killed process is free soon, however long a call may take, and is then asked about', async () => {
    const [slow] = await open(fakeSeller('slow', { traits: { call_s: 90, one_call_at_a_time: true } }))
    await order()
    expect(await job().claim(10)).toHaveLength(1)
    ahead_ms += 14_000
    clock.advance(14)
    expect(await job().claim(10)).toEqual([])
    ahead_ms += 2_000
    await job().run(await job().claim(10))
    expect([slow.vends.length, slow.asked.length]).toEqual([0, 1])
  })

  it('gives all slots back when it does not know whether its claims were committed', async () => {
    const [one] = await open(fakeSeller('first'))
    const used = new Set<() => void>()
    const tryAcquire = () => {
      const release = () => void used.delete(release)
      used.add(release)
      return release
    }
    one.connection.slots = { ...unlimited, tryAcquire }
    await order()
    const { db } = testApp.app
    const read: typeof db = Object.assign(db.bind(undefined) as typeof db, db)
    const losing: typeof db = Object.assign(read, {
      async begin<T>(...args: Parameters<typeof db.begin<T>>): Promise<T> {
        await db.begin(...args)
        throw new Error('The answer to the commit was lost.')
      },
    })
    await expect(networkOrders({ ...testApp.app, db: losing }).claim(10)).rejects.toThrow('was lost')
    expect(used.size).toBe(0)
    // The claim was committed, so the purchase is not sent any more.
    expect(await job().claim(10)).toEqual([])
    expect(used.size).toBe(0)
  })

  it('names what it buys as the provider does', async () => {
    const [vendor] = await open(fakeSeller('vendor', { own_names: false }))
    const service = await findService(testApp.db, 'electricity', 'ikeja_electric_prepaid')
    await begin(testApp.db, (tx) =>
      addOffer(tx, clock.now(), {
        service: service.id,
        product: null,
        connection: 'vendor',
        remote_service: 'ikeja-electric',
        remote_product: 'prepaid',
        price: null,
        commission_percent: '1.5',
        min: null,
        max: null,
      }),
    )
    await order({ remote_service: 'ikeja-electric', remote_product: 'prepaid' })
    await work()
    expect(vendor.vends).toMatchObject([
      {
        service_type: 'ikeja_electric_prepaid',
        country: 'NG',
        currency: 'NGN',
        offer: { remote_service: 'ikeja-electric', remote_product: 'prepaid' },
      },
    ])
  })
})

const PRICE = 10_000_000n

/** Open these connections instead of those before. What is still open from earlier tests waits. */
async function open<Sellers extends FakeSeller[]>(...sellers: Sellers): Promise<Sellers> {
  await postponeVends(testApp.db)
  connections.splice(0, connections.length, ...sellers.map(({ connection }) => connection))
  held_before = await createBuyer(testApp, '').held()
  return sellers
}

const job = () => networkOrders(testApp.app)

async function work(): Promise<void> {
  await job().run(await job().claim(10))
}

async function order(fields: object = {}): Promise<number> {
  const wallet = await findBillWallet(testApp.db, testApp.organization)
  const [created] = await begin(testApp.db, (tx) =>
    createPurchases(tx, clock.now(), [
      {
        organization: testApp.organization,
        account: wallet!.id,
        agent_reference: freshReference(),
        agent_id: null,
        biller: connections[0]!.slug,
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
      },
    ]),
  )
  if (!created?.ok) throw new Error('The purchase was refused.')
  return created.value
}

async function look(id: number) {
  return (await findPurchasesById(testApp.db, [id])).get(id)!
}

async function held(): Promise<bigint> {
  return (await createBuyer(testApp, '').held()) - held_before
}

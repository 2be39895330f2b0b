import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type AcceptanceCheck,
  listAcceptanceChecks,
  nextDueAcceptanceCheck,
} from '../../src/core/collections/acceptance-checks.ts'
import {
  type AcceptanceUrl,
  removeAcceptanceUrl,
  setAcceptanceUrl,
} from '../../src/core/collections/acceptance-urls.ts'
import { findCounterAccounts } from '../../src/core/ledger/transfers.ts'
import { begin } from '../../src/db/client.ts'
import { runAcceptanceChecks } from '../../src/jobs/run-acceptance-checks.ts'
import type { HttpClient } from '../../src/lib/http/outgoing-http.ts'
import { startLoop } from '../../src/lib/loop.ts'
import { placeOrder } from '../core/charges.ts'
import { amount, openShop, type Shop } from '../core/shop.ts'
import { openReceiver, type Receiver } from '../receiver.ts'

let shop: Shop
let receiver: Receiver
let answer: (body: Record<string, unknown>) => string | number

beforeAll(async () => {
  shop = await openShop()
  receiver = await openReceiver(({ body }, response) => {
    const response_text = answer(JSON.parse(body))
    if (typeof response_text === 'number') return response_text
    response.writeHead(200, { 'content-type': 'text/plain' }).end(response_text)
  })
})
beforeEach(async () => {
  // Before the collections, which acceptance checks refer to.
  await shop.db`delete from acceptance_checks`
  await shop.clear()
  receiver.received.length = 0
  answer = ({ remote_transaction_id }) => `ACCEPT ${remote_transaction_id}`
  await setUrl()
})
afterEach(() => begin(shop.db, (tx) => removeAcceptanceUrl(tx, shop.organization)).catch(() => {}))
afterAll(async () => {
  await receiver.close()
  await shop.close()
})

function setUrl(changes: Partial<AcceptanceUrl> = {}): Promise<AcceptanceUrl> {
  const url = `${receiver.url}/hook?skip-cert-verify`
  const input = { organization: shop.organization, url, when_unreachable: 'accept' as const, timeout_s: 60 }
  return begin(shop.db, (tx) => setAcceptanceUrl(tx, shop.now(), { ...input, ...changes }))
}

/** Run the due acceptance checks once. Returns their number. */
async function runDueChecks(outgoing?: Pick<HttpClient, 'post'>): Promise<number> {
  const job = runAcceptanceChecks(shop.testApp.app, outgoing)
  const rows = await job.claim(job.limit)
  await job.run(rows)
  return rows.length
}

async function suspense(): Promise<bigint> {
  const id = (await findCounterAccounts(shop.db, 'suspense', [shop.organization])).get(`${shop.organization}:BXC`)!
  const [row] = await shop.db<{ balance: bigint }[]>`select balance from accounts where id = ${id}`
  return row!.balance
}

const lastCheck = async (): Promise<AcceptanceCheck> =>
  (await listAcceptanceChecks(shop.db, { organization: shop.organization }, 1))[0]!
const receivedEvents = async () => (await shop.events('collection.received')).length

describe('unrequested money of an organization with an acceptance URL', () => {
  it('waits in suspense until it is accepted, and only then reaches the wallet and causes its event', async () => {
    const before = [(await shop.wallet()).balance, await suspense()] as const
    await shop.ingest(shop.paymentReport({ reference: 'rent' }))
    expect(await shop.collections()).toMatchObject([{ status: 'pending', collection_request: null }])
    expect([(await shop.wallet()).balance, await suspense()]).toEqual([before[0], before[1] + amount('1500')])
    expect(await receivedEvents()).toBe(0)

    expect(await runDueChecks()).toBe(1)
    expect(JSON.parse(receiver.received[0]!.body)).toEqual({
      remote_transaction_id: expect.stringMatching(/^R\d+$/),
      phonenumber: '+80000000003',
      reference: 'rent',
      amount: '1500.0000',
      currency_code: 'BXC',
    })
    expect(await shop.collections()).toMatchObject([{ status: 'successful' }])
    expect([(await shop.wallet()).balance, await suspense()]).toEqual([before[0] + amount('1500'), before[1]])
    const [event] = await shop.events('collection.received')
    expect(event!.data).toMatchObject({ status: 'successful', transaction: { type: 'mobile_collection' } })
    expect(await runDueChecks()).toBe(0)
  })

  it('stays in suspense when it is refused, and its collection is failed', async () => {
    answer = () => 'REJECT 17 We do not know this customer.\n'
    const before = [(await shop.wallet()).balance, await suspense()] as const
    await shop.ingest(shop.paymentReport())
    await runDueChecks()
    expect(await shop.collections()).toMatchObject([{ status: 'failed' }])
    expect([(await shop.wallet()).balance, await suspense()]).toEqual([before[0], before[1] + amount('1500')])
    expect(await receivedEvents()).toBe(0)
    expect(await lastCheck()).toMatchObject({ verdict: 'reject', reason: 'We do not know this customer.' })
  })

  it('needs no check when it fulfils a request or answers an order', async () => {
    const request = await shop.createRequest()
    await shop.ingest(shop.paymentReport())
    // The request has ended, but this money answers its order.
    await shop.ingest(shop.paymentReport({ order_reference: await placeOrder(shop, request.id) }))
    expect((await shop.collections()).map(({ status }) => status)).toEqual(['successful', 'successful'])
    expect(await runDueChecks()).toBe(0)
  })

  it('is checked again until the organization answers', async () => {
    const answers: (string | number)[] = [500, 'maybe', 'accept 1']
    answer = () => answers.shift()!
    await shop.ingest(shop.paymentReport())
    await runDueChecks()
    expect(await lastCheck()).toMatchObject({ verdict: null, last_error: 'The answer had the status 500.' })
    expect(await runDueChecks()).toBe(0)
    shop.testApp.clock.advance(1)
    await runDueChecks()
    expect(await lastCheck()).toMatchObject({
      verdict: null,
      last_error: 'The answer is neither ACCEPT nor REJECT: "maybe"',
    })
    shop.testApp.clock.advance(2)
    await runDueChecks()
    expect(await lastCheck()).toMatchObject({ verdict: 'accept', unreachable: false, attempts: 3 })
    expect(await shop.collections()).toMatchObject([{ status: 'successful' }])
  })

  it.each([
    ['accept', 'successful'],
    ['reject', 'failed'],
  ] as const)('gets the default verdict without an answer in time: %s', async (when_unreachable, status) => {
    await setUrl({ when_unreachable, timeout_s: 4 })
    answer = () => 503
    await shop.ingest(shop.paymentReport())
    for (const wait_s of [0, 1, 2]) {
      shop.testApp.clock.advance(wait_s)
      expect(await runDueChecks()).toBe(1)
    }
    expect(await lastCheck()).toMatchObject({ verdict: when_unreachable, unreachable: true, attempts: 3 })
    expect(await shop.collections()).toMatchObject([{ status }])
  })

  it('is not checked again after a time-out', async () => {
    await setUrl({ when_unreachable: 'reject' })
    await shop.ingest(shop.paymentReport())
    const timeouts_ms: (number | undefined)[] = []
    const NO_ANSWER = { status: null, remote_address: null, headers: null, body: null, duration_ms: 1 }
    await runDueChecks({
      async post(...[, , , , timeout_ms]) {
        timeouts_ms.push(timeout_ms)
        return { ...NO_ANSWER, failure: 'timeout' as const }
      },
    })
    expect(timeouts_ms).toEqual([60_000])
    expect(await lastCheck()).toMatchObject({ verdict: 'reject', last_error: 'No answer (timeout).' })
  })

  it('is not checked at a private address in live mode', async () => {
    await setUrl({ timeout_s: 1 })
    await shop.ingest(shop.paymentReport())
    const { app } = shop.testApp
    const job = runAcceptanceChecks({ ...app, config: { ...app.config, MODE: 'live' } })
    await job.run(await job.claim(1))
    expect(receiver.received).toEqual([])
    expect(await lastCheck()).toMatchObject({ unreachable: true, last_error: 'No answer (private address).' })
  })

  it('is accepted after the acceptance URL was removed', async () => {
    await shop.ingest(shop.paymentReport())
    await begin(shop.db, (tx) => removeAcceptanceUrl(tx, shop.organization))
    await runDueChecks()
    expect(await shop.collections()).toMatchObject([{ status: 'successful' }])
    expect(receiver.received).toEqual([])
  })

  it('leaves suspense when the network reverses it, refused or not answered yet', async () => {
    answer = () => 'REJECT 1 no'
    const before = [(await shop.wallet()).balance, await suspense()]
    const [refused, pending] = [shop.paymentReport(), shop.paymentReport()]
    await shop.ingest(refused)
    await runDueChecks()
    await shop.ingest({ ...refused, status: 'reversed' })
    await shop.ingest(pending)
    await shop.ingest({ ...pending, status: 'reversed' })
    await runDueChecks()
    expect((await shop.collections()).map(({ status }) => status)).toEqual(['reversed', 'reversed'])
    expect([(await shop.wallet()).balance, await suspense()]).toEqual(before)
  })

  it('is credited without the part that the network took back before it was accepted', async () => {
    const before = [(await shop.wallet()).balance, await suspense()] as const
    const report = shop.paymentReport()
    await shop.ingest(report)
    await shop.ingest({ ...report, reversals: [{ remote_id: 'V1', amount: amount('300') }] })
    expect(await suspense()).toBe(before[1] + amount('1200'))
    await runDueChecks()
    expect([(await shop.wallet()).balance, await suspense()]).toEqual([before[0] + amount('1200'), before[1]])
    const [event] = await shop.events('collection.received')
    expect(event!.data).toMatchObject({ amount: '1500.0000', transaction: { amount: '1200.0000' } })
  })

  it('is asked about with one client, which is closed with the job', async () => {
    let closed = 0
    const NO_ANSWER = { status: null, remote_address: null, headers: null, body: null, duration_ms: 1 }
    const job = runAcceptanceChecks(shop.testApp.app, {
      post: async () => ({ ...NO_ANSWER, failure: 'refused' as const }),
      close: () => {
        closed += 1
      },
    })
    const loop = startLoop(job, { now: shop.now, onError: () => {} })
    await loop.stop()
    expect(closed).toBe(1)
  })

  it('is asked about over one connection, however many different time limits there are', async () => {
    answer = () => 503
    await setUrl({ timeout_s: 30 })
    const before = receiver.connections
    const job = runAcceptanceChecks(shop.testApp.app)
    await shop.ingest(shop.paymentReport())
    for (const wait_s of [0, 1, 2, 5]) {
      shop.testApp.clock.advance(wait_s)
      await job.run(await job.claim(1))
    }
    expect(receiver.received).toHaveLength(4)
    expect(receiver.connections - before).toBe(1)
    job.close!()
  })

  it('is checked once, however often it is reported', async () => {
    const report = shop.paymentReport()
    await Promise.allSettled([shop.ingest(report), shop.ingest(report), shop.ingest(report)])
    await Promise.all([runDueChecks(), runDueChecks(), runDueChecks()])
    expect(receiver.received).toHaveLength(1)
    expect(await shop.collections()).toMatchObject([{ status: 'successful' }])
    expect(await receivedEvents()).toBe(1)
  })

  it('has at most 20 open checks for each organization', async () => {
    await shop.ingest(...Array.from({ length: 45 }, () => shop.paymentReport()))
    const job = runAcceptanceChecks(shop.testApp.app)
    const [first, second] = [await job.claim(100), await job.claim(100)]
    expect([first.length, second.length]).toEqual([20, 0])
    expect(await nextDueAcceptanceCheck(shop.db, shop.testApp.clock.real())).toBe(null)
    await job.run(first)
    expect(await job.claim(100)).toHaveLength(20)
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { storeCallbacks } from '../../src/core/connections/callbacks.ts'
import type { LearntOrder } from '../../src/core/connections/network-orders.ts'
import { cancelPayment } from '../../src/core/payments/approvals.ts'
import { createPayments } from '../../src/core/payments/create.ts'
import { findPaymentsById, type Payment } from '../../src/core/payments/payments.ts'
import { begin } from '../../src/db/client.ts'
import { rows } from '../../src/db/rows.ts'
import { networkOrders } from '../../src/jobs/orders/network-orders.ts'
import { processCallbacks } from '../../src/jobs/process-callbacks.ts'
import { sendPayments } from '../../src/jobs/send-payments.ts'
import type { Payout, PayoutCheck } from '../../src/networks/contract.ts'
import { connectionsOf, type FakeNetwork, fakeConnection } from '../connections/fake-connection.ts'
import { answerTo, applyEach, startPayoutsOf } from '../core/payouts.ts'
import { amount, openShop, type Shop } from '../core/shop.ts'

/** The answers of the fake network, and the calls that it got. */
const fake = {
  calls: [] as { verb: 'send' | 'check'; reference: string }[],
  send: (_: Payout): PayoutCheck => ({ outcome: 'accepted', remote_id: 'R1' }),
  check: (_: Payout): PayoutCheck => ({ outcome: 'unknown', message: 'Busy' }),
}
const network: FakeNetwork = {
  code: 'sandbox',
  name: 'Sandbox Network',
  limits: { decimals: 4, min: 1n, max: 10n ** 15n },
  async payout(payout) {
    fake.calls.push({ verb: 'send', reference: payout.reference })
    const answer = fake.send(payout)
    return answer.outcome === 'not_found' ? { outcome: 'unknown', message: '' } : answer
  },
  async payoutStatus(payout) {
    fake.calls.push({ verb: 'check', reference: payout.reference })
    return fake.check(payout)
  },
  readCallback: ({ body }) => ({
    subject: 'order',
    order: { reference: body },
    verified: false,
    answer: { outcome: 'unknown', message: 'Not signed.' },
  }),
}

let shop: Shop
let job: ReturnType<typeof sendPayments>
let orders: ReturnType<typeof networkOrders>
let owner: number
let account: number
beforeAll(async () => {
  shop = await openShop({ overrides: { connections: [fakeConnection(network)] } })
  job = sendPayments(shop.testApp.app)
  orders = networkOrders(shop.testApp.app)
  ;({ id: account, author: owner } = await shop.wallet())
})
afterAll(() => shop.close())
beforeEach(async () => {
  // Stop the open recipients of earlier tests.
  await shop.db`update payment_recipients set due_at = null`
  await shop.db`update network_orders set due_at = null`
  fake.calls = []
  fake.send = () => ({ outcome: 'accepted', remote_id: 'R1' })
  fake.check = () => ({ outcome: 'unknown', message: 'Busy' })
})

async function pay(...values: string[]): Promise<Payment> {
  const recipients = values.map((value, index) => ({
    phonenumber: `+8000000000${index + 2}`,
    amount: amount(value),
    network: { slug: 'sandbox', code: 'sandbox', name: 'Sandbox Network' },
    description: 'Wages',
    metadata: {},
    national_id: null,
    national_id_type: null,
  }))
  const total = recipients.reduce((sum, recipient) => sum + recipient.amount, 0n)
  const [created] = await begin(shop.db, (tx) =>
    createPayments(tx, shop.now(), [
      {
        organization: shop.organization,
        author: owner,
        purpose: 'payment',
        collection: null,
        payment_type: 'money',
        amount: total,
        currency: 'BXC',
        account,
        source: account,
        description: 'Wages',
        metadata: {},
        send_sms_message: false,
        start_date: null,
        recipients,
      },
    ]),
  )
  if (!created!.ok) throw created!.error
  return created!.value
}

/** Start the payouts that are due, and make the calls that are due for their orders. Returns how many. */
async function runJob(): Promise<number> {
  await job.run(await job.claim(100))
  const claimed = await orders.claim(100)
  await orders.run(claimed)
  return claimed.length
}
const read = async ({ id }: Payment) => (await findPaymentsById(shop.db, [id])).get(id)!
const stateOf = async (payment: Payment) => (await read(payment)).phone_nos.map(({ state }) => state).join()
const wait = (seconds: number) => shop.testApp.clock.advance(seconds)
const paid = (value: string) => (): PayoutCheck => ({ outcome: 'successful', remote_id: 'TX1', amount: amount(value) })

/** A process claims and records its payouts, and dies before it sends them. */
async function dieBeforeSending(): Promise<void> {
  await job.run(await job.claim(100))
  for (const { release } of await orders.claim(100)) release()
  await shop.db`update network_orders set leased_until = null`
}

/** The waits between the questions about an open payout, until they come each hour. */
const WAITS_S = [5, 15, ...new Array<number>(8).fill(60), 300, 900, 3_600]

describe('sending payments', () => {
  it('records, sends, and checks after 5 and 15 seconds, each minute for eight minutes, after 5 and 15 minutes, then hourly', async () => {
    const payment = await pay('100')
    fake.check = () => ({ outcome: 'accepted', remote_id: 'R1' })
    await runJob()
    expect(await stateOf(payment)).toBe('pending_confirmation')
    for (const wait_s of [...WAITS_S, 3_600]) {
      wait(wait_s - 1)
      expect(await runJob()).toBe(0)
      wait(1)
      expect(await runJob()).toBe(1)
    }
    expect(fake.calls.map(({ verb }) => verb)).toEqual(['send', ...new Array<string>(WAITS_S.length + 1).fill('check')])
    expect(new Set(fake.calls.map(({ reference }) => reference)).size).toBe(1)
  })

  it('only checks a payout that a dead process may have sent', async () => {
    const payment = await pay('100')
    await dieBeforeSending()
    fake.check = paid('100')
    await runJob()
    expect(fake.calls.map(({ verb }) => verb)).toEqual(['check'])
    expect(await stateOf(payment)).toBe('complete')
  })

  it('sends the same reference again when the network certainly does not know it', async () => {
    const payment = await pay('100')
    await dieBeforeSending()
    wait(20)
    fake.check = () => ({ outcome: 'not_found' })
    await runJob()
    await runJob()
    expect(fake.calls.map(({ verb }) => verb)).toEqual(['check', 'send'])
    expect(new Set(fake.calls.map(({ reference }) => reference)).size).toBe(1)
    expect(await stateOf(payment)).toBe('pending_confirmation')
  })

  it('sends nothing again while a payout may be on its way, although the network does not know it', async () => {
    const payment = await pay('100')
    fake.send = () => ({ outcome: 'unknown', message: 'No answer' })
    fake.check = () => ({ outcome: 'not_found' })
    await runJob()
    wait(19)
    await runJob()
    await runJob()
    expect(fake.calls.map(({ verb }) => verb)).toEqual(['send', 'check'])
    expect((await read(payment)).phone_nos[0]).toMatchObject({
      state: 'processing',
      last_error: 'The network does not know this order yet.',
    })
    wait(15)
    await runJob()
    fake.send = () => ({ outcome: 'accepted', remote_id: 'R1' })
    await runJob()
    expect(fake.calls.map(({ verb }) => verb)).toEqual(['send', 'check', 'check', 'send'])
    // The second one is on its way as well.
    wait(5)
    await runJob()
    expect(fake.calls.map(({ verb }) => verb)).toEqual(['send', 'check', 'check', 'send', 'check'])
  })

  it('sends nothing again to a network that is never certain', async () => {
    const uncertain = fakeConnection({ ...network, traits: { unseen: 'never-certain' } })
    const other = networkOrders({ ...shop.testApp.app, ...connectionsOf([uncertain]) })
    const payment = await pay('100')
    fake.send = () => ({ outcome: 'unknown', message: 'No answer' })
    fake.check = () => ({ outcome: 'not_found' })
    await job.run(await job.claim(100))
    for (const wait_s of [0, ...WAITS_S]) {
      wait(wait_s)
      await other.run(await other.claim(100))
    }
    expect(fake.calls.map(({ verb }) => verb)).toEqual(['send', ...new Array<string>(WAITS_S.length).fill('check')])
    expect(await stateOf(payment)).toBe('parked')
  })

  it('ignores that a payout is not known when it was sent again since the check began', async () => {
    const payment = await pay('100')
    fake.send = () => ({ outcome: 'unknown', message: 'No answer' })
    await runJob()
    wait(20)
    const [call] = await orders.claim(1)
    const asked_at = shop.now()
    call!.release()
    const not_found = { ...answerTo(call!.order, { outcome: 'not_found' }, 'status'), asked_at }
    await applyEach(shop, [not_found])
    // Another process sends it again, and then the first one applies its old answer.
    await runJob()
    await applyEach(shop, [not_found])
    wait(5)
    await runJob()
    expect(fake.calls.map(({ verb }) => verb)).toEqual(['send', 'send', 'check'])
    expect(await stateOf(payment)).toBe('processing')
  })

  it('holds the money while the result is unknown, and parks the recipient after a while', async () => {
    const { balance } = await shop.wallet()
    const payment = await pay('100')
    fake.send = () => ({ outcome: 'unknown', message: 'No answer' })
    await runJob()
    expect(await stateOf(payment)).toBe('processing')
    for (const wait_s of WAITS_S) {
      wait(wait_s)
      await runJob()
    }
    expect(await stateOf(payment)).toBe('parked')
    expect((await read(payment)).phone_nos[0]).toMatchObject({ last_error: 'Busy' })
    expect((await shop.wallet()).balance).toBe(balance - amount('100'))
    wait(3_600)
    fake.check = () => ({ outcome: 'failed', reason: 'rejected', message: 'Never sent' })
    await runJob()
    expect(await stateOf(payment)).toBe('error')
    expect((await shop.wallet()).balance).toBe(balance)
  })

  it('does not accept another amount than the ordered one', async () => {
    const payment = await pay('100')
    fake.send = paid('99')
    await runJob()
    expect(await read(payment)).toMatchObject({ state: 'validated' })
    expect((await read(payment)).phone_nos[0]).toMatchObject({
      state: 'processing',
      last_error: 'The network reports a different amount.',
    })
  })

  it('settles recipients one by one, and ends the payment with the last', async () => {
    const payment = await pay('10', '20', '30')
    fake.send = ({ amount: ordered }) =>
      ordered === amount('20')
        ? { outcome: 'failed', reason: 'payee_not_found', message: 'Not registered' }
        : ordered === amount('30')
          ? { outcome: 'accepted', remote_id: 'R3' }
          : { outcome: 'successful', remote_id: 'TX10', amount: ordered }
    await runJob()
    expect(await stateOf(payment)).toBe('complete,error,pending_confirmation')
    expect(await read(payment)).toMatchObject({ state: 'validated', last_error: null })
    wait(5)
    fake.check = paid('30')
    await runJob()
    expect(await read(payment)).toMatchObject({ state: 'processed_with_errors', last_error: 'Not registered' })
  })

  it('pauses a recipient that it cannot send to, and sends later when it can', async () => {
    const payment = await pay('100')
    const receivers = await shop.db<
      { connection: string; number: string; account: number; currency: string }[]
    >`delete from connection_places returning *`
    await runJob()
    expect(await stateOf(payment)).toBe('paused')
    const r = rows(receivers, { connection: 'text', number: 'text', account: 'bigint', currency: 'text' })
    await shop.db`insert into connection_places (${r.columns}) select ${r.columns} from ${r.as('r')}`
    wait(3_600)
    fake.send = paid('100')
    await runJob()
    expect(await stateOf(payment)).toBe('complete')
    expect(fake.calls.map(({ verb }) => verb)).toEqual(['send'])
  })

  it('starts all others when one of them cannot be started', async () => {
    await shop.db`alter table network_orders add constraint refused check (amount <> 77)`
    await pay('77')
    const other = await pay('5')
    await expect(runJob()).rejects.toThrow('1 of 2 answers could not be applied.')
    await shop.db`alter table network_orders drop constraint refused`
    fake.send = paid('5')
    await orders.run(await orders.claim(100))
    expect(fake.calls).toHaveLength(1)
    expect(await stateOf(other)).toBe('complete')
  })

  it('applies the same answer once, from several processes', async () => {
    const payment = await pay('100')
    const { balance } = await shop.wallet()
    const [order] = await startPayoutsOf(shop, await job.claim(1))
    const answer = answerTo(order!, { outcome: 'successful', remote_id: 'TX2', amount: amount('100') })
    const failed = answerTo(order!, { outcome: 'failed', reason: 'rejected', message: 'No' })
    await Promise.all([[answer, failed], [answer], [answer, answer]].map((batch) => applyEach(shop, batch)))
    await applyEach(shop, [failed])
    expect(await stateOf(payment)).toBe('complete')
    expect((await shop.wallet()).balance).toBe(balance)
  })

  it('returns reversed money once, also if the report is early, repeated, or about several recipients', async () => {
    const before = (await shop.wallet()).balance
    const payment = await pay('100', '50', '20')
    const started = await startPayoutsOf(shop, await job.claim(3))
    const apply = (...answers: LearntOrder[]) => applyEach(shop, answers)
    const arrived = (index: number) => {
      const order = started[index]!
      return answerTo(order, { outcome: 'successful', remote_id: `TX1${index}`, amount: order.amount })
    }
    const reversed = (index: number) => answerTo(started[index]!, { outcome: 'reversed', message: 'Taken back' })
    // For one recipient the reversal is reported first.
    await apply(arrived(0), reversed(1), arrived(1))
    expect(await read(payment)).toMatchObject({ state: 'validated' })
    expect(await stateOf(payment)).toBe('complete,error,processing')
    await apply(arrived(2))
    expect(await read(payment)).toMatchObject({ state: 'processed_with_errors', last_error: 'Taken back' })
    expect((await shop.wallet()).balance).toBe(before - amount('120'))
    await Promise.all([apply(reversed(0)), apply(reversed(0), arrived(0)), apply(reversed(1))])
    await apply(arrived(0))
    expect(await stateOf(payment)).toBe('error,error,complete')
    expect((await shop.wallet()).balance).toBe(before - amount('20'))
  })

  it('does not send a payout after its lease, because another process may have claimed it', async () => {
    await pay('100')
    await job.run(await job.claim(100))
    const claimed = await orders.claim(100)
    await orders.run(claimed.map((call) => ({ ...call, order: { ...call.order, leased_until: new Date(0) } })))
    expect(fake.calls).toEqual([])
  })

  it('does not send a payment that was cancelled after the claim', async () => {
    const payment = await pay('100')
    const claimed = await job.claim(100)
    const decision = { organization: shop.organization, payment: payment.id, user: owner, reason: '' }
    await begin(shop.db, (tx) => cancelPayment(tx, shop.now(), decision))
    await job.run(claimed)
    expect(fake.calls).toEqual([])
    expect(await stateOf(payment)).toBe('aborted')
  })

  it('cannot be cancelled once it is recorded for sending', async () => {
    const payment = await pay('100')
    await runJob()
    const decision = { organization: shop.organization, payment: payment.id, user: owner, reason: '' }
    await expect(begin(shop.db, (tx) => cancelPayment(tx, shop.now(), decision))).rejects.toThrow(
      'no longer be cancelled',
    )
  })

  it('checks the payout of an unsigned callback before it applies the result', async () => {
    const payment = await pay('100')
    await runJob()
    const reference = fake.calls[0]!.reference
    const callback = {
      network: 'sandbox',
      connection: 'sandbox',
      headers: {},
      verified: false,
      state: 'waiting' as const,
      note: null,
    }
    await begin(shop.db, (tx) =>
      storeCallbacks(tx, shop.now(), [
        { ...callback, body: reference },
        { ...callback, body: 'KP999999' },
      ]),
    )
    fake.check = paid('100')
    const callbacks = processCallbacks(shop.testApp.app)
    await callbacks.run(await callbacks.claim(10))
    expect(await stateOf(payment)).toBe('complete')
    const rows = await shop.db`select state, note from callbacks order by id`
    expect(rows).toEqual([
      { state: 'settled', note: null },
      { state: 'ignored', note: 'No order of ours has this reference.' },
    ])
  })
})

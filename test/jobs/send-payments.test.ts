import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { storeCallbacks } from '../../src/core/connections/callbacks.ts'
import { cancelPayment } from '../../src/core/payments/approvals.ts'
import { createPayments } from '../../src/core/payments/create.ts'
import { findPaymentsById, type Payment } from '../../src/core/payments/payments.ts'
import { applyPayoutAnswers, dispatchPayouts, type PayoutAnswer } from '../../src/core/payments/payouts.ts'
import { begin } from '../../src/db/client.ts'
import { rows } from '../../src/db/rows.ts'
import { processCallbacks } from '../../src/jobs/process-callbacks.ts'
import { sendPayments } from '../../src/jobs/send-payments.ts'
import type { Network, OrderCheck, Payout } from '../../src/networks/network.ts'
import { amount, openShop, type Shop } from '../core/shop.ts'

/** A network that says what the test wants, and remembers what it was asked. */
const far = {
  asked: [] as { verb: 'send' | 'check'; reference: string }[],
  send: (_: Payout): OrderCheck => ({ outcome: 'accepted', remote_id: 'R1' }),
  check: (_: Payout): OrderCheck => ({ outcome: 'unknown', message: 'Busy' }),
}
const network: Network = {
  code: 'sandbox',
  name: 'Sandbox Network',
  limits: { decimals: 4, min: 1n, max: 10n ** 15n },
  serves: () => true,
  callbackReply: { content_type: 'text/plain', body: '' },
  async sendMoney(payout) {
    far.asked.push({ verb: 'send', reference: payout.reference })
    const answer = far.send(payout)
    return answer.outcome === 'not_found' ? { outcome: 'unknown', message: '' } : answer
  },
  async checkPayout(payout) {
    far.asked.push({ verb: 'check', reference: payout.reference })
    return far.check(payout)
  },
  readCallback: ({ body }) => ({
    subject: 'order',
    order_reference: body,
    verified: false,
    answer: { outcome: 'unknown', message: 'Not signed.' },
  }),
}

let shop: Shop
let job: ReturnType<typeof sendPayments>
let owner: number
let account: number
beforeAll(async () => {
  shop = await openShop({ overrides: { networks: [network] } })
  job = sendPayments(shop.testApp.app)
  ;({ id: account, author: owner } = await shop.wallet())
})
afterAll(() => shop.close())
beforeEach(async () => {
  // What an earlier test left open goes on elsewhere.
  await shop.db`update payment_recipients set due_at = null`
  far.asked = []
  far.send = () => ({ outcome: 'accepted', remote_id: 'R1' })
  far.check = () => ({ outcome: 'unknown', message: 'Busy' })
})

async function pay(...sums: string[]): Promise<Payment> {
  const recipients = sums.map((sum, index) => ({
    phonenumber: `+8000000000${index + 2}`,
    amount: amount(sum),
    network: { code: 'sandbox', name: 'Sandbox Network' },
    ...{ description: 'Wages', metadata: {}, national_id: null, national_id_type: null },
  }))
  const whole = recipients.reduce((sum, one) => sum + one.amount, 0n)
  const [made] = await begin(shop.db, (tx) =>
    createPayments(tx, shop.now(), [
      {
        ...{ organization: shop.organization, author: owner, purpose: 'payment', collection: null },
        ...{ payment_type: 'money', amount: whole, currency: 'BXC', account, source: account },
        ...{ description: 'Wages', metadata: {}, send_sms_message: false, start_date: null, recipients },
      },
    ]),
  )
  if (!made!.ok) throw made!.error
  return made!.value
}

async function round(): Promise<number> {
  const claimed = await job.claim(100)
  await job.run(claimed)
  return claimed.length
}
const read = async ({ id }: Payment) => (await findPaymentsById(shop.db, [id])).get(id)!
const stateOf = async (payment: Payment) => (await read(payment)).phone_nos.map((one) => one.state).join()
const wait = (seconds: number) => shop.testApp.clock.advance(seconds)
const paid = (sum: string) => (): OrderCheck => ({ outcome: 'successful', remote_id: 'TX1', amount: amount(sum) })

/** A process claims and writes down what it will send, and is never heard of again. */
async function dieBeforeSending(): Promise<void> {
  const ids = (await job.claim(100)).map(({ id }) => id)
  await begin(shop.db, (tx) => dispatchPayouts(tx, shop.now(), ids, new Set(['sandbox'])))
  await shop.db`update payment_recipients set leased_until = null`
}

describe('sending payments', () => {
  it('writes down, sends, and asks after 5 and 15 seconds, 1, 5 and 15 minutes, then hourly', async () => {
    const payment = await pay('100')
    far.check = () => ({ outcome: 'accepted', remote_id: 'R1' })
    await round()
    expect(await stateOf(payment)).toBe('pending_confirmation')
    for (const wait_s of [5, 15, 60, 300, 900, 3_600, 3_600]) {
      wait(wait_s - 1)
      expect(await round()).toBe(0)
      wait(1)
      expect(await round()).toBe(1)
    }
    expect(far.asked.map(({ verb }) => verb)).toEqual(['send', ...new Array<string>(7).fill('check')])
    expect(new Set(far.asked.map(({ reference }) => reference)).size).toBe(1)
  })

  it('only asks about what a process that died may have sent', async () => {
    const payment = await pay('100')
    await dieBeforeSending()
    far.check = paid('100')
    await round()
    expect(far.asked.map(({ verb }) => verb)).toEqual(['check'])
    expect(await stateOf(payment)).toBe('complete')
  })

  it('sends the same reference again when the network has never heard of it', async () => {
    const payment = await pay('100')
    await dieBeforeSending()
    far.check = () => ({ outcome: 'not_found' })
    await round()
    expect(far.asked.map(({ verb }) => verb)).toEqual(['check', 'send'])
    expect(new Set(far.asked.map(({ reference }) => reference)).size).toBe(1)
    expect(await stateOf(payment)).toBe('pending_confirmation')
  })

  it('holds the money for as long as nobody knows, and parks what is not known for long', async () => {
    const { balance } = await shop.wallet()
    const payment = await pay('100')
    far.send = () => ({ outcome: 'unknown', message: 'No answer' })
    await round()
    expect(await stateOf(payment)).toBe('processing')
    for (const wait_s of [5, 15, 60, 300, 900]) {
      wait(wait_s)
      await round()
    }
    expect(await stateOf(payment)).toBe('parked')
    expect((await read(payment)).phone_nos[0]).toMatchObject({ last_error: 'Busy' })
    expect((await shop.wallet()).balance).toBe(balance - amount('100'))
    wait(3_600)
    far.check = () => ({ outcome: 'failed', reason: 'rejected', message: 'Never sent' })
    await round()
    expect(await stateOf(payment)).toBe('error')
    expect((await shop.wallet()).balance).toBe(balance)
  })

  it('believes no other amount than the one it ordered', async () => {
    const payment = await pay('100')
    far.send = paid('99')
    await round()
    expect(await read(payment)).toMatchObject({ state: 'validated' })
    expect((await read(payment)).phone_nos[0]).toMatchObject({
      state: 'processing',
      last_error: 'The network reports a different amount.',
    })
  })

  it('settles recipients one by one, and ends the payment with the last', async () => {
    const payment = await pay('10', '20', '30')
    far.send = ({ amount: sum }) =>
      sum === amount('20')
        ? { outcome: 'failed', reason: 'payee_not_found', message: 'Nobody there' }
        : sum === amount('30')
          ? { outcome: 'accepted', remote_id: 'R3' }
          : { outcome: 'successful', remote_id: 'TX10', amount: sum }
    await round()
    expect(await stateOf(payment)).toBe('complete,error,pending_confirmation')
    expect(await read(payment)).toMatchObject({ state: 'validated', last_error: null })
    wait(5)
    far.check = paid('30')
    await round()
    expect(await read(payment)).toMatchObject({ state: 'processed_with_errors', last_error: 'Nobody there' })
  })

  it('pauses what it cannot send, and sends it once it can', async () => {
    const payment = await pay('100')
    const receivers = await shop.db<
      { network: string; number: string; account: number }[]
    >`delete from receivers returning *`
    await round()
    expect(await stateOf(payment)).toBe('paused')
    const r = rows(receivers, { network: 'text', number: 'text', account: 'bigint' })
    await shop.db`insert into receivers (${r.columns}) select ${r.columns} from ${r.as('r')}`
    wait(3_600)
    far.send = paid('100')
    await round()
    expect(await stateOf(payment)).toBe('complete')
    expect(far.asked.map(({ verb }) => verb)).toEqual(['send'])
  })

  it('takes the same answer once, from however many processes', async () => {
    const payment = await pay('100')
    const { balance } = await shop.wallet()
    const ids = (await job.claim(1)).map(({ id }) => id)
    const [step] = await begin(shop.db, (tx) => dispatchPayouts(tx, shop.now(), ids, new Set(['sandbox'])))
    const answer: PayoutAnswer = {
      action: step!,
      answer: { outcome: 'successful', remote_id: 'TX2', amount: amount('100') },
    }
    const failed: PayoutAnswer = { action: step!, answer: { outcome: 'failed', message: 'No' } }
    await Promise.all(
      [[answer, failed], [answer], [answer, answer]].map((some) =>
        begin(shop.db, (tx) => applyPayoutAnswers(tx, shop.now(), some)),
      ),
    )
    await begin(shop.db, (tx) => applyPayoutAnswers(tx, shop.now(), [failed]))
    expect(await stateOf(payment)).toBe('complete')
    expect((await shop.wallet()).balance).toBe(balance)
  })

  it('gives back once what the network has taken back, told early, twice, or of two recipients after each other', async () => {
    const before = (await shop.wallet()).balance
    const payment = await pay('100', '50', '20')
    const ids = (await job.claim(3)).map(({ id }) => id)
    const steps = await begin(shop.db, (tx) => dispatchPayouts(tx, shop.now(), ids, new Set(['sandbox'])))
    const settle = (...answers: PayoutAnswer[]) => begin(shop.db, (tx) => applyPayoutAnswers(tx, shop.now(), answers))
    const arrived = (index: number): PayoutAnswer => {
      const step = steps[index]!
      return { action: step, answer: { outcome: 'successful', remote_id: `TX1${index}`, amount: step.payout.amount } }
    }
    const back = (index: number): PayoutAnswer => ({
      action: steps[index]!,
      answer: { outcome: 'reversed', message: 'Taken back' },
    })
    // Of one recipient the reversal is heard of before anything else.
    await settle(arrived(0), back(1), arrived(1))
    expect(await read(payment)).toMatchObject({ state: 'validated' })
    expect(await stateOf(payment)).toBe('complete,error,processing')
    await settle(arrived(2))
    expect(await read(payment)).toMatchObject({ state: 'processed_with_errors', last_error: 'Taken back' })
    expect((await shop.wallet()).balance).toBe(before - amount('120'))
    await Promise.all([settle(back(0)), settle(back(0), arrived(0)), settle(back(1))])
    await settle(arrived(0))
    expect(await stateOf(payment)).toBe('error,error,complete')
    expect((await shop.wallet()).balance).toBe(before - amount('20'))
  })

  it('leaves a payout alone when it stood still until its lease was over, because another process has it now', async () => {
    await pay('100')
    const claimed = await job.claim(100)
    await job.run(claimed.map((one) => ({ ...one, leased_until: new Date(0) })))
    expect(far.asked).toEqual([])
  })

  it('leaves alone what was cancelled after it was claimed', async () => {
    const payment = await pay('100')
    const claimed = await job.claim(100)
    const decision = { organization: shop.organization, payment: payment.id, user: owner, reason: '' }
    await begin(shop.db, (tx) => cancelPayment(tx, shop.now(), decision))
    await job.run(claimed)
    expect(far.asked).toEqual([])
    expect(await stateOf(payment)).toBe('aborted')
  })

  it('cannot be cancelled once it is written down to be sent', async () => {
    const payment = await pay('100')
    await round()
    const decision = { organization: shop.organization, payment: payment.id, user: owner, reason: '' }
    await expect(begin(shop.db, (tx) => cancelPayment(tx, shop.now(), decision))).rejects.toThrow(
      'no longer be cancelled',
    )
  })

  it('reads an unsigned callback back before it believes it', async () => {
    const payment = await pay('100')
    await round()
    const reference = far.asked[0]!.reference
    const knock = { network: 'sandbox', headers: {}, verified: false, state: 'waiting' as const, note: null }
    await begin(shop.db, (tx) =>
      storeCallbacks(tx, shop.now(), [
        { ...knock, body: reference },
        { ...knock, body: 'KP999999' },
      ]),
    )
    far.check = paid('100')
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

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createUser, setMembership } from '../../../src/core/access/organizations.ts'
import type { OrderAnswer } from '../../../src/core/connections/network-orders.ts'
import { createDuplicateKeyClaim } from '../../../src/core/idempotency.ts'
import { cancelPayment } from '../../../src/core/payments/approvals.ts'
import { createPayments, type NewPayment } from '../../../src/core/payments/create.ts'
import type { Payment } from '../../../src/core/payments/payments.ts'
import { Duplicate, Invalid } from '../../../src/core/refusals.ts'
import { setApprovalRule } from '../../../src/core/spending/approval-rules.ts'
import { listPaymentLimits, openLimitCheck, setPaymentLimits } from '../../../src/core/spending/limits.ts'
import { begin } from '../../../src/db/client.ts'
import { approvePayment, rejectPayment } from '../approvals/decisions.ts'
import { answerTo, applyEach, startPayoutsOf } from '../payouts.ts'
import { amount, openShop, type Shop } from '../shop.ts'
import { openTwoConnections } from '../two-connections.ts'

const DAY_S = 24 * 60 * 60
const OTHER_PHONE = '+80000000005'

let shop: Shop
let owner: number
let account: number
let second: number

beforeAll(async () => {
  shop = await openShop()
  ;({ id: account, author: owner } = await shop.wallet())
  second = await begin(shop.db, async (tx) => {
    const user = await createUser(tx, shop.now(), { name: 'Second', email: 'second@demo.example' })
    const permissions = ['approve_payments', 'initiate_payments'] as const
    await setMembership(tx, shop.now(), { organization: shop.organization, user: user.id, permissions })
    return user.id
  })
})
afterAll(() => shop.close())
// Each test has its own day.
afterEach(async () => {
  shop.testApp.clock.advance(DAY_S)
  await limit({})
  await begin(shop.db, (tx) =>
    setApprovalRule(tx, { organization: shop.organization, currency: 'BXC', threshold: null }),
  )
})

function limit(limits: { per_day?: string; per_recipient?: string; per_user?: string }, currency = 'BXC') {
  const read = (text: string | undefined) => (text === undefined ? null : amount(text))
  const { per_day, per_recipient, per_user } = limits
  const amounts = { per_day: read(per_day), per_recipient: read(per_recipient), per_user: read(per_user) }
  return begin(shop.db, (tx) => setPaymentLimits(tx, { organization: shop.organization, currency, ...amounts }))
}

function newPayment(sum: string, changes: Partial<NewPayment> & { phones?: string[] } = {}): NewPayment {
  const { phones = ['+80000000003'], ...rest } = changes
  const network = { slug: 'sandbox', code: 'sandbox', name: 'Sandbox Network' }
  const details = { description: 'Rent', metadata: {}, national_id: null, national_id_type: null }
  return {
    organization: shop.organization,
    author: owner,
    purpose: 'payment',
    collection: null,
    payment_type: 'money',
    amount: amount(sum) * BigInt(phones.length),
    currency: 'BXC',
    account,
    source: account,
    description: 'Rent',
    metadata: {},
    send_sms_message: false,
    start_date: null,
    recipients: phones.map((phonenumber) => ({ phonenumber, amount: amount(sum), network, ...details })),
    ...rest,
  }
}

const create = (items: NewPayment[]) => begin(shop.db, (tx) => createPayments(tx, shop.now(), items))

async function pay(sum: string, changes: Parameters<typeof newPayment>[1] = {}): Promise<Payment> {
  const [made] = await create([newPayment(sum, changes)])
  if (!made!.ok) throw made!.error
  return made!.value
}

const decide = (
  work: typeof rejectPayment | typeof approvePayment | typeof cancelPayment,
  payment: Payment,
  user: number,
) =>
  begin(shop.db, (tx) =>
    work(tx, shop.now(), { organization: shop.organization, payment: payment.id, user, reason: 'So be it' }),
  )

/** Send a payment, and let the network answer. */
async function settle({ id }: Payment, outcome: 'failed' | 'successful' | 'reversed'): Promise<void> {
  const rows = await shop.db<{ id: number }[]>`select id from payment_recipients where payment = ${id}`
  const ids = rows.map((row) => row.id)
  const orders = await startPayoutsOf(shop, ids)
  const answerOf = (end: typeof outcome): OrderAnswer =>
    end === 'successful'
      ? { outcome: end, amount: orders[0]!.amount, remote_id: `TX${id}` }
      : end === 'failed'
        ? { outcome: end, reason: 'rejected', message: 'No' }
        : { outcome: end, message: 'No' }
  for (const end of outcome === 'reversed' ? (['successful', 'reversed'] as const) : [outcome])
    await applyEach(
      shop,
      orders.map((order) => answerTo(order, answerOf(end))),
    )
}

describe('the limit of a day', () => {
  it('stops the payment that would pass it, and says what is left', async () => {
    await limit({ per_day: '500' })
    for (let count = 0; count < 2; count += 1) await pay('200')
    await expect(pay('100.0001')).rejects.toThrow(
      new Invalid({
        amount: ['The limit for all payments is BXC 500 in 24 hours; BXC 100 are left now.'],
      }),
    )
    expect((await pay('100')).state).toBe('new')
    await expect(pay('0.0001')).rejects.toThrow('BXC 0 are left now')
    expect(await listPaymentLimits(shop.db, shop.organization)).toEqual([
      {
        organization: shop.organization,
        currency: 'BXC',
        per_day: amount('500'),
        per_recipient: null,
        per_user: null,
      },
    ])
  })

  it('gives back what was paid when 24 hours are over, and not before', async () => {
    await limit({ per_day: '500' })
    await pay('500')
    shop.testApp.clock.advance(DAY_S - 60)
    await expect(pay('1')).rejects.toThrow('BXC 0 are left now')
    shop.testApp.clock.advance(61)
    await pay('500')
  })

  it('gives back what was cancelled, rejected, has failed or was reversed', async () => {
    await limit({ per_day: '100' })
    await decide(cancelPayment, await pay('100'), owner)
    await settle(await pay('100'), 'failed')
    await settle(await pay('100'), 'reversed')
    await begin(shop.db, (tx) =>
      setApprovalRule(tx, { organization: shop.organization, currency: 'BXC', threshold: 0n }),
    )
    await decide(rejectPayment, await pay('100'), second)
    await pay('100')
    await expect(pay('1')).rejects.toThrow('BXC 0 are left now')
  })

  it('counts payments of other currencies for themselves', async () => {
    await limit({ per_day: '10' }, 'UGX')
    await pay('5000')
    await limit({}, 'UGX')
  })

  it('is exact for payments at the same time', async () => {
    await limit({ per_day: '500' })
    const tries = await Promise.allSettled(Array.from({ length: 12 }, () => pay('100')))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  })
})

describe('the limits of a phone number and of a user', () => {
  it('sum up what each gets in all payments, also twice in one', async () => {
    await limit({ per_recipient: '300' })
    await expect(pay('200', { phones: [OTHER_PHONE, OTHER_PHONE] })).rejects.toThrow(
      `The limit for payments to ${OTHER_PHONE} is BXC 300 in 24 hours; BXC 300 are left now.`,
    )
    await pay('150', { phones: [OTHER_PHONE, OTHER_PHONE] })
    await pay('300')
    await expect(pay('1', { author: second })).rejects.toThrow('BXC 0 are left now')
  })

  it('sum up what each user initiates', async () => {
    await limit({ per_user: '300', per_day: '500' })
    await pay('300')
    await expect(pay('1')).rejects.toThrow('The limit for one user is BXC 300 in 24 hours; BXC 0 are left now.')
    await expect(pay('300', { author: second })).rejects.toThrow('all payments')
    await pay('200', { author: second })
  })
})

describe('a batch of payments', () => {
  it('accepts what fits in its order, and refuses the rest', async () => {
    await limit({ per_day: '500' })
    const results = await create(['300', '300', '200', '1'].map((sum) => newPayment(sum)))
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true, false])
  })

  it('releases the duplicate key of a refused payment, and keeps that of an accepted one', async () => {
    await limit({ per_day: '500' })
    const claim = (key: string) => createDuplicateKeyClaim(shop.organization, key)
    const [first, refused] = await create([
      newPayment('500', { claim: claim('one') }),
      newPayment('1', { claim: claim('two') }),
    ])
    expect([first!.ok, refused!.ok]).toEqual([true, false])
    const [again, after] = await create([
      newPayment('500', { claim: claim('one') }),
      newPayment('1', { claim: claim('two') }),
    ])
    expect(again).toMatchObject({ ok: false, error: expect.any(Duplicate) })
    expect(after).toMatchObject({ ok: false, error: expect.any(Invalid) })
    await limit({})
    expect((await create([newPayment('1', { claim: claim('two') })]))[0]!.ok).toBe(true)
  })
})

describe('an approval', () => {
  const demand = () =>
    begin(shop.db, (tx) => setApprovalRule(tx, { organization: shop.organization, currency: 'BXC', threshold: 0n }))

  it('does not pass a limit that became lower meanwhile', async () => {
    await limit({ per_day: '500' })
    await demand()
    const payment = await pay('400')
    await limit({ per_day: '300' })
    await expect(decide(approvePayment, payment, second)).rejects.toThrow('BXC 300 are left now')
    await limit({ per_day: '400' })
    await decide(approvePayment, payment, second)
  })

  it('counts on its own day, so that payments of many days are not approved on one', async () => {
    await limit({ per_day: '500' })
    await demand()
    const first = await pay('500')
    shop.testApp.clock.advance(DAY_S)
    const later = await pay('300')
    await expect(decide(approvePayment, first, second)).rejects.toThrow('BXC 200 are left now')
    await decide(cancelPayment, later, owner)
    await decide(approvePayment, first, second)
    await expect(pay('1')).rejects.toThrow('BXC 0 are left now')
  })

  it('is exact for approvals and payments at the same time', async () => {
    await demand()
    const waiting = await Promise.all(['100', '100', '100', '100'].map((sum) => pay(sum)))
    shop.testApp.clock.advance(DAY_S)
    await limit({ per_day: '300' })
    const tries = await Promise.allSettled([
      ...waiting.map((payment) => decide(approvePayment, payment, second)),
      ...['100', '100'].map((sum) => pay(sum)),
    ])
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  })
})

describe('the locks of limits', () => {
  it('are all taken, also while another transaction changes them', async () => {
    const currencies = ['BXC', 'UGX', 'KES', 'NGN']
    for (const currency of currencies) await limit({ per_day: '1' }, currency)
    const connections = await openTwoConnections(shop.testApp.app.config.DATABASE_URL!)
    const payments = currencies.map((currency) => newPayment('2', { currency }))
    const refused = await connections.runWhileHeld(
      (tx) => tx`update payment_limits set per_user = 5`,
      async (tx) => {
        const errorOf = await openLimitCheck(tx, shop.now(), payments)
        return payments.map((payment) => errorOf(payment)?.fields.amount?.length)
      },
    )
    expect(refused).toEqual([1, 1, 1, 1])
    await connections.close()
    for (const currency of currencies) await limit({}, currency)
  })
})

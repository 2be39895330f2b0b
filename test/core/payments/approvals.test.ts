import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Permission } from '../../../src/core/access/api-keys.ts'
import { createUser, setMembership } from '../../../src/core/access/organizations.ts'
import { cancelPayment } from '../../../src/core/payments/approvals.ts'
import { createPayments, type NewPayment } from '../../../src/core/payments/create.ts'
import { findPaymentsById, type Payment } from '../../../src/core/payments/payments.ts'
import { setApprovalRule } from '../../../src/core/spending/approval-rules.ts'
import { begin } from '../../../src/db/client.ts'
import { approvePayment, rejectPayment } from '../approvals/decisions.ts'
import { amount, openShop, type Shop } from '../shop.ts'

let shop: Shop
let owner: number
let account: number
let approver: number
beforeAll(async () => {
  shop = await openShop()
  ;({ id: account, author: owner } = await shop.wallet())
  approver = await hire('approver@demo.example', ['approve_payments', 'initiate_payments'])
})
afterAll(() => shop.close())
beforeEach(() => demand('100'))

function demand(threshold: string | null, currency = 'BXC') {
  const rule = { organization: shop.organization, currency, threshold: threshold === null ? null : amount(threshold) }
  return begin(shop.db, (tx) => setApprovalRule(tx, rule))
}

function hire(email: string, permissions: Permission[]): Promise<number> {
  return begin(shop.db, async (tx) => {
    const user = await createUser(tx, shop.now(), { name: email, email })
    await setMembership(tx, shop.now(), { organization: shop.organization, user: user.id, permissions })
    return user.id
  })
}

async function pay(sum: string, changes: Partial<NewPayment> = {}): Promise<Payment> {
  const recipient = {
    phonenumber: '+80000000003',
    amount: amount(sum),
    network: { slug: 'sandbox', code: 'sandbox', name: 'Sandbox Network' },
    description: 'Rent',
    metadata: {},
    national_id: null,
    national_id_type: null,
  }
  const payment: NewPayment = {
    organization: shop.organization,
    author: owner,
    purpose: 'payment',
    collection: null,
    payment_type: 'money',
    amount: amount(sum),
    currency: 'BXC',
    account,
    source: account,
    description: 'Rent',
    metadata: {},
    send_sms_message: false,
    start_date: null,
    recipients: [recipient],
    ...changes,
  }
  const [made] = await begin(shop.db, (tx) => createPayments(tx, shop.now(), [payment]))
  if (!made!.ok) throw made!.error
  return made!.value
}

const decide = (work: typeof rejectPayment | typeof approvePayment, payment: Payment, user: number) =>
  begin(shop.db, (tx) =>
    work(tx, shop.now(), { organization: shop.organization, payment: payment.id, user, reason: 'So be it' }),
  )
const stateOf = async ({ id }: Payment) => (await findPaymentsById(shop.db, [id])).get(id)!.state

describe('the approval of a second person', () => {
  it('is required above the threshold, and not at the threshold', async () => {
    expect((await pay('100')).state).toBe('new')
    expect((await pay('100.0001')).state).toBe('approval_requested')
    await demand(null)
    expect((await pay('5000')).state).toBe('new')
  })

  it('is marked as needed while no other user may approve', async () => {
    expect((await pay('200', { author: approver })).state).toBe('approval_requested')
    await shop.db`update memberships set permissions = '{view}' where "user" = ${approver}`
    expect((await pay('200')).state).toBe('approval_needed')
    await shop.db`
      update memberships set permissions = '{approve_payments,initiate_payments}' where "user" = ${approver}`
  })

  it('is refused to the author by the database, too', async () => {
    const { id } = await pay('200')
    await expect(shop.db`update payments set approved_by = author where id = ${id}`).rejects.toThrow('check constraint')
  })

  it('does not find the payment of another organization', async () => {
    const payment = await pay('200')
    const decision = { organization: shop.organization + 1, payment: payment.id, user: approver }
    await expect(begin(shop.db, (tx) => approvePayment(tx, shop.now(), decision))).rejects.toThrow()
  })

  it('is decided only once, even with several decisions at the same time', async () => {
    const { balance } = await shop.wallet()
    const payment = await pay('200')
    const tries = await Promise.allSettled([
      decide(approvePayment, payment, approver),
      decide(rejectPayment, payment, approver),
      decide(cancelPayment, payment, approver),
      decide(approvePayment, payment, approver),
    ])
    const done = tries.filter((one) => one.status === 'fulfilled')
    const state = await stateOf(payment)
    // An approved payment can still be cancelled before any part of it is sent.
    expect(done).toHaveLength(state === 'cancelled' && done.length === 2 ? 2 : 1)
    const held = (await shop.wallet()).balance === balance - amount('200')
    expect(held).toBe(state === 'approved')
    const moves = await shop.db`select to_state from payment_transitions where payment = ${payment.id} order by id`
    expect(moves.at(-1)!.to_state).toBe(state)
  })

  it('makes a payment wait for its start date, or sends it at once if that date has passed', async () => {
    const start_date = new Date(shop.now().getTime() + 60_000)
    const early = await pay('200', { start_date })
    const late = await pay('200', { start_date })
    await decide(approvePayment, early, approver)
    expect(await stateOf(early)).toBe('scheduled')
    shop.testApp.clock.advance(120)
    await decide(approvePayment, late, approver)
    expect(await stateOf(late)).toBe('approved')
  })

  it('refuses an invalid rule', async () => {
    await expect(demand('-1')).rejects.toThrow('threshold: It must not be below zero.')
    await expect(demand('1', 'XYZ')).rejects.toThrow('currency: "XYZ" is not a valid choice.')
  })
})

describe('a new approver', () => {
  const DAY_MS = 24 * 3_600_000
  const give = (user: number, permissions: Permission[]) =>
    begin(shop.db, (tx) =>
      setMembership(tx, shop.now(), { organization: shop.organization, user, permissions, approver_wait_ms: DAY_MS }),
    )

  it('waits for a day, and may reject meanwhile', async () => {
    const user = await hire('new@demo.example', ['view'])
    await give(user, ['view', 'approve_payments'])
    const from = new Date(Math.floor(shop.now().getTime() / 1_000) * 1_000 + DAY_MS)
    const payment = await pay('200')
    const text = `A new approver waits: this user may approve payments from ${from.toISOString().slice(0, 19)}Z on.`
    await expect(decide(approvePayment, payment, user)).rejects.toThrow(text)
    await decide(rejectPayment, await pay('200'), user)
    shop.testApp.clock.advance(DAY_MS / 1_000 - 1)
    await expect(decide(approvePayment, payment, user)).rejects.toThrow(text)
    shop.testApp.clock.advance(1)
    await decide(approvePayment, payment, user)
  })

  it('does not wait again for another permission, but does after losing this one', async () => {
    const user = await hire('again@demo.example', ['approve_payments'])
    await give(user, ['view', 'approve_payments'])
    await decide(approvePayment, await pay('200'), user)
    await give(user, ['view'])
    await give(user, ['approve_payments'])
    await expect(decide(approvePayment, await pay('200'), user)).rejects.toThrow('A new approver waits')
  })
})

describe('a second factor that the organization demands', () => {
  it('is needed to decide about payments', async () => {
    const payment = await pay('200')
    await shop.db`update organizations set second_factor_required = true where id = ${shop.organization}`
    await expect(decide(approvePayment, payment, approver)).rejects.toThrow(
      'This organization requires a second factor',
    )
    await expect(decide(cancelPayment, payment, owner)).rejects.toThrow('This organization requires a second factor')
    await shop.db`update users set totp_secret = 'sealed', totp_confirmed = created where id = ${approver}`
    await decide(approvePayment, payment, approver)
    await shop.db`update organizations set second_factor_required = false where id = ${shop.organization}`
  })
})

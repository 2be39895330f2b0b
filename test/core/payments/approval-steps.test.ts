import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Permission } from '../../../src/core/access/api-keys.ts'
import { createUser, setMembership } from '../../../src/core/access/organizations.ts'
import { SANDBOX_PLACE } from '../../../src/core/access/places.ts'
import { queueApprovalMails } from '../../../src/core/payments/approval-mails.ts'
import { countWaitingPayments, listWaitingPayments } from '../../../src/core/payments/approval-queue.ts'
import { cancelPayment } from '../../../src/core/payments/approvals.ts'
import { createPayments } from '../../../src/core/payments/create.ts'
import { readPaymentDetails } from '../../../src/core/payments/payment-details.ts'
import { readPaymentTimeline } from '../../../src/core/payments/payment-timeline.ts'
import { findPaymentsById, type Payment } from '../../../src/core/payments/payments.ts'
import { listPaymentRecipients } from '../../../src/core/payments/recipients.ts'
import { setApprovalRule } from '../../../src/core/spending/approval-rules.ts'
import { setApproverLimits } from '../../../src/core/spending/approver-limits.ts'
import { begin } from '../../../src/db/client.ts'
import { approvePayment, rejectPayment } from '../approvals/decisions.ts'
import { amount, openShop, type Shop } from '../shop.ts'

const CURRENCY = 'BXC'
const DAY_S = 24 * 60 * 60
const MINUTE_S = 60

let shop: Shop
let owner: number
let account: number
let grace: number
let peter: number
beforeAll(async () => {
  shop = await openShop()
  ;({ id: account, author: owner } = await shop.wallet())
  grace = await hire('grace', ['view', 'approve_payments'])
  peter = await hire('peter', ['view', 'approve_payments'])
})
afterAll(() => shop.close())

beforeEach(async () => {
  await shop.db`update payments set state = 'cancelled', cancelled_by = author where state like 'approval_%'`
  await shop.db`delete from approver_limits`
  await shop.db`delete from mails`
  await shop.db`update memberships set approvals_mailed_at = null`
  await demand({ threshold: '100', second_threshold: '1000', third_threshold: '2000' })
})

function demand(amounts: { threshold: string; second_threshold?: string | null; third_threshold?: string | null }) {
  const read = (text: string | null | undefined) => (typeof text === 'string' ? amount(text) : text)
  const { threshold, second_threshold, third_threshold } = amounts
  return begin(shop.db, (tx) =>
    setApprovalRule(tx, {
      organization: shop.organization,
      currency: CURRENCY,
      threshold: amount(threshold),
      second_threshold: read(second_threshold),
      third_threshold: read(third_threshold),
    }),
  )
}

function hire(name: string, permissions: Permission[]): Promise<number> {
  return begin(shop.db, async (tx) => {
    const user = await createUser(tx, shop.now(), { name, email: `${name}@demo.example` })
    await setMembership(tx, shop.now(), { organization: shop.organization, user: user.id, permissions })
    return user.id
  })
}

async function pay(sum: string, author = owner, phonenumber = '+80000000003'): Promise<Payment> {
  const recipient = {
    phonenumber,
    amount: amount(sum),
    description: 'Rent',
    metadata: {},
    network: { slug: 'sandbox', code: 'sandbox', name: 'Sandbox Network' },
    national_id: null,
    national_id_type: null,
    first_name: 'Jane',
    last_name: 'Doe',
  }
  const [made] = await begin(shop.db, (tx) =>
    createPayments(tx, shop.now(), [
      {
        organization: shop.organization,
        author,
        purpose: 'payment',
        collection: null,
        payment_type: 'money',
        amount: amount(sum),
        currency: CURRENCY,
        account,
        source: account,
        description: 'Rent',
        metadata: {},
        send_sms_message: false,
        start_date: null,
        recipients: [recipient],
      },
    ]),
  )
  if (!made!.ok) throw made!.error
  return made!.value
}

const decide = (work: typeof rejectPayment | typeof approvePayment, { id }: Payment, user: number) =>
  begin(shop.db, (tx) =>
    work(tx, shop.now(), { organization: shop.organization, payment: id, user, reason: 'So be it' }),
  )
const read = async ({ id }: Payment) => (await findPaymentsById(shop.db, [id])).get(id)!
const limit = (user: number, limits: { per_payment?: string; per_day?: string }) =>
  begin(shop.db, (tx) =>
    setApproverLimits(tx, {
      organization: shop.organization,
      user,
      currency: CURRENCY,
      per_payment: limits.per_payment === undefined ? null : amount(limits.per_payment),
      per_day: limits.per_day === undefined ? null : amount(limits.per_day),
    }),
  )

describe('a payment above the second amount', () => {
  it('waits until two persons have approved it, each once', async () => {
    const payment = await pay('1000.0001')
    expect(payment).toMatchObject({ state: 'approval_requested', approvals_required: 2, approvals: 0 })
    await decide(approvePayment, payment, grace)
    expect(await read(payment)).toMatchObject({ state: 'approval_requested', approvals: 1, approved_by: null })
    await expect(decide(approvePayment, payment, grace)).rejects.toThrow('You have already approved this payment')
    await decide(approvePayment, payment, peter)
    const approved = await read(payment)
    expect(approved).toMatchObject({ state: 'approved', approvals: 2, approved_by: peter })
    expect(approved.approved_time).not.toBeNull()
  })

  it('is marked as needed while too few other users may approve it', async () => {
    expect((await pay('2001')).state).toBe('approval_needed')
    await limit(peter, { per_payment: '1500' })
    expect((await pay('1600')).state).toBe('approval_needed')
    expect((await pay('1500')).state).toBe('approval_requested')
  })

  it('does not count the approval of a person who has lost the permission', async () => {
    const payment = await pay('1500')
    const gone = await hire('gone', ['view', 'approve_payments'])
    await decide(approvePayment, payment, gone)
    await shop.db`update memberships set permissions = '{view}' where "user" = ${gone}`
    await decide(approvePayment, payment, grace)
    expect(await read(payment)).toMatchObject({ state: 'approval_requested', approvals: 1 })
    await decide(approvePayment, payment, peter)
    expect(await read(payment)).toMatchObject({ state: 'approved', approvals: 2 })
  })

  it('is not sent with one approval: the database refuses it, too', async () => {
    const { id } = await pay('1500')
    const approve = shop.db`update payments set state = 'approved', approved_by = ${grace} where id = ${id}`
    await expect(approve).rejects.toThrow('violates check constraint')
  })

  it('needs what it needed when it was made, and a rejection ends it at once', async () => {
    const payment = await pay('1500')
    await demand({ threshold: '100', second_threshold: null, third_threshold: null })
    await decide(approvePayment, payment, grace)
    expect((await read(payment)).state).toBe('approval_requested')
    await decide(rejectPayment, payment, peter)
    expect(await read(payment)).toMatchObject({ state: 'rejected', rejected_by: peter, approved_by: null })
  })

  it('has amounts that ascend, and a change leaves alone what it does not name', async () => {
    await expect(demand({ threshold: '100', second_threshold: '99' })).rejects.toThrow(
      'second_threshold: It must not be below the amount for one approval less.',
    )
    await expect(demand({ threshold: '100', second_threshold: null, third_threshold: '5' })).rejects.toThrow(
      'third_threshold: Set the amount for one approval less first.',
    )
    await demand({ threshold: '50' })
    expect((await pay('1500')).approvals_required).toBe(2)
  })
})

describe('the limits of an approver', () => {
  it('hold for each payment', async () => {
    await limit(grace, { per_payment: '500' })
    const payment = await pay('501')
    await expect(decide(approvePayment, payment, grace)).rejects.toThrow('You may approve payments of at most BXC 500.')
    await decide(approvePayment, await pay('500'), grace)
    await decide(rejectPayment, payment, grace)
  })

  it('hold for a day, and what was rejected or cancelled afterwards does not count', async () => {
    shop.testApp.clock.advance(DAY_S)
    await limit(grace, { per_day: '700' })
    await decide(approvePayment, await pay('400'), grace)
    const second = await pay('301')
    await expect(decide(approvePayment, second, grace)).rejects.toThrow(
      'You may approve BXC 700 in 24 hours; BXC 300 are left now.',
    )
    const third = await pay('300')
    await decide(approvePayment, third, grace)
    await decide(cancelPayment, third, owner)
    await decide(approvePayment, await pay('300'), grace)
    shop.testApp.clock.advance(DAY_S)
    await decide(approvePayment, second, grace)
  })
})

describe('the queue of a user', () => {
  const queue = (user: number, may_approve = true) => ({
    organization: shop.organization,
    user,
    may_approve,
    time_zone: SANDBOX_PLACE.time_zone,
  })
  const obstacles = async (user: number, may_approve = true) =>
    (await listWaitingPayments(shop.db, shop.now(), queue(user, may_approve), 10)).map(({ id, obstacle }) => [
      id,
      obstacle,
    ])

  it('has first what waits for this user, and says why the others do not', async () => {
    const own = await pay('200', grace)
    const large = await pay('900')
    const half = await pay('1500')
    const mine = await pay('300')
    await decide(approvePayment, half, grace)
    await limit(grace, { per_payment: '800' })
    expect(await obstacles(grace)).toEqual([
      [mine.id, null],
      [own.id, 'author'],
      [large.id, 'amount'],
      [half.id, 'approved'],
    ])
    expect(await countWaitingPayments(shop.db, shop.now(), queue(grace))).toEqual({ mine: 1, others: 3 })
    expect(await countWaitingPayments(shop.db, shop.now(), queue(owner, false))).toEqual({ mine: 0, others: 4 })
    await limit(grace, { per_day: '1' })
    expect(await obstacles(grace)).toContainEqual([mine.id, 'day'])
    const [first] = await listWaitingPayments(shop.db, shop.now(), queue(peter), 1)
    expect(first).toMatchObject({ id: own.id, author_name: 'grace', recipients: 1, phonenumber: '+80000000003' })
  })

  it('and the page of a payment name a recipient whom the network knows by another name', async () => {
    const payment = await pay('250', owner, '+80000000077')
    const check = async () => {
      const { doubtful_recipients } = await readPaymentDetails(shop.db, shop.now(), payment, queue(grace))
      const { rows } = await listPaymentRecipients(shop.db, payment, {}, { limit: 10, offset: 0 })
      return [...rows.map((one) => one.check), doubtful_recipients]
    }
    expect(await check()).toEqual(['not_known', 0])
    await shop.db`
      update contacts set phone_is_mm_registered = 'yes', name_on_network = 'Okello Moses',
        name_matches_network_status = 'checked', name_matches_network_score = 20 where phone_number = '+80000000077'`
    expect(await check()).toEqual(['different', 1])
    const [waiting] = await listWaitingPayments(shop.db, shop.now(), queue(grace), 1)
    expect(waiting).toMatchObject({ id: payment.id, doubtful_recipients: 1, name_on_network: 'Okello Moses' })
  })

  it('is the beginning of a timeline with who asked, who approved and what became of it', async () => {
    const payment = await pay('1500')
    for (const approver of [grace, peter]) {
      shop.testApp.clock.advance(1)
      await decide(approvePayment, payment, approver)
    }
    const entries = await readPaymentTimeline(shop.db, await read(payment))
    const told = entries.map((entry) => {
      if (entry.kind === 'approval') return `approval ${entry.number} of ${entry.required} by ${entry.name}`
      return entry.kind === 'payment_move' ? entry.to_state : entry.kind
    })
    expect(told).toEqual([
      'created',
      'approval_requested',
      'event',
      'approval 1 of 2 by grace',
      'approval 2 of 2 by peter',
      'approved',
      'event',
    ])
  })
})

describe('a mail to an approver', () => {
  const options = () => ({
    now: shop.now(),
    interval_ms: 15 * MINUTE_S * 1_000,
    service_name: 'Kusanya',
    console_url: 'https://pay.example/console',
  })
  const queueMails = () => begin(shop.db, (tx) => queueApprovalMails(tx, options(), 50))
  const mails = async () =>
    (await shop.db<{ recipient: string; subject: string; body: string }[]>`select * from mails order by id`).map(
      ({ recipient, subject, body }) => ({ recipient, subject, body }),
    )

  it('names what waits for this person, once, and the next one comes after some time', async () => {
    await limit(peter, { per_payment: '500' })
    const first = await pay('600')
    expect(await Promise.all([queueMails(), queueMails()])).toContain(1)
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      recipient: 'grace@demo.example',
      subject: 'Kusanya: A payment of BXC 600 waits for your approval (Demo Shop)',
    })
    expect(mail!.body).toContain(`Payment ${first.id}: BXC 600 to 1 recipient, "Rent"`)
    expect(mail!.body).toContain('https://pay.example/console/approvals')
    await pay('200')
    await pay('200', grace)
    expect(await queueMails()).toBe(2)
    expect((await mails()).map(({ recipient, subject }) => [recipient, subject])).toEqual([
      ['grace@demo.example', expect.anything()],
      [expect.stringContaining('owner'), 'Kusanya: A payment of BXC 200 waits for your approval (Demo Shop)'],
      ['peter@demo.example', 'Kusanya: 2 payments wait for your approval (Demo Shop)'],
    ])
    shop.testApp.clock.advance(15 * MINUTE_S)
    expect(await queueMails()).toBe(1)
    expect((await mails())[3]!.subject).toBe('Kusanya: A payment of BXC 200 waits for your approval (Demo Shop)')
    shop.testApp.clock.advance(15 * MINUTE_S)
    expect(await queueMails()).toBe(0)
    await decide(approvePayment, first, grace)
    expect(await shop.db`select * from approval_notices where payment = ${first.id}`).toEqual([])
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Permission } from '../../../src/core/access/api-keys.ts'
import { createUser, setMembership } from '../../../src/core/access/organizations.ts'
import { createPayments, type NewPayment } from '../../../src/core/payments/create.ts'
import { setApprovalRule } from '../../../src/core/spending/approval-rules.ts'
import { setApproverLimits } from '../../../src/core/spending/approver-limits.ts'
import { begin } from '../../../src/db/client.ts'
import { approvePayment } from '../../core/approvals/decisions.ts'
import { amount, openShop, type Shop } from '../../core/shop.ts'
import { printFigure } from '../figures.ts'

/*
 * Approvers press Approve many times at the same moment: to count as two persons, to send a payment twice, and to pass
 * their own limit of a day before it is counted.
 */

const AT_ONCE = 12

let shop: Shop
let owner: number
let account: number
beforeAll(async () => {
  shop = await openShop()
  ;({ id: account, author: owner } = await shop.wallet())
  const rule = { organization: shop.organization, currency: 'BXC', threshold: amount('1') }
  await begin(shop.db, (tx) => setApprovalRule(tx, { ...rule, second_threshold: amount('500') }))
})
afterAll(() => shop.close())

function hire(name: string): Promise<number> {
  const permissions: Permission[] = ['view', 'approve_payments']
  return begin(shop.db, async (tx) => {
    const user = await createUser(tx, shop.now(), { name, email: `${name}@demo.example` })
    await setMembership(tx, shop.now(), { organization: shop.organization, user: user.id, permissions })
    return user.id
  })
}

async function pay(sum: string): Promise<number> {
  const recipient = {
    phonenumber: '+80000000003',
    amount: amount(sum),
    description: 'Rent',
    metadata: {},
    network: { slug: 'sandbox', code: 'sandbox', name: 'Sandbox Network' },
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
  }
  const [made] = await begin(shop.db, (tx) => createPayments(tx, shop.now(), [payment]))
  if (!made!.ok) throw made!.error
  return made!.value.id
}

/** Try to approve, each pair in its own transaction, all at once. Returns how many have worked. */
async function approveAtOnce(pairs: readonly (readonly [payment: number, user: number])[]): Promise<number> {
  const { organization } = shop
  const tries = pairs.map(([payment, user]) =>
    begin(shop.db, (tx) => approvePayment(tx, shop.now(), { organization, payment, user })),
  )
  return (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled').length
}

const times = <Value>(value: Value) => Array.from({ length: AT_ONCE }, () => value)

async function readPayment(id: number) {
  const [row] = await shop.db<{ state: string; approvals: number; moves: number }[]>`
    select state, approvals, (select count(*) from payment_transitions where payment = p.id and to_state = 'approved') as moves
    from payments p where id = ${id}`
  return row
}

it('approvals at the same moment count once for each person and each limit', async () => {
  const [first, second, third] = [await hire('first'), await hire('second'), await hire('third')]
  const payment = await pay('600')
  expect(await approveAtOnce(times([payment, first]))).toBe(1)
  expect(await readPayment(payment)).toEqual({ state: 'approval_requested', approvals: 1, moves: 0 })
  expect(await approveAtOnce([...times([payment, second] as const), ...times([payment, third] as const)])).toBe(1)
  expect(await readPayment(payment)).toEqual({ state: 'approved', approvals: 2, moves: 1 })

  const limits = { organization: shop.organization, user: third, currency: 'BXC', per_payment: null }
  await begin(shop.db, (tx) => setApproverLimits(tx, { ...limits, per_day: amount('250') }))
  const payments = await Promise.all(times('100').map(pay))
  const within_limit = await approveAtOnce(payments.map((id) => [id, third]))
  expect(within_limit).toBe(2)
  printFigure(
    'approvals at the same moment',
    `${AT_ONCE} of one person count once; ${within_limit} of 100 pass a limit of 250`,
  )
})

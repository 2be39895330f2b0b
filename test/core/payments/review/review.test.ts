import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareNewPayment } from '../../../../src/connections/payouts/new-payment.ts'
import { setFee } from '../../../../src/core/ledger/fees.ts'
import { type NewPaymentBody, newPaymentBody } from '../../../../src/core/payments/new-payment.ts'
import { findUnknownHolders, type HolderAnswers, reviewPayment } from '../../../../src/core/payments/review/review.ts'
import { Invalid } from '../../../../src/core/refusals.ts'
import { setApprovalRule } from '../../../../src/core/spending/approval-rules.ts'
import { setApproverLimits } from '../../../../src/core/spending/approver-limits.ts'
import { setPaymentLimits } from '../../../../src/core/spending/limits.ts'
import { begin } from '../../../../src/db/client.ts'
import { addPerson } from '../../../console/shop.ts'
import { amount, openShop, type Shop } from '../../shop.ts'

let shop: Shop
let owner: number

beforeAll(async () => {
  shop = await openShop()
  owner = (await shop.wallet()).author
})
afterAll(() => shop.close())

const plan = (input: object) =>
  prepareNewPayment(
    shop.testApp.app,
    { organization: shop.organization, user: owner },
    newPaymentBody.parse({ currency: 'BXC', description: 'Wages', ...input }) as NewPaymentBody,
  )
const review = async (input: object, answers: HolderAnswers = new Map()) =>
  reviewPayment(shop.db, shop.now(), await plan(input), answers)

const pay = (sum: string) => ({ phonenumber: '+80000000003', amount: sum })

describe('the review of a payment', () => {
  it('has the recipients with doubtful names first, and writes nothing', async () => {
    const people = [
      { phonenumber: '+80000000021', first_name: 'Grace', last_name: 'Akello' },
      { phonenumber: '+80000000022', first_name: 'Joe', last_name: 'Soap' },
      { phonenumber: '+80000000023', first_name: 'Ann', last_name: 'Other' },
      { phonenumber: '+80000000024' },
      { phonenumber: '+80000000025' },
    ]
    const answers: HolderAnswers = new Map([
      ['+80000000021', { outcome: 'found', name: 'AKELLO GRACE' }],
      ['+80000000022', { outcome: 'found', name: 'Peter Kato' }],
      ['+80000000023', { outcome: 'not_found' }],
      ['+80000000024', { outcome: 'found', name: null }],
      ['+80000000025', { outcome: 'unknown', message: 'No answer.' }],
    ] as const)
    const input = { recipient_data: people, amount: '20' }
    const unknown = await findUnknownHolders(shop.db, await plan(input))
    expect(unknown.map(({ phone_number }) => phone_number)).toEqual(people.map(({ phonenumber }) => phonenumber))

    const [before] =
      await shop.db`select (select count(*) from contacts) as contacts, (select count(*) from events) as events`
    const found = await review(input, answers)
    const [after] =
      await shop.db`select (select count(*) from contacts) as contacts, (select count(*) from events) as events`
    expect(after).toEqual(before)
    expect(found.recipients.map((one) => [one.name, one.name_on_network, one.name_state])).toEqual([
      ['Ann Other', '', 'not_registered'],
      ['Joe Soap', 'Peter Kato', 'differs'],
      ['', '', 'unknown'],
      ['', '', 'not_compared'],
      ['Grace Akello', 'AKELLO GRACE', 'matches'],
    ])
    expect(found.names).toEqual({ not_registered: 1, differs: 1, unknown: 1, not_compared: 1, matches: 1 })
    expect(found.recipients[0]).toMatchObject({ country: 'XX', network: 'Sandbox Network', currency: 'BXC' })
  })

  it('has the fee, the total, and the wallet before and after', async () => {
    const fee = { organization: shop.organization, kind: 'payment' as const, currency: 'BXC', network: null }
    const rates = { fixed: amount('3'), percent: 0n, min_fee: 0n, max_fee: null }
    await begin(shop.db, (tx) => setFee(tx, shop.now(), { ...fee, ...rates }))
    const { id, name, balance } = await shop.wallet()
    const { sums, recipients } = await review({
      recipient_data: [pay('20'), { ...pay('30'), phonenumber: '+80000000004' }],
    })
    expect(recipients.map((one) => one.fee)).toEqual([amount('3'), amount('3')])
    expect(sums).toEqual([
      {
        account: id,
        account_name: name,
        currency: 'BXC',
        recipients: 2,
        amount: amount('50'),
        fee: amount('6'),
        total: amount('56'),
        before: balance,
        after: balance - amount('56'),
      },
    ])
    const too_much = review(pay('999999999999'))
    await expect(too_much).rejects.toThrow(Invalid)
  })

  it('names the rule that decides, and the people who may approve now', async () => {
    const { organization } = shop
    expect((await review(pay('20'))).approval).toEqual({ required: 0, rule: null, approvers: [] })
    const rule = { organization, currency: 'BXC', threshold: amount('50'), second_threshold: amount('90') }
    await begin(shop.db, (tx) => setApprovalRule(tx, rule))
    const add = (email: string) =>
      addPerson(shop.testApp, { email, organization, permissions: ['view', 'approve_payments'] })
    const [boss, small, tired] = [
      await add('boss@x.example'),
      await add('small@x.example'),
      await add('tired@x.example'),
    ]
    const limit = (user: number, limits: object) =>
      begin(shop.db, (tx) =>
        setApproverLimits(tx, { organization, user, currency: 'BXC', per_payment: null, per_day: null, ...limits }),
      )
    await limit(small, { per_payment: amount('59') })
    await limit(tired, { per_day: amount('10') })

    const below = { currency: 'BXC', threshold: amount('50') }
    expect((await review(pay('50'))).approval).toEqual({ required: 0, rule: below, approvers: [] })
    expect((await review(pay('60'))).approval).toEqual({
      required: 1,
      rule: below,
      approvers: [{ user: boss, name: 'boss' }],
    })
    const above = await review(pay('91'))
    expect(above.approval).toMatchObject({ required: 2, rule: { currency: 'BXC', threshold: amount('90') } })
    expect((await review(pay('55'))).approval.approvers.map(({ user }) => user)).toEqual([boss, small])
  })

  it('has the room that is left in each limit, and is refused above one', async () => {
    const limits = { per_day: amount('500'), per_recipient: amount('100'), per_user: null }
    await begin(shop.db, (tx) => setPaymentLimits(tx, { organization: shop.organization, currency: 'BXC', ...limits }))
    const data = [pay('20'), { ...pay('30'), phonenumber: '+80000000004' }]
    const { limits: rooms } = await review({ recipient_data: data })
    expect(rooms).toEqual([
      { kind: 'per_day', currency: 'BXC', limit: amount('500'), left: amount('450') },
      { kind: 'per_recipient', currency: 'BXC', limit: amount('100'), left: amount('70'), phonenumber: '+80000000004' },
    ])
    await expect(review(pay('101'))).rejects.toThrow('The limit for payments to +80000000003 is BXC 100 in 24 hours')
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createUser, setMembership } from '../../../../src/core/access/organizations.ts'
import { queueApprovalMails } from '../../../../src/core/payments/approval-mails.ts'
import { createPayments } from '../../../../src/core/payments/create.ts'
import { setApprovalRule } from '../../../../src/core/spending/approval-rules.ts'
import { setApproverLimits } from '../../../../src/core/spending/approver-limits.ts'
import { begin } from '../../../../src/db/client.ts'
import { displayAmount } from '../../../../src/lib/money.ts'
import { decideBulkPayment } from '../../approvals/decisions.ts'
import { amount, NETWORK, openShop, type Shop } from '../../shop.ts'
import { type Files, GROUP_ROWS, openFiles, people } from './files.ts'

const RECIPIENTS = GROUP_ROWS + 2
const WEEK_S = 8 * 24 * 60 * 60

let shop: Shop
let owner: number
let files: Files
let grace: number
let first = 1_000
beforeAll(async () => {
  shop = await openShop()
  owner = (await shop.wallet()).author
  files = openFiles(shop, owner)
  grace = await begin(shop.db, async (tx) => {
    const { organization } = shop
    const user = await createUser(tx, shop.now(), { name: 'Grace', email: 'grace@demo.example' })
    await setMembership(tx, shop.now(), { organization, user: user.id, permissions: ['view', 'approve_payments'] })
    return user.id
  })
  await begin(shop.db, (tx) =>
    setApprovalRule(tx, {
      organization: shop.organization,
      currency: 'BXC',
      threshold: amount('45'),
      second_threshold: null,
    }),
  )
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.db`update payments set state = 'cancelled', cancelled_by = author where state like 'approval_%'`
  await shop.db`delete from approver_limits`
  await shop.db`delete from mails`
  // Payments of one test are no recent payments of the next one.
  shop.testApp.clock.advance(WEEK_S)
})

/** Starts a file of two payments, and creates the first one. */
async function startFile(): Promise<number> {
  first += 1_000
  const id = await files.upload(people(RECIPIENTS, '10', first))
  await files.start(id)
  await files.step(id)
  return id
}

async function pay(sum: string): Promise<number> {
  const { id: account } = await shop.wallet()
  const recipient = {
    phonenumber: '+80000000003',
    amount: amount(sum),
    network: NETWORK,
    description: '',
    metadata: {},
  }
  const [made] = await begin(shop.db, (tx) =>
    createPayments(tx, shop.now(), [
      {
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
        recipients: [{ ...recipient, national_id: null, national_id_type: null }],
      },
    ]),
  )
  if (!made!.ok) throw made!.error
  return made!.value.id
}

const queueMails = () =>
  begin(shop.db, (tx) =>
    queueApprovalMails(
      tx,
      { now: shop.now(), interval_ms: 60_000, service_name: 'Kusanya', console_url: 'https://pay.example/console' },
      50,
    ),
  )
const mails = async () => [
  ...(await shop.db<{ recipient: string; subject: string; body: string }[]>`
    select recipient, subject, body from mails order by id`),
]
const limit = (per_payment: string) =>
  begin(shop.db, (tx) =>
    setApproverLimits(tx, {
      organization: shop.organization,
      user: grace,
      currency: 'BXC',
      per_payment: amount(per_payment),
      per_day: null,
    }),
  )

describe('a mail about a file of payments', () => {
  it('comes once, when all payments are created, and says what waits', async () => {
    const id = await startFile()
    expect(await queueMails()).toBe(0)
    await files.createAll(id)
    expect(await queueMails()).toBe(1)
    const { totals } = await files.read(id)
    const fee = totals.reduce((sum, one) => sum + one.fee, 0n)
    expect(await mails()).toEqual([
      {
        recipient: 'grace@demo.example',
        subject: 'Kusanya: The payment file "wages.csv" waits for your approval (Demo Shop)',
        body: [
          'A payment file waits for your approval, of Demo Shop:',
          '',
          'File: "wages.csv"',
          'Description: "Wages"',
          `Recipients: ${RECIPIENTS}`,
          'Total: BXC 50',
          `Fees: BXC ${displayAmount(fee)}`,
          'Requested by: Demo Owner',
          '',
          `See all payments: https://pay.example/console/bulk-payments/${id}`,
          'Approve or reject: https://pay.example/console/approvals',
          '',
          'You get this mail because you approve payments of this organization.',
        ].join('\n'),
      },
    ])
    shop.testApp.clock.advance(WEEK_S)
    expect(await queueMails()).toBe(0)
    await begin(shop.db, (tx) =>
      decideBulkPayment(tx, shop.now(), 'approve', { organization: shop.organization, bulk_payment: id, user: grace }),
    )
    expect(await shop.db`select * from approval_notices`).toEqual([])
  })

  it('is beside the one about single payments, which does not name those of the file', async () => {
    const id = await startFile()
    await files.createAll(id)
    const single = await pay('100')
    expect(await queueMails()).toBe(2)
    const [of_file, of_payment] = await mails()
    expect(of_file!.body).toContain(`/bulk-payments/${id}`)
    expect(of_payment!.subject).toBe('Kusanya: A payment of BXC 100 waits for your approval (Demo Shop)')
    expect(of_payment!.body.match(/^Payment \d+/gm)).toEqual([`Payment ${single}`])
  })

  it('comes to nobody whose limit is below the sum of the file', async () => {
    await limit('49')
    await files.createAll(await startFile())
    expect(await queueMails()).toBe(0)
    await limit('50')
    expect(await queueMails()).toBe(1)
  })
})

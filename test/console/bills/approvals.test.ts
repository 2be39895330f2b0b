import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allPermissions } from '../../../src/core/access/api-keys.ts'
import { listOrdersOf } from '../../../src/core/connections/network-orders.ts'
import { checkHolds } from '../../../src/core/ledger/holds.ts'
import { prepareRestoredData } from '../../../src/core/operations/restored-data.ts'
import { queueApprovalMails } from '../../../src/core/payments/approval-mails.ts'
import { settle } from '../../../src/core/settlements/settle.ts'
import { setApprovalRule } from '../../../src/core/spending/approval-rules.ts'
import { setApproverLimits } from '../../../src/core/spending/approver-limits.ts'
import { setPaymentLimits } from '../../../src/core/spending/limits.ts'
import { begin } from '../../../src/db/client.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { airtimeOrder, createBuyer, electricityOrder } from '../../api/bills/buyer.ts'
import { PASSWORD } from '../../password.ts'
import { readEvents } from '../../recorded-events.ts'
import { eventually } from '../../test-app.ts'
import { openBrowser } from '../browser.ts'
import { addPerson, openShop, type Shop } from '../shop.ts'

/*
 * Bills above NGN 2,000 need one approval, above NGN 10,000 two. The owner has made the API key that buys, so the
 * others approve.
 */

const DAY_MS = 24 * 60 * 60 * 1_000

let shop: Shop
let buyer: ReturnType<typeof createBuyer>
const people: { user: number; browser: ReturnType<typeof openBrowser> }[] = []

beforeAll(async () => {
  shop = await openShop()
  const { testApp, url } = shop
  const { db, organization } = testApp
  buyer = createBuyer(testApp, url)
  for (const email of ['ann@shop.example', 'ben@shop.example']) {
    const user = await addPerson(testApp, { email, organization, permissions: allPermissions })
    const browser = openBrowser(url)
    await browser.signIn(email, PASSWORD)
    people.push({ user, browser })
  }
  await begin(db, (tx) =>
    setApprovalRule(tx, {
      organization,
      currency: 'NGN',
      threshold: parseAmount('2000')!,
      second_threshold: parseAmount('10000')!,
    }),
  )
})
afterAll(async () => {
  expect(await checkHolds(shop.testApp.db)).toEqual([])
  expect(await buyer.ledgerErrors()).toEqual([])
  await shop.testApp.close()
})

const [ann, ben] = [0, 1].map((index) => ({
  post: (path: string, body?: object) => people[index]!.browser.post(path, body),
  get: (path: string) => people[index]!.browser.get(path),
})) as [Pick<Shop['owner'], 'post' | 'get'>, Pick<Shop['owner'], 'post' | 'get'>]

async function buy(amount: string) {
  const body = electricityOrder({ amount })
  const answer = await buyer.post('/services/electricity/request', body)
  const [row] = await shop.testApp.db<{ id: number }[]>`
    select id from bill_purchases where agent_reference = ${body.agentReference}`
  return { reference: body.agentReference, id: row?.id ?? 0, answer }
}
const statusOf = async (reference: string) => (await buyer.requery(reference)).body.data.transactionStatus
const sold = (reference: string) =>
  eventually('the sale', async () => (await statusOf(reference)) === 'success' || undefined)

it('a purchase up to the threshold is bought at once', async () => {
  const { answer } = await buy('2000')
  expect(answer.body).toMatchObject({ status: 'success', data: { transactionStatus: 'success' } })
})

describe('a purchase above the approval threshold', () => {
  it('waits with its money on hold, and is bought once after another person has approved it', async () => {
    const held = await buyer.held()
    const { reference, id, answer } = await buy('2000.01')
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        status: 'pending',
        data: { transactionStatus: 'pending', transactionMessage: 'Transaction waits for an approval' },
      },
    ])
    expect(await buyer.held()).toBe(held + 20_000_100n)
    expect((await shop.owner.post(`/purchases/${id}/requery`)).body).toEqual({
      status: ['The purchase waits for an approval.'],
    })
    expect(await buyer.sold(reference)).toBe(0)

    expect((await ann.get('/approvals')).body.purchases).toMatchObject([
      {
        id,
        amount: '2000.0100',
        currency: 'NGN',
        kind: 'electricity',
        service_name: 'Ikeja Prepaid',
        obstacle: null,
        approved_by_names: [],
      },
    ])
    expect((await shop.owner.get('/approvals')).body.purchases).toMatchObject([{ id, obstacle: 'author' }])
    expect((await shop.owner.post(`/purchases/${id}/approve`)).status).toBe(403)
    expect((await shop.viewer.post(`/purchases/${id}/approve`)).status).toBe(403)
    expect((await shop.otherOwner.post(`/purchases/${id}/approve`)).status).toBe(403)
    const both = await Promise.all([ann.post(`/purchases/${id}/approve`), ben.post(`/purchases/${id}/approve`)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    await sold(reference)
    expect(await buyer.sold(reference)).toBe(1)
    expect((await ann.get('/approvals')).body.purchases).toEqual([])
    expect(await shop.audit()).toContain('approve purchase')
  })

  it('waits for as many persons as the rule says, each of them once', async () => {
    const { reference, id } = await buy('10001')
    expect((await ann.post(`/purchases/${id}/approve`)).body).toEqual({ id, waits: true })
    expect((await ann.post(`/purchases/${id}/approve`)).body).toEqual({
      status: ['You have already approved this purchase. It waits for another person.'],
    })
    expect(await statusOf(reference)).toBe('pending')
    expect((await ben.get('/approvals')).body.purchases).toMatchObject([
      { id, approvals_required: 2, approved_by_names: ['ann'], obstacle: null },
    ])
    expect((await ben.post(`/purchases/${id}/approve`)).body).toEqual({ id, waits: false })
    await sold(reference)
  })

  it('is not approved at a price that its provider has raised since', async () => {
    const { db } = shop.testApp
    const { reference, id } = await buy('2500')
    await db`update network_orders set remote_service = 'raised' where bill_purchase = ${id}`
    await db`
      insert into bill_offers (service, connection, remote_service, price, created, modified)
      select id, 'sandbox', 'raised', 2600, now(), now() from catalogue_services where service_type = 'ikeja_electric_prepaid'`
    expect((await ann.post(`/purchases/${id}/approve`)).body).toEqual({
      status: ['The price of the provider has risen since the purchase was made. Reject it, and buy it again.'],
    })
    await db`update bill_offers set price = 2500, off_sale = 'price_rise' where remote_service = 'raised'`
    expect((await ann.post(`/purchases/${id}/approve`)).status).toBe(400)
    await db`update bill_offers set off_sale = null where remote_service = 'raised'`
    expect((await ann.post(`/purchases/${id}/approve`)).body).toEqual({ id, waits: false })
    await db`delete from bill_offers where remote_service = 'raised'`
    await sold(reference)
  })

  it('fails when it is rejected, reports that, and returns its money', async () => {
    const balance = await buyer.wallet()
    const { reference, id } = await buy('2500')
    expect((await ann.post(`/purchases/${id}/reject`, {})).status).toBe(400)
    expect((await ann.post(`/purchases/${id}/reject`, { reason: 'Nobody lives there' })).status).toBe(200)
    expect((await buyer.requery(reference)).body).toMatchObject({
      code: 'EXC00107',
      data: { transactionStatus: 'failed', transactionMessage: 'It was not approved: Nobody lives there' },
    })
    expect(await buyer.wallet()).toBe(balance)
    expect(await buyer.sold(reference)).toBe(0)
    const event = (await readEvents(shop.testApp.db, 'billpayment.status.changed')).at(-1)
    expect(event!.data).toMatchObject({ id, status: 'failed', error_code: 'EXC00107' })
    expect((await ben.post(`/purchases/${id}/approve`)).body).toEqual({
      status: ['The purchase is failed; it is not waiting for approval.'],
    })
  })

  it("counts against a person's limits of approval, together with payments", async () => {
    const { organization, db } = shop.testApp
    const limits = { organization, user: people[0]!.user, currency: 'NGN', per_payment: null }
    await begin(db, (tx) => setApproverLimits(tx, { ...limits, per_day: parseAmount('12000')! }))
    const { id } = await buy('3000')
    expect((await ann.get('/approvals')).body.purchases).toMatchObject([{ id, obstacle: 'day' }])
    expect((await ann.post(`/purchases/${id}/approve`)).body.detail).toContain('You may approve NGN 12,000 in 24 hours')
    expect((await ben.post(`/purchases/${id}/approve`)).status).toBe(200)
    await begin(db, (tx) => setApproverLimits(tx, { ...limits, per_day: null }))
  })

  it('counts against the limits of payments from its approval on', async () => {
    const { organization, db, clock } = shop.testApp
    const limits = { organization, currency: 'NGN', per_recipient: null, per_user: null }
    const { id } = await buy('3100')
    await db`update bill_purchases set created = ${new Date(clock.now().getTime() - 2 * DAY_MS)}`
    await db`update bill_approvals set approved = ${new Date(clock.now().getTime() - 2 * DAY_MS)}`
    await begin(db, (tx) => setPaymentLimits(tx, { ...limits, per_day: parseAmount('3099')! }))
    const refused = await ben.post(`/purchases/${id}/approve`)
    expect([refused.status, refused.body.amount[0]]).toEqual([400, expect.stringContaining('NGN 3,099')])
    await begin(db, (tx) => setPaymentLimits(tx, { ...limits, per_day: parseAmount('3100')! }))
    expect((await ben.post(`/purchases/${id}/approve`)).status).toBe(200)
    // It was made two days ago, and counts since a moment ago.
    const next = await buyer.post('/services/airtime/request', airtimeOrder({ amount: 100 }))
    expect([next.status, next.body.code]).toEqual([400, 'EXC00127'])
    await begin(db, (tx) => setPaymentLimits(tx, { ...limits, per_day: null }))
  })

  it('is mailed to approvers once', async () => {
    const { db, clock } = shop.testApp
    const { id } = await buy('2600')
    const options = { now: clock.now(), interval_ms: 0, service_name: 'Kusanya', console_url: 'https://k.example' }
    expect(await begin(db, (tx) => queueApprovalMails(tx, options, 10))).toBe(2)
    const mails = await db<{ recipient: string; subject: string; body: string }[]>`
      select recipient, subject, body from mails order by recipient`
    expect(mails.map(({ recipient }) => recipient)).toEqual(['ann@shop.example', 'ben@shop.example'])
    expect(mails[0]!.subject).toContain('A bill of NGN 2,600 waits for your approval')
    expect(mails[0]!.body).toContain(`Bill ${id}: NGN 2,600, ikeja_electric_prepaid for 04042404048, requested by`)
    expect(await begin(db, (tx) => queueApprovalMails(tx, options, 10))).toBe(0)
    await ann.post(`/purchases/${id}/reject`, { reason: 'A test' })
  })

  it('is not split by other kinds of bills: airtime waits as well', async () => {
    const order = airtimeOrder({ amount: 5000 })
    const { body } = await buyer.post('/services/airtime/request', order)
    expect(body).toMatchObject({ status: 'pending', data: { transactionMessage: 'Transaction waits for an approval' } })
    expect(await buyer.sold(order.agentReference)).toBe(0)
  })

  it('is only asked about after a restore, because it may have been approved and sold since the backup', async () => {
    const { reference, id } = await buy('2700')
    const { db, clock } = shop.testApp
    await begin(db, (tx) =>
      prepareRestoredData(tx, { now: clock.now(), real: new Date() }, { created: '2030-01-01T00:00:00Z' }),
    )
    expect((await ann.post(`/purchases/${id}/approve`)).status).toBe(400)
    expect(await buyer.sold(reference)).toBe(0)
    // Its provider has never seen it, and another one has it on sale.
    const [order] = await listOrdersOf(db, { bill_purchase: id })
    const other = { organization: null, priority: 1, is_degraded: false, has_our_names: true, countries: null }
    const learnt = { order: order!, source: 'status', answer: { outcome: 'not_found', final: true } } as const
    await begin(db, (tx) => settle(tx, clock.now(), [learnt], [{ ...other, slug: 'other' }]))
    const attempts = await listOrdersOf(db, { bill_purchase: id })
    expect(attempts.map(({ connection, state }) => [connection, state])).toEqual([[order!.connection, 'not_sent']])
    expect(await statusOf(reference)).toBe('failed')
  })
})

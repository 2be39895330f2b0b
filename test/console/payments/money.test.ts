import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { standardRoles } from '../../../src/core/access/roles.ts'
import { ingestIncomingPayments } from '../../../src/core/collections/incoming-payments.ts'
import { setApprovalRule } from '../../../src/core/spending/approval-rules.ts'
import { begin } from '../../../src/db/client.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { addCustomers } from '../../core/invoices/customers.ts'
import { PASSWORD } from '../../password.ts'
import { eventually } from '../../test-app.ts'
import { openBrowser } from '../browser.ts'
import { acceptedBy, reviewOf, sendReviewed } from '../reviewed.ts'
import { addPerson, openShop, type Shop } from '../shop.ts'

let shop: Shop
let till: string

beforeAll(async () => {
  shop = await openShop()
  const [receiver] = await shop.testApp.db<{ number: string }[]>`
    select r.number from connection_places r join accounts a on a.id = r.account
    where a.organization = ${shop.testApp.organization} and a.currency = 'BXC'`
  till = receiver!.number
})
afterAll(() => shop.testApp.close())

const WHY = { reason: 'duplicate', comment: 'Paid twice.' }

let received = 0
/** Ingest money that no request asked for, and return the id of its collection. */
async function receive(amount: string, phonenumber = '+80000000055'): Promise<number> {
  received += 1
  const remote_id = `TX-${received}`
  const { testApp } = shop
  await begin(testApp.db, (tx) =>
    ingestIncomingPayments(tx, testApp.clock.now(), [
      {
        network: { slug: 'sandbox', code: 'sandbox', name: 'Sandbox' },
        remote_id,
        status: 'successful',
        receiver: till,
        phonenumber,
        amount: parseAmount(amount)!,
        currency: 'BXC',
        order_reference: null,
        reference: 'rent',
        paid_at: testApp.clock.now(),
      },
    ]),
  )
  const list = await shop.owner.get(`/incoming?remote_transaction_id=${remote_id}&unmatched=true`)
  expect(list.body.count).toBe(1)
  return list.body.results[0].id
}

async function createRequest(amount: string): Promise<number> {
  const input = { phonenumber: '+80000000077', amount, currency: 'BXC', send_instructions: false }
  return (await shop.owner.post('/collectionrequests', input)).body.id
}

describe('money that no request asked for', () => {
  it('is unmatched, and fulfils a request that a user matches it with', async () => {
    const collection = await receive('70')
    const request = await createRequest('75')
    expect((await shop.owner.get(`/incoming/${collection}`)).body.standing).toEqual({
      network: 'sandbox',
      network_name: 'Sandbox Network',
      unmatched: true,
      claimed_by: null,
      left: '70.0000',
      given_back_by: [],
      is_stand_in: false,
    })
    const matched = await shop.owner.post(`/incoming/${collection}/match`, { collection_request: request })
    expect(matched.body.collection_request).toMatchObject({ id: request, status: 'successful' })
    expect((await shop.owner.get(`/incoming/${collection}`)).body.standing.unmatched).toBe(false)
    expect((await shop.owner.post(`/incoming/${collection}/match`, { collection_request: request })).status).toBe(400)
    expect(await shop.audit()).toContain('match collection')
  })

  it('shows the customers that its phone pays for', async () => {
    const { db, organization } = shop.testApp
    const [contact] = await addCustomers(db, organization, [
      { number: 'P5-021', first_name: 'Grace', phone: '+80000000056' },
    ])
    await db`
      insert into contact_payers (contact, organization, phone_number, name, position)
      values (${contact!}, ${organization}, '+80000000057', 'Betty Nakato', 1)`
    const pays_for = async (phone: string) =>
      (await shop.owner.get(`/incoming/${await receive('5', phone)}`)).body.pays_for
    expect(await pays_for('+80000000057')).toMatchObject([{ id: contact, number: 'P5-021', payer: 'Betty Nakato' }])
    expect(await pays_for('+80000000058')).toEqual([])
  })

  it('is returned as a payment', async () => {
    const collection = await receive('12')
    const list = '/incoming?unmatched=true&amount=12'
    expect((await shop.owner.get(list)).body.count).toBe(1)
    const { body: review } = await shop.owner.post(`/incoming/${collection}/return-review`)
    expect(review).toMatchObject({
      recipients: [{ phonenumber: '+80000000055', amount: '12.0000' }],
      sums: [{ currency: 'BXC', amount: '12.0000', total: '12.0000' }],
    })
    const unseen = await shop.owner.post(`/incoming/${collection}/return`)
    expect([unseen.status, unseen.body.non_field_errors]).toEqual([400, ['Review the payment before you send it.']])
    const of_other = await shop.owner.post(`/incoming/${await receive('12.5')}/return-review`)
    const wrong = await shop.owner.send('POST', `/incoming/${collection}/return`, {}, acceptedBy(of_other.body))
    expect(wrong.body.non_field_errors).toEqual(['The payment has changed since its review. Review it again.'])
    const { body, status } = await sendReviewed(shop.owner, `/incoming/${collection}/return`)
    expect(status).toBe(200)
    expect(body.amount).toBe('12.0000')
    const { standing } = (await shop.owner.get(`/incoming/${collection}`)).body
    expect(standing).toMatchObject({ left: '0.0000', given_back_by: [body.id] })
    expect((await shop.owner.get(list)).body.count).toBe(0)
    expect((await shop.owner.post(`/incoming/${collection}/return`)).status).toBe(400)
    expect(await shop.audit()).toContain('return collection')
  })

  it('is refunded in part after it is matched', async () => {
    const collection = await receive('70')
    const request = await createRequest('70')
    await shop.owner.post(`/incoming/${collection}/match`, { collection_request: request })
    const { body: reviewed } = await shop.owner.post(`/incoming/${collection}/refund-review`, { ...WHY, amount: '15' })
    expect(reviewed.sums).toMatchObject([{ amount: '15.0000', currency: 'BXC' }])
    for (const path of [`/incoming/${collection}/refund`, `/collectionrequests/${request}/refund`]) {
      const unseen = await shop.owner.post(path, { ...WHY, amount: '15' })
      expect([path, unseen.status, unseen.body.non_field_errors]).toEqual([path, 400, [expect.any(String)]])
      for (const changed of [WHY, { ...WHY, amount: '16' }])
        expect((await shop.owner.send('POST', path, changed, acceptedBy(reviewed))).status).toBe(400)
    }
    const refund = (body: object) => sendReviewed(shop.owner, `/incoming/${collection}/refund`, body)
    expect((await refund({ amount: '20' })).body).toEqual({ reason: ['This field is required.'] })
    expect((await refund({ ...WHY, amount: '71' })).status).toBe(400)
    const { status, body } = await refund({ ...WHY, amount: '20' })
    expect(status).toBe(200)
    const why = await shop.owner.get(`/payments/${body.id}/actions`)
    expect(why.body.results).toMatchObject([{ kind: 'refund', payment: body.id, ...WHY }])
    expect((await shop.otherOwner.get(`/payments/${body.id}/actions`)).status).toBe(403)
    expect((await shop.owner.get(`/incoming/${collection}`)).body.standing.left).toBe('50.0000')
    expect(await shop.audit()).toContain('refund collection')
  })

  it('needs the permission, and belongs to its organization', async () => {
    const collection = await receive('5')
    const request = await createRequest('5')
    expect((await shop.viewer.get(`/incoming/${collection}`)).status).toBe(200)
    expect((await shop.otherOwner.get(`/incoming/${collection}`)).status).toBe(403)
    expect((await shop.otherOwner.get('/incoming')).body.count).toBe(0)
    for (const person of [shop.viewer, shop.otherOwner]) {
      const match = await person.post(`/incoming/${collection}/match`, { collection_request: request })
      expect(match.status).toBe(403)
      for (const verb of ['return', 'return-review', 'refund', 'refund-review'])
        expect((await person.post(`/incoming/${collection}/${verb}`, WHY)).status).toBe(403)
    }
  })
})

describe('a payment', () => {
  const WAGES = {
    recipient_data: [{ phonenumber: '+80000000003', amount: '100' }],
    currency: 'BXC',
    description: 'Wages',
  }
  const pay = async () => (await sendReviewed(shop.owner, '/payments', WAGES)).body

  beforeAll(async () => {
    const { testApp } = shop
    const rule = { organization: testApp.organization, currency: 'BXC', threshold: parseAmount('50')! }
    await begin(testApp.db, (tx) => setApprovalRule(tx, rule))
  })

  it('waits for a second person, who approves or rejects it', async () => {
    const { testApp } = shop
    const permissions = ['view', 'approve_payments'] as const
    await addPerson(testApp, { email: 'boss@shop.example', organization: testApp.organization, permissions })
    const boss = openBrowser(shop.url)
    await boss.signIn('boss@shop.example', PASSWORD)

    const first = await pay()
    expect(first.state).toBe('approval_requested')
    expect((await shop.owner.post(`/payments/${first.id}/approve`)).body.detail).toContain('The user who initiated')
    for (const person of [shop.viewer, shop.otherOwner])
      for (const verb of ['approve', 'reject', 'cancel'])
        expect((await person.post(`/payments/${first.id}/${verb}`, { reason: 'No' })).status).toBe(403)
    expect((await boss.get('/approvals/count')).body).toEqual({ mine: 1, others: 0 })
    expect((await shop.owner.get('/approvals')).body).toMatchObject({
      payments: [{ id: first.id, obstacle: 'author', approvals_required: 1 }],
      payments_count: 1,
      changes: [],
    })
    expect((await shop.otherOwner.get(`/payments/${first.id}/details`)).status).toBe(403)
    expect((await shop.otherOwner.get(`/payments/${first.id}/timeline`)).status).toBe(403)
    expect((await shop.otherOwner.get(`/payments/${first.id}/recipients`)).status).toBe(403)
    const { body: recipients } = await shop.viewer.get(`/payments/${first.id}/recipients?search=0000003&show=waiting`)
    expect(recipients).toMatchObject({ count: 1, results: [{ phonenumber: '+80000000003', amount: '100.0000' }] })
    expect((await boss.post(`/payments/${first.id}/approve`)).status).toBe(200)
    const { body: details } = await shop.owner.get(`/payments/${first.id}/details`)
    expect(details).toMatchObject({ author_name: 'Demo Owner', obstacle: null, approvals: [{ name: 'boss' }] })
    const { body: timeline } = await shop.viewer.get(`/payments/${first.id}/timeline`)
    expect(timeline.results.map(({ kind }: { kind: string }) => kind)).toContain('approval')
    await eventually('the payment', async () => {
      testApp.clock.advance(1)
      testApp.app.wake()
      return (await boss.get(`/payments/${first.id}`)).body.state === 'processed' ? true : undefined
    })

    const second = await pay()
    expect((await boss.post(`/payments/${second.id}/reject`, {})).status).toBe(400)
    const rejected = await boss.post(`/payments/${second.id}/reject`, { reason: 'Too much' })
    expect(rejected.body).toMatchObject({ state: 'rejected', rejected_reason: 'Too much' })
    expect((await boss.post(`/payments/${second.id}/cancel`, { reason: 'Too late' })).status).toBe(403)
    expect(await shop.audit()).toEqual(expect.arrayContaining(['approve payment', 'reject payment']))
  })

  it('is approved by a person within the limits of this person, which a manager sets', async () => {
    const [boss] = await shop.testApp.db<{ id: number }[]>`select id from users where email = 'boss@shop.example'`
    const url = `/settings/approvers/${boss!.id}/BXC`
    expect((await shop.viewer.send('PUT', url, { per_day: '1' })).status).toBe(403)
    expect((await shop.owner.send('PUT', url, { per_payment: '-1' })).status).toBe(400)
    expect((await shop.owner.send('PUT', '/settings/approvers/1000000/BXC', { per_day: '1' })).status).toBe(404)
    expect((await shop.owner.send('PUT', url, { per_payment: '60', per_day: '' })).status).toBe(204)
    const limits = async () => (await shop.owner.get('/settings')).body.approver_limits
    expect(await limits()).toMatchObject([{ name: 'boss', currency: 'BXC', per_payment: '60.0000', per_day: null }])
    expect((await shop.owner.send('DELETE', url)).status).toBe(204)
    expect(await limits()).toEqual([])
    expect(
      (await shop.owner.send('PUT', '/settings/approval/BXC', { threshold: '50', second_threshold: '40' })).status,
    ).toBe(400)
    expect(await shop.audit()).toContain('set approver limits')
  })

  it('is in the list with the number of its recipients, or with the phone and the name of the only one', async () => {
    const recipients = ['+80000000003', '+80000000004'].map((phonenumber) => ({ phonenumber, amount: '30' }))
    const { body: both } = await sendReviewed(shop.owner, '/payments', { ...WAGES, recipient_data: recipients })
    const input = { phonenumber: '+80000000013', first_name: 'Jane', last_name: 'Doe', amount: '10', currency: 'BXC' }
    const { body: one } = await sendReviewed(shop.owner, '/payments', { ...input, description: 'Wages' })

    // It waits for the approval of a second person, so that no job changes it meanwhile.
    const { phone_nos, transactions, ...shown } = (await shop.owner.get(`/payments/${both.id}`)).body
    expect(shown.state).toMatch(/^approval_/)
    const path = '/payment-summaries'
    const expected = { ...shown, recipients: 2, phonenumber: null, contact_name: null }
    expect((await shop.viewer.get(`${path}/${both.id}`)).body).toEqual(expected)
    const { body: page } = await shop.viewer.get(`${path}?ordering=-id&limit=2`)
    expect(page.results.map(({ id }: { id: number }) => id)).toEqual([one.id, both.id])
    expect(page.results[0]).toMatchObject({ recipients: 1, phonenumber: '+80000000013', contact_name: 'Jane Doe' })
    expect(page.results[1]).toEqual(expected)
    expect(page.count).toBe((await shop.owner.get('/payments')).body.count)

    const { body: found } = await shop.owner.get(`${path}?phone_number=%2B80000000013&first_name=Jane&amount=10`)
    expect(found).toMatchObject({ count: 1, results: [{ id: one.id }] })
    expect((await shop.owner.get(`${path}?ordering=phone`)).status).toBe(400)
    expect((await shop.otherOwner.get(`${path}/${one.id}`)).status).toBe(403)
    expect((await shop.otherOwner.get(path)).body.count).toBe(0)
  })

  it('is cancelled with the permission to initiate payments, before it is sent', async () => {
    const { id } = await pay()
    const cancelled = await shop.owner.post(`/payments/${id}/cancel`, { reason: 'Mistake' })
    expect(cancelled.body).toMatchObject({ state: 'cancelled', cancelled_reason: 'Mistake' })
    expect((await shop.owner.post(`/payments/${id}/cancel`, { reason: 'Again' })).status).toBe(400)
    expect(await shop.audit()).toContain('cancel payment')
  })
})

/** Forms that move money: what they send, to which route, and what they make. */
const FORMS = {
  payment: async () => [
    '/payments',
    { phonenumber: '+80000000003', amount: '11', currency: 'BXC', description: 'Wages', start_date: 'tomorrow' },
  ],
  'collection request': async () => [
    '/collectionrequests',
    { phonenumber: '+80000000078', amount: '11', currency: 'BXC' },
  ],
  return: async () => [`/incoming/${await receive('13')}/return`, {}],
  refund: async () => {
    const collection = await receive('24')
    await shop.owner.post(`/incoming/${collection}/match`, { collection_request: await createRequest('24') })
    return [`/incoming/${collection}/refund`, { ...WHY, amount: '12' }]
  },
} satisfies Record<string, () => Promise<[path: string, body: object]>>

/** Return the headers of a request after its review. */
const review = async (path: string, body: object) => acceptedBy((await shop.owner.post(reviewOf(path), body)).body)

describe.each(Object.entries(FORMS))('the form of a %s', (kind, prepare) => {
  it('moves money once, also when it is pressed twice at once or its answer was lost', async () => {
    const { db, organization } = shop.testApp
    const [path, body] = await prepare()
    const accepted = path === '/collectionrequests' ? {} : await review(path, body)
    const press = () => shop.owner.send('POST', path, body, { 'duplicate-check-key': `form of a ${kind}`, ...accepted })
    const [entries] = await db<{ last: number }[]>`select coalesce(max(id), 0)::bigint as last from audit_log`
    const both = await Promise.all([press(), press()])
    const made = both.find(({ status }) => status < 300)!
    const again = [both.find((one) => one !== made)!, await press()]
    for (const { status, body: answer } of again)
      expect([status, answer.type, answer.id]).toEqual([409, expect.any(String), made.body.id])

    // The key is claimed by the transaction that moves the money.
    const audited = await db`
      select a.action from audit_log a join idempotency_keys k on k.xmin::text = a.xmin::text
      where a.organization = ${organization} and k.object = ${made.body.id} and a.id > ${entries!.last}`
    expect(audited).toHaveLength(1)
    const all = await db`select 1 from audit_log where organization = ${organization} and id > ${entries!.last}`
    expect(all).toHaveLength(1)
  })
})

describe('money that a network sent after it had reported a failure', () => {
  it('is on the home page and at its payment until a person has looked into it', async () => {
    const { testApp, owner } = shop
    const input = { phonenumber: '+80000000111', amount: '20', currency: 'BXC', description: 'Wages' }
    const { id } = (await sendReviewed(owner, '/payments', input)).body
    const late = async () => (await owner.get(`/late-payouts?payment=${id}&open=true`)).body.results
    const [found] = await eventually('the network to send it', async () => {
      testApp.clock.advance(1)
      testApp.app.wake()
      const results = await late()
      return results.length > 0 ? results : undefined
    })
    expect(found).toMatchObject({ payment: id, phonenumber: '+80000000111', amount: '20.0000', booked: true })
    expect((await owner.get('/home')).body.late_payouts).toEqual([{ payment: id, currency: 'BXC', amount: '20.0000' }])
    expect((await shop.otherOwner.get(`/late-payouts?payment=${id}`)).body.results).toEqual([])
    for (const person of [shop.viewer, shop.otherOwner])
      expect((await person.post(`/payments/${id}/review`)).status).toBe(403)
    expect((await owner.post(`/payments/${id}/review`)).body.results).toMatchObject([{ reviewed: expect.any(String) }])
    expect(await late()).toEqual([])
    expect((await owner.get('/home')).body.late_payouts).toEqual([])
    expect((await owner.post(`/payments/${id}/review`)).status).toBe(404)
    expect(await shop.audit()).toContain('review late payout')
  })
})

describe('a contact', () => {
  it('is erased, unless it has open requests', async () => {
    const contact = (
      await shop.owner.post('/contacts', { phone_number: '+80000000091', first_name: 'Ann', last_name: 'Other' })
    ).body
    const { organization } = shop.testApp
    await addPerson(shop.testApp, { email: 'help@shop.example', organization, permissions: standardRoles.support })
    const support = openBrowser(shop.url)
    await support.signIn('help@shop.example', PASSWORD)
    for (const person of [shop.viewer, shop.otherOwner, support])
      expect((await person.post(`/contacts/${contact.id}/erase`)).status).toBe(403)
    const input = { phonenumber: '+80000000091', amount: '5', currency: 'BXC', send_instructions: false }
    const request = (await shop.owner.post('/collectionrequests', input)).body
    const refused = await shop.owner.post(`/contacts/${contact.id}/erase`)
    expect(refused.status).toBe(409)
    expect(refused.body.detail).toContain(`collection requests (${request.id})`)
    await shop.owner.post(`/collectionrequests/${request.id}/cancel`)
    expect((await shop.owner.post(`/contacts/${contact.id}/erase`)).status).toBe(204)
    expect((await shop.owner.get(`/contacts/${contact.id}`)).body).toMatchObject({
      first_name: 'Erased',
      phone_number: `erased-${contact.id}`,
    })
    expect(await shop.audit()).toContain('erase contact')
  })
})

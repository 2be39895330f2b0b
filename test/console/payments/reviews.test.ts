import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setFee } from '../../../src/core/ledger/fees.ts'
import { begin } from '../../../src/db/client.ts'
import { amount } from '../../core/shop.ts'
import { openShop, type Shop } from '../shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.testApp.close())

/** The simulated network does not know this number. */
const UNKNOWN = '+80000000001'
const WAGES = { currency: 'BXC', description: 'Wages', recipient_data: [{ phonenumber: '+80000000003', amount: '45' }] }
const countPayments = async () => (await shop.owner.get('/payments')).body.count
const REFUSED = {
  review: 'Review the payment before you send it.',
  changed: 'The payment has changed since its review. Review it again.',
}

describe('a payment in the console', () => {
  it('is sent only as it was reviewed', async () => {
    const { owner } = shop
    const before = await countPayments()
    expect((await owner.post('/payments', WAGES)).body).toEqual({ non_field_errors: [REFUSED.review] })
    const { status, body: review } = await owner.post('/payment-reviews', WAGES)
    expect(status).toBe(200)
    expect(review).toMatchObject({
      recipients: [{ phonenumber: '+80000000003', name_on_network: 'Sandbox Customer', name_state: 'not_compared' }],
      sums: [{ currency: 'BXC', amount: '45.0000' }],
    })
    const headers = { 'kusanya-review': review.token }
    const more = { ...WAGES, recipient_data: [{ phonenumber: '+80000000003', amount: '450000' }] }
    for (const changed of [more, { ...WAGES, description: 'Rent' }])
      expect((await owner.send('POST', '/payments', changed, headers)).body).toEqual({
        non_field_errors: [REFUSED.changed],
      })
    expect(await countPayments()).toBe(before)
    expect((await owner.send('POST', '/payments', WAGES, headers)).status).toBe(201)
    expect(await countPayments()).toBe(before + 1)
  })

  it('goes to a number that is not registered only after a confirmation', async () => {
    const { owner } = shop
    const wages = { ...WAGES, recipient_data: [...WAGES.recipient_data, { phonenumber: UNKNOWN, amount: '45' }] }
    const { body: review } = await owner.post('/payment-reviews', wages)
    expect(review.recipients[0]).toMatchObject({ phonenumber: UNKNOWN, name_state: 'not_registered' })
    const headers = { 'kusanya-review': review.token }
    const refused = await owner.send('POST', '/payments', wages, headers)
    expect([refused.status, refused.body.non_field_errors[0]]).toEqual([400, expect.stringContaining('not registered')])
    const confirmed = { ...headers, 'kusanya-not-registered': 'confirmed' }
    expect((await owner.send('POST', '/payments', wages, confirmed)).status).toBe(201)
  })

  it('can be sent when its network does not answer', async () => {
    const wages = { ...WAGES, recipient_data: [{ phonenumber: '+80000000404', amount: '45' }] }
    const { status, body: review } = await shop.owner.post('/payment-reviews', wages)
    expect([status, review.names]).toEqual([200, expect.objectContaining({ unknown: 1, not_registered: 0 })])
    const headers = { 'kusanya-review': review.token }
    expect((await shop.owner.send('POST', '/payments', wages, headers)).status).toBe(201)
  })

  it('is reviewed again when its fee has changed', async () => {
    const { owner, testApp } = shop
    const setFixedFee = (fixed: string) => {
      const fee = { organization: testApp.organization, kind: 'payment' as const, currency: 'BXC', network: null }
      const rates = { fixed: amount(fixed), percent: 0n, min_fee: 0n, max_fee: null }
      return begin(testApp.db, (tx) => setFee(tx, testApp.clock.now(), { ...fee, ...rates }))
    }
    const review = async () => (await owner.post('/payment-reviews', WAGES)).body
    const send = ({ token }: { token: string }) => owner.send('POST', '/payments', WAGES, { 'kusanya-review': token })
    const before = await countPayments()
    const old = await review()
    await setFixedFee('2')
    const refused = 'The fee has changed since the review, from BXC 0 to BXC 2. Review the payment again.'
    expect((await send(old)).body).toEqual({ non_field_errors: [refused] })
    expect(await countPayments()).toBe(before)
    const renewed = await review()
    expect(renewed.sums).toMatchObject([{ amount: '45.0000', fee: '2.0000', total: '47.0000' }])
    expect((await send(renewed)).status).toBe(201)
    await setFixedFee('0')
    expect((await send(renewed)).body.non_field_errors[0]).toContain('from BXC 2 to BXC 0.')
  })

  it('is reviewed by a user who may pay, with the answers that the payment itself would get', async () => {
    const { owner, viewer, otherOwner } = shop
    expect((await viewer.post('/payment-reviews', WAGES)).status).toBe(403)
    const wrong = { ...WAGES, recipient_data: [{ phonenumber: '12', amount: '45' }] }
    expect((await owner.post('/payment-reviews', wrong)).body.recipient_data[0]).toContain('recipient_data[0]')
    const [wallet] = (await owner.get('/accounts?currency=BXC')).body.results
    expect((await otherOwner.post('/payment-reviews', { ...WAGES, account: wallet.id })).status).toBe(403)
    const { token } = (await owner.post('/payment-reviews', WAGES)).body
    const stolen = await otherOwner.send('POST', '/payments', WAGES, { 'kusanya-review': token })
    expect(stolen.status).toBe(400)
  })
})

describe('a file in the console', () => {
  const upload = async (lines: readonly string[]) => {
    const content = Buffer.from(['phone number,name,amount,currency', ...lines].join('\n')).toString('base64')
    const body = { file_name: 'wages.csv', content, description: 'Wages' }
    return `/bulk-payments/${(await shop.owner.post('/bulk-payments', body)).body.id}`
  }

  it('is started only as it was reviewed', async () => {
    const { owner } = shop
    const path = await upload(['+80000000071,Ann Other,11,BXC', '+80000000072,Joe Soap,12,BXC'])
    expect((await owner.post(`${path}/start`)).body).toEqual({ non_field_errors: [REFUSED.review] })
    const { body: review } = await owner.post(`${path}/review`)
    expect(review).toMatchObject({ recipients_count: 2, names: { unknown: 2 }, sums: [{ amount: '23.0000' }] })
    const headers = { 'kusanya-review': review.token }
    expect((await owner.post(`${path}/rows`, { rows: [3], decision: 'skip' })).body).toEqual({ changed: 1 })
    expect((await owner.send('POST', `${path}/start`, {}, headers)).body).toEqual({
      non_field_errors: [REFUSED.changed],
    })
    expect((await owner.get(path)).body.state).toBe('draft')
    const again = (await owner.post(`${path}/review`)).body
    expect(again.sums[0].amount).toBe('11.0000')
    const started = await owner.send('POST', `${path}/start`, {}, { 'kusanya-review': again.token })
    expect([started.status, started.body.state]).toEqual([200, 'creating'])
    expect((await owner.post(`${path}/review`)).status).toBe(400)
  })

  it('says what has to be decided first, and belongs to its organization', async () => {
    const path = await upload(['+80000000073,Ann Other,x,BXC'])
    expect((await shop.owner.post(`${path}/review`)).body.rows[0]).toContain('Rows that cannot be paid: 1.')
    expect((await shop.viewer.post(`${path}/review`)).status).toBe(403)
    expect((await shop.otherOwner.post(`${path}/review`)).status).toBe(404)
  })
})

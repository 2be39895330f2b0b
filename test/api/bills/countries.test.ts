import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BillCallback } from '../../../src/billers/contract.ts'
import { findService } from '../../../src/core/bills/catalogue.ts'
import { addOffer } from '../../../src/core/bills/offers.ts'
import { findBillWallet } from '../../../src/core/bills/wallets.ts'
import { begin } from '../../../src/db/client.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { fakeSeller, goods, refused, silence, TOKEN } from '../../jobs/bills/bill-sellers.ts'
import { buildTestApp, eventually, type TestApp } from '../../test-app.ts'
import { airtimeOrder, createBuyer, electricityOrder } from './buyer.ts'

/* A shop with wallets in several currencies buys in other countries, at providers of which one refuses. */

let testApp: TestApp
let buyer: ReturnType<typeof createBuyer>
let url: string
const SECRET = 'a1b2c3d4'.repeat(4)
const broke = fakeSeller('broke', { own_names: false })
const rich = fakeSeller('rich', {
  own_names: false,
  operations: { readCallback: ({ body }) => JSON.parse(body) as BillCallback },
})

rich.connection.callback_secret = SECRET

beforeAll(async () => {
  const bill_connections = [broke.connection, rich.connection]
  testApp = await buildTestApp({
    settings: { BILL_WAIT_SECONDS: '2' },
    overrides: { connections: [], bill_connections, billers: [] },
  })
  url = (await testApp.startService()).url
  buyer = createBuyer(testApp, url)
  broke.answers.vend = refused('no_funds_at_biller')
  await begin(testApp.db, async (tx) => {
    for (const [category, service_type] of [
      ['airtime', 'safaricom_ke'],
      ['electricity', 'ikeja_electric_prepaid'],
    ] as const)
      for (const [connection, commission_percent] of [
        ['broke', '3'],
        ['rich', '1'],
      ] as const) {
        const { id: service } = await findService(tx, category, service_type)
        const names = { remote_service: `${service_type}!`, remote_product: null, price: null, min: null, max: null }
        await addOffer(tx, testApp.clock.now(), { service, product: null, connection, commission_percent, ...names })
      }
  })
})
afterAll(() => testApp.close())

const kenya = (changes: object = {}) =>
  airtimeOrder({ service_type: 'safaricom_ke', phone: '0712345678', amount: 100, ...changes })
const balanceOf = async (currency: string) =>
  (await findBillWallet(testApp.db, testApp.organization, currency))!.balance
const smsOf = (reference: string) =>
  testApp.db<{ phonenumber: string; body: string; purpose: string }[]>`
    select m.phonenumber, m.body, m.purpose from sms_messages m join bill_purchases p on p.id = m.bill_purchase
    where p.agent_reference = ${reference}`

describe('a purchase in another country', () => {
  it('is paid from the wallet of its currency, and bought at the cheapest provider that can', async () => {
    const [kes, ngn] = [await balanceOf('KES'), await balanceOf('NGN')]
    const order = kenya()
    const { status, body } = await buyer.post('/services/airtime/request', order)
    expect([status, body.status]).toEqual([200, 'success'])
    expect([kes - (await balanceOf('KES')), ngn - (await balanceOf('NGN'))]).toEqual([parseAmount('100'), 0n])
    expect([broke, rich].map(({ vends }) => vends.at(-1))).toMatchObject([
      { account_number: '+254712345678', country: 'KE', currency: 'KES', offer: { remote_service: 'safaricom_ke!' } },
      { account_number: '+254712345678', country: 'KE', currency: 'KES' },
    ])
    const [row] = await testApp.db`
      select o.connection as biller, p.attempt, o.cost::text from bill_purchases p
      join network_orders o on o.bill_purchase = p.id and o.attempt = p.attempt where p.agent_reference = ${order.agentReference}`
    expect(row).toEqual({ biller: 'rich', attempt: 2, cost: '99.0000' })
    expect(await buyer.ledgerErrors()).toEqual([])
  })

  it('takes no number of another country, and no currency without a wallet', async () => {
    const wrong = await buyer.post('/services/airtime/request', kenya({ phone: '+256772000001' }))
    expect([wrong.status, wrong.body.code, Object.keys(wrong.body.errors)]).toEqual([400, 'BX0003', ['phone']])
    const ghana = { service_type: 'mtn_gh', phone: '+233241234567', amount: 10 }
    const { status, body } = await buyer.post('/services/airtime/request', airtimeOrder(ghana))
    expect([status, body.code, body.message]).toEqual([
      503,
      'EXC00105',
      'The organization has no active account in GHS.',
    ])
  })

  it('is refused before any money moves if no provider sells it', async () => {
    const before = await balanceOf('UGX')
    const uganda = { service_type: 'mtn_ug', phone: '+256772000001', amount: 1000 }
    const { status, body } = await buyer.post('/services/airtime/request', airtimeOrder(uganda))
    expect([status, body.code]).toEqual([503, 'EXC00103'])
    expect(await balanceOf('UGX')).toBe(before)
  })

  it('is listed by country, with its currency', async () => {
    const { body } = await buyer.get('/services/airtime/providers?country=ke')
    expect(body.data.providers.map((one: { service_type: string }) => one.service_type)).toEqual([
      'safaricom_ke',
      'airtel_ke',
      'telkom_ke',
    ])
    const services = (await buyer.get('/billers/services/list?country=KE')).body.data
    expect(services[0]).toMatchObject({ serviceCountry: 'KE', serviceCurrency: 'KES' })
    const countries = await testApp.db`select distinct country from catalogue_services where category = 'airtime'`
    expect(countries.length).toBeGreaterThanOrEqual(21)
  })
})

describe('the token of a prepaid purchase', () => {
  it('goes to the phone of the purchase in an SMS when the purchase wants it, also abroad', async () => {
    const order = electricityOrder({ phone: '+256772000001', sendToken: true })
    expect((await buyer.post('/services/electricity/request', order)).body.status).toBe('success')
    expect(await smsOf(order.agentReference)).toEqual([
      {
        phonenumber: '+256772000001',
        purpose: 'goods',
        body: expect.stringContaining('Ikeja Prepaid. Token for meter 04042404048: 0123 4567 8901 2345 6789 (13.9KWH)'),
      },
    ])
    expect(TOKEN).toBe('01234567890123456789')
  })

  it('goes out when the organization wants it, unless the purchase does not', async () => {
    await testApp.db`update organizations set send_bill_tokens = true`
    const [plain, silent] = [electricityOrder(), electricityOrder({ sendToken: false })]
    for (const order of [plain, silent]) await buyer.post('/services/electricity/request', order)
    expect((await smsOf(plain.agentReference)).map(({ phonenumber }) => phonenumber)).toEqual(['+2348031234567'])
    expect(await smsOf(silent.agentReference)).toEqual([])
    await testApp.db`update organizations set send_bill_tokens = false`
  })
})

describe('a callback of a provider', () => {
  const receive = async (content: object, secret = SECRET) => {
    const { status } = await fetch(`${url}/api/callbacks/rich/${secret}/result`, {
      method: 'POST',
      body: JSON.stringify(content),
    })
    return status
  }
  const openPurchase = async () => {
    Object.assign(rich.answers, { vend: silence, status: silence })
    const order = kenya()
    expect((await buyer.post('/services/airtime/request', order)).body.code).toBe('BX0021')
    return { order, reference: rich.vends.at(-1)!.reference }
  }
  const statusOf = async (reference: string) =>
    (
      await testApp.db<{ status: string }[]>`
      select p.status from bill_purchases p join network_orders o on o.bill_purchase = p.id
      where o.reference = ${reference}`
    )[0]!.status

  it('ends a purchase when it is verified', async () => {
    const { reference } = await openPurchase()
    const answer = { outcome: 'successful', remote_id: 'R-1', vended: { ...goods, token: null } }
    expect(await receive({ subject: 'vend', vend: { reference }, verified: true, answer })).toBe(200)
    expect(await statusOf(reference)).toBe('success')
    const [row] =
      await testApp.db`select state, verified from callbacks where connection = 'rich' order by id desc limit 1`
    expect(row).toEqual({ state: 'settled', verified: true })
  })

  it('only makes the provider be asked when it is not', async () => {
    const { reference } = await openPurchase()
    await testApp.db`update network_orders set due_at = '2040-01-01' where reference = ${reference}`
    const before = rich.asked.length
    const answer = { outcome: 'failed', reason: 'declined', message: 'Forged.' }
    await receive({ subject: 'vend', vend: { reference }, verified: false, answer })
    await eventually('the question', async () => (rich.asked.length > before ? true : undefined))
    expect(await statusOf(reference)).toBe('pending')
  })

  it('that names no purchase of this connection changes nothing and is kept', async () => {
    await receive({ subject: 'vend', vend: { reference: broke.vends[0]!.reference }, verified: true, answer: null })
    const [row] = await testApp.db`select state, note from callbacks where connection = 'rich' order by id desc limit 1`
    expect(row).toEqual({ state: 'ignored', note: 'No purchase has this reference at this provider.' })
    expect(await receive({ subject: 'catalogue', verified: false }, 'b'.repeat(32))).toBe(404)
    await receive({ subject: 'catalogue', verified: false })
    expect(await testApp.db`select connection from bill_catalogue_syncs where connection = 'rich'`).toHaveLength(1)
  })
})

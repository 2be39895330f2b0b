import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../password.ts'
import { openShop, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.testApp.close())

const place = { time_zone: 'Africa/Kampala', country: 'UG' }

describe('the time zone and the country of an organization', () => {
  it('are set by its managers, which is audited', async () => {
    const { owner, viewer, testApp } = shop
    expect((await owner.get('/session')).body.organization).toMatchObject(place)
    const set = await owner.send('PUT', '/settings/place', { time_zone: 'africa/cairo', country: 'eg' })
    expect(set.status).toBe(204)
    const cairo = { time_zone: 'Africa/Cairo', country: 'EG' }
    expect((await owner.get('/settings')).body.organization).toMatchObject(cairo)
    expect((await owner.get('/session')).body.organization).toMatchObject(cairo)
    const [entry] = await testApp.db`select action, details from audit_log order by id desc limit 1`
    expect(entry).toMatchObject({
      action: 'set time zone and country',
      details: { ...cairo, time_zone_before: 'Africa/Kampala', country_before: 'UG' },
    })
    expect((await viewer.send('PUT', '/settings/place', place)).status).toBe(403)
    const choices = (await owner.get('/settings/place')).body
    expect([choices.time_zones[0], choices.countries.includes('UG')]).toEqual(['UTC', true])
    await owner.send('PUT', '/settings/place', place)
  })

  it('must exist', async () => {
    const wrong = await shop.owner.send('PUT', '/settings/place', { time_zone: '+03:00', country: 'XX' })
    expect([wrong.status, Object.keys(wrong.body)]).toEqual([400, ['time_zone', 'country']])
    expect((await shop.owner.get('/settings')).body.organization).toMatchObject(place)
  })
})

describe('typed input in the console', () => {
  it('is a phone number of the country, and programs still write the country code', async () => {
    const { owner, url, testApp } = shop
    const typed = { phone_number: '0772 000 001', first_name: 'Jane', last_name: 'Doe' }
    const made = await owner.post('/contacts', typed)
    expect([made.status, made.body.phone_number]).toEqual([201, '+256772000001'])
    const found = (await owner.get('/contacts?phone_number=0772000001')).body
    expect(found.results.map((one: { id: number }) => one.id)).toEqual([made.body.id])
    const headers = { authorization: `Token ${testApp.api_key}`, 'content-type': 'application/json' }
    const sent = await fetch(`${url}/api/contacts`, { method: 'POST', headers, body: JSON.stringify(typed) })
    expect(sent.status).toBe(400)
    await owner.send('PUT', '/settings/place', { ...place, country: null })
    expect((await owner.post('/contacts', { ...typed, phone_number: '0772000002' })).status).toBe(400)
    await owner.send('PUT', '/settings/place', place)
  })

  it('is the phone of a filter, whose invoices an action changes', async () => {
    const { owner } = shop
    const made = await owner.post('/invoices', {
      phonenumber: '0772 000 031',
      first_name: 'Grace',
      currency: 'BXC',
      due_date: '14 days',
      lines: [{ text: 'Fees', unit_price: '100' }],
    })
    expect(made.status).toBe(201)
    const issued = await owner.post('/invoices/issue', { filter: { phonenumber: '0772 000 031' } })
    expect([issued.status, issued.body]).toMatchObject([200, { done: 1, left_out: [] }])
    const wrong = await owner.post('/invoices/remind', { filter: { phonenumber: '0772 000 031', total: '1.500,5.5' } })
    expect([wrong.status, Object.keys(wrong.body)]).toEqual([400, ['filter']])
  })

  it('is the phone of a payer, in lines or in a list', async () => {
    const { owner } = shop
    const names = { first_name: 'Betty', last_name: 'Nakato' }
    const grace = { name: 'Grace', phone_number: '+256772000011' }
    const lines = await owner.post('/contacts', { ...names, number: 'P5-1', payers: 'Grace 0772 000011\n0772 000012' })
    const both = [grace, { name: '', phone_number: '+256772000012' }]
    expect([lines.status, lines.body.payers]).toEqual([201, both])
    const list = await owner.post('/contacts', {
      ...names,
      number: 'P5-2',
      payers: [{ ...grace, phone_number: '0772000011' }],
    })
    expect([list.status, list.body.payers]).toEqual([201, [grace]])
    expect((await owner.get('/contacts?payer=0772000011')).body.count).toBe(2)
  })

  it("may be a phone number in a page's address, even with invisible characters", async () => {
    const { owner } = shop
    const phone = await owner.get('/simulator/phones/0772%20000%20001')
    expect([phone.status, phone.body.prompts]).toEqual([200, []])
    const copied = await owner.get('/contacts?phone_number=%E2%80%AAtel:0772-000-001%E2%80%AC')
    expect(copied.body.results.map((one: { phone_number: string }) => one.phone_number)).toEqual(['+256772000001'])
  })

  it('is an amount with separators, and never another one', async () => {
    const { owner } = shop
    const typed = { phonenumber: '0772 000 001', currency: 'UGX' }
    const made = await owner.post('/collectionrequests', { ...typed, amount: 'UGX 25,000/=' })
    expect([made.status, made.body.amount]).toEqual([201, '25000.0000'])
    for (const amount of ['150.000', '100.50', 'KES 500', '25,00,0']) {
      const refused = await owner.post('/collectionrequests', { ...typed, amount })
      expect([amount, refused.status, Object.keys(refused.body)]).toEqual([amount, 400, ['amount']])
    }
    const link = await owner.post('/paymentlinks', { title: 'Fees', currency: 'UGX', amounts: ['5,000', '1 000'] })
    expect([link.status, link.body.amounts]).toEqual([201, ['5000.0000', '1000.0000']])
    for (const amounts of ['1,500, 2,750', '1500 2750', '1500,2750', '1 500; 2 750']) {
      const listed = await owner.post('/paymentlinks', { title: 'Fees', currency: 'UGX', amounts })
      expect([amounts, listed.body.amounts]).toEqual([amounts, ['1500.0000', '2750.0000']])
    }
    const invoice = { ...typed, lines: [{ text: 'Fees', unit_price: '850,000' }], min_part: '100,000' }
    expect((await owner.post('/invoices', invoice)).body).toMatchObject({
      total: '850000.0000',
      min_part: '100000.0000',
    })
    const recipient_data = [{ phonenumber: '0772000001', amount: '1.500' }]
    const payment = await owner.post('/payments', { currency: 'UGX', description: 'Wages', recipient_data })
    expect(payment.body.recipient_data[0]).toMatch(/^recipient_data\[0\]\.amount: It is not clear/)
  })

  it('is a day of the organization, in each notation, and the end of a link is the end of its day', async () => {
    const { owner } = shop
    const link = { title: 'Fees', currency: 'UGX', amount: '5000' }
    for (const [expiry_date, at] of [
      ['31/12/2030', '2030-12-31T20:59:59Z'],
      ['2030-12-31', '2030-12-31T20:59:59Z'],
      ['31/12/2030 18:00', '2030-12-31T15:00:00Z'],
      ['2030-12-31T18:00:00Z', '2030-12-31T18:00:00Z'],
    ]) {
      const made = await owner.post('/paymentlinks', { ...link, expiry_date })
      expect([expiry_date, made.status, made.body.expiry_date]).toEqual([expiry_date, 201, at])
    }
    const { key: _, id } = (await owner.post('/keys', { password: PASSWORD, name: 'Till', expires: '2030-02-01' })).body
    const keys = (await owner.get('/keys')).body.results as { id: number; expires: string }[]
    expect(keys.find((one) => one.id === id)?.expires).toBe('2030-01-31T21:00:00Z')
    const settings = JSON.stringify({ frequency: 'daily', end_date: '2030-01-17' })
    const preview = await owner.get(`/plans/preview?subscription_settings=${encodeURIComponent(settings)}`)
    // It is 15:00 in Kampala, and the last second of 17 January is 20:59:59 in UTC.
    expect(preview.body).toEqual({
      dates: ['2030-01-15T12:00:00Z', '2030-01-16T12:00:00Z', '2030-01-17T12:00:00Z'],
      more: false,
    })
  })
})

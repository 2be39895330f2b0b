import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setFee } from '../../src/core/ledger/fees.ts'
import { setApprovalRule } from '../../src/core/spending/approval-rules.ts'
import { begin } from '../../src/db/client.ts'
import { readEvents } from '../recorded-events.ts'
import { buildTestApp, createApiClient, eventually, type TestApp } from '../test-app.ts'

let testApp: TestApp
let api: ReturnType<typeof createApiClient>
beforeAll(async () => {
  testApp = await buildTestApp()
  const service = await testApp.startService()
  api = createApiClient(service.url, testApp.api_key)
})
afterAll(() => testApp.close())

const WAGES = { phonenumber: '+80000000003', amount: '100', currency: 'BXC', description: 'Wages' }

async function balance(): Promise<number> {
  const [row] = await testApp.db<{ balance: bigint }[]>`
    select balance from accounts where organization = ${testApp.organization} and currency = 'BXC' and kind = 'local'`
  return Number(row!.balance) / 10_000
}

function pass(seconds: number): void {
  testApp.clock.advance(seconds)
  testApp.app.wake()
}

/** Advance the clock until the payment is in this state. */
const until = (id: number, state: string) => reaches(id, state, 1)

/** Wait until the payment is in this state and advance the clock by `seconds` (default 0) between two reads. */
async function reaches(id: number, state: string, seconds = 0) {
  return eventually(`payment ${id} to be ${state}`, async () => {
    const { body } = await api.get(`/api/payments/${id}`)
    if (body.state === state) return body
    if (seconds > 0) pass(seconds)
    return undefined
  })
}

async function statesTold(id: number): Promise<string[]> {
  const events = await readEvents(testApp.db, 'payment.status.changed')
  return events.flatMap(({ data }) => (data.id === id ? [String(data.state)] : []))
}

describe('POST /api/payments', () => {
  it('sends money to a phone: on hold at once, spent on arrival, with events', async () => {
    const before = await balance()
    const { status, body } = await api.post('/api/payments', { ...WAGES, metadata: { run: 7 }, first_name: 'Jane' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      organization: testApp.organization,
      payment_type: 'money',
      amount: '100.0000',
      currency: 'BXC',
      description: 'Wages',
      metadata: { run: 7 },
      state: 'new',
      last_error: null,
      start_date: body.created,
      rejected_by: null,
      cancelled_time: null,
      remote_transaction_id: null,
      send_sms_message: false,
      charged_fee: '0.0000',
      phone_nos: [
        {
          phonenumber: '+80000000003',
          amount: '100.0000',
          state: 'new',
          last_error: null,
          batch_id: null,
          payment_id: body.id,
          description: 'Wages',
          metadata: {},
        },
      ],
      transactions: [{ type: 'mobile_payment', amount: '-100.0000', account: body.account }],
    })
    expect(await balance()).toBe(before - 100)
    const done = await until(body.id, 'processed')
    expect(done.remote_transaction_id).toEqual(expect.any(String))
    expect(done.phone_nos[0]).toMatchObject({ state: 'complete', last_error: null })
    expect(await balance()).toBe(before - 100)
    expect(await statesTold(body.id)).toEqual(['validated', 'completed'])
  })

  it('has events with a payment in the form of the interface (2.8)', async () => {
    const { body } = await api.post('/api/payments', WAGES)
    await until(body.id, 'processed')
    const event = await eventually('the event', async () => {
      const [event] = (await api.get('/api/events?type=payment.status.changed&limit=1')).body.results
      return event.data.id === body.id && event.data.state === 'completed' ? event : undefined
    })
    expect(event.data).toEqual({
      id: body.id,
      organization: testApp.organization,
      amount: '100.0000',
      currency: 'BXC',
      payment_type: 'money',
      metadata: {},
      description: 'Wages',
      phone_nos: ['+80000000003'],
      state: 'completed',
      last_error: null,
      rejected_reason: null,
      rejected_by: null,
      rejected_time: null,
      cancelled_reason: null,
      cancelled_by: null,
      cancelled_time: null,
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      author: body.author,
      modified: expect.stringMatching(/\.\d{3}Z$/),
      updated_by: expect.stringMatching(/^\d+$/),
      start_date: expect.stringMatching(/\.\d{3}Z$/),
    })
    // Interface 2.8: a payment starts when it was made, unless it has its own date.
    expect(event.data.start_date).toBe(event.data.created)
    expect(event.data.start_date).toBe(body.start_date.replace('Z', '.000Z'))
  })

  it('sends airtime and posts it as airtime', async () => {
    const { body } = await api.post('/api/payments', { ...WAGES, payment_type: 'airtime' })
    const done = await until(body.id, 'processed')
    expect(done).toMatchObject({ payment_type: 'airtime', transactions: [{ type: 'airtime_topup' }] })
    const [sent] =
      await testApp.db`select kind from simulator_payouts where transaction = ${done.remote_transaction_id}`
    expect(sent).toEqual({ kind: 'airtime' })
  })

  it('refunds the money when the number is not registered', async () => {
    const before = await balance()
    const { body } = await api.post('/api/payments', { ...WAGES, phonenumber: '+80000000001' })
    const done = await until(body.id, 'processed_with_errors')
    expect(done).toMatchObject({ last_error: 'Phone number is not registered', remote_transaction_id: null })
    expect(done.phone_nos[0]).toMatchObject({ state: 'error', last_error: 'Phone number is not registered' })
    expect(done.transactions.map((one: { amount: string }) => one.amount)).toEqual(['-100.0000', '100.0000'])
    expect(await balance()).toBe(before)
    expect(await statesTold(body.id)).toEqual(['validated', 'processed_with_errors'])
  })

  it('sends to many recipients in one payment and settles each separately', async () => {
    const before = await balance()
    const recipient_data = JSON.stringify([
      { phonenumber: '+80000000003', amount: '10', first_name: 'Ann' },
      { phonenumber: '+80000000001', amount: '20' },
      { phonenumber: '+80000000004', description: 'Bonus', metadata: { level: 2 } },
    ])
    const { status, body } = await api.post('/api/payments', {
      recipient_data,
      amount: '30',
      currency: 'BXC',
      description: 'Wages',
    })
    expect(status).toBe(201)
    expect(body.amount).toBe('60.0000')
    const done = await until(body.id, 'processed_with_errors')
    expect(done.phone_nos.map((one: { state: string }) => one.state)).toEqual(['complete', 'error', 'complete'])
    expect(done.phone_nos[2]).toMatchObject({ amount: '30.0000', description: 'Bonus', metadata: { level: 2 } })
    expect(done.phone_nos[0].batch_id).toBe(body.id)
    expect(await balance()).toBe(before - 40)
  })

  it('refuses the whole list for one invalid row and names its index', async () => {
    const { status, body } = await api.post('/api/payments', {
      recipient_data: [
        { phonenumber: '+80000000003', amount: '10' },
        { phonenumber: 'unknown', amount: '1' },
        { phonenumber: '+80000000004' },
        { phonenumber: '+80000000004', amount: '5' },
      ],
      currency: 'BXC',
      description: 'Wages',
    })
    expect(status).toBe(400)
    expect(body).toEqual({
      recipient_data: ['recipient_data[1].phonenumber: Enter a valid phone number (e.g. +256772000001).'],
    })
    const limits = await api.post('/api/payments', {
      recipient_data: [{ phonenumber: '+80000000004' }, { phonenumber: '+80000000004', amount: '5' }],
      currency: 'BXC',
      description: 'Wages',
    })
    expect(limits.body).toEqual({
      recipient_data: [
        'recipient_data[0].amount: This field is required.',
        'recipient_data[1].amount: Ensure this value is greater than or equal to 10.0000.',
      ],
    })
  })

  it('accepts form bodies', async () => {
    const form = new URLSearchParams({ ...WAGES, 'metadata.run': '8', callback_url: 'https://example.com' })
    const { status, body } = await api.post('/api/payments', form.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(status).toBe(201)
    expect(body.metadata).toEqual({ run: '8' })
  })

  it('names all missing fields', async () => {
    expect((await api.post('/api/payments', {})).body).toEqual({
      phonenumber: ['This field is required.'],
      amount: ['This field is required.'],
      currency: ['This field is required.'],
      description: ['This field is required.'],
    })
  })

  it.each([
    [{ amount: '9.99' }, { amount: ['Ensure this value is greater than or equal to 10.0000.'] }],
    [{ amount: '5000000.01' }, { amount: ['Ensure this value is less than or equal to 5000000.0000.'] }],
    [{ payment_type: 'gold' }, { payment_type: [expect.stringContaining('"gold" is not a valid choice.')] }],
    [{ currency: 'XYZ' }, { currency: [expect.stringContaining('"XYZ" is not a valid choice.')] }],
    [{ account: 999_999 }, { account: ['Invalid pk "999999" - object does not exist.'] }],
    [{ start_date: '01/01/2020' }, { start_date: ['The start date must be in the future.'] }],
    [
      { national_id_type: 'library' },
      { national_id_type: [expect.stringContaining('"library" is not a valid choice.')] },
    ],
    [{ currency: 'UGX' }, { currency: ['UGX is not used in the country of +80000000003.'] }],
    [
      { currency: 7, start_date: 7 },
      {
        currency: [expect.stringContaining('7 is not a valid choice.')],
        start_date: ['Enter a date such as tomorrow, 31/12/2030 or 31/12/2030 18:00:00.'],
      },
    ],
    [{ recipient_data: 'nonsense' }, { recipient_data: ['Expected a list of recipients, or a JSON text of one.'] }],
    [
      { recipient_data: [{ phonenumber: '+80000000003' }, '+80000000004', null] },
      {
        recipient_data: [
          'recipient_data[1]: Expected a dictionary of items.',
          'recipient_data[2]: Expected a dictionary of items.',
        ],
      },
    ],
  ])('refuses %j', async (change, errors) => {
    const { status, body } = await api.post('/api/payments', { ...WAGES, ...change })
    expect(body).toEqual(errors)
    expect(status).toBe(400)
  })

  it('refuses an amount over the balance and stores nothing', async () => {
    const { status, body } = await api.post(
      '/api/payments',
      { ...WAGES, amount: '4000000' },
      { 'Duplicate-Check-Key': 'big' },
    )
    expect(status).toBe(400)
    expect(body.amount[0]).toMatch(/^The account holds BXC .*, but the payment needs BXC 4,000,000\.$/)
    const again = await api.post('/api/payments', WAGES, { 'Duplicate-Check-Key': 'big' })
    expect(again.status).toBe(201)
    const duplicate = await api.post('/api/payments', WAGES, { 'Duplicate-Check-Key': 'big' })
    expect(duplicate.status).toBe(409)
    expect(duplicate.body).toMatchObject({ type: 'payment', id: again.body.id })
    // "Not enough money" would say that nothing was paid.
    const repeated = { ...WAGES, amount: '4000000' }
    const unaffordable = await api.post('/api/payments', repeated, { 'Duplicate-Check-Key': 'big' })
    expect([unaffordable.status, unaffordable.body.id]).toEqual([409, again.body.id])
  })

  it('never pays more than the balance, also under simultaneous requests', async () => {
    const [{ id }] = (await testApp.db`
      select id from accounts where organization = ${testApp.organization} and currency = 'NGN' and kind = 'local'`) as [
      { id: number },
    ]
    const input = { phonenumber: '+2348031234567', amount: '900000', currency: 'NGN', description: 'All at once' }
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.post('/api/payments', input)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 400, 400, 400])
    expect((await api.get(`/api/payments?currency=NGN&payment_type=money`)).body.count).toBe(5)
    expect(id).toBeGreaterThan(0)
  })

  it('waits for its start date with the money on hold', async () => {
    const before = await balance()
    const { body } = await api.post('/api/payments', { ...WAGES, start_date: '2 hours' })
    expect(body.state).toBe('scheduled')
    expect(Date.parse(body.start_date) - Date.parse(body.created)).toBe(2 * 60 * 60 * 1_000)
    expect(await balance()).toBe(before - 100)
    testApp.clock.advance(2 * 60 * 60)
    await until(body.id, 'processed')
    expect(await statesTold(body.id)).toEqual(['scheduled', 'validated', 'completed'])
  })

  it('checks an unknown outcome at the network, and sends again only when the network does not know the payment', async () => {
    const recipient_data = ['104', '105', '106'].map((end) => ({ phonenumber: `+80000000${end}`, amount: '10' }))
    const { body } = await api.post('/api/payments', { ...WAGES, recipient_data })
    const done = await eventually(
      'the payment to three numbers with network failures',
      async () => {
        const { body: now } = await api.get(`/api/payments/${body.id}`)
        if (now.state === 'processed') return now
        pass(5)
        return undefined
      },
      50_000,
    )
    expect(done.phone_nos.map((one: { state: string }) => one.state)).toEqual(['complete', 'complete', 'complete'])
    const [row] = await testApp.db<{ count: number; paid: number }[]>`
      select count(*), count(distinct reference) as paid from simulator_payouts`
    expect(row!.count).toBe(row!.paid)
  })
})

describe('GET /api/payments', () => {
  it('filters and pages as every list', async () => {
    const { body: created } = await api.post('/api/payments', {
      ...WAGES,
      phonenumber: '+80000000077',
      first_name: 'Filo',
      last_name: 'Mena',
    })
    const done = await until(created.id, 'processed')
    const filters = [
      `payment_id=${created.id}`,
      'phone_number=80000000077',
      'first_name=Filo&last_name=Mena',
      `remote_transaction_id=${done.remote_transaction_id}`,
      'phone_number=80000000077&state=complete&network=sandbox&payment_state=processed&amount=100&payment_type=money',
    ]
    for (const filter of filters) {
      const { body } = await api.get(`/api/payments?${filter}`)
      expect(body, filter).toMatchObject({ count: 1, next: null, previous: null, results: [{ id: created.id }] })
    }
    expect((await api.get('/api/payments?state=nonsense')).body.count).toBe(0)
    expect((await api.get('/api/payments?payment_id=x')).status).toBe(400)
    const page = (await api.get('/api/payments?limit=1&ordering=id')).body
    expect(page.results).toHaveLength(1)
    expect(page.next).toContain('offset=1')
  })

  it('answers 404 for an unknown payment', async () => {
    expect((await api.get('/api/payments/999999')).status).toBe(404)
  })
})

describe('fees and approvals of payments', () => {
  it('charges the fee with the payment and refunds it with the money', async () => {
    const fee = { kind: 'payment' as const, currency: 'BXC', network: null, fixed: 20_000n, percent: 10_000n }
    await begin(testApp.db, (tx) =>
      setFee(tx, testApp.clock.now(), { ...fee, organization: testApp.organization, min_fee: 0n, max_fee: null }),
    )
    const before = await balance()
    const { body } = await api.post('/api/payments', WAGES)
    expect(await balance()).toBe(before - 103)
    const done = await until(body.id, 'processed')
    expect(done.charged_fee).toBe('3.0000')
    expect(done.transactions.map((one: { type: string }) => one.type)).toEqual(['mobile_payment', 'service_charge'])
    const { body: failed } = await api.post('/api/payments', { ...WAGES, phonenumber: '+80000000001' })
    expect((await until(failed.id, 'processed_with_errors')).charged_fee).toBe('0.0000')
    expect(await balance()).toBe(before - 103)
  })

  it('refunds money and fee when the network reverses the payment', async () => {
    const before = await balance()
    const { body } = await api.post('/api/payments', { ...WAGES, phonenumber: '+80000000108' })
    const last_error = 'The network has taken the money back.'
    await eventually('the network to accept it', async () => {
      const [payout] = await testApp.db`select 1 from simulator_payouts where phonenumber = '+80000000108'`
      return payout
    })
    // Two simultaneous callbacks have no fixed order.
    pass(1)
    await reaches(body.id, 'processed')
    pass(10)
    const done = await reaches(body.id, 'processed_with_errors')
    expect(done).toMatchObject({ last_error, charged_fee: '0.0000' })
    expect(done.phone_nos[0]).toMatchObject({ state: 'error', last_error })
    expect(done.transactions).toMatchObject([
      { type: 'mobile_payment', amount: '-100.0000' },
      { type: 'service_charge', amount: '-3.0000' },
      { type: 'mobile_payment', amount: '100.0000' },
      { type: 'service_charge', amount: '3.0000' },
    ])
    expect(await balance()).toBe(before)
    expect(await statesTold(body.id)).toEqual(['validated', 'completed', 'processed_with_errors'])
  })

  it('waits for an approval above the limit', async () => {
    await begin(testApp.db, (tx) =>
      setApprovalRule(tx, { organization: testApp.organization, currency: 'BXC', threshold: 500_000n }),
    )
    expect((await api.post('/api/payments', { ...WAGES, amount: '50' })).body.state).toBe('new')
    const { body } = await api.post('/api/payments', { ...WAGES, amount: '51' })
    expect(body.state).toBe('approval_needed')
    testApp.clock.advance(60)
    testApp.app.wake()
    expect((await api.get(`/api/payments/${body.id}`)).body.state).toBe('approval_needed')
  })
})

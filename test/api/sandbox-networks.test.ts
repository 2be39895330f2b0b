import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAmount } from '../../src/lib/money.ts'
import { buildTestApp, createApiClient, endlessLeases, eventually, type TestApp } from '../test-app.ts'
import { advanceClock } from './advance-clock.ts'

/*
 * The numbers of the sandbox whose network is a real one, over its driver and its simulated network. What a real network
 * cannot say is different from BXC, as docs/operating/sandbox.md describes it.
 */

interface Expected {
  /** The statuses after `pending`. */
  statuses: string[]
  error_message?: string
  /** Shortfall of the payment. */
  less?: bigint
  matched?: boolean
  orders?: number
}

const paid: Expected = { statuses: ['processing_started', 'instructions_sent', 'successful'], matched: true }
const failed = (error_message: string): Expected => ({
  statuses: ['processing_started', 'instructions_sent', 'failed'],
  error_message,
})

/** MTN reports no reversal, and one code for a refusal and for a missed prompt. */
const mtn: Record<string, Expected> = {
  '+256772000003': paid,
  '+256782000003': paid,
  '+256762000003': paid,
  '+256392000003': paid,
  '+256772000101': failed('There is not enough money in the wallet.'),
  '+256772000102': failed('The payer did not approve the payment.'),
  '+256772000103': paid,
  '+256772000104': { ...paid, statuses: ['processing_started', 'successful'] },
  '+256772000105': paid,
  '+256772000106': paid,
  '+256772000107': { statuses: ['processing_started', 'instructions_sent', 'expired'], less: 10_000n },
  '+256772000108': paid,
  '+256772000109': { ...failed('The payer did not approve the payment within 5 minutes.'), orders: 4 },
  '+256772000110': { ...paid, orders: 2 },
  '+256772000112': paid,
}

/** Airtel does not say how much was paid, and its driver waits a minute for an answer, so 000104 is not tried. */
const airtel: Record<string, Expected> = {
  '+256752000003': paid,
  '+256742000003': paid,
  '+256702000003': paid,
  '+256752000101': failed('The customer does not have enough money.'),
  '+256752000102': failed('The customer entered a wrong PIN.'),
  '+256752000103': paid,
  '+256752000105': paid,
  '+256752000106': paid,
  '+256752000107': paid,
  '+256752000108': paid,
  '+256752000109': { ...failed('The payment expired.'), orders: 4 },
  '+256752000110': { ...paid, orders: 2 },
}

/** The answer to a question does not say how much was paid. */
const daraja: Record<string, Expected> = {
  '+254711000003': paid,
  '+254700000003': paid,
  '+254711000101': failed('The balance is insufficient for the transaction.'),
  '+254711000102': failed('The customer entered a wrong PIN.'),
  '+254711000103': paid,
  // A second call would be a second prompt, so none is made.
  '+254711000105': { statuses: ['processing_started', 'expired'] },
  '+254711000106': paid,
  '+254711000107': paid,
  '+254711000108': paid,
  '+254711000109': { ...failed('DS timeout user cannot be reached.'), orders: 4 },
  '+254711000110': { ...paid, orders: 2 },
}

const cases = [
  ...Object.entries(mtn).map(([phonenumber, expected]) => ({ phonenumber, expected, connection: 'sandbox-mtn' })),
  ...Object.entries(airtel).map(([phonenumber, expected]) => ({ phonenumber, expected, connection: 'sandbox-airtel' })),
  ...Object.entries(daraja).map(([phonenumber, expected]) => ({ phonenumber, expected, connection: 'sandbox-daraja' })),
].map((one) => ({ ...one, currency: one.phonenumber.startsWith('+256') ? 'UGX' : 'KES' }))

let testApp: TestApp
let api: ReturnType<typeof createApiClient>
const ids = new Map<string, number>()

beforeAll(async () => {
  testApp = await buildTestApp({ clock: endlessLeases() })
  api = createApiClient((await testApp.startService()).url, testApp.api_key)
  for (const [index, { phonenumber, currency }] of cases.entries()) {
    const body = { phonenumber, currency, amount: amountOf(index), send_instructions: true }
    const answer = await api.post('/api/collectionrequests', body)
    expect(answer).toMatchObject({ status: 201 })
    ids.set(phonenumber, answer.body.id)
  }
  await advanceClock(testApp, 48 * 60 * 60)
}, 240_000)
afterAll(() => testApp.close())

describe.each(cases)('$phonenumber over $connection', ({ phonenumber, connection, expected }) => {
  const amount = parseAmount(amountOf(cases.findIndex((one) => one.phonenumber === phonenumber)))!

  it(`ends as ${expected.statuses.at(-1)}`, async () => {
    const id = ids.get(phonenumber)!
    const { body } = await api.get(`/api/collectionrequests/${id}`)
    const rows = await testApp.db<{ to_status: string }[]>`
      select to_status from collection_request_transitions where collection_request = ${id} order by id`
    expect({ statuses: rows.map((row) => row.to_status), error: body.error_message }).toEqual({
      statuses: expected.statuses,
      error: expected.error_message ?? null,
    })
    expect(body.collection).toEqual(expected.matched ? expect.any(Number) : null)
    const orders = await testApp.db<{ connection: string }[]>`
      select connection from network_orders where collection_request = ${id}`
    expect(orders.map((order) => order.connection)).toEqual(Array(expected.orders ?? 1).fill(connection))
  })

  it(`brings ${brings(expected) ? 'its money once' : 'no money'}`, async () => {
    const collections = await testApp.db<{ amount: bigint; connection: string }[]>`
      select amount, connection from collections where phonenumber = ${phonenumber}`
    const sum = amount - (expected.less ?? 0n)
    expect([...collections]).toEqual(brings(expected) ? [{ amount: sum, connection }] : [])
  })
})

describe('money that no network is asked for', () => {
  it.each(['+256772100109', '+256752100109'])('comes from %s without a prompt', async (phonenumber) => {
    const body = { phonenumber, currency: 'UGX', amount: '700', send_instructions: false }
    const { id } = (await api.post('/api/collectionrequests', body)).body
    const receiver = (
      await testApp.db<{ number: string }[]>`
        select number from connection_places where connection = 'sandbox' and currency = 'UGX'`
    )[0]!.number
    await testApp.app.simulator!.pay({ phonenumber, amount: parseAmount('700')!, currency: 'UGX', receiver })
    await eventually('the request to be successful', async () => {
      const found = (await api.get(`/api/collectionrequests/${id}`)).body
      return found.status === 'successful' || undefined
    })
  })
})

describe('a payout', () => {
  it.each([
    ['+256772000003', 'money', 'sandbox-mtn', 'complete'],
    ['+256772000101', 'money', 'sandbox-mtn', 'error'],
    ['+256772000103', 'money', 'sandbox-mtn', 'complete'],
    ['+256772000105', 'money', 'sandbox-mtn', 'complete'],
    ['+256772000111', 'money', 'sandbox-mtn', 'complete'],
    ['+256752000003', 'money', 'sandbox-airtel', 'complete'],
    ['+256752000101', 'money', 'sandbox-airtel', 'error'],
    // Airtel reports no payouts, and a failure is the last that is asked.
    ['+256752000111', 'money', 'sandbox-airtel', 'error'],
    ['+254711000003', 'money', 'sandbox-daraja', 'complete'],
    ['+254711000101', 'money', 'sandbox-daraja', 'error'],
    // No driver of a real network sends airtime.
    ['+256772000003', 'airtime', 'sandbox', 'complete'],
  ])(
    'to %s (%s) goes over %s and ends as %s',
    async (phonenumber, payment_type, connection, state) => {
      const currency = phonenumber.startsWith('+256') ? 'UGX' : 'KES'
      const body = { phonenumber, currency, amount: '800', description: 'Rent', payment_type }
      const { status, body: payment } = await api.post('/api/payments', body)
      expect(status).toBe(201)
      await advanceClock(testApp, 4 * 60 * 60)
      const recipients = await testApp.db`
      select connection, state from payment_recipients where payment = ${payment.id}`
      expect([...recipients]).toEqual([{ connection, state }])
    },
    60_000,
  )
})

describe.each(['25677', '25675', '25471'])('a person at the phone with +%s', (prefix) => {
  it.each([
    ['approve', '1234', 'successful', '3'],
    ['approve', '9999', 'failed', '4'],
    ['refuse', undefined, 'failed', '5'],
  ])('%s with PIN %s', async (answer, pin, status, digit) => {
    const phonenumber = `+${prefix}${digit}000109`
    const currency = prefix === '25471' ? 'KES' : 'UGX'
    const body = { phonenumber, currency, amount: '77', send_instructions: true }
    const { id } = (await api.post('/api/collectionrequests', body)).body
    const phone = `/api/simulator/phones/${encodeURIComponent(phonenumber)}`
    await eventually('the prompt', async () => (await api.get(phone)).body.prompts[0])
    expect((await api.post(`${phone}/answer`, { answer, ...(pin && { pin }) })).status).toBe(200)
    await eventually(`the request to be ${status}`, async () => {
      testApp.clock.advance(1)
      testApp.app.wake()
      const found = (await api.get(`/api/collectionrequests/${id}`)).body
      return found.status === status || undefined
    })
  })
})

/** Money comes also where it is not what was requested. */
function brings({ matched, less }: Expected): boolean {
  return matched === true || less !== undefined
}

function amountOf(index: number): string {
  return String(1_000 + index * 10)
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAccounts } from '../../src/core/ledger/accounts.ts'
import { type Amount, formatAmount, parseAmount } from '../../src/lib/money.ts'
import { buildTestApp, createApiClient, endlessLeases, eventually, type TestApp } from '../test-app.ts'
import { advanceClock } from './advance-clock.ts'

/*
 * Every number of the sandbox, from the request to its final status, as docs/operating/sandbox.md describes them.
 * All requests are created together, and then two days pass.
 */

interface Expected {
  /** The statuses after `pending`. */
  statuses: string[]
  error_message?: string
  /** Seconds from the request until the money was paid. */
  paid_after_s?: number
  /** The amount of the collection, when it differs from the requested amount. */
  pays?: (requested: Amount) => Amount
  /** True if the collection fulfilled the request. */
  matched?: boolean
  orders?: number
}

const paid: Expected = {
  statuses: ['processing_started', 'instructions_sent', 'successful'],
  matched: true,
  paid_after_s: 1,
}
const refused = (error_message: string): Expected => ({
  statuses: ['processing_started', 'instructions_sent', 'failed'],
  error_message,
})
const expired: Expected = { statuses: ['processing_started', 'instructions_sent', 'expired'] }
const oneLess = (requested: Amount) => requested - 10_000n

/** The expected outcome of each number with a prompt. */
const prompted: Record<string, Expected> = {
  '+80000000001': refused('Cancelled By User'),
  '+80000000002': paid,
  '+80000000009': expired,
  '+80000000101': refused('Insufficient Funds'),
  '+80000000102': refused('The customer entered a wrong PIN.'),
  '+80000000103': { ...paid, paid_after_s: 10 },
  // The network never confirms the prompt, so the request never has `instructions_sent`. The status check of the order
  // finds the payment and its time.
  '+80000000104': { ...paid, statuses: ['processing_started', 'successful'] },
  // Sent again when it is certain that it did not arrive, twice after 20 seconds; the third time it is accepted.
  '+80000000105': { ...paid, paid_after_s: 41 },
  '+80000000106': paid,
  '+80000000107': { ...expired, pays: oneLess, matched: false, paid_after_s: 1 },
  '+80000000108': {
    ...paid,
    statuses: ['processing_started', 'instructions_sent', 'successful', 'reversed'],
    error_message: 'The network has taken the money back.',
  },
  // Four prompts of five minutes, ten minutes apart.
  '+80000000109': { ...refused('Prompt Expired'), orders: 4 },
  '+80000000110': { ...paid, paid_after_s: 60 + 600 + 1, orders: 2 },
}

/** The outcome without instructions: no prompt is sent, so none expires. */
const unprompted: Record<string, Expected> = Object.fromEntries(
  Object.entries(prompted).map(([phone, expected]) => {
    const waits = phone.endsWith('109') || phone.endsWith('110')
    const same = waits ? { statuses: ['processing_started', 'expired'] } : expected
    return [phone, { ...same, statuses: same.statuses.filter((status) => status !== 'instructions_sent') }]
  }),
)

interface Case {
  phonenumber: string
  currency: string
  send_instructions: boolean
  expected: Expected
}

const cases: Case[] = [
  ...Object.entries(prompted).map(([phonenumber, expected]) => ({ phonenumber, expected, send_instructions: true })),
  ...Object.entries(unprompted).map(([phonenumber, expected]) => ({ phonenumber, expected, send_instructions: false })),
].map((one) => ({ ...one, currency: 'BXC' }))
// The last six digits mean the same in every country.
cases.push(
  {
    phonenumber: '+254733000102',
    currency: 'KES',
    send_instructions: true,
    expected: refused('The customer entered a wrong PIN.'),
  },
  { phonenumber: '+254733000108', currency: 'KES', send_instructions: true, expected: prompted['+80000000108']! },
  { phonenumber: '+256772000003', currency: 'UGX', send_instructions: false, expected: unprompted['+80000000002']! },
  { phonenumber: '+254711000003', currency: 'KES', send_instructions: false, expected: unprompted['+80000000002']! },
)

let testApp: TestApp
let api: ReturnType<typeof createApiClient>
let before: Map<string, Amount>
const ids = new Map<Case, number>()

beforeAll(async () => {
  testApp = await buildTestApp({ clock: endlessLeases() })
  api = createApiClient((await testApp.startService()).url, testApp.api_key)
  before = await balances()
  const responses = await Promise.all(
    cases.map(({ phonenumber, currency, send_instructions }, index) =>
      api.post('/api/collectionrequests', { phonenumber, currency, send_instructions, amount: amountOf(index) }),
    ),
  )
  for (const [index, { status, body }] of responses.entries()) {
    expect(status).toBe(201)
    ids.set(cases[index]!, body.id)
  }
  await advanceClock(testApp, 48 * 60 * 60)
}, 240_000)
afterAll(() => testApp.close())

describe.each(cases)('$phonenumber in $currency, instructions $send_instructions', (one) => {
  const { expected } = one
  const requested = parseAmount(amountOf(cases.indexOf(one)))!

  it(`ends as ${expected.statuses.at(-1)}`, async () => {
    const { body } = await api.get(`/api/collectionrequests/${ids.get(one)}`)
    expect(body).toMatchObject({
      status: expected.statuses.at(-1),
      error_message: expected.error_message ?? null,
      amount: formatAmount(requested),
      collection: expected.matched ? expect.any(Number) : null,
    })
  })

  it('passed through the expected statuses', async () => {
    const rows = await testApp.db<{ from_status: string; to_status: string }[]>`
      select from_status, to_status from collection_request_transitions where collection_request = ${ids.get(one)!} order by id`
    const sequence = ['pending', ...expected.statuses]
    expect(rows.map((row) => [row.from_status, row.to_status])).toEqual(
      expected.statuses.map((to, index) => [sequence[index], to]),
    )
    const orders = await testApp.db`select 1 from network_orders where collection_request = ${ids.get(one)!}`
    expect(orders).toHaveLength(expected.orders ?? 1)
  })

  it('has an event for every status, in order', async () => {
    const events = await eventsOf(one)
    const changes = events.filter((event) => event.type === 'collectionrequest.status.changed')
    expect(changes.map((event) => event.data.status)).toEqual(expected.statuses)
    for (const change of changes)
      expect(change.data).toMatchObject({ id: ids.get(one), amount: formatAmount(requested), currency: one.currency })
    const received = events.filter((event) => event.type === 'collection.received')
    expect(received).toHaveLength(expected.paid_after_s === undefined ? 0 : 1)
    if (expected.matched) {
      const fulfilled = changes.findIndex((event) => event.data.status === 'successful')
      expect(received[0]!.data.collection_request).toMatchObject({ id: ids.get(one), status: 'successful' })
      expect(changes[fulfilled]!.data.collection).toBe(received[0]!.data.id)
    }
  })

  it(expected.paid_after_s === undefined ? 'brings no money' : 'brings its money once', async () => {
    const collections = await testApp.db<
      { amount: Amount; status: string; payment_date: Date; collection_request: number }[]
    >`
      select amount, status, payment_date, collection_request from collections
      where phonenumber = ${one.phonenumber} and trunc(amount) = any(${[requested, oneLess(requested)].map((sum) => formatAmount(sum))}::numeric[])`
    if (expected.paid_after_s === undefined) return expect([...collections]).toEqual([])
    const { created } = (await api.get(`/api/collectionrequests/${ids.get(one)}`)).body
    expect([...collections]).toEqual([
      {
        amount: expected.pays?.(requested) ?? requested,
        status: expected.statuses.includes('reversed') ? 'reversed' : 'successful',
        payment_date: new Date(Date.parse(created) + expected.paid_after_s * 1_000),
        collection_request: expected.matched ? ids.get(one) : null,
      },
    ])
  })
})

describe('all requests together', () => {
  it('change the wallets by the amounts paid and not reversed', async () => {
    const after = await balances()
    for (const currency of ['BXC', 'UGX', 'KES']) {
      const kept = cases
        .filter((one) => one.currency === currency)
        .filter(({ expected }) => expected.paid_after_s !== undefined && !expected.statuses.includes('reversed'))
        .map((one) => {
          const sum = parseAmount(amountOf(cases.indexOf(one)))!
          return one.expected.pays?.(sum) ?? sum
        })
      expect(after.get(currency)! - before.get(currency)!).toBe(kept.reduce((sum, one) => sum + one, 0n))
    }
  })

  it('leave no due work', async () => {
    const [{ count }] = (await testApp.db`
      select (select count(*) from open_collection_requests)
        + (select count(*) from callbacks where due_at is not null) as count`) as [{ count: number }]
    expect(count).toBe(0)
  })

  it('have all their callbacks stored, repeated ones included', async () => {
    const [{ times }] = (await testApp.db`
      select count(*) as times from callbacks where body like '%"+80000000106"%'`) as [{ times: number }]
    expect(times).toBe(6)
  })
})

describe('a person at the phone simulator', () => {
  // Other numbers with the same last digits, so that no prompt of the tests above is on the phone.
  it.each([
    ['approves', '+80001000109', (phone: string) => testApp.app.simulator!.approve(phone), 'successful', null],
    ['refuses', '+80002000109', (phone: string) => testApp.app.simulator!.refuse(phone), 'failed', 'Cancelled By User'],
    [
      'types a wrong PIN',
      '+80003000109',
      (phone: string) => testApp.app.simulator!.approve(phone, '9999'),
      'failed',
      'The customer entered a wrong PIN.',
    ],
    ['pays unasked', '+80004000109', payUnasked, 'successful', null],
  ])('%s', async (_what, phonenumber, act, status, error_message) => {
    const body = { phonenumber, currency: 'BXC', amount: '77', send_instructions: true }
    const { id } = (await api.post('/api/collectionrequests', body)).body
    const reached = (wanted: string) =>
      eventually(`the request to be ${wanted}`, async () => {
        const found = (await api.get(`/api/collectionrequests/${id}`)).body
        return found.status === wanted ? found : undefined
      })
    await reached('instructions_sent')
    await act(phonenumber)
    expect(await reached(status)).toMatchObject({
      error_message,
      collection: status === 'successful' ? expect.any(Number) : null,
    })
  })
})

async function payUnasked(phonenumber: string) {
  const [account] = await listAccounts(testApp.db, testApp.organization)
  const [till] = await testApp.db<
    { number: string }[]
  >`select number from connection_places where account = ${account!.id}`
  const amount = parseAmount('77')!
  await testApp.app.simulator!.pay({ phonenumber, amount, currency: 'BXC', receiver: till!.number })
}

/** Each request has a different amount, so that the amount of a payment names its request. */
function amountOf(index: number): string {
  return String(1_000 + index * 10)
}

async function balances(): Promise<Map<string, Amount>> {
  const accounts = await listAccounts(testApp.db, testApp.organization)
  return new Map(accounts.map((account) => [account.currency, account.balance]))
}

interface WireEvent {
  type: string
  data: Record<string, unknown>
}

async function eventsOf(one: Case): Promise<WireEvent[]> {
  const { body } = await api.get('/api/events?limit=1000&ordering=id')
  const sums = [amountOf(cases.indexOf(one)), String(Number(amountOf(cases.indexOf(one))) - 1)].map(
    (sum) => `${sum}.0000`,
  )
  return (body.results as WireEvent[]).filter(
    ({ type, data }) =>
      (type === 'collectionrequest.status.changed' && data.id === ids.get(one)) ||
      (type === 'collection.received' && data.phonenumber === one.phonenumber && sums.includes(data.amount as string)),
  )
}

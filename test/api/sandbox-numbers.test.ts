import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAccounts } from '../../src/core/ledger/accounts.ts'
import { type Amount, formatAmount, parseAmount } from '../../src/lib/money.ts'
import { buildTestApp, createApiClient, eventually, type TestApp, testClock } from '../test-app.ts'
import { advanceClock } from './advance-clock.ts'

/*
 * Every number of the sandbox, from the request to its end: what docs/operating.md promises to whoever tries them.
 * All are asked at once, and then two days pass.
 */

interface Expected {
  /** The moves after `pending`. */
  moves: string[]
  error_message?: string
  /** Seconds from the request until the money was paid. */
  paid_after_s?: number
  /** What the collection holds when it is not what was asked. */
  pays?: (asked: Amount) => Amount
  /** Whether the collection fulfilled the request. */
  matched?: boolean
  orders?: number
}

const paid: Expected = {
  moves: ['processing_started', 'instructions_sent', 'successful'],
  matched: true,
  paid_after_s: 1,
}
const refused = (error_message: string): Expected => ({
  moves: ['processing_started', 'instructions_sent', 'failed'],
  error_message,
})
const expired: Expected = { moves: ['processing_started', 'instructions_sent', 'expired'] }
const lessOne = (asked: Amount) => asked - 10_000n

/** What each number does when its phone is prompted. */
const prompted: Record<string, Expected> = {
  '+80000000001': refused('Cancelled By User'),
  '+80000000002': paid,
  '+80000000009': expired,
  '+80000000101': refused('Insufficient Funds'),
  '+80000000102': refused('Wrong PIN'),
  '+80000000103': { ...paid, paid_after_s: 10 },
  // Nobody ever said that the prompt was sent, so the request never says so either. That the order was paid, and when, is
  // heard when it is asked about.
  '+80000000104': { ...paid, moves: ['processing_started', 'successful'] },
  // Asked again after 5 and after 15 more seconds; the third order is taken.
  '+80000000105': { ...paid, paid_after_s: 21 },
  '+80000000106': paid,
  '+80000000107': { ...expired, pays: lessOne, matched: false, paid_after_s: 1 },
  '+80000000108': {
    ...paid,
    moves: ['processing_started', 'instructions_sent', 'successful', 'reversed'],
    error_message: 'The network has taken the money back.',
  },
  // Four prompts of five minutes, ten minutes apart.
  '+80000000109': { ...refused('Prompt Expired'), orders: 4 },
  '+80000000110': { ...paid, paid_after_s: 60 + 600 + 1, orders: 2 },
}

/** The same without instructions: nobody is prompted, so nothing is sent and no prompt lapses. */
const unprompted: Record<string, Expected> = Object.fromEntries(
  Object.entries(prompted).map(([phone, expected]) => {
    const waits = phone.endsWith('109') || phone.endsWith('110')
    const same = waits ? { moves: ['processing_started', 'expired'] } : expected
    return [phone, { ...same, moves: same.moves.filter((move) => move !== 'instructions_sent') }]
  }),
)

interface Asked {
  phonenumber: string
  currency: string
  send_instructions: boolean
  expected: Expected
}

const asked: Asked[] = [
  ...Object.entries(prompted).map(([phonenumber, expected]) => ({ phonenumber, expected, send_instructions: true })),
  ...Object.entries(unprompted).map(([phonenumber, expected]) => ({ phonenumber, expected, send_instructions: false })),
].map((one) => ({ ...one, currency: 'BXC' }))
// The last six digits mean the same in every country.
asked.push(
  { phonenumber: '+256772000102', currency: 'UGX', send_instructions: true, expected: refused('Wrong PIN') },
  { phonenumber: '+256772000108', currency: 'UGX', send_instructions: true, expected: prompted['+80000000108']! },
  { phonenumber: '+254711000003', currency: 'KES', send_instructions: false, expected: unprompted['+80000000002']! },
)

let house: TestApp
let api: ReturnType<typeof createApiClient>
let before: Map<string, Amount>
const ids = new Map<Asked, number>()

beforeAll(async () => {
  // No lease ends: a busy machine may need longer for so many at once, and another claim would ask what one is still told.
  const real = new Date()
  house = await buildTestApp({ clock: testClock(undefined, () => real) })
  api = createApiClient((await house.startService()).url, house.api_key)
  before = await balances()
  const made = await Promise.all(
    asked.map(({ phonenumber, currency, send_instructions }, index) =>
      api.post('/api/collectionrequests', { phonenumber, currency, send_instructions, amount: amountOf(index) }),
    ),
  )
  for (const [index, { status, body }] of made.entries()) {
    expect(status).toBe(201)
    ids.set(asked[index]!, body.id)
  }
  await advanceClock(house, 48 * 60 * 60)
}, 240_000)
afterAll(() => house.close())

describe.each(asked)('$phonenumber in $currency, instructions $send_instructions', (one) => {
  const { expected } = one
  const requested = parseAmount(amountOf(asked.indexOf(one)))!

  it(`ends as ${expected.moves.at(-1)}`, async () => {
    const { body } = await api.get(`/api/collectionrequests/${ids.get(one)}`)
    expect(body).toMatchObject({
      status: expected.moves.at(-1),
      error_message: expected.error_message ?? null,
      amount: formatAmount(requested),
      collection: expected.matched ? expect.any(Number) : null,
    })
  })

  it('went there step by step', async () => {
    const moves = await house.db<{ from_status: string; to_status: string }[]>`
      select from_status, to_status from collection_request_transitions where collection_request = ${ids.get(one)!} order by id`
    const states = ['pending', ...expected.moves]
    expect(moves.map((move) => [move.from_status, move.to_status])).toEqual(
      expected.moves.map((to, index) => [states[index], to]),
    )
    const orders = await house.db`select 1 from collection_orders where collection_request = ${ids.get(one)!}`
    expect(orders).toHaveLength(expected.orders ?? 1)
  })

  it('told of every step, in order', async () => {
    const events = await eventsOf(one)
    const changes = events.filter((event) => event.type === 'collectionrequest.status.changed')
    expect(changes.map((event) => event.data.status)).toEqual(expected.moves)
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

  it(expected.paid_after_s === undefined ? 'brought no money' : 'brought its money once', async () => {
    const collections = await house.db<
      { amount: Amount; status: string; payment_date: Date; collection_request: number }[]
    >`
      select amount, status, payment_date, collection_request from collections
      where phonenumber = ${one.phonenumber} and trunc(amount) = any(${[requested, lessOne(requested)].map((sum) => formatAmount(sum))}::numeric[])`
    if (expected.paid_after_s === undefined) return expect([...collections]).toEqual([])
    const { created } = (await api.get(`/api/collectionrequests/${ids.get(one)}`)).body
    expect([...collections]).toEqual([
      {
        amount: expected.pays?.(requested) ?? requested,
        status: expected.moves.includes('reversed') ? 'reversed' : 'successful',
        payment_date: new Date(Date.parse(created) + expected.paid_after_s * 1_000),
        collection_request: expected.matched ? ids.get(one) : null,
      },
    ])
  })
})

describe('all of them together', () => {
  it('changed the wallets by what was paid and not taken back', async () => {
    const after = await balances()
    for (const currency of ['BXC', 'UGX', 'KES']) {
      const kept = asked
        .filter((one) => one.currency === currency)
        .filter(({ expected }) => expected.paid_after_s !== undefined && !expected.moves.includes('reversed'))
        .map((one) => {
          const sum = parseAmount(amountOf(asked.indexOf(one)))!
          return one.expected.pays?.(sum) ?? sum
        })
      expect(after.get(currency)! - before.get(currency)!).toBe(kept.reduce((sum, one) => sum + one, 0n))
    }
  })

  it('left nothing to be done', async () => {
    const [{ count }] = (await house.db`
      select (select count(*) from collection_requests where due_at is not null)
        + (select count(*) from callbacks where due_at is not null) as count`) as [{ count: number }]
    expect(count).toBe(0)
  })

  it('repeated callbacks and all, every callback is kept', async () => {
    const [{ times }] = (await house.db`
      select count(*) as times from callbacks where body like '%"+80000000106"%'`) as [{ times: number }]
    expect(times).toBe(6)
  })
})

describe('a person at the phone simulator', () => {
  // Other numbers with the same last digits, so that nothing is left on the phone from above.
  it.each([
    ['approves', '+80001000109', (phone: string) => house.app.simulator!.approve(phone), 'successful', null],
    ['refuses', '+80002000109', (phone: string) => house.app.simulator!.refuse(phone), 'failed', 'Cancelled By User'],
    [
      'types a wrong PIN',
      '+80003000109',
      (phone: string) => house.app.simulator!.approve(phone, '9999'),
      'failed',
      'Wrong PIN',
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
  const [account] = await listAccounts(house.db, house.organization)
  const [till] = await house.db<{ number: string }[]>`select number from receivers where account = ${account!.id}`
  const amount = parseAmount('77')!
  await house.app.simulator!.pay({ phonenumber, amount, currency: 'BXC', receiver: till!.number })
}

/** Each request asks for an amount of its own, so that money tells whom it belongs to. */
function amountOf(index: number): string {
  return String(1_000 + index * 10)
}

async function balances(): Promise<Map<string, Amount>> {
  const accounts = await listAccounts(house.db, house.organization)
  return new Map(accounts.map((account) => [account.currency, account.balance]))
}

interface WireEvent {
  type: string
  data: Record<string, unknown>
}

async function eventsOf(one: Asked): Promise<WireEvent[]> {
  const { body } = await api.get('/api/events?limit=1000&ordering=id')
  const sums = [amountOf(asked.indexOf(one)), String(Number(amountOf(asked.indexOf(one))) - 1)].map(
    (sum) => `${sum}.0000`,
  )
  return (body.results as WireEvent[]).filter(
    ({ type, data }) =>
      (type === 'collectionrequest.status.changed' && data.id === ids.get(one)) ||
      (type === 'collection.received' && data.phonenumber === one.phonenumber && sums.includes(data.amount as string)),
  )
}

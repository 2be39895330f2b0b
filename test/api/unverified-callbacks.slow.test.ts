import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { deletePastCallbackCounts, spendCallbackBudget } from '../../src/core/connections/callback-budget.ts'
import { begin } from '../../src/db/client.ts'
import { addressGroup } from '../../src/lib/http/address-groups.ts'
import { buildTestApp, type TestApp, testClock } from '../test-app.ts'

/* The budgets of callbacks that anyone can send. The real clock stands still, so no hour begins by itself. */

let real = new Date('2030-01-15T12:10:00Z')
let testApp: TestApp
let url: string

beforeEach(async () => {
  real = new Date('2030-01-15T12:10:00Z')
  testApp = await buildTestApp({
    clock: testClock(undefined, () => real),
    settings: {
      TRUST_PROXY: 'on',
      UNVERIFIED_CALLBACKS_PER_SENDER: '3',
      UNVERIFIED_CALLBACKS_PER_HOUR: '8',
      UNVERIFIED_CALLBACK_KB_PER_SENDER: '5',
    },
  })
  const network = testApp.app.connections.list()[0]!.operations
  const { readCallback } = network
  network.readCallback = (callback) => {
    if (callback.body === 'BUG') throw new Error('a bug in the connector')
    return readCallback!(callback)
  }
  url = (await testApp.startService({ jobs: false })).url
})
afterEach(() => testApp.close())

async function send(sender: string, body = 'hello') {
  const headers = { 'x-forwarded-for': sender }
  const answer = await fetch(`${url}/api/callbacks/sandbox`, { method: 'POST', body, headers })
  return { status: answer.status, wait_s: Number(answer.headers.get('retry-after')) }
}

const sendTimes = async (times: number, sender: string, body?: string) => {
  const statuses: number[] = []
  for (let time = 0; time < times; time += 1) statuses.push((await send(sender, body)).status)
  return statuses
}

const stored = async () => (await testApp.db`select 1 from callbacks`).length

describe('the budget of an hour', () => {
  it('limits each sender by count, until the next hour', async () => {
    expect(await sendTimes(5, '192.0.2.1')).toEqual([200, 200, 200, 429, 429])
    expect(await send('192.0.2.1')).toEqual({ status: 429, wait_s: 3_000 })
    expect(await sendTimes(1, '192.0.2.2')).toEqual([200])
    expect(await stored()).toBe(4)
    real = new Date('2030-01-15T13:00:00Z')
    expect(await sendTimes(1, '192.0.2.1')).toEqual([200])
  })

  it('limits each sender by the bytes that are stored', async () => {
    // Of each, a kilobyte and the headers are stored.
    expect(await sendTimes(3, '192.0.2.1', 'x'.repeat(60_000))).toEqual([200, 200, 200])
    const long = { 'x-a': 'y'.repeat(250), 'x-b': 'y'.repeat(250), 'x-c': 'y'.repeat(250), 'x-d': 'y'.repeat(250) }
    const headers = { ...long, 'x-e': 'y'.repeat(250), 'x-f': 'y'.repeat(250), 'x-forwarded-for': '192.0.2.9' }
    const statuses: number[] = []
    for (let time = 0; time < 3; time += 1)
      statuses.push(
        (await fetch(`${url}/api/callbacks/sandbox`, { method: 'POST', body: 'x'.repeat(2_000), headers })).status,
      )
    expect(statuses).toEqual([200, 429, 429])
  })

  it('limits all senders together', async () => {
    const statuses = await Promise.all(Array.from({ length: 12 }, (_, index) => send(`192.0.2.${index}`)))
    expect(statuses.filter(({ status }) => status === 200)).toHaveLength(8)
    expect(await stored()).toBe(8)
    expect((await send('192.0.2.200')).status).toBe(429)
  })

  it('counts an IPv6 network as one sender', async () => {
    const statuses = [1, 2, 3, 4].map((host) => send(`2001:db8:1:2::${host}`))
    expect((await Promise.all(statuses)).filter(({ status }) => status === 200)).toHaveLength(3)
    expect(addressGroup('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
    expect(addressGroup('::ffff:192.0.2.1')).toBe('192.0.2.1')
  })

  it('is separate for callbacks that the connector cannot read, which may be signed', async () => {
    expect(await sendTimes(4, '192.0.2.1')).toEqual([200, 200, 200, 429])
    expect(await sendTimes(4, '192.0.2.1', 'BUG')).toEqual([400, 400, 400, 429])
    const failed = await testApp.db`select body, note, address from callbacks where state = 'failed'`
    expect(failed).toEqual(
      Array(3).fill({ body: 'BUG', note: 'The connector failed: a bug in the connector', address: '192.0.2.1' }),
    )
  })

  it('is counted by all processes together, and forgotten after its hour', async () => {
    const budgets = { sender: { callbacks: 2, bytes: 100 }, all: { callbacks: 9, bytes: 150 } }
    const spend = (sender: string, bytes: number) =>
      begin(testApp.db, (tx) => spendCallbackBudget(tx, real, [{ sender, all: '', bytes }], budgets))
    expect(await spend('a', 60)).toEqual([null])
    expect(await spend('a', 60)).toEqual(['sender'])
    expect(await spend('b', 60)).toEqual(['all'])
    real = new Date('2030-01-15T13:00:00Z')
    expect(await spend('b', 60)).toEqual([null])
    expect(await begin(testApp.db, (tx) => deletePastCallbackCounts(tx, real, 100))).toBe(3)
    expect(await testApp.db`select 1 from unverified_callback_counts`).toHaveLength(2)
  })
})

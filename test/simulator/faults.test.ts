import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createFaults, type FaultBody } from '../../src/simulator/faults.ts'
import { openDatabase } from './simulator-test.ts'
import { openToy } from './toy-door.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let toys: Awaited<ReturnType<typeof openToy>>

beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  toys = await openToy(database.db)
})
afterEach(async () => {
  expect(toys.errors).toEqual([])
  await toys.close()
})

const FAILING = '+256772000077'
const faulty = (fault: Omit<FaultBody, 'door'>) => toys.simulator.faults.add({ door: 'toy-net', ...fault })

/** Call the network, and return the status and text of its answer, or why there is none. */
async function charge(key: string, phone = '+256772000002', timeout_ms = 10_000) {
  const response = await fetch(`${toys.base}/auth/token`, { method: 'POST' })
  const { token } = (await response.json()) as { token: string }
  try {
    const answer = await fetch(`${toys.base}/v1/charges`, {
      method: 'POST',
      headers: { authorization: token },
      body: JSON.stringify({ key, phone, amount: '1500', url: `${toys.listener.url}/hear` }),
      signal: AbortSignal.timeout(timeout_ms),
    })
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  } catch (error) {
    return { failure: (error as Error).name }
  }
}
const isTaken = async (key: string) => (await toys.world.findCharge({ key })) !== undefined

describe('a fault of a call', () => {
  it.each([
    ['hang_up_before', 'TypeError', false],
    ['hang_up_after', 'TypeError', true],
    ['no_answer', 'TimeoutError', true],
  ] as const)('%s leaves the caller without an answer', async (kind, failure, taken) => {
    faulty({ verb: 'charge', kind })
    expect(await charge('a', undefined, 2_000)).toEqual({ failure })
    expect(await isTaken('a')).toBe(taken)
    expect(await charge('b')).toMatchObject({ status: 200 })
  })

  it.each([
    ['error_500', 500, /Internal/, false],
    ['html', 502, /^<html>/, false],
    ['rate_limited', 429, /./, false],
    ['rate_limited_retry_after', 429, /./, false],
    ['empty', 200, /^$/, true],
    ['truncated', 200, /^\{"outcome":"[^}]*$/, true],
  ] as const)('%s answers what the network does not mean', async (kind, status, text, taken) => {
    faulty({ verb: 'charge', kind })
    const answer = await charge('a')
    expect(answer).toMatchObject({ status, text: expect.stringMatching(text) })
    expect(answer.headers?.get('retry-after') ?? null).toBe(kind === 'rate_limited_retry_after' ? '3' : null)
    expect(await isTaken('a')).toBe(taken)
  })

  it('may state whether the network carries out the call', async () => {
    faulty({ verb: 'charge', kind: 'html', taken: true })
    expect(await charge('a')).toMatchObject({ status: 502 })
    expect(await isTaken('a')).toBe(true)
    faulty({ verb: 'charge', kind: 'no_answer', taken: false })
    expect(await charge('b', undefined, 1_000)).toEqual({ failure: 'TimeoutError' })
    expect(await isTaken('b')).toBe(false)
  })

  it('delays an answer', async () => {
    faulty({ verb: 'charge', kind: 'slow', seconds: 0.5 })
    const before_ms = performance.now()
    expect(await charge('a')).toMatchObject({ status: 200 })
    expect(performance.now() - before_ms).toBeGreaterThan(490)
  })

  it('happens as often as was asked, for its verb, and is counted', async () => {
    faulty({ kind: 'error_500', verb: 'charge', times: 2 })
    expect(toys.simulator.faults.list()).toMatchObject([{ kind: 'error_500', times: 2 }])
    const statuses = [await charge('a'), await charge('b'), await charge('c')].map((answer) => answer.status)
    expect(statuses).toEqual([500, 500, 200])
    expect(toys.simulator.faults.list()).toEqual([])
    expect([...toys.simulator.calls('toy-net')]).toEqual([
      ['token', 3],
      ['charge', 3],
    ])
  })

  it('is refused when its form is wrong', () => {
    const faults = createFaults()
    for (const wrong of [{ kind: 'flood' }, { times: 0 }, { times: 1.5 }, { door: '' }, { seconds: 1e9 }])
      expect(() => faults.add({ door: 'toy-net', kind: 'html', ...wrong } as FaultBody)).toThrow()
  })
})

describe('a fault of a callback', () => {
  const heard = () => toys.listener.heard.map(({ body }) => body)

  it.each([
    ['never', 0],
    ['twice', 2],
  ] as const)('%s', async (kind, count) => {
    faulty({ kind })
    await charge('a')
    await toys.advance(10)
    expect(toys.listener.heard).toHaveLength(count)
  })

  it('sends it late', async () => {
    faulty({ kind: 'late', seconds: 30 })
    await charge('a')
    await toys.advance(30)
    expect(heard()).toEqual([])
    await toys.advance(1)
    expect(heard()).toHaveLength(1)
  })

  it('sends it after the next one', async () => {
    faulty({ kind: 'out_of_order' })
    await charge('a', '+256772000108')
    await toys.advance(60)
    expect(heard().map(({ event }) => event)).toEqual(['payment.reversed', 'charge.paid'])
  })

  it.each([
    ['other_amount', { amount: '1501.0000' }],
    ['other_currency', { currency: 'USD' }],
    ['other_order', { reference: 'afe-r' }],
  ] as const)('%s reports other money', async (kind, expected) => {
    faulty({ kind })
    await charge('a')
    await toys.advance(1)
    expect(heard()).toMatchObject([{ event: 'charge.paid', ...expected }])
  })

  it('makes it a forged success of an order that has failed', async () => {
    faulty({ kind: 'forged' })
    await charge('a', FAILING)
    await toys.advance(1)
    expect(toys.listener.heard).toMatchObject([
      { headers: { 'x-forged': 'true' }, body: { event: 'charge.paid', failure: null } },
    ])
    expect(await toys.world.findCharge({ key: 'a' })).toMatchObject({ state: 'failed' })
  })

  it('sends it with the other verb', async () => {
    faulty({ kind: 'put' })
    await charge('a')
    await toys.advance(1)
    expect(toys.listener.heard).toMatchObject([{ method: 'PUT' }])
  })
})

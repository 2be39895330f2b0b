import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Biller, type Scenario, scenarios } from '../../../src/billers/biller.ts'
import { createSandboxBiller } from '../../../src/billers/sandbox.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import type { Simulator } from '../../../src/simulator/index.ts'
import { createTestSimulator, SECRET } from '../../simulator/simulator-test.ts'
import { buildTestApp, eventually, type TestApp } from '../../test-app.ts'
import { createBuyer, electricityOrder } from './buyer.ts'

/*
 * Every scenario of the simulated biller, from the purchase to its final result: the first response, the final requery, the
 * number of sales, and the balances.
 */

let testApp: TestApp
let buyer: ReturnType<typeof createBuyer>
let simulator: Simulator
let clock_timer: NodeJS.Timeout | undefined

beforeAll(async () => {
  let url = ''
  // Shorter time limits than the defaults, to keep the test short.
  const biller = createSandboxBiller({ url: () => url, secret: SECRET, timeout_ms: 3_500, in_flight_ms: 1_000 })
  testApp = await buildTestApp({ settings: { BILL_WAIT_SECONDS: '15' }, overrides: { billers: [biller] } })
  simulator = createTestSimulator(testApp.db, { now: testApp.clock.now })
  url = await simulator.listen()
  buyer = createBuyer(testApp, (await testApp.startService()).url)
})
afterAll(async () => {
  clearInterval(clock_timer)
  await simulator.stop()
  await testApp.close()
})

/** Start to advance the clock ten times faster than real time, so that delayed steps become due. */
function startClock(): void {
  clock_timer = setInterval(() => {
    testApp.clock.advance(1)
    testApp.app.wake()
  }, 100)
}

const TIMEOUT_MS = 120_000

interface Expected {
  /** HTTP status, `status` and code of the first response. */
  first: [number, string, number | string]
  /** `status` and code of the final requery. */
  end: [string, number | string]
  sold: number
}
const SUCCESS: Expected = { first: [200, 'success', 200], end: ['success', 200], sold: 1 }
const failed = (status: number, code: string): Expected => ({
  first: [status, 'error', code],
  end: ['error', code],
  sold: 0,
})

const EXPECTED: Record<Scenario, Expected> = {
  success: SUCCESS,
  decline: failed(400, 'EXC00107'),
  'pending-success': { ...SUCCESS, first: [200, 'pending', 200] },
  'pending-failure': { ...failed(400, 'EXC00107'), first: [200, 'pending', 200] },
  'timeout-before': failed(503, 'BX0024'),
  'timeout-after': SUCCESS,
  broken: failed(503, 'BX0024'),
  slow: SUCCESS,
  silent: { ...SUCCESS, first: [503, 'error', 'BX0021'] },
  blocked: failed(503, 'EXC00109'),
  'token-later': { ...SUCCESS, first: [200, 'pending', 200] },
}

/** The scenarios whose first response comes without an advance of the clock. */
const IMMEDIATE: readonly string[] = [
  'success',
  'decline',
  'pending-success',
  'pending-failure',
  'blocked',
  'token-later',
]

interface Purchase {
  scenario: Scenario
  body: ReturnType<typeof electricityOrder>
  answer: Awaited<ReturnType<ReturnType<typeof createBuyer>['post']>>
}

/** Buy in a scenario, by header or phone number, and check the first response. */
async function buy(scenario: Scenario, changes: object, headers: Record<string, string>): Promise<Purchase> {
  const body = electricityOrder({ amount: '1000', ...changes })
  const answer = await buyer.post('/services/electricity/request', body, headers)
  expect([answer.status, answer.body.status, answer.body.code]).toEqual(EXPECTED[scenario].first)
  if (answer.body.status === 'pending') expect(answer.body.data).not.toHaveProperty('tokenCode')
  return { scenario, body, answer }
}

/** Repeat the requery until a purchase has its final result, and check it. */
async function checkFinalResult({ scenario, body, answer }: Purchase): Promise<void> {
  const { end, sold } = EXPECTED[scenario]
  const final = await eventually(
    `the final result of ${scenario}`,
    async () => {
      const { body: now } = await buyer.requery(body.agentReference)
      return now.status === 'pending' ? undefined : now
    },
    TIMEOUT_MS,
  )
  expect([final.status, final.code]).toEqual(end)
  if (final.status === 'success') expect(final.data.tokenCode).toMatch(/^\d{20}$/)
  else expect(final.data.transactionStatus).toBe('failed')
  if (answer.body.status === 'success') expect(final.data.tokenCode).toBe(answer.body.data.tokenCode)
  expect(await buyer.sold(body.agentReference)).toBe(sold)
}

describe('the simulated biller', () => {
  it(
    'follows the scenario of the header or the phone; sales are paid, unknown outcomes are on hold',
    async () => {
      const before = await buyer.wallet()
      const purchases = scenarios.flatMap((scenario, index) => [
        { scenario, purchase: buy(scenario, {}, { 'x-sandbox-scenario': scenario }) },
        { scenario, purchase: buy(scenario, { phone: `08031000${201 + index}` }, {}) },
      ])
      const firsts = Promise.all(purchases.map(({ purchase }) => purchase))
      await Promise.all(purchases.flatMap(({ scenario, purchase }) => (IMMEDIATE.includes(scenario) ? [purchase] : [])))
      startClock()
      const all = await firsts

      const silent = all.filter(({ scenario }) => scenario === 'silent')
      await Promise.all(all.filter((one) => !silent.includes(one)).map(checkFinalResult))
      expect(await buyer.held()).toBe(parseAmount('2000'))
      for (const { body } of silent) {
        const pending = await buyer.requery(body.agentReference)
        expect(pending.body).toMatchObject({ status: 'pending', data: { transactionStatus: 'pending' } })
        expect((await buyer.post('/services/electricity/request', body)).body.code).toBe('BX0023')
      }
      testApp.clock.advance(2 * 3_600)
      await Promise.all(silent.map(checkFinalResult))

      const sold = all.reduce((sum, { scenario }) => sum + EXPECTED[scenario].sold, 0)
      expect(sold).toBe(12)
      expect(before - (await buyer.wallet())).toBe(parseAmount(String(sold * 1_000)))
      expect(await buyer.held()).toBe(0n)
      expect(await buyer.ledgerErrors()).toEqual([])
    },
    TIMEOUT_MS,
  )

  it('refuses unknown scenarios', async () => {
    const answer = await buyer.post('/services/electricity/request', electricityOrder(), {
      'x-sandbox-scenario': 'miracle',
    })
    expect([answer.status, answer.body.code]).toEqual([400, 'BX0003'])
  })

  it('ignores the header in live mode, also with an unknown scenario', async () => {
    const sold: (string | null)[] = []
    const biller: Biller = {
      ...testApp.app.billers[0]!,
      async vend({ scenario }) {
        sold.push(scenario)
        return { outcome: 'accepted', remote_id: '1' }
      },
    }
    const live = await buildTestApp({
      settings: { MODE: 'live', SECRET_KEY: 'k'.repeat(32) },
      overrides: { connections: testApp.app.connections.list(), billers: [biller] },
    })
    try {
      const live_buyer = createBuyer(live, (await live.startService()).url)
      for (const scenario of ['decline', 'miracle']) {
        const headers = { 'x-sandbox-scenario': scenario }
        const answer = await live_buyer.post('/services/electricity/request', electricityOrder(), headers)
        expect([answer.status, answer.body.status]).toEqual([200, 'pending'])
      }
      expect(sold).toEqual([null, null])
    } finally {
      await live.close()
    }
  })
})

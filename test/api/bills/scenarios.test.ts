import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Biller, type Scenario, scenarios } from '../../../src/billers/biller.ts'
import { createSandboxBiller } from '../../../src/billers/sandbox.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import type { Simulator } from '../../../src/simulator/index.ts'
import { createTestSimulator, SECRET } from '../../simulator/simulator-test.ts'
import { buildTestApp, eventually, type TestApp } from '../../test-app.ts'
import { createBuyer, electricityOrder } from './buyer.ts'

/*
 * Everything that the simulated biller can be told to do, from the purchase to its end: what the buyer is told first, what a
 * requery tells in the end, whether something was sold, and where the money is.
 */

let testApp: TestApp
let shop: ReturnType<typeof createBuyer>
let desk: Simulator
let passing: NodeJS.Timeout | undefined

beforeAll(async () => {
  let url = ''
  // A biller that is given up earlier than usual, at a counter that waits less long, so that nobody sits here for a minute.
  const biller = createSandboxBiller({ url: () => url, secret: SECRET, timeout_ms: 3_500, in_flight_ms: 1_000 })
  testApp = await buildTestApp({ settings: { BILL_WAIT_SECONDS: '15' }, overrides: { billers: [biller] } })
  desk = createTestSimulator(testApp.db, { now: testApp.clock.now })
  url = await desk.listen()
  shop = createBuyer(testApp, (await testApp.startService()).url)
})
afterAll(async () => {
  clearInterval(passing)
  await desk.stop()
  await testApp.close()
})

/** From now on time passes faster than outside, so that what is due after seconds comes about. */
function letTimePass(): void {
  passing = setInterval(() => {
    testApp.clock.advance(1)
    testApp.app.wake()
  }, 100)
}

const PATIENT_MS = 120_000

interface Course {
  /** HTTP status, `status` and code of the first answer. */
  first: [number, string, number | string]
  /** `status` and code of a requery in the end. */
  end: [string, number | string]
  sold: number
}
const SUCCESS: Course = { first: [200, 'success', 200], end: ['success', 200], sold: 1 }
const failed = (status: number, code: string): Course => ({
  first: [status, 'error', code],
  end: ['error', code],
  sold: 0,
})

const COURSES: Record<Scenario, Course> = {
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

/** Those whose first answer needs no time to pass; the others are waited for. */
const PROMPT: readonly string[] = ['success', 'decline', 'pending-success', 'pending-failure', 'blocked', 'token-later']

interface Bought {
  scenario: Scenario
  body: ReturnType<typeof electricityOrder>
  answer: Awaited<ReturnType<ReturnType<typeof createBuyer>['post']>>
}

/** Buys in a scenario that the header names, or the phone, and looks at the first answer. */
async function buy(scenario: Scenario, more: object, headers: Record<string, string>): Promise<Bought> {
  const body = electricityOrder({ amount: '1000', ...more })
  const answer = await shop.post('/services/electricity/request', body, headers)
  expect([answer.status, answer.body.status, answer.body.code]).toEqual(COURSES[scenario].first)
  if (answer.body.status === 'pending') expect(answer.body.data).not.toHaveProperty('tokenCode')
  return { scenario, body, answer }
}

/** Asks until the end of a purchase is known, and looks at it. */
async function follow({ scenario, body, answer }: Bought): Promise<void> {
  const { end, sold } = COURSES[scenario]
  const known = await eventually(
    `the end of ${scenario}`,
    async () => {
      const { body: now } = await shop.requery(body.agentReference)
      return now.status === 'pending' ? undefined : now
    },
    PATIENT_MS,
  )
  expect([known.status, known.code]).toEqual(end)
  if (known.status === 'success') expect(known.data.tokenCode).toMatch(/^\d{20}$/)
  else expect(known.data.transactionStatus).toBe('failed')
  if (answer.body.status === 'success') expect(known.data.tokenCode).toBe(answer.body.data.tokenCode)
  expect(await shop.sold(body.agentReference)).toBe(sold)
}

describe('the simulated biller', () => {
  it(
    'does what the header or the number says; what is sold is paid, what is unknown is on hold, and nothing else',
    async () => {
      const before = await shop.wallet()
      const purchases = scenarios.flatMap((scenario, index) => [
        { scenario, bought: buy(scenario, {}, { 'x-sandbox-scenario': scenario }) },
        { scenario, bought: buy(scenario, { phone: `08031000${201 + index}` }, {}) },
      ])
      const firsts = Promise.all(purchases.map(({ bought }) => bought))
      await Promise.all(purchases.flatMap(({ scenario, bought }) => (PROMPT.includes(scenario) ? [bought] : [])))
      letTimePass()
      const all = await firsts

      const silent = all.filter(({ scenario }) => scenario === 'silent')
      await Promise.all(all.filter((one) => !silent.includes(one)).map(follow))
      expect(await shop.held()).toBe(parseAmount('2000'))
      for (const { body } of silent) {
        const asked = await shop.requery(body.agentReference)
        expect(asked.body).toMatchObject({ status: 'pending', data: { transactionStatus: 'pending' } })
        expect((await shop.post('/services/electricity/request', body)).body.code).toBe('BX0023')
      }
      testApp.clock.advance(2 * 3_600)
      await Promise.all(silent.map(follow))

      const sold = all.reduce((sum, { scenario }) => sum + COURSES[scenario].sold, 0)
      expect(sold).toBe(12)
      expect(before - (await shop.wallet())).toBe(parseAmount(String(sold * 1_000)))
      expect(await shop.held()).toBe(0n)
      expect(await shop.faults()).toEqual([])
    },
    PATIENT_MS,
  )

  it('is told by known names only', async () => {
    const answer = await shop.post('/services/electricity/request', electricityOrder(), {
      'x-sandbox-scenario': 'miracle',
    })
    expect([answer.status, answer.body.code]).toEqual([400, 'BX0003'])
  })

  it('is played by nobody in live mode: the header is passed over, even with a word that is none', async () => {
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
      overrides: { networks: testApp.app.networks, billers: [biller] },
    })
    try {
      const counter = createBuyer(live, (await live.startService()).url)
      for (const scenario of ['decline', 'miracle']) {
        const headers = { 'x-sandbox-scenario': scenario }
        const answer = await counter.post('/services/electricity/request', electricityOrder(), headers)
        expect([answer.status, answer.body.status]).toEqual([200, 'pending'])
      }
      expect(sold).toEqual([null, null])
    } finally {
      await live.close()
    }
  })
})

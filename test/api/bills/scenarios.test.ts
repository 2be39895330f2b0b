import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Scenario, scenarios } from '../../../src/billers/biller.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { buildHouse, eventually, type House } from '../../house.ts'
import { buyer, power } from './buyer.ts'

/*
 * Everything that the simulated biller can be told to do, from the purchase to its end: what the buyer is told first, what a
 * requery tells in the end, whether something was sold, and where the money is.
 */

let house: House
let shop: ReturnType<typeof buyer>
let passing: NodeJS.Timeout

beforeAll(async () => {
  house = await buildHouse()
  const { url } = await house.open()
  shop = buyer(house, url)
  // Time passes somewhat faster than outside, so that what is due after seconds comes about.
  passing = setInterval(() => {
    house.clock.advance(1)
    house.app.wake()
  }, 250)
})
afterAll(async () => {
  clearInterval(passing)
  await house.close()
})

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

const COURSES: Record<Exclude<Scenario, 'silent'>, Course> = {
  success: SUCCESS,
  decline: failed(400, 'EXC00107'),
  'pending-success': { ...SUCCESS, first: [200, 'pending', 200] },
  'pending-failure': { ...failed(400, 'EXC00107'), first: [200, 'pending', 200] },
  'timeout-before': failed(503, 'BX0024'),
  'timeout-after': SUCCESS,
  broken: failed(503, 'BX0024'),
  slow: SUCCESS,
  blocked: failed(503, 'EXC00109'),
  'token-later': { ...SUCCESS, first: [200, 'pending', 200] },
}

async function follow(scenario: Exclude<Scenario, 'silent'>, more: object, headers: Record<string, string>) {
  const { first, end, sold } = COURSES[scenario]
  const body = power({ amount: '1000', ...more })
  const answer = await shop.post('/services/electricity/request', body, headers)
  expect([answer.status, answer.body.status, answer.body.code]).toEqual(first)
  if (first[1] === 'pending') expect(answer.body.data).not.toHaveProperty('tokenCode')
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
  return sold
}

describe('the simulated biller', () => {
  it(
    'does what the header or the number says; what is sold is paid, and nothing else',
    async () => {
      const before = await shop.wallet()
      const named = Object.keys(COURSES) as Exclude<Scenario, 'silent'>[]
      const sold = await Promise.all(
        named.flatMap((scenario) => [
          follow(scenario, {}, { 'x-sandbox-scenario': scenario }),
          follow(scenario, { phone: `08031000${201 + scenarios.indexOf(scenario)}` }, {}),
        ]),
      )
      const total = sold.reduce((sum, one) => sum + one, 0)
      expect(total).toBe(10)
      expect(before - (await shop.wallet())).toBe(parseAmount(String(total * 1_000)))
      expect(await shop.held()).toBe(0n)
      expect(await shop.faults()).toEqual([])
    },
    PATIENT_MS,
  )

  it(
    'that keeps silent leaves the money on hold until it speaks',
    async () => {
      const body = power({ amount: '2000', phone: '08031000209' })
      const answer = await shop.post('/services/electricity/request', body)
      expect([answer.status, answer.body.status, answer.body.code]).toEqual([503, 'error', 'BX0021'])
      expect(await shop.held()).toBe(parseAmount('2000'))
      expect((await shop.requery(body.agentReference)).body).toMatchObject({
        status: 'pending',
        data: { transactionStatus: 'pending' },
      })
      expect((await shop.post('/services/electricity/request', body)).body.code).toBe('BX0023')
      house.clock.advance(2 * 3_600)
      const token = await eventually(
        'the biller to speak',
        async () => (await shop.requery(body.agentReference)).body.data.tokenCode,
        PATIENT_MS,
      )
      expect(token).toMatch(/^\d{20}$/)
      expect(await shop.held()).toBe(0n)
    },
    PATIENT_MS,
  )

  it('is told by known names only', async () => {
    const answer = await shop.post('/services/electricity/request', power(), { 'x-sandbox-scenario': 'miracle' })
    expect([answer.status, answer.body.code]).toEqual([400, 'BX0003'])
  })
})

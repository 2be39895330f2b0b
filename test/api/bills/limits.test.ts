import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setFlag } from '../../../src/core/flags.ts'
import { begin } from '../../../src/db/client.ts'
import { callRaw, openTestService, type TestService } from '../../interface/test-service.ts'
import { eventually } from '../../test-app.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ jobs: false })
})
afterAll(() => service.close())

const BALANCE = '/api/gateway/superagent/account/balance'
const get = (headers: Record<string, string>) => callRaw(service.url, 'GET', BALANCE, { headers })

describe('the bill-payment API', () => {
  it('throttles each key, with its own error format', async () => {
    const key = await service.newKey({ reads_per_minute: 2 })
    const answers = [await get({ 'x-api-key': key }), await get({ authorization: `Bearer ${key}` })]
    expect(answers.map((one) => [one.status, one.headers['ratelimit-remaining']])).toEqual([
      [200, '1'],
      [200, '0'],
    ])
    const { status, headers, body } = await get({ 'x-api-key': key })
    expect([status, body.status, body.code]).toEqual([429, 'error', 'EXC00131'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect((await get({ 'x-api-key': service.key })).status).toBe(200)
  })

  it('counts core and bill requests of a key together', async () => {
    const key = await service.newKey({ reads_per_minute: 1 })
    const core = await callRaw(service.url, 'GET', '/api/currencies', { headers: { authorization: `Token ${key}` } })
    expect([core.status, (await get({ 'x-api-key': key })).status]).toEqual([200, 429])
  })

  it('answers 503 during maintenance', async () => {
    const { db } = service.testApp
    await begin(db, (tx) => setFlag(tx, 'maintenance', 'on'))
    const closed = await eventually('maintenance to begin', async () => {
      const answer = await get({ 'x-api-key': service.key })
      return answer.status === 503 ? answer : undefined
    })
    expect(closed.body).toEqual({
      status: 'error',
      message: expect.stringMatching(/maintenance/),
      code: 'EXC00144',
      errors: [],
    })
    expect(Number(closed.headers['retry-after'])).toBeGreaterThan(0)
    await begin(db, (tx) => setFlag(tx, 'maintenance', null))
    await eventually('maintenance to end', async () =>
      (await get({ 'x-api-key': service.key })).status === 200 ? true : undefined,
    )
  })
})

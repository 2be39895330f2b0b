import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setPaymentLimits } from '../../src/core/spending/limits.ts'
import { begin } from '../../src/db/client.ts'
import { buildTestApp, createApiClient, type TestApp } from '../test-app.ts'

let testApp: TestApp
let api: ReturnType<typeof createApiClient>
beforeAll(async () => {
  testApp = await buildTestApp()
  const service = await testApp.startService()
  api = createApiClient(service.url, testApp.api_key)
})
afterAll(() => testApp.close())

const WAGES = { phonenumber: '+80000000003', amount: '100', currency: 'BXC', description: 'Wages' }

async function balance(): Promise<string> {
  const { body } = await api.get('/api/accounts?currency=BXC')
  return body.results[0].balance
}

/** The next day begins. */
function midnight(): void {
  testApp.clock.advance(24 * 60 * 60)
  testApp.app.wake()
}

describe('the limits by sum of payments', () => {
  const limit = (per_day: bigint | null, per_recipient: bigint | null = null) =>
    begin(testApp.db, (tx) =>
      setPaymentLimits(tx, {
        organization: testApp.organization,
        currency: 'BXC',
        per_day,
        per_recipient,
        per_user: null,
      }),
    )

  it('refuse the payment that would pass one, with 400 on its amount and what is left', async () => {
    midnight()
    await limit(2_500_000n)
    expect((await api.post('/api/payments', WAGES)).status).toBe(201)
    expect((await api.post('/api/payments', WAGES)).status).toBe(201)
    const before = await balance()
    const refused = await api.post('/api/payments', WAGES)
    expect(refused).toMatchObject({
      status: 400,
      body: { amount: ['The limit for all payments is BXC 250 in 24 hours; BXC 50 are left now.'] },
    })
    expect(await balance()).toBe(before)
    midnight()
    expect((await api.post('/api/payments', WAGES)).status).toBe(201)
    await limit(null)
  })

  it('are exact for many payments at once, and answer 409 to the repetition of an accepted one', async () => {
    midnight()
    await limit(5_000_000n, 2_000_000n)
    const pay = async (index: number) => {
      const body = { ...WAGES, phonenumber: `+8000000006${index % 4}` }
      for (;;) {
        const answer = await api.post('/api/payments', body, { 'duplicate-check-key': `run-${index}` })
        // A payment that is refused because the service is busy has left nothing behind.
        if (answer.status !== 503) return answer
      }
    }
    const answers = await Promise.all(Array.from({ length: 24 }, (_, index) => pay(index)))
    const accepted = answers.flatMap(({ status }, index) => (status === 201 ? [index] : []))
    expect(accepted).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19)
    const again = await api.post('/api/payments', WAGES, { 'duplicate-check-key': `run-${accepted[0]}` })
    expect(again.status).toBe(409)
    await limit(null)
  })
})

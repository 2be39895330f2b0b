import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fundAccount } from '../../../src/core/ledger/accounts.ts'
import { begin } from '../../../src/db/client.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { buildTestApp, eventually, type TestApp } from '../../test-app.ts'
import { airtimeOrder, createBuyer, electricityOrder, freshReference } from './buyer.ts'

/*
 * Two instances, one in front of the other, over HTTP: the far instance is the aggregator. Each purchase of a customer
 * is bought once there, both ledgers are right, and an amount on hold there is also on hold here.
 */

let far: TestApp
let near: TestApp
let aggregator: ReturnType<typeof createBuyer>
let buyer: ReturnType<typeof createBuyer>
let clock_timer: NodeJS.Timeout
let clock_stopped = false

beforeAll(async () => {
  far = await buildTestApp()
  const { url: far_url } = await far.startService()
  near = await buildTestApp({
    settings: { BILLER: 'upstream', UPSTREAM_URL: `${far_url}/api/gateway/`, UPSTREAM_KEY: far.api_key },
  })
  const { url } = await near.startService()
  aggregator = createBuyer(far, far_url)
  buyer = createBuyer(near, url)
  clock_timer = setInterval(() => {
    if (clock_stopped) return
    for (const testApp of [far, near]) {
      testApp.clock.advance(1)
      testApp.app.wake()
    }
  }, 250)
})
afterAll(async () => {
  clearInterval(clock_timer)
  await near.close()
  await far.close()
})

/** The cost of a purchase in both wallets. */
async function costs<T>(buy: () => Promise<T>) {
  const before = [await buyer.wallet(), await aggregator.wallet()] as const
  const answer = await buy()
  return { answer, near: before[0] - (await buyer.wallet()), far: before[1] - (await aggregator.wallet()) }
}

const naira = (text: string) => parseAmount(text)!

describe('in front of another instance', () => {
  it('looks up names at the far instance', async () => {
    const answer = await buyer.post('/services/namefinder/query', {
      service_type: 'ikeja_electric_prepaid',
      account_number: '04042404048',
    })
    expect(answer.body.data.user).toMatchObject({ name: 'TESTMETER1', rawOutput: { canVend: true } })
  })

  it('buys at the far instance: token, power and keys come from there and are the same on every requery', async () => {
    const body = electricityOrder({ account_number: '04223568280' })
    const { answer, ...cost } = await costs(() => buyer.post('/services/electricity/request', body))
    expect(answer.body).toMatchObject({
      status: 'success',
      data: { amountOfPower: '69.5KWH', resetToken: expect.stringMatching(/^\d{20}$/), provider_message: 'OK' },
    })
    expect(cost).toEqual({ near: naira('5000'), far: naira('5000') })
    const [sale] = await far.db<{ token: string }[]>`select token from simulator_vends order by id desc limit 1`
    expect(answer.body.data.tokenCode).toBe(sale!.token)
    expect((await buyer.requery(body.agentReference)).body.data.tokenCode).toBe(sale!.token)
  })

  it('sells pins and exam pins', async () => {
    const pins = { service_type: 'glo', pinValue: 50, numberOfPins: 2, amount: 100, agentId: 207 }
    const bought = await buyer.post('/services/epin/request', { ...pins, agentReference: freshReference() })
    expect(bought.body.data.pins).toHaveLength(2)
    const candidate = { service_type: 'jamb', account_number: '9678528352', product_code: 'DE' }
    const { body } = await buyer.post('/services/namefinder/query', candidate)
    const phone = body.data.user.rawOutput.gsmNo
    const exam = { ...candidate, phone, amount: '4000', agentReference: freshReference() }
    expect((await buyer.post('/services/exampin/request', exam)).body.data.token_pin).toMatch(/^\d{16}$/)
  })

  it.each([
    ['decline', 400, 'EXC00107'],
    ['blocked', 503, 'EXC00109'],
  ])('returns the failure %s of the far biller and refunds both wallets', async (scenario, status, code) => {
    const { answer, ...cost } = await costs(() =>
      buyer.post('/services/airtime/request', airtimeOrder(), { 'x-sandbox-scenario': scenario }),
    )
    expect([answer.status, answer.body.code, answer.body.data.transactionStatus]).toEqual([status, code, 'failed'])
    expect(cost).toEqual({ near: 0n, far: 0n })
  })

  it('is pending as long as the far instance, and then has its token', async () => {
    const body = electricityOrder({ phone: '08031000211' })
    // The clocks stop, so that the token, which comes after five seconds, cannot come before a slow first response.
    clock_stopped = true
    const first = await buyer.post('/services/electricity/request', body)
    clock_stopped = false
    expect([first.status, first.body.status]).toEqual([200, 'pending'])
    const token = await eventually(
      'the token',
      async () => (await buyer.requery(body.agentReference)).body.data.tokenCode,
      60_000,
    )
    expect(token).toMatch(/^\d{20}$/)
    expect([await buyer.held(), await aggregator.held()]).toEqual([0n, 0n])
  })

  it('does not show its customers that its own account at the far instance is empty', async () => {
    const { id, author } = (
      await far.db<{ id: number; author: number }[]>`
      select id, author from accounts where organization = ${far.organization} and currency = 'NGN' and kind = 'local'`
    )[0]!
    const amount = 10_000n - (await aggregator.wallet())
    await begin(far.db, (tx) => fundAccount(tx, far.clock.now(), { account: id, amount, author, description: 'Spent' }))
    const { answer, ...cost } = await costs(() => buyer.post('/services/airtime/request', airtimeOrder()))
    expect([answer.status, answer.body.code]).toEqual([503, 'EXC00144'])
    expect(JSON.stringify(answer.body)).not.toMatch(/fund/i)
    expect(cost).toEqual({ near: 0n, far: 0n })
  })
})

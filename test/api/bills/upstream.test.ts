import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fundAccount } from '../../../src/core/ledger/accounts.ts'
import { begin } from '../../../src/db/client.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { buildTestApp, eventually, type TestApp } from '../../test-app.ts'
import { airtimeOrder, createBuyer, electricityOrder, freshReference } from './buyer.ts'

/*
 * One instance in front of another, over HTTP: the far one is our aggregator. What our customers buy is bought once there,
 * both books are right, and what the far one keeps from us we keep on hold.
 */

let far: TestApp
let near: TestApp
let aggregator: ReturnType<typeof createBuyer>
let shop: ReturnType<typeof createBuyer>
let passing: NodeJS.Timeout
let stands_still = false

beforeAll(async () => {
  far = await buildTestApp()
  const { url: far_url } = await far.startService()
  near = await buildTestApp({
    settings: { BILLER: 'upstream', UPSTREAM_URL: `${far_url}/api/gateway/`, UPSTREAM_KEY: far.api_key },
  })
  const { url } = await near.startService()
  aggregator = createBuyer(far, far_url)
  shop = createBuyer(near, url)
  passing = setInterval(() => {
    if (stands_still) return
    for (const house of [far, near]) {
      house.clock.advance(1)
      house.app.wake()
    }
  }, 250)
})
afterAll(async () => {
  clearInterval(passing)
  await near.close()
  await far.close()
})

/** What this amount has done to both wallets. */
async function costs<T>(buy: () => Promise<T>) {
  const before = [await shop.wallet(), await aggregator.wallet()] as const
  const answer = await buy()
  return { answer, near: before[0] - (await shop.wallet()), far: before[1] - (await aggregator.wallet()) }
}

const naira = (text: string) => parseAmount(text)!

describe('in front of another instance', () => {
  it('finds names there', async () => {
    const answer = await shop.post('/services/namefinder/query', {
      service_type: 'ikeja_electric_prepaid',
      account_number: '04042404048',
    })
    expect(answer.body.data.user).toMatchObject({ name: 'TESTMETER1', rawOutput: { canVend: true } })
  })

  it('buys there: token, power and keys come from there, and are the same on every requery', async () => {
    const body = electricityOrder({ account_number: '04223568280' })
    const { answer, ...cost } = await costs(() => shop.post('/services/electricity/request', body))
    expect(answer.body).toMatchObject({
      status: 'success',
      data: { amountOfPower: '69.5KWH', resetToken: expect.stringMatching(/^\d{20}$/), provider_message: 'OK' },
    })
    expect(cost).toEqual({ near: naira('5000'), far: naira('5000') })
    const [sale] = await far.db<{ token: string }[]>`select token from simulator_vends order by id desc limit 1`
    expect(answer.body.data.tokenCode).toBe(sale!.token)
    expect((await shop.requery(body.agentReference)).body.data.tokenCode).toBe(sale!.token)
  })

  it('sells pins and exam pins', async () => {
    const pins = { service_type: 'glo', pinValue: 50, numberOfPins: 2, amount: 100, agentId: 207 }
    const bought = await shop.post('/services/epin/request', { ...pins, agentReference: freshReference() })
    expect(bought.body.data.pins).toHaveLength(2)
    const candidate = { service_type: 'jamb', account_number: '9678528352', product_code: 'DE' }
    const { body } = await shop.post('/services/namefinder/query', candidate)
    const phone = body.data.user.rawOutput.gsmNo
    const exam = { ...candidate, phone, amount: '4000', agentReference: freshReference() }
    expect((await shop.post('/services/exampin/request', exam)).body.data.token_pin).toMatch(/^\d{16}$/)
  })

  it.each([
    ['decline', 400, 'EXC00107'],
    ['blocked', 503, 'EXC00109'],
  ])('passes on that the far biller plays %s, and gives both moneys back', async (scenario, status, code) => {
    const { answer, ...cost } = await costs(() =>
      shop.post('/services/airtime/request', airtimeOrder(), { 'x-sandbox-scenario': scenario }),
    )
    expect([answer.status, answer.body.code, answer.body.data.transactionStatus]).toEqual([status, code, 'failed'])
    expect(cost).toEqual({ near: 0n, far: 0n })
  })

  it('is pending as long as the far one is, and then has its token', async () => {
    const body = electricityOrder({ phone: '08031000211' })
    // The token comes after five seconds, which may be over before a slow answer is here.
    stands_still = true
    const first = await shop.post('/services/electricity/request', body)
    stands_still = false
    expect([first.status, first.body.status]).toEqual([200, 'pending'])
    const token = await eventually(
      'the token',
      async () => (await shop.requery(body.agentReference)).body.data.tokenCode,
      60_000,
    )
    expect(token).toMatch(/^\d{20}$/)
    expect([await shop.held(), await aggregator.held()]).toEqual([0n, 0n])
  }, 70_000)

  it('does not tell its customers that its own account there is empty', async () => {
    const { id, author } = (
      await far.db<{ id: number; author: number }[]>`
      select id, author from accounts where organization = ${far.organization} and currency = 'NGN' and kind = 'local'`
    )[0]!
    const amount = 10_000n - (await aggregator.wallet())
    await begin(far.db, (tx) => fundAccount(tx, far.clock.now(), { account: id, amount, author, description: 'Spent' }))
    const { answer, ...cost } = await costs(() => shop.post('/services/airtime/request', airtimeOrder()))
    expect([answer.status, answer.body.code]).toEqual([503, 'EXC00144'])
    expect(JSON.stringify(answer.body)).not.toMatch(/fund/i)
    expect(cost).toEqual({ near: 0n, far: 0n })
  })
})

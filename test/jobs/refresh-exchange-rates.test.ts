import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listCurrencies } from '../../src/core/ledger/currencies.ts'
import { refreshExchangeRates } from '../../src/jobs/refresh-exchange-rates.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'

let testApp: TestApp
let source: Server
let answer = { status: 200, body: '' }

beforeAll(async () => {
  source = createServer((_request, response) => response.writeHead(answer.status).end(answer.body))
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
  const { port } = source.address() as AddressInfo
  testApp = await buildTestApp({ settings: { RATES_URL: `http://127.0.0.1:${port}/latest` } })
})
afterAll(async () => {
  await testApp.close()
  source.close()
})

const rates = async () =>
  Object.fromEntries((await listCurrencies(testApp.db, 'live')).map(({ code, usd_rate }) => [code, usd_rate]))

describe('the job that refreshes exchange rates', () => {
  it('reads them at the start, and again after twelve hours', async () => {
    const job = refreshExchangeRates(testApp.app)
    answer = { status: 200, body: '{"rates":{"UGX":3600,"KES":130,"NGN":1500}}' }
    await job.run(await job.claim(1))
    expect(await rates()).toEqual({ UGX: 3600, KES: 130, NGN: 1500 })
    expect(await job.nextDue()).toEqual(new Date(testApp.clock.now().getTime() + 12 * 3_600_000))
    expect(await job.claim(1)).toEqual([])
    testApp.clock.advance(12 * 3_600)
    answer.body = '{"rates":{"UGX":3700,"KES":131,"NGN":1501}}'
    await job.run(await job.claim(1))
    expect(await rates()).toEqual({ UGX: 3700, KES: 131, NGN: 1501 })
  })

  it('keeps the old rates while the source is down, and tries again after 15 minutes', async () => {
    const job = refreshExchangeRates(testApp.app)
    testApp.clock.advance(13 * 3_600)
    answer = { status: 503, body: '' }
    await expect(job.run(await job.claim(1))).rejects.toThrow('answered 503')
    expect(await rates()).toMatchObject({ UGX: 3700 })
    expect(await job.claim(1)).toEqual([])
    testApp.clock.advance(15 * 60)
    expect(await job.claim(1)).toHaveLength(1)
  })

  it('does nothing without RATES_URL', async () => {
    const without_source = await buildTestApp()
    const job = refreshExchangeRates(without_source.app)
    expect(await job.nextDue()).toBeNull()
    expect(await job.claim(1)).toEqual([])
    await without_source.close()
  })
})

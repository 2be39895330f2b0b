import { afterEach, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { findFreePort } from '../program-runner.ts'

let testApp: TestApp
afterEach(() => testApp.close())

/** Starts a service with these settings and asks for its metrics at its own address. */
async function ownMetrics(settings: Record<string, string>): Promise<number> {
  testApp = await buildTestApp({ settings })
  const { url } = await testApp.startService({ jobs: false })
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  return (await fetch(`${url}/metrics`)).status
}

describe('the metrics', () => {
  it('are at the address of a service that only its own machine can reach', async () => {
    expect(await ownMetrics({ HOST: '127.0.0.1' })).toBe(200)
  })

  it('are not at an address that others can reach', async () => {
    expect(await ownMetrics({ HOST: '0.0.0.0' })).toBe(404)
  })

  it('are at METRICS_ADDRESS and nowhere else', async () => {
    const address = `127.0.0.1:${await findFreePort()}`
    expect(await ownMetrics({ HOST: '127.0.0.1', METRICS_ADDRESS: address })).toBe(404)
    const answer = await fetch(`http://${address}/metrics`)
    expect(await answer.text()).toContain('http_request_duration_seconds')
    expect((await fetch(`http://${address}/api/currencies`)).status).toBe(404)
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import { recordArchiveRun } from '../../../../src/core/archive/last-run.ts'
import { insertNetworkOrders } from '../../../../src/core/connections/network-orders.ts'
import { begin } from '../../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../../test-app.ts'
import { findFreePort } from '../../program-runner.ts'

let testApp: TestApp
afterEach(() => testApp.close())

/** Start a service with these settings and ask for its metrics at its own address. */
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

  it('count the open orders, and say how old the oldest is, until they end', async () => {
    testApp = await buildTestApp()
    const { db, clock, organization } = testApp
    const { url } = await testApp.startService({ jobs: false })
    const created = clock.now()
    await begin(db, (tx) =>
      insertNetworkOrders(
        tx,
        created,
        [1, 2].map((request) => ({
          reference: `R${request}`,
          kind: 'charge',
          connection: 'sandbox',
          organization,
          attempt: 1,
          collection_request: request,
          receiver: '1',
          phonenumber: '+80000000003',
          amount: 1n,
          currency: 'BXC',
          reason: '',
        })),
      ),
    )
    await begin(db, (tx) => recordArchiveRun(tx, new Date('2030-01-15T12:00:00Z')))
    const old = new Date(created.getTime() - (testApp.app.config.SMS_RETENTION_DAYS + 50) * 24 * 3_600_000)
    await db`
      insert into sms_messages (organization, purpose, phonenumber, body, state, created, sent_at)
      values (${organization}, 'success', '+80000000003', 'Paid', 'sent', ${old}, ${old})`
    clock.advance(90)
    const read = async () => (await fetch(`${url}/metrics`)).text()
    const labels = '{connection="sandbox",kind="charge",state="new"}'
    const metrics = await read()
    expect(metrics).toContain(`kusanya_open_orders${labels} 2\n`)
    expect(metrics).toContain('kusanya_last_archive_timestamp_seconds 1894708800\n')
    expect(metrics).toMatch(/kusanya_archive_overdue_seconds\{kind="sms"\} 43200\d\d\n/)
    expect(metrics).toContain('kusanya_archive_overdue_seconds{kind="requests"} 0\n')
    const [, age] = metrics.split(`kusanya_oldest_open_order_seconds${labels} `)
    expect(Number.parseFloat(age!)).toBeGreaterThanOrEqual(90)
    await db`update network_orders set state = 'not_sent', closed = now(), due_at = null`
    expect(await read()).not.toContain(`kusanya_open_orders${labels}`)
  })
})

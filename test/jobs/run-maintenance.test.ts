import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkRequestCounts } from '../../src/core/collections/request-counts.ts'
import { recordEvents } from '../../src/core/events/events.ts'
import { begin } from '../../src/db/client.ts'
import { runMaintenance } from '../../src/jobs/run-maintenance.ts'
import { openShop } from '../core/shop.ts'
import { REQUIRED_FIELDS } from '../interface/test-service.ts'
import { openReceiver } from '../receiver.ts'
import { buildTestApp, createApiClient, eventually, type TestApp } from '../test-app.ts'
import { createWebhookHelpers } from './webhook-helpers.ts'

let testApp: TestApp

beforeAll(async () => {
  testApp = await buildTestApp()
})
afterAll(() => testApp.close())

describe('maintenance', () => {
  it('deletes Duplicate-Check-Keys after 24 hours, and runs every hour', async () => {
    const { url } = await testApp.startService({ jobs: false })
    const headers = { 'Duplicate-Check-Key': 'once' }
    const post = () => createApiClient(url, testApp.api_key).post('/api/collectionrequests', REQUIRED_FIELDS, headers)
    const keys = async () => (await testApp.db`select 1 from idempotency_keys`).length
    const job = runMaintenance(testApp.app)
    const runTasks = async () => {
      for (let tasks = await job.claim(1); tasks.length > 0; tasks = await job.claim(1)) await job.run(tasks)
    }
    expect((await post()).status).toBe(201)
    await runTasks()
    expect(await keys()).toBe(1)
    expect(await job.nextDue()).toEqual(new Date(testApp.clock.now().getTime() + 3_600_000))
    testApp.clock.advance(24 * 3_600)
    await runTasks()
    expect(await keys()).toBe(0)
    expect((await post()).status).toBe(201)
  })

  it('drops old events and deliveries when the clock is moved, and creates partitions for new ones', async () => {
    const other = await buildTestApp()
    const service = await other.startService()
    const api = createApiClient(service.url, other.api_key)
    const test = createWebhookHelpers(other)
    const receiver = await openReceiver()
    const webhook = await test.addWebhook(`${receiver.url}/?skip-cert-verify`)
    await api.post('/api/collectionrequests', { phonenumber: '+80000000005', amount: '10', currency: 'BXC' })
    expect((await test.waitForAttempts(webhook, 1)).state).toBe('delivered')
    expect((await api.get('/api/events?type=contact.created')).body.count).toBe(1)
    for (let jump = 0; jump < 2; jump += 1) {
      other.clock.advance(90 * 24 * 3_600)
      const jumped_to = other.clock.now()
      let polls = 0
      const event = { organization: other.organization, type: 'payment.status.changed' as const, data: {}, author: 1 }
      await begin(other.db, (tx) => recordEvents(tx, jumped_to, [event]))
      other.app.wake()
      await eventually('the old events to go and the new one to have its partition', async () => {
        polls += 1
        // A table that was in use gets its maintenance an hour later.
        if (polls % 50 === 0) {
          other.clock.advance(3_600)
          other.app.wake()
        }
        const { body } = await api.get('/api/events?type=contact.created')
        // Rows that were written during the jump may be in the default partition until the next run.
        const [misplaced] = await other.db`select 1 from events_default where created = ${jumped_to}`
        const remaining = [...(await test.deliveries(webhook)), ...(await other.db`select 1 from webhook_attempts`)]
        return body.count === 0 && remaining.length === 0 && !misplaced ? true : undefined
      })
    }
    // The second jump has expired the event of the first.
    await eventually('the feed to show the event of the second jump', async () => {
      const { body } = await api.get('/api/events?type=payment.status.changed')
      return body.count === 1 || undefined
    })
    await receiver.close()
    await other.close()
  })

  it('counts the changes of requests before it drops their events', async () => {
    const shop = await openShop()
    const { db, testApp } = shop
    const { id } = await shop.createRequest()
    await shop.ingest(shop.paymentReport())
    testApp.clock.advance(90 * 24 * 3_600)
    const job = runMaintenance(testApp.app)
    for (let tasks = await job.claim(1); tasks.length > 0; tasks = await job.claim(1)) await job.run(tasks)
    expect(await db`select 1 from events where type = 'collectionrequest.status.changed' and object = ${id}`).toEqual(
      [],
    )
    expect(await checkRequestCounts(db)).toEqual([])
    const [counts] = await db`
      select count_collection_requests(${shop.organization}, 'pending') as pending,
        count_collection_requests(${shop.organization}, 'successful') as successful`
    expect(counts).toEqual({ pending: 0, successful: 1 })
    await shop.close()
  })

  it('skips a table that is in use', async () => {
    testApp.clock.advance(365 * 24 * 3_600)
    const job = runMaintenance(testApp.app)
    await begin(testApp.db, async (tx) => {
      await tx`lock table events in access share mode`
      for (let tasks = await job.claim(1); tasks.length > 0; tasks = await job.claim(1)) await job.run(tasks)
    })
    const [row] = await testApp.db<{ skipped: boolean }[]>`
      select to_regclass('webhook_attempts_20310113') is not null and to_regclass('events_20310113') is null as skipped`
    expect(row!.skipped).toBe(true)
  })
})

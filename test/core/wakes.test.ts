import { afterAll, beforeAll, expect, it } from 'vitest'
import { concernsJob, jobsWithCauses, type WakeCauses } from '../../src/core/wakes.ts'
import { allJobs } from '../../src/jobs/index.ts'
import { buildTestApp, eventually, type TestApp } from '../test-app.ts'

let testApp: TestApp
const wakes: WakeCauses[] = []

beforeAll(async () => {
  testApp = await buildTestApp()
  testApp.app.onWake((causes) => wakes.push(causes))
  await eventually('the looks of the start', async () => wakes.length === 2 || undefined)
})
afterAll(() => testApp.close())

it('names jobs that exist', () => {
  const names = allJobs(testApp.app).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining([...jobsWithCauses]))
})

it('wakes only the jobs that a cause concerns', () => {
  expect(concernsJob(['request_created'], 'collect')).toBe(true)
  expect(concernsJob(['request_created'], 'network-orders')).toBe(false)
  expect(concernsJob(['request_created', 'callback_received'], 'send-payments')).toBe(true)
  expect(concernsJob(undefined, 'network-orders')).toBe(true)
  expect(concernsJob(['purchase_created'], 'deliver-webhooks')).toBe(false)
  for (const job of ['network-orders', 'deliver-webhooks', 'send-sms-messages'])
    expect(concernsJob(['purchase_answered'], job)).toBe(true)
})

it('joins the wakes of the next milliseconds, and everything may be due when one of them has no cause', async () => {
  const { app } = testApp
  wakes.length = 0
  app.wake('request_created')
  app.wake('request_created')
  app.wake('charge_answered')
  await eventually('the second wake', async () => wakes.length === 2 || undefined)
  expect(wakes).toEqual([['request_created'], ['request_created', 'charge_answered']])
  app.wake('request_created')
  app.wake()
  await eventually('everything to be woken', async () => wakes.includes(undefined) || undefined)
})

it('wakes for the causes that another process has, and for everything when it does not know them', async () => {
  const { db } = testApp.app
  wakes.length = 0
  await db.notify('wake', 'another-process request_dispatched charge_answered')
  await eventually('the causes', async () => wakes.length === 1 || undefined)
  expect(wakes).toEqual([['request_dispatched', 'charge_answered']])
  await db.notify('wake', 'another-process a_cause_of_a_later_version')
  await db.notify('wake', 'a-process-of-another-version')
  await eventually('both', async () => wakes.length === 3 || undefined)
  expect(wakes.slice(1)).toEqual([undefined, undefined])
})

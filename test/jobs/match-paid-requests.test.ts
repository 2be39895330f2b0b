import { expect, it } from 'vitest'
import { matchPaidRequests } from '../../src/jobs/match-paid-requests.ts'
import { leavePaidRequestOpen } from '../core/many-rows.ts'
import { openShop } from '../core/shop.ts'
import { eventually } from '../test-app.ts'

it('a new service matches the paid requests that an earlier version left open', async () => {
  const shop = await openShop()
  const { id, collection } = await leavePaidRequestOpen(shop)
  await shop.testApp.startService()
  const request = await eventually('the request to be successful', async () => {
    const row = await shop.request(id)
    return row.status === 'successful' ? row : undefined
  })
  expect(request.collection).toBe(collection)
  await shop.close()
})

it('the job runs once an hour, and again at once after a full batch', async () => {
  const shop = await openShop()
  const { app } = shop.testApp
  let real_ms = Date.now()
  const clock = { now: app.clock.now, real: () => new Date(real_ms) }
  const job = matchPaidRequests({ ...app, clock })
  const [first, second] = [await leavePaidRequestOpen(shop), await leavePaidRequestOpen(shop)]
  expect(await job.claim(1)).toEqual([first.id])
  expect(await job.claim(1)).toEqual([second.id])
  expect(await job.claim(1)).toEqual([])
  const third = await leavePaidRequestOpen(shop)
  expect(await job.claim(1)).toEqual([])
  real_ms += 3_600_000
  expect(await job.claim(1)).toEqual([third.id])
  expect(await job.claim(1)).toEqual([])
  const fourth = await leavePaidRequestOpen(shop)
  expect(await job.claim(1)).toEqual([])
  // Somebody corrects a clock that was a day ahead.
  real_ms -= 86_400_000
  expect(await job.claim(1)).toEqual([fourth.id])
  await shop.close()
})

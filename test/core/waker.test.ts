import { afterEach, beforeEach, expect, it } from 'vitest'
import { createWaker } from '../../src/core/waker.ts'
import type { WakeCauses } from '../../src/core/wakes.ts'
import { eventually, openDatabase } from '../test-app.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let waker: ReturnType<typeof createWaker>
/** Wake causes of this process's loops. */
let wakes: WakeCauses[]
/** The causes in each notification to other processes; none when everything may be due. */
let notified: string[][]

beforeEach(async () => {
  database = await openDatabase()
  waker = createWaker(database.db, {})
  wakes = []
  notified = []
  waker.onWake((causes) => wakes.push(causes))
  await database.db.listen('wake', (payload) => notified.push(payload.split(' ').slice(1)))
})
afterEach(() => database.close())

const untilTold = (count: number) =>
  eventually('the notifications', async () => (notified.length >= count ? true : undefined))

it('wakes at once for a cause that a caller waits for, although another one has just woken', async () => {
  waker.wake('purchase_answered')
  waker.wake('purchase_created')
  waker.wake('purchase_created')
  expect(wakes).toEqual([['purchase_answered'], ['purchase_created'], ['purchase_created']])
  await untilTold(1)
  expect(notified).toEqual([['purchase_answered', 'purchase_created']])
  await waker.close()
})

it('merges other causes into one wake after the interval', async () => {
  waker.wake('purchase_created')
  waker.wake('purchase_answered')
  waker.wake('request_created')
  waker.wake('purchase_answered')
  expect(wakes).toEqual([['purchase_created']])
  await untilTold(2)
  expect(wakes).toEqual([['purchase_created'], ['purchase_answered', 'request_created']])
  await waker.close()
})

it('notifies other processes of all causes, once for each interval', async () => {
  waker.wake('request_created')
  waker.wake('purchase_created')
  waker.wake('charge_answered')
  await untilTold(2)
  waker.wake('purchase_created')
  waker.wake()
  await untilTold(4)
  await waker.close()
  expect(notified).toEqual([['request_created', 'purchase_created'], ['charge_answered'], ['purchase_created'], []])
  expect(wakes).toEqual([
    ['request_created'],
    ['purchase_created'],
    ['charge_answered'],
    ['purchase_created'],
    undefined,
  ])
})

it('notifies other processes of what is pending when it is closed', async () => {
  waker.wake('request_created')
  waker.wake('purchase_created')
  waker.wake('charge_answered')
  await waker.close()
  await untilTold(1)
  expect(notified).toEqual([['request_created', 'purchase_created', 'charge_answered']])
})

it('sends no notification when nothing is pending', async () => {
  waker.wake('purchase_created')
  await untilTold(1)
  await waker.close()
  await database.db.notify('wake', 'another-process sms_answered')
  await untilTold(2)
  expect(notified).toEqual([['purchase_created'], ['sms_answered']])
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOccurrences } from '../../../src/core/collections/occurrences.ts'
import {
  claimDuePlans,
  getPlan,
  listOccurrences,
  nextDates,
  nextDuePlan,
  type Plan,
  stopPlan,
} from '../../../src/core/collections/plans.ts'
import { readSchedule } from '../../../src/core/collections/recurring/recurrence.ts'
import type { ClaimTimes } from '../../../src/core/leases.ts'
import { begin } from '../../../src/db/client.ts'
import { sql } from '../../../src/db/sql.ts'
import { endRequests } from '../end-requests.ts'
import { openShop, type Shop } from '../shop.ts'
import { newestPlans } from './newest-plans.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let shop: Shop
let now: Date

beforeAll(async () => {
  shop = await openShop()
})
beforeEach(async () => {
  await shop.clear()
  now = shop.now()
})
afterAll(() => shop.close())

/** Create a recurring request: daily from now on for 30 days, unless the settings differ. */
async function createPlan(settings: object = {}, changes: Parameters<Shop['requestInput']>[0] = {}) {
  const subscription_settings = { end_date: '14/02/2030 12:00:00', frequency: 'daily', ...settings }
  const schedule = readSchedule(subscription_settings, null, { now, time_zone: 'UTC' })
  if (Array.isArray(schedule)) throw new Error(schedule.join(' '))
  const start_date = schedule.first > now ? schedule.first : null
  const request = await shop.createRequest({ subscription_settings, schedule, start_date, ...changes })
  const [plan] = await newestPlans(shop.db, 1)
  return { request, plan: plan! }
}

/** Create the occurrences that are due at a time, like the job. */
const createAt = (time: Date, plans: readonly Plan[]) =>
  begin(shop.db, (tx) =>
    createOccurrences(
      tx,
      time,
      plans.map((plan) => plan.id),
    ),
  )

const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS)
const datesOf = async (plan: Plan) =>
  (await listOccurrences(shop.db, plan.id, 100)).map(({ date }) => date).toReversed()

describe('a request with subscription settings', () => {
  it('creates a plan and is its first occurrence', async () => {
    const { request, plan } = await createPlan()
    expect(plan).toMatchObject({
      organization: shop.organization,
      collection_request: request.id,
      start_date: now,
      end_date: new Date('2030-02-14T12:00:00Z'),
      weekdays: [],
      months: [],
      frequencies: ['daily'],
      expires_after_s: 24 * 3_600,
      occurrence_count: 1,
      due_at: inDays(1),
      phonenumber: request.phonenumber,
    })
    expect(await datesOf(plan)).toEqual([now])
    expect(request.start_date).toBeNull()
  })

  it('starts at its first date', async () => {
    const { request, plan } = await createPlan({
      weekdays: 'fri',
      months: 'feb,march',
      end_date: '01/04/2030 00:00:00',
    })
    expect(request.start_date).toEqual(new Date('2030-02-01T12:00:00Z'))
    expect(plan).toMatchObject({ weekdays: [4], months: [2, 3], due_at: new Date('2030-02-08T12:00:00Z') })
    expect(nextDates(plan, 4).map((date) => date.toISOString().slice(0, 10))).toEqual([
      '2030-02-08',
      '2030-02-15',
      '2030-02-22',
      '2030-03-01',
    ])
  })

  it('creates no plan when it is refused or has no settings', async () => {
    await shop.createRequest()
    await expect(createPlan({}, { currency: 'XXX' })).rejects.toThrow()
    expect(await newestPlans(shop.db, 10)).toEqual([])
  })

  it('has a plan without a next date when there is only one date', async () => {
    const { plan } = await createPlan({ end_date: '16/01/2030 11:00:00' })
    expect(plan.due_at).toBeNull()
    expect(nextDates(plan, 10)).toEqual([])
  })

  it('gets its own plan in a batch', async () => {
    const inputs = ['daily', 'weekly', 'monthly'].flatMap((frequency) => {
      const settings = { end_date: '14/05/2030 12:00:00', frequency }
      const schedule = readSchedule(settings, null, { now, time_zone: 'UTC' })
      if (Array.isArray(schedule)) throw new Error()
      return [shop.requestInput(), shop.requestInput({ subscription_settings: settings, schedule, reason: frequency })]
    })
    const results = await shop.createRequests(inputs)
    const ids = results.map((result) => (result.ok ? result.value.id : 0))
    const plans = (await newestPlans(shop.db, 10)).toReversed()
    expect(plans.map((plan) => [plan.collection_request, plan.reason, plan.frequencies])).toEqual([
      [ids[1], 'daily', ['daily']],
      [ids[3], 'weekly', ['weekly']],
      [ids[5], 'monthly', ['monthly']],
    ])
    for (const plan of plans)
      expect(await listOccurrences(shop.db, plan.id, 2)).toMatchObject([
        { collection_request: plan.collection_request },
      ])
  })
})

describe('a later occurrence', () => {
  it('is a new request with the same fields, its own expiry date and no settings', async () => {
    const { request, plan } = await createPlan(
      {},
      {
        reason: 'School fees',
        metadata: { pupil: 7 },
        success_message: 'Thanks {customer}',
        instructions: 'Pay',
        retry_interval_minutes: 45,
        max_attempts: 1,
        first_name: 'Asha',
        last_name: 'Okello',
        expiry_date: new Date(now.getTime() + 2 * HOUR_MS),
      },
    )
    await createAt(inDays(1), [plan])
    const [latest] = await listOccurrences(shop.db, plan.id, 1)
    const occurrence = await shop.request(latest!.collection_request)
    const { id, created, modified, expiry_date, start_date, subscription_settings, ...copied } = occurrence
    const first = await shop.request(request.id)
    expect(first).toMatchObject({ ...copied, due_at: first.due_at })
    expect(id).toBeGreaterThan(request.id)
    expect(start_date).toEqual(inDays(1))
    expect(expiry_date).toEqual(new Date(inDays(1).getTime() + 2 * HOUR_MS))
    expect(created).toEqual(inDays(1))
    expect(modified).toEqual(inDays(1))
    expect(subscription_settings).toBeNull()
    expect(occurrence.due_at).toEqual(inDays(1))
    expect(occurrence.author).toBe(request.author)
  })

  it('is created at its date, not before, and once', async () => {
    const { plan } = await createPlan()
    expect(await createAt(new Date(inDays(1).getTime() - 1), [plan])).toBe(0)
    expect(await createAt(inDays(1), [plan])).toBe(1)
    expect(await createAt(inDays(1), [plan])).toBe(0)
    expect(await datesOf(plan)).toEqual([now, inDays(1)])
    expect(await getPlan(shop.db, plan.id)).toMatchObject({ occurrence_count: 2, due_at: inDays(2) })
  })

  it('is created once by several processes at the same time', async () => {
    const plans = [(await createPlan()).plan, (await createPlan()).plan, (await createPlan()).plan]
    const counts = await Promise.all(Array.from({ length: 8 }, () => createAt(inDays(1), plans)))
    expect(counts.reduce((sum, count) => sum + count)).toBe(3)
    for (const plan of plans) expect(await datesOf(plan)).toEqual([now, inDays(1)])
  })

  it('cannot be stored a second time for the same date', async () => {
    const { request, plan } = await createPlan()
    await createAt(inDays(1), [plan])
    const insert = shop.db`
      insert into occurrences values (${plan.id}, ${inDays(1)}, ${request.id + 1_000})`
    await expect(insert).rejects.toThrow('occurrences_pkey')
  })

  it('is created once for all missed dates, starts now, and the plan continues', async () => {
    const { plan } = await createPlan()
    const late = new Date(inDays(4).getTime() + 5 * HOUR_MS)
    expect(await createAt(late, [plan])).toBe(1)
    expect(await createAt(late, [plan])).toBe(0)
    const [latest] = await listOccurrences(shop.db, plan.id, 1)
    expect(await shop.request(latest!.collection_request)).toMatchObject({
      start_date: late,
      expiry_date: new Date(late.getTime() + DAY_MS),
    })
    expect(await getPlan(shop.db, plan.id)).toMatchObject({ occurrence_count: 2, due_at: inDays(5) })
  })

  it('keeps the date of its plan if it is created a little late', async () => {
    const { plan } = await createPlan()
    await createAt(new Date(inDays(1).getTime() + 30_000), [plan])
    const [latest] = await listOccurrences(shop.db, plan.id, 1)
    expect((await shop.request(latest!.collection_request)).start_date).toEqual(inDays(1))
  })

  it('is created also after one that failed', async () => {
    const { request, plan } = await createPlan()
    await endRequests(shop.db, 'failed', sql`id = ${request.id}`)
    expect(await createAt(inDays(1), [plan])).toBe(1)
  })

  it('is the last when there is no later date', async () => {
    const { plan } = await createPlan({ end_date: '17/01/2030 12:00:00' })
    await createAt(inDays(1), [plan])
    await createAt(inDays(2), [plan])
    expect(await getPlan(shop.db, plan.id)).toMatchObject({ occurrence_count: 3, due_at: null, stopped: null })
    expect(await createAt(inDays(3), [plan])).toBe(0)
  })
})

describe('a stopped plan', () => {
  it('creates no more occurrences and leaves the earlier ones as they are', async () => {
    const { request, plan } = await createPlan()
    await createAt(inDays(1), [plan])
    const stopped = await begin(shop.db, (tx) => stopPlan(tx, inDays(1), plan.id))
    expect(stopped).toMatchObject({ stopped: inDays(1), due_at: null, occurrence_count: 2 })
    expect(nextDates(stopped, 10)).toEqual([])
    expect(await createAt(inDays(2), [plan])).toBe(0)
    expect((await shop.request(request.id)).status).toBe('pending')
  })

  it('keeps the time at which it was stopped first', async () => {
    const { plan } = await createPlan()
    await begin(shop.db, (tx) => stopPlan(tx, inDays(1), plan.id))
    const again = await begin(shop.db, (tx) => stopPlan(tx, inDays(2), plan.id))
    expect(again.stopped).toEqual(inDays(1))
  })

  it('must exist', async () => {
    await expect(begin(shop.db, (tx) => stopPlan(tx, now, 999_999))).rejects.toThrow('There is no plan 999999.')
  })
})

describe('a claim of due plans', () => {
  const times = (time: Date, real: Date): ClaimTimes => ({
    now: time,
    real,
    lease_end: new Date(real.getTime() + 15_000),
  })

  it('gives each plan to one process until its lease on the real clock ends', async () => {
    const { plan } = await createPlan()
    const real = new Date()
    const claim = (time: Date, when: Date) => begin(shop.db, (tx) => claimDuePlans(tx, times(time, when), 10))
    expect(await claim(now, real)).toEqual([])
    expect(await claim(inDays(1), real)).toEqual([plan.id])
    expect(await claim(inDays(300), real)).toEqual([])
    expect(await nextDuePlan(shop.db, real)).toBeNull()
    const later = new Date(real.getTime() + 15_000)
    expect(await nextDuePlan(shop.db, later)).toEqual(inDays(1))
    expect(await claim(inDays(1), later)).toEqual([plan.id])
    await createAt(inDays(1), [plan])
    expect(await nextDuePlan(shop.db, later)).toEqual(inDays(2))
  })
})

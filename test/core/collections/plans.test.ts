import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOccurrences } from '../../../src/core/collections/occurrences.ts'
import {
  claimDuePlans,
  getPlan,
  listOccurrences,
  listPlans,
  nextDates,
  nextDuePlan,
  type Plan,
  stopPlan,
} from '../../../src/core/collections/plans.ts'
import { readSchedule } from '../../../src/core/collections/recurrence.ts'
import type { ClaimTimes } from '../../../src/core/leases.ts'
import { begin } from '../../../src/db/client.ts'
import { openShop, type Shop } from '../shop.ts'

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

/** Makes a request that recurs, daily at the present time of day for 30 days unless the settings say otherwise. */
async function recur(settings: object = {}, changes: Parameters<Shop['requestInput']>[0] = {}) {
  const subscription_settings = { end_date: '14/02/2030 12:00:00', frequency: 'daily', ...settings }
  const schedule = readSchedule(subscription_settings, null, now)
  if (Array.isArray(schedule)) throw new Error(schedule.join(' '))
  const start_date = schedule.first > now ? schedule.first : null
  const request = await shop.createRequest({ subscription_settings, schedule, start_date, ...changes })
  const [plan] = await listPlans(shop.db, {}, 1)
  return { request, plan: plan! }
}

/** Makes what is due at a moment, as the job does. */
const makeAt = (moment: Date, plans: readonly Plan[]) =>
  begin(shop.db, (tx) =>
    createOccurrences(
      tx,
      moment,
      plans.map((plan) => plan.id),
    ),
  )

const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS)
const datesOf = async (plan: Plan) =>
  (await listOccurrences(shop.db, plan.id, 100)).map(({ date }) => date).toReversed()

describe('a request with subscription settings', () => {
  it('makes a plan together with itself, of which it is the first occurrence', async () => {
    const { request, plan } = await recur()
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

  it('waits for its first date, if that is later', async () => {
    const { request, plan } = await recur({ weekdays: 'fri', months: 'feb,march', end_date: '01/04/2030 00:00:00' })
    expect(request.start_date).toEqual(new Date('2030-02-01T12:00:00Z'))
    expect(plan).toMatchObject({ weekdays: [4], months: [2, 3], due_at: new Date('2030-02-08T12:00:00Z') })
    expect(nextDates(plan, 4).map((date) => date.toISOString().slice(0, 10))).toEqual([
      '2030-02-08',
      '2030-02-15',
      '2030-02-22',
      '2030-03-01',
    ])
  })

  it('makes no plan when it is refused, and none without settings', async () => {
    await shop.createRequest()
    await expect(recur({}, { currency: 'XXX' })).rejects.toThrow()
    expect(await listPlans(shop.db, {}, 10)).toEqual([])
  })

  it('has ended at once when it is the only date', async () => {
    const { plan } = await recur({ end_date: '16/01/2030 11:00:00' })
    expect(plan.due_at).toBeNull()
    expect(nextDates(plan, 10)).toEqual([])
  })

  it('is one of many in a batch without mixing them up', async () => {
    const wishes = ['daily', 'weekly', 'monthly'].flatMap((frequency) => {
      const settings = { end_date: '14/05/2030 12:00:00', frequency }
      const schedule = readSchedule(settings, null, now)
      if (Array.isArray(schedule)) throw new Error()
      return [shop.requestInput(), shop.requestInput({ subscription_settings: settings, schedule, reason: frequency })]
    })
    const made = await shop.createRequests(wishes)
    const ids = made.map((one) => (one.ok ? one.value.id : 0))
    const plans = (await listPlans(shop.db, {}, 10)).toReversed()
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
  it('is a request of its own with the same fields, its own expiry and no settings', async () => {
    const { request, plan } = await recur(
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
    await makeAt(inDays(1), [plan])
    const [latest] = await listOccurrences(shop.db, plan.id, 1)
    const made = await shop.request(latest!.collection_request)
    const { id, created, modified, expiry_date, start_date, subscription_settings, ...same } = made
    const first = await shop.request(request.id)
    expect(first).toMatchObject({ ...same, due_at: first.due_at })
    expect(id).toBeGreaterThan(request.id)
    expect(start_date).toEqual(inDays(1))
    expect(expiry_date).toEqual(new Date(inDays(1).getTime() + 2 * HOUR_MS))
    expect(created).toEqual(inDays(1))
    expect(modified).toEqual(inDays(1))
    expect(subscription_settings).toBeNull()
    expect(made.due_at).toEqual(inDays(1))
    expect(made.author).toBe(request.author)
  })

  it('is not made before its date, and once when it has come', async () => {
    const { plan } = await recur()
    expect(await makeAt(new Date(inDays(1).getTime() - 1), [plan])).toBe(0)
    expect(await makeAt(inDays(1), [plan])).toBe(1)
    expect(await makeAt(inDays(1), [plan])).toBe(0)
    expect(await datesOf(plan)).toEqual([now, inDays(1)])
    expect(await getPlan(shop.db, plan.id)).toMatchObject({ occurrence_count: 2, due_at: inDays(2) })
  })

  it('is made by one of those who try at once', async () => {
    const plans = [(await recur()).plan, (await recur()).plan, (await recur()).plan]
    const counts = await Promise.all(Array.from({ length: 8 }, () => makeAt(inDays(1), plans)))
    expect(counts.reduce((sum, count) => sum + count)).toBe(3)
    for (const plan of plans) expect(await datesOf(plan)).toEqual([now, inDays(1)])
  })

  it('of a date that is made already cannot be made again, whoever tries', async () => {
    const { request, plan } = await recur()
    await makeAt(inDays(1), [plan])
    const again = shop.db`
      insert into occurrences values (${plan.id}, ${inDays(1)}, ${request.id + 1_000})`
    await expect(again).rejects.toThrow('occurrences_pkey')
  })

  it('is made up once for all dates that were missed, begins now, and the plan goes on', async () => {
    const { plan } = await recur()
    const late = new Date(inDays(4).getTime() + 5 * HOUR_MS)
    expect(await makeAt(late, [plan])).toBe(1)
    expect(await makeAt(late, [plan])).toBe(0)
    const [latest] = await listOccurrences(shop.db, plan.id, 1)
    expect(await shop.request(latest!.collection_request)).toMatchObject({
      start_date: late,
      expiry_date: new Date(late.getTime() + DAY_MS),
    })
    expect(await getPlan(shop.db, plan.id)).toMatchObject({ occurrence_count: 2, due_at: inDays(5) })
  })

  it('that is a moment late keeps the time of its plan', async () => {
    const { plan } = await recur()
    await makeAt(new Date(inDays(1).getTime() + 30_000), [plan])
    const [latest] = await listOccurrences(shop.db, plan.id, 1)
    expect((await shop.request(latest!.collection_request)).start_date).toEqual(inDays(1))
  })

  it('follows one that failed or expired', async () => {
    const { request, plan } = await recur()
    await shop.db`update collection_requests set status = 'failed', due_at = null where id = ${request.id}`
    expect(await makeAt(inDays(1), [plan])).toBe(1)
  })

  it('is the last when no date follows', async () => {
    const { plan } = await recur({ end_date: '17/01/2030 12:00:00' })
    await makeAt(inDays(1), [plan])
    await makeAt(inDays(2), [plan])
    expect(await getPlan(shop.db, plan.id)).toMatchObject({ occurrence_count: 3, due_at: null, stopped: null })
    expect(await makeAt(inDays(3), [plan])).toBe(0)
  })
})

describe('a plan that is stopped', () => {
  it('makes nothing more and keeps what it has made', async () => {
    const { request, plan } = await recur()
    await makeAt(inDays(1), [plan])
    const stopped = await begin(shop.db, (tx) => stopPlan(tx, inDays(1), plan.id))
    expect(stopped).toMatchObject({ stopped: inDays(1), due_at: null, occurrence_count: 2 })
    expect(nextDates(stopped, 10)).toEqual([])
    expect(await makeAt(inDays(2), [plan])).toBe(0)
    expect((await shop.request(request.id)).status).toBe('pending')
  })

  it('stays stopped since the first time', async () => {
    const { plan } = await recur()
    await begin(shop.db, (tx) => stopPlan(tx, inDays(1), plan.id))
    const again = await begin(shop.db, (tx) => stopPlan(tx, inDays(2), plan.id))
    expect(again.stopped).toEqual(inDays(1))
  })

  it('is refused when it does not exist', async () => {
    await expect(begin(shop.db, (tx) => stopPlan(tx, now, 999_999))).rejects.toThrow('There is no plan 999999.')
  })
})

describe('the claim of due plans', () => {
  const times = (at: Date, real: Date): ClaimTimes => ({ now: at, real, lease_end: new Date(real.getTime() + 15_000) })

  it('leases them on the real clock, each to one claimant, and gives them up when the lease has ended', async () => {
    const { plan } = await recur()
    const real = new Date()
    const claim = (at: Date, when: Date) => begin(shop.db, (tx) => claimDuePlans(tx, times(at, when), 10))
    expect(await claim(now, real)).toEqual([])
    expect(await claim(inDays(1), real)).toEqual([plan.id])
    expect(await claim(inDays(300), real)).toEqual([])
    expect(await nextDuePlan(shop.db, real)).toBeNull()
    const later = new Date(real.getTime() + 15_000)
    expect(await nextDuePlan(shop.db, later)).toEqual(inDays(1))
    expect(await claim(inDays(1), later)).toEqual([plan.id])
    await makeAt(inDays(1), [plan])
    expect(await nextDuePlan(shop.db, later)).toEqual(inDays(2))
  })
})

describe('the list of plans', () => {
  it('begins with the newest and knows its organization', async () => {
    const first = (await recur()).plan
    const second = (await recur()).plan
    const ids = async (filters: { organization?: number }) =>
      (await listPlans(shop.db, filters, 10)).map(({ id }) => id)
    expect(await ids({})).toEqual([second.id, first.id])
    expect(await ids({ organization: shop.organization })).toEqual([second.id, first.id])
    expect(await ids({ organization: 999 })).toEqual([])
    expect(await listPlans(shop.db, {}, 1)).toHaveLength(1)
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { filterCandidates } from '../../../../src/core/archive/candidates.ts'
import { createOccurrences } from '../../../../src/core/collections/occurrences.ts'
import { getPlan, lockDuePlans, pausePlan, resumePlan, stopPlan } from '../../../../src/core/collections/plans.ts'
import { listOwnPlans, readPlans } from '../../../../src/core/collections/recurring/plan-list.ts'
import { readSchedule, type Schedule } from '../../../../src/core/collections/recurring/recurrence.ts'
import { eraseContact } from '../../../../src/core/contacts/erasure.ts'
import { begin } from '../../../../src/db/client.ts'
import { sql } from '../../../../src/db/sql.ts'
import { endRequests } from '../../end-requests.ts'
import { openShop, type Shop } from '../../shop.ts'

let shop: Shop
/** The plan of each test, whose dates are 2030-01-15 12:00, 16 12:00 and so on. */
let plan: number

beforeAll(async () => {
  shop = await openShop()
  plan = await createPlan('+80000000003', '31/01/2030 12:00:00')
  await createPlan('+80000000004', '17/01/2030 12:00:00')
})
afterAll(() => shop.close())

const day = (date: number, hour = 12) => new Date(Date.UTC(2030, 0, date, hour))

async function createPlan(phonenumber: string, end_date: string): Promise<number> {
  const schedule = readSchedule({ frequency: 'daily', end_date }, null, {
    now: shop.now(),
    time_zone: 'UTC',
  }) as Schedule
  const { id } = await shop.createRequest({ phonenumber, schedule })
  const [row] = await shop.db<{ id: number }[]>`select id from plans where collection_request = ${id}`
  return row!.id
}
const inTransaction = <T>(work: Parameters<typeof begin<T>>[1]) => begin(shop.db, work)
const list = (filters: object) =>
  listOwnPlans(shop.db, shop.organization, filters, { limit: 10, offset: 0, descending: true })
const read = async () => (await readPlans(shop.db, shop.organization, [plan])).get(plan)!

it('sums up what became of the requests of a plan', async () => {
  for (const date of [16, 17, 18]) await inTransaction((tx) => createOccurrences(tx, day(date), [plan]))
  await shop.ingest(shop.paymentReport())
  await endRequests(shop.db, 'failed', sql`id = (select max(collection_request) from occurrences where plan = ${plan})`)
  expect(await read()).toMatchObject({
    state: 'active',
    phonenumber: '+80000000003',
    currency: 'BXC',
    amount: 15_000_000n,
    occurrence_count: 4,
    collected_count: 1,
    collected_amount: 15_000_000n,
    failed_count: 1,
    open_count: 2,
    next_date: day(19),
    next_dates: { length: 5 },
  })
})

it('lists the plans of one organization, newest first, by state, phone number and request', async () => {
  const { rows, count } = await list({})
  expect([count, rows.map(({ phonenumber }) => phonenumber)]).toEqual([2, ['+80000000004', '+80000000003']])
  expect((await list({ phonenumber: '+80000000003', state: 'active', currency: 'BXC' })).count).toBe(1)
  expect((await list({ state: 'paused' })).count).toBe(0)
  const [later] = await shop.db<{ id: number }[]>`
    select max(collection_request) as id from occurrences where plan = ${plan}`
  expect((await list({ collection_request: later!.id })).rows).toMatchObject([{ id: plan }])
  expect((await listOwnPlans(shop.db, 99, {}, { limit: 10, offset: 0, descending: true })).count).toBe(0)
})

it('makes no requests for the dates that pass while a plan is paused', async () => {
  await inTransaction((tx) => pausePlan(tx, day(18, 13), plan))
  expect(await inTransaction((tx) => pausePlan(tx, day(18, 14), plan))).toMatchObject({ paused: day(18, 13) })
  expect(await read()).toMatchObject({ state: 'paused', next_date: null, next_dates: [] })
  expect(await inTransaction((tx) => lockDuePlans(tx, day(20), [plan]))).toEqual([])
  expect(await inTransaction((tx) => createOccurrences(tx, day(20), [plan]))).toBe(0)
  await inTransaction((tx) => resumePlan(tx, day(22, 13), plan))
  expect(await read()).toMatchObject({ state: 'active', paused: null, next_date: day(23), occurrence_count: 4 })
  await inTransaction((tx) => createOccurrences(tx, day(23), [plan]))
  const dates = await shop.db<{ date: Date }[]>`select date from occurrences where plan = ${plan} order by date`
  expect(dates.map(({ date }) => date.getUTCDate())).toEqual([15, 16, 17, 18, 23])
})

it('requests no date twice when a plan is resumed before a date that has its request', async () => {
  await inTransaction((tx) => pausePlan(tx, day(14), plan))
  expect(await inTransaction((tx) => resumePlan(tx, day(14), plan))).toMatchObject({ due_at: day(24) })
})

it('keeps the first request and the customer of a paused plan', async () => {
  await inTransaction((tx) => pausePlan(tx, day(23, 13), plan))
  const { collection_request, contact } = await read()
  await endRequests(shop.db, 'expired', sql`status not in ('successful')`)
  expect(await filterCandidates(shop.db, 'requests', day(31), [collection_request])).toEqual(new Set())
  const erase = inTransaction((tx) => eraseContact(tx, day(24), contact, { author: 1, lease_end: null }))
  await expect(erase).rejects.toThrow(`stop its plans (${plan})`)
})

it('ends a plan whose end has passed while it was paused, and changes no plan that is over', async () => {
  await inTransaction((tx) => resumePlan(tx, new Date('2030-02-01T12:00:00Z'), plan))
  expect(await read()).toMatchObject({ state: 'ended', paused: null, next_date: null })
  await expect(inTransaction((tx) => pausePlan(tx, shop.now(), plan))).rejects.toThrow('The plan has ended.')
  const [other] = (await list({ state: 'active' })).rows
  await inTransaction((tx) => pausePlan(tx, shop.now(), other!.id))
  await inTransaction((tx) => stopPlan(tx, shop.now(), other!.id))
  await expect(inTransaction((tx) => resumePlan(tx, shop.now(), other!.id))).rejects.toThrow('been stopped')
  expect((await list({ state: 'stopped' })).rows).toMatchObject([{ id: other!.id, next_date: null }])
  await expect(getPlan(shop.db, 999)).rejects.toThrow('There is no plan 999.')
})

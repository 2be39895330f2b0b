import type { Reader, Tx } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import type { Amount } from '../../lib/money.ts'
import type { ClaimTimes } from '../leases.ts'
import { NotFound } from '../refusals.ts'
import type { RequestRow } from './collection-request.ts'
import { type Frequency, nextOccurrence, type Recurrence, type Schedule } from './recurrence.ts'

/** A recurring request (interface 2.7): its first occurrence, its recurrence, and how far it has come. */
export interface Plan {
  id: number
  organization: number
  /** The first occurrence, from which all others are copied. */
  collection_request: number
  start_date: Date
  end_date: Date
  weekdays: number[]
  months: number[]
  frequencies: Frequency[]
  /** How long after its start an occurrence expires. */
  expires_after_s: number
  /** How many occurrences there are, the first included. */
  occurrence_count: number
  stopped: Date | null
  /** The next date; null when none is left or the plan was stopped. */
  due_at: Date | null
}

/** A request that has just been made, and the schedule of which it is the first date. */
export interface NewPlan {
  request: RequestRow
  schedule: Schedule
}

/** Makes the plans of new requests, in the transaction that makes the requests. */
export async function insertPlans(tx: Tx, plans: readonly NewPlan[]): Promise<void> {
  if (plans.length === 0) return
  const recurrences = plans.map((plan) => plan.schedule.recurrence)
  const firsts = plans.map((plan) => plan.schedule.first)
  const nexts = plans.map(({ schedule }) => nextOccurrence(schedule.recurrence, schedule.first))
  await tx`
    with made as (
      insert into plans (organization, collection_request, start_date, end_date, weekdays, months, frequencies,
        expires_after_s, due_at)
      select p.organization, p.request, p.start_date::timestamptz, p.end_date::timestamptz, p.weekdays::integer[],
        p.months::integer[], p.frequencies::text[], p.expires_after_s, p.due_at::timestamptz
      from unnest(${plans.map(({ request }) => request.organization)}::bigint[],
        ${plans.map(({ request }) => request.id)}::bigint[], ${recurrences.map((r) => r.start.toISOString())}::text[],
        ${recurrences.map((r) => r.end.toISOString())}::text[], ${recurrences.map((r) => `{${r.weekdays}}`)}::text[],
        ${recurrences.map((r) => `{${r.months}}`)}::text[], ${recurrences.map((r) => `{${r.frequencies}}`)}::text[],
        ${plans.map(({ request }, i) => secondsBetween(firsts[i]!, request.expiry_date))}::bigint[],
        ${nexts.map((next) => next?.toISOString() ?? null)}::text[])
        as p(organization, request, start_date, end_date, weekdays, months, frequencies, expires_after_s, due_at)
      returning id, collection_request)
    insert into occurrences (plan, date, collection_request)
    select made.id, f.date::timestamptz, f.request
    from unnest(${plans.map(({ request }) => request.id)}::bigint[], ${firsts.map((date) => date.toISOString())}::text[])
      as f(request, date)
    join made on made.collection_request = f.request`
}

/** Claims plans whose next date has come, under a lease. */
export async function claimDuePlans(tx: Tx, times: ClaimTimes, limit: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    update plans set leased_until = ${times.lease_end} where id in (
      select id from plans where due_at <= ${times.now} and (leased_until is null or leased_until <= ${times.real})
      order by due_at limit ${limit} for update skip locked)
    returning id`
  return rows.map((row) => row.id)
}

/** The earliest date that nobody is working on, or null. */
export async function nextDuePlan(db: Reader, real: Date): Promise<Date | null> {
  const [row] = await db<{ due_at: Date | null }[]>`
    select min(due_at) as due_at from plans
    where due_at is not null and (leased_until is null or leased_until <= ${real})`
  return row?.due_at ?? null
}

/** Locks those of these plans whose next date has come. */
export async function lockDuePlans(tx: Tx, now: Date, ids: readonly number[]): Promise<Plan[]> {
  const rows = await tx<Plan[]>`
    select * from plans where id = any(${ids}::bigint[]) order by id for update`
  return rows.filter(({ due_at }) => due_at !== null && due_at <= now)
}

/** One date of a plan that has become a request, and the date that comes next, if any. */
export interface Occurrence {
  plan: number
  date: Date
  collection_request: number
  next: Date | null
}

/** Writes occurrences down and moves their plans on to the next dates, giving their leases back. */
export async function recordOccurrences(tx: Tx, made: readonly Occurrence[]): Promise<void> {
  if (made.length === 0) return
  const plans = made.map((one) => one.plan)
  await Promise.all([
    tx`
      insert into occurrences (plan, date, collection_request)
      select o.plan, o.date::timestamptz, o.request
      from unnest(${plans}::bigint[], ${made.map((one) => one.date.toISOString())}::text[],
        ${made.map((one) => one.collection_request)}::bigint[]) as o(plan, date, request)`,
    tx`
      update plans p set occurrence_count = occurrence_count + 1, due_at = o.next::timestamptz, leased_until = null
      from unnest(${plans}::bigint[], ${made.map((one) => one.next?.toISOString() ?? null)}::text[]) as o(plan, next)
      where p.id = o.plan`,
  ])
}

/** A plan together with whom it asks for how much. */
export interface PlanView extends Plan {
  phonenumber: string
  amount: Amount
  currency: string
  reason: string
}

/** The newest plans of one organization, or of all. */
export async function listPlans(db: Reader, filters: { organization?: number }, limit: number): Promise<PlanView[]> {
  const { organization } = filters
  return readPlanViews(db, organization === undefined ? sql.always : sql`p.organization = ${organization}`, limit)
}

/** @throws NotFound */
export async function getPlan(db: Reader, plan: number): Promise<PlanView> {
  const [row] = await readPlanViews(db, sql`p.id = ${plan}`, 1)
  if (!row) throw new NotFound(`There is no plan ${plan}.`)
  return row
}

/** The plan that made this request, be it its first or a later one; undefined for what was asked once. */
export async function planOfRequest(db: Reader, request: number): Promise<PlanView | undefined> {
  const [made] = await db<{ plan: number }[]>`select plan from occurrences where collection_request = ${request}`
  return made && getPlan(db, made.plan)
}

/** The requests that a plan has made, newest first, and the dates that they stand for. */
export async function listOccurrences(db: Reader, plan: number, limit: number) {
  const rows = await db<{ date: Date; collection_request: number; status: RequestRow['status'] }[]>`
    select o.date, o.collection_request, r.status from occurrences o
    join collection_requests r on r.id = o.collection_request where o.plan = ${plan} order by o.date desc limit ${limit}`
  return [...rows]
}

/** The next dates of a plan; none when it has ended or was stopped. */
export function nextDates(plan: Plan, count: number): Date[] {
  const dates: Date[] = []
  let date = plan.due_at
  while (date && dates.length < count) {
    dates.push(date)
    date = nextOccurrence(recurrenceOf(plan), date)
  }
  return dates
}

/** Stops a plan for good. The requests that it has made stay as they are. Stopping it twice is fine. @throws NotFound */
export async function stopPlan(tx: Tx, now: Date, plan: number): Promise<PlanView> {
  await tx`update plans set stopped = ${now}, due_at = null, leased_until = null where id = ${plan} and stopped is null`
  return getPlan(tx, plan)
}

/** The recurrence of a plan, for whoever asks it for dates. */
export function recurrenceOf(plan: Plan): Recurrence {
  const { start_date: start, end_date: end, weekdays, months, frequencies } = plan
  return { start, end, weekdays, months, frequencies }
}

async function readPlanViews(db: Reader, where: Fragment, limit: number): Promise<PlanView[]> {
  const rows = await db<PlanView[]>`
    select p.*, r.phonenumber, r.amount, r.currency, r.reason
    from plans p join collection_requests r on r.id = p.collection_request
    where ${where} order by p.id desc limit ${limit}`
  return [...rows]
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(1, Math.round((to.getTime() - from.getTime()) / 1_000))
}

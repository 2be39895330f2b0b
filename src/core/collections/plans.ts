import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import type { Effect } from '../../db/unit-of-work.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import { type ClaimTimes, claimInTurn, findNextInTurn } from '../leases.ts'
import { Invalid, NotFound } from '../refusals.ts'
import type { RequestRow } from './collection-request.ts'
import {
  type Frequency,
  MAX_OCCURRENCES,
  nextOccurrence,
  type Recurrence,
  type Schedule,
} from './recurring/recurrence.ts'

/** A recurring request (interface 2.7): its first occurrence, its recurrence, and its next date. */
const planTable = table('plans', {
  id: column.id(),
  organization: column.bigint(),
  /** The first occurrence. All others are copies of it. */
  collection_request: column.bigint(),
  start_date: column.timestamptz(),
  end_date: column.timestamptz(),
  weekdays: column.integers(),
  months: column.integers(),
  frequencies: column.texts<Frequency>(),
  /** Time zone of the organization when the plan was created: its dates keep their time of day there. */
  time_zone: column.text().default('UTC').given(),
  /** Lifetime of an occurrence after its start. */
  expires_after_s: column.bigint(),
  /** Number of occurrences, the first included. */
  occurrence_count: column.integer().default(1),
  stopped: column.timestamptz().later(),
  /** Time since when it is paused. */
  paused: column.timestamptz().later(),
  /** The next date; null when none is left, or the plan is paused or was stopped. */
  due_at: column.timestamptz().nullable(),
  leased_until: column.timestamptz().later(),
})
export type Plan = Omit<Row<typeof planTable>, 'leased_until'>

const occurrenceTable = table('occurrences', {
  plan: column.bigint().key(),
  date: column.timestamptz().key(),
  collection_request: column.bigint(),
})

/** A new request, and the schedule whose first date it stands for. */
interface NewPlan {
  request: RequestRow
  schedule: Schedule
}

/** Plans of new requests. */
export const newPlans: Effect<NewPlan> = { write: insertPlans }

async function insertPlans(tx: Tx, _now: Date, plans: readonly NewPlan[]): Promise<void> {
  const r = rows(plans, {
    organization: ['bigint', ({ request }) => request.organization],
    collection_request: ['bigint', ({ request }) => request.id],
    start_date: ['timestamptz', ({ schedule }) => schedule.recurrence.start],
    end_date: ['timestamptz', ({ schedule }) => schedule.recurrence.end],
    // `unnest` cannot take arrays of different lengths as elements, so these are texts that PostgreSQL reads as arrays.
    weekdays: ['text', ({ schedule }) => `{${schedule.recurrence.weekdays}}`],
    months: ['text', ({ schedule }) => `{${schedule.recurrence.months}}`],
    frequencies: ['text', ({ schedule }) => `{${schedule.recurrence.frequencies}}`],
    time_zone: ['text', ({ schedule }) => schedule.recurrence.time_zone],
    expires_after_s: ['bigint', ({ request, schedule }) => secondsBetween(schedule.first, request.expiry_date)],
    due_at: ['timestamptz', ({ schedule }) => nextOccurrence(schedule.recurrence, schedule.first)],
    first: ['timestamptz', ({ schedule }) => schedule.first],
  })
  await tx`
    with items as (select * from ${r.as('r')}),
      inserted as (
        insert into plans (organization, collection_request, start_date, end_date, weekdays, months, frequencies,
          time_zone, expires_after_s, due_at)
        select organization, collection_request, start_date, end_date, weekdays::integer[], months::integer[],
          frequencies::text[], time_zone, expires_after_s, due_at
        from items
        returning id, collection_request)
    insert into occurrences (plan, date, collection_request)
    select inserted.id, items.first, items.collection_request
    from items join inserted using (collection_request)`
}

/** Claims plans whose next date has come, under a lease. Returns their ids. */
export async function claimDuePlans(tx: Tx, times: ClaimTimes, limit: number): Promise<number[]> {
  const claimed = await claimInTurn<{ id: number }>(tx, { table: 'plans', by: 'organization', times, limit })
  return claimed.map(({ id }) => id)
}

/** Finds the time when the next unclaimed plan is due, or null. */
export function nextDuePlan(db: Reader, real: Date): Promise<Date | null> {
  return findNextInTurn(db, 'plans', 'organization', real)
}

/** Locks plans and returns those whose next date has come. */
export async function lockDuePlans(tx: Tx, now: Date, ids: readonly number[]): Promise<Plan[]> {
  const plans = await tx<Plan[]>`
    select * from plans where id = any(${ids}::bigint[]) order by id for update`
  return plans.filter(({ due_at }) => due_at !== null && due_at <= now)
}

/** The request for one date of a plan, and the plan's next date; null when there is none. */
interface Occurrence {
  plan: number
  date: Date
  collection_request: number
  next: Date | null
}

/** Occurrences, with the next dates of their plans, whose leases end. */
export const newOccurrences: Effect<Occurrence> = {
  write(tx, _, occurrences) {
    tx.send`${insert(occurrenceTable, occurrences, {})}`
    tx.send`
      update plans p set occurrence_count = occurrence_count + 1, due_at = o.next, leased_until = null
      from ${rows(occurrences, { plan: 'bigint', next: 'timestamptz' }).as('o')} where p.id = o.plan`
  },
}

/** Plan, with the data of its first request. */
export interface PlanView extends Plan {
  phonenumber: string
  amount: Amount
  currency: string
  reason: string
}

/** The condition that a plan `p` is in this state; see `stateOfPlan`. */
export function planStateIs(state: PlanState): Fragment {
  if (state === 'stopped') return sql`p.stopped is not null`
  if (state === 'paused') return sql`p.stopped is null and p.paused is not null`
  return sql`p.stopped is null and p.paused is null and p.due_at is ${state === 'active' ? sql`not null` : sql`null`}`
}

/** @throws NotFound */
export async function getPlan(db: AnyReader, plan: number): Promise<PlanView> {
  const row = await findPlan(db, plan)
  if (!row) throw new NotFound(getMessage('requests.no_plan', { plan }))
  return row
}

/** Return a plan, or undefined. */
export async function findPlan(db: AnyReader, plan: number): Promise<PlanView | undefined> {
  return (await readPlanViews(db, sql`p.id = ${plan}`, 1))[0]
}

/** The plan that a request belongs to, first or later; undefined for a single request. */
export async function planOfRequest(db: AnyReader, request: number): Promise<PlanView | undefined> {
  const [occurrence] = await db<{ plan: number }[]>`
    select plan from occurrences where collection_request = ${request}`
  return occurrence && getPlan(db, occurrence.plan)
}

/** The occurrences of a plan, newest first: each with its date and its request. */
export async function listOccurrences(db: Reader, plan: number, limit: number) {
  return db<{ date: Date; collection_request: number; status: RequestRow['status'] }[]>`
    select o.date, o.collection_request, r.status from occurrences o
    join collection_requests r on r.id = o.collection_request where o.plan = ${plan} order by o.date desc limit ${limit}`
}

/** The next dates of a plan; none when it has ended, is paused or was stopped. */
export function nextDates(plan: Plan, count: number): Date[] {
  const dates: Date[] = []
  let date = plan.due_at
  while (date && dates.length < count) {
    dates.push(date)
    date = nextOccurrence(recurrenceOf(plan), date)
  }
  return dates
}

/** Counts the requests of a plan and adds up their amounts: those that exist, and those of all dates that are left. */
export function totalOfPlan(plan: PlanView): { count: number; amount: Amount } {
  const count = plan.occurrence_count + nextDates(plan, MAX_OCCURRENCES).length
  return { count, amount: plan.amount * BigInt(count) }
}

/** Stops a plan for ever. Its requests stay as they are. Stopping a stopped plan changes nothing. @throws NotFound */
export async function stopPlan(tx: Tx, now: Date, plan: number): Promise<PlanView> {
  await tx`update plans set stopped = ${now}, due_at = null, leased_until = null where id = ${plan} and stopped is null`
  return getPlan(tx, plan)
}

/**
 * Pauses a plan: it makes no requests until it is resumed. Its requests stay as they are. Pausing a paused plan changes
 * nothing.
 * @throws NotFound, Invalid if the plan has ended or was stopped
 */
export async function pausePlan(tx: Tx, now: Date, plan: number): Promise<PlanView> {
  const locked = await lockPlan(tx, plan)
  if (stateOfPlan(locked) === 'paused') return getPlan(tx, plan)
  refuseOver(locked)
  await tx`update plans set paused = ${now}, due_at = null, leased_until = null where id = ${plan}`
  return getPlan(tx, plan)
}

/**
 * Resumes a paused plan at its next date after now. Dates that passed meanwhile are not requested. A plan whose end has
 * passed meanwhile has ended then. Resuming an active plan changes nothing.
 * @throws NotFound, Invalid if the plan has ended or was stopped
 */
export async function resumePlan(tx: Tx, now: Date, plan: number): Promise<PlanView> {
  const locked = await lockPlan(tx, plan)
  if (stateOfPlan(locked) === 'active') return getPlan(tx, plan)
  refuseOver(locked)
  // A date that has its request already may still lie ahead, such as the first one.
  const [last] = await tx<{ date: Date | null }[]>`select max(date) as date from occurrences where plan = ${plan}`
  const after = last!.date && last!.date > now ? last!.date : now
  const due_at = nextOccurrence(recurrenceOf(locked), after)
  await tx`update plans set paused = null, due_at = ${due_at}, leased_until = null where id = ${plan}`
  return getPlan(tx, plan)
}

async function lockPlan(tx: Tx, plan: number): Promise<Plan> {
  const [locked] = await tx<Plan[]>`select * from plans where id = ${plan} for update`
  if (!locked) throw new NotFound(getMessage('requests.no_plan', { plan }))
  return locked
}

function refuseOver(plan: Plan): void {
  const state = stateOfPlan(plan)
  if (state === 'stopped' || state === 'ended')
    throw new Invalid({ state: [getMessage(state === 'ended' ? 'requests.plan_ended' : 'requests.plan_stopped')] })
}

/** The states of a plan: `ended` when no date is left, `stopped` when a person ended it. */
export const planStates = ['active', 'paused', 'ended', 'stopped'] as const
type PlanState = (typeof planStates)[number]

/** The state of a plan. It is not stored. */
export function stateOfPlan({ stopped, paused, due_at }: Pick<Plan, 'stopped' | 'paused' | 'due_at'>): PlanState {
  if (stopped) return 'stopped'
  if (paused) return 'paused'
  return due_at ? 'active' : 'ended'
}

/** The recurrence of a plan, from which its dates are calculated. */
export function recurrenceOf(plan: Plan): Recurrence {
  const { start_date: start, end_date: end, weekdays, months, frequencies, time_zone } = plan
  return { start, end, weekdays, months, frequencies, time_zone }
}

async function readPlanViews(db: AnyReader, where: Fragment, limit: number): Promise<PlanView[]> {
  return db<PlanView[]>`
    select p.*, r.phonenumber, r.amount, r.currency, r.reason
    from plans p join collection_requests r on r.id = p.collection_request
    where ${where} order by p.id desc limit ${limit}`
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(1, Math.round((to.getTime() - from.getTime()) / 1_000))
}

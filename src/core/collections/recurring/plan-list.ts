import { z } from 'zod'
import type { AnyReader } from '../../../db/client.ts'
import { sql } from '../../../db/sql.ts'
import type { Amount } from '../../../lib/money.ts'
import { choiceError } from '../../fields.ts'
import {
  buildCondition,
  type ConditionBuilders,
  exactId,
  exactPhone,
  exactText,
  type PageOptions,
} from '../../filters.ts'
import { openStatuses } from '../collection-request.ts'
import { nextDates, type Plan, planStateIs, planStates, stateOfPlan } from '../plans.ts'
import { type PlanView, SHOWN_DATES } from './plan-view.ts'

export const planFilters = {
  state: z
    .enum(planStates, { error: choiceError(planStates) })
    .optional()
    .meta({ description: 'State.', examples: ['active'] }),
  phonenumber: exactPhone(),
  contact: exactId('Id of the customer.'),
  currency: exactText('Currency code.', 'BXC'),
  collection_request: exactId('Id of one of its requests, the first or a later one.'),
}
type PlanFilters = z.output<z.ZodObject<typeof planFilters>>

function planConditions(organization: number): ConditionBuilders<PlanFilters> {
  const firstRequest = (condition: ReturnType<typeof sql>) => sql`
    p.collection_request in (select id from collection_requests where organization = ${organization} and ${condition})`
  return {
    state: planStateIs,
    phonenumber: (number) => firstRequest(sql`phonenumber = ${number}`),
    contact: (contact) => firstRequest(sql`contact = ${contact}`),
    currency: (currency) => firstRequest(sql`currency = ${currency}`),
    collection_request: (request) => sql`
      p.id in (select plan from occurrences where collection_request = ${request})`,
  }
}

/**
 * Lists one page of an organization's plans, with the count of matches. The order is by id, which is the order of
 * creation.
 */
export async function listOwnPlans(
  db: AnyReader,
  organization: number,
  filters: Partial<PlanFilters>,
  page: PageOptions,
): Promise<{ rows: PlanView[]; count: number }> {
  const condition = buildCondition(planConditions(organization), filters)
  const direction = page.descending ? sql`desc` : sql`asc`
  const [found] = await db<{ count: number; ids: number[] }[]>`
    with found as (select p.id from plans p where p.organization = ${organization} and ${condition})
    select (select count(*)::integer from found) as count,
      array(select id from found order by id ${direction} limit ${page.limit} offset ${page.offset}) as ids`
  const views = await readPlans(db, organization, found!.ids)
  return { rows: found!.ids.flatMap((id) => views.get(id) ?? []), count: found!.count }
}

/** Plan with the data of its first request, and the states of its requests. */
type PlanRow = Plan & {
  contact: number
  phonenumber: string
  customer_name: string
  amount: Amount
  currency: string
  reason: string
  collected_count: number
  collected_amount: Amount
  failed_count: number
  open_count: number
  reversed_count: number
}

/**
 * Reads plans of an organization by id, with the collections of their requests. Pass a snapshot, so that the numbers
 * agree.
 */
export async function readPlans(
  db: AnyReader,
  organization: number,
  ids: readonly number[],
): Promise<Map<number, PlanView>> {
  if (ids.length === 0) return new Map()
  const plans = await db<PlanRow[]>`
    select p.*, r.contact, r.phonenumber, r.amount, r.currency, r.reason,
      trim(c.first_name || ' ' || c.last_name) as customer_name, t.*
    from plans p
    join collection_requests r on r.id = p.collection_request and r.organization = ${organization}
    join contacts c on c.id = r.contact and c.organization = ${organization}
    cross join lateral (
      select
        count(*) filter (where o.status = 'successful')::integer as collected_count,
        coalesce(sum(o.amount) filter (where o.status = 'successful'), 0)::numeric(19,4) as collected_amount,
        count(*) filter (where o.status in ('failed', 'expired'))::integer as failed_count,
        count(*) filter (where o.status = any(${[...openStatuses]}::text[]))::integer as open_count,
        count(*) filter (where o.status = 'reversed')::integer as reversed_count
      from occurrences n join collection_requests o on o.id = n.collection_request
      where n.plan = p.id and o.organization = ${organization}) t
    where p.organization = ${organization} and p.id = any(${[...ids]}::bigint[])`
  return new Map(plans.map((plan) => [plan.id, toPlanView(plan)]))
}

function toPlanView(plan: PlanRow): PlanView {
  return { ...plan, state: stateOfPlan(plan), next_date: plan.due_at, next_dates: nextDates(plan, SHOWN_DATES) }
}

import type { Tx } from '../../db/client.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { type RequestRow, requestColumns } from './collection-request.ts'
import { lockDuePlans, type Plan, recordOccurrences, recurrenceOf } from './plans.ts'
import { nextOccurrence } from './recurrence.ts'
import { insertRequests, type RequestToInsert } from './requests.ts'

/** An occurrence that is made later than this after its date begins now, so that its customer has all the time to pay. */
const LATE_AFTER_MS = 60_000

/**
 * Makes the occurrences of plans whose date has come and moves the plans on, in one transaction: a date is never made
 * twice and never lost. Of several dates that were missed while nobody was there, one is made up.
 * An occurrence is a request like the plan's first, in the name of the same user. Its wallet is looked at when it starts,
 * so one without funds is seen to fail and does not stop the plan.
 * @returns how many were made; a plan that was stopped meanwhile makes none.
 */
export async function createOccurrences(tx: Tx, now: Date, ids: readonly number[]): Promise<number> {
  const plans = await lockDuePlans(tx, now, ids)
  const templates = await readTemplates(tx, plans)
  const made = await insertRequests(
    tx,
    now,
    plans.map((plan) => copyRequest(templates.get(plan.collection_request)!, plan, now)),
  )
  await recordOccurrences(
    tx,
    plans.map((plan, index) => ({
      plan: plan.id,
      date: plan.due_at!,
      collection_request: made[index]!.id,
      next: nextOccurrence(recurrenceOf(plan), now),
    })),
  )
  return made.length
}

function copyRequest(template: RequestRow, plan: Plan, now: Date): RequestToInsert {
  const date = plan.due_at!
  const start_date = now.getTime() - date.getTime() > LATE_AFTER_MS ? truncateToSecond(now) : date
  const expiry_date = new Date(start_date.getTime() + plan.expires_after_s * 1_000)
  const network = { code: template.network }
  return { ...template, network, start_date, expiry_date, subscription_settings: null }
}

async function readTemplates(tx: Tx, plans: readonly Plan[]): Promise<Map<number, RequestRow>> {
  const rows = await tx<RequestRow[]>`
    select ${requestColumns()} from collection_requests
    where id = any(${plans.map((plan) => plan.collection_request)}::bigint[])`
  return new Map(rows.map((row) => [row.id, row]))
}

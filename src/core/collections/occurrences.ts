import type { Tx } from '../../db/client.ts'
import { zip } from '../../lib/batches/zip.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { type RequestRow, storedRequest } from './collection-request.ts'
import { lockDuePlans, type Plan, recordOccurrences, recurrenceOf } from './plans.ts'
import { nextOccurrence } from './recurring/recurrence.ts'
import { insertRequests, type RequestToInsert } from './requests.ts'

/** An occurrence that is created later than this after its date starts now, so that the customer has the full time to pay. */
const LATE_AFTER_MS = 60_000

/**
 * Creates the due occurrences of plans and sets their next dates, in one transaction, so that no date is lost or used
 * twice. If the service missed several dates of a plan, it creates one occurrence for them. An occurrence is a copy of
 * the plan's first request, by the same user. Its wallet is checked when it starts, so an occurrence without funds
 * fails and does not stop the plan.
 * @returns how many were created; a plan that was stopped in the meantime creates none
 */
export async function createOccurrences(tx: Tx, now: Date, ids: readonly number[]): Promise<number> {
  const plans = await lockDuePlans(tx, now, ids)
  const templates = await readTemplates(tx, plans)
  const created = await insertRequests(
    tx,
    now,
    plans.map((plan) => copyRequest(templates.get(plan.collection_request)!, plan, now)),
  )
  await recordOccurrences(
    tx,
    zip(plans, created).map(([plan, { id: collection_request }]) => ({
      plan: plan.id,
      date: plan.due_at!,
      collection_request,
      next: nextOccurrence(recurrenceOf(plan), now),
    })),
  )
  return created.length
}

function copyRequest(template: RequestRow, plan: Plan, now: Date): RequestToInsert {
  const date = plan.due_at!
  const start_date = now.getTime() - date.getTime() > LATE_AFTER_MS ? truncateToSecond(now) : date
  const expiry_date = new Date(start_date.getTime() + plan.expires_after_s * 1_000)
  const network = { code: template.network, slug: template.connection }
  return { ...template, network, start_date, expiry_date, subscription_settings: null }
}

async function readTemplates(tx: Tx, plans: readonly Plan[]): Promise<Map<number, RequestRow>> {
  const templates = await tx<RequestRow[]>`
    select ${storedRequest.columns} from collection_requests
    where id = any(${plans.map((plan) => plan.collection_request)}::bigint[])`
  return new Map(templates.map((request) => [request.id, request]))
}

import type { Tx } from '../../db/client.ts'
import { rowsById, together, type Work, workTogether } from '../../db/unit-of-work.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { type RequestRow, storedRequest } from './collection-request.ts'
import { lockDuePlans, newOccurrences, type Plan, recurrenceOf } from './plans.ts'
import { nextOccurrence } from './recurring/recurrence.ts'
import { newRequests, requestIds } from './requests.ts'

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
  await workTogether({ tx, now, effects: [newRequests, newOccurrences] }, plans, createOccurrence)
  return plans.length
}

async function createOccurrence(work: Work, plan: Plan): Promise<void> {
  const { id, template } = await together({
    id: work.load(requestIds, {}),
    template: work.load(templates, plan.collection_request),
  })
  const date = plan.due_at!
  const start_date = work.now.getTime() - date.getTime() > LATE_AFTER_MS ? truncateToSecond(work.now) : date
  const expiry_date = new Date(start_date.getTime() + plan.expires_after_s * 1_000)
  const network = { code: template.network, slug: template.connection }
  work.add(newRequests, { ...template, id, network, start_date, expiry_date, subscription_settings: null })
  const next = nextOccurrence(recurrenceOf(plan), work.now)
  work.add(newOccurrences, { plan: plan.id, date, collection_request: id, next })
}

const templates = rowsById(
  (tx, ids) => tx<RequestRow[]>`
    select ${storedRequest.columns} from collection_requests where id = any(${ids}::bigint[])`,
)

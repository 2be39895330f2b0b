import type { Tx } from '../../db/client.ts'
import { lockName } from '../../db/name-locks.ts'
import { makeNext } from '../batches/batches.ts'
import { createCollectionRequests } from '../collections/requests.ts'
import type { PlannedRequest } from './batch.ts'
import { type Asked, findAsked } from './duplicates.ts'

/**
 * Creates the next requests of a batch, each once (`makeNext`). They are `pending` and due: the jobs ask the networks.
 * @param planned all requests of the batch, in the order of their rows
 * @returns true if some are left
 * @throws NotFound; Invalid if one is refused meanwhile, and then none of its group is made
 */
export function makeNextRequests(
  tx: Tx,
  batch_id: { organization: number; id: number },
  planned: readonly PlannedRequest[],
  now: Date,
): Promise<{ more: boolean; finished: boolean }> {
  const ref = { ...batch_id, kind: 'requests' as const }
  return makeNext(tx, ref, planned, now, async ({ organization, author, duplicates }, group) => {
    const chosen = duplicates === 'skip' ? await withoutDuplicates(tx, { now, organization }, group) : group
    const requests = chosen.map(({ request }) => ({ ...request, author }))
    if (requests.length === 0) return 0
    for (const result of await createCollectionRequests(tx, now, requests)) if (!result.ok) throw result.error
    return requests.length
  })
}

async function withoutDuplicates(
  tx: Tx,
  { now, organization }: { now: Date; organization: number },
  group: readonly PlannedRequest[],
): Promise<PlannedRequest[]> {
  // Of two batches at once the second one sees the requests of the first.
  await lockName(tx, `batch of requests ${organization}`)
  const phones = group.map(({ request }) => request.phonenumber)
  const asked = await findAsked(tx, { now, organization, phones })
  return group.filter((one) => !one.is_repeated && asked.find(askedBy(one)) === undefined)
}

/** Returns the key facts of a planned request, for comparison. */
export function askedBy({ request, customer_number }: Pick<PlannedRequest, 'request' | 'customer_number'>): Asked {
  const { phonenumber, currency, amount, reason } = request
  return { phonenumber, currency, amount, reason, customer_number }
}

import type { Reader, Tx } from '../../db/client.ts'
import { getOrganization } from '../access/organizations.ts'
import { isHere } from '../moves.ts'
import { type RefundInput, returnCollection } from '../payments/refunds.ts'

/** Collections whose rest is to be sent back, the oldest first. */
export async function findSurplusReturns(
  db: Reader,
  limit: number,
): Promise<{ collection: number; organization: number }[]> {
  return db<{ collection: number; organization: number }[]>`
    select s.collection, c.organization from surplus_returns s join collections c on c.id = s.collection
    where s.problem is null and ${isHere('c.organization')} order by s.created, s.collection limit ${limit}`
}

/**
 * Sends the rest of a collection back, once. It is a payment of the organization's service user, so the rules of approval hold.
 * @throws Refusal when it cannot be sent back
 */
export async function returnSurplus(
  tx: Tx,
  now: Date,
  { collection, organization }: { collection: number; organization: number },
  prepared: Pick<RefundInput, 'chooseNetwork' | 'not_found'>,
): Promise<void> {
  const planned = await tx`delete from surplus_returns where collection = ${collection} and problem is null returning 1`
  if (planned.length === 0) return
  const { service_user: author } = await getOrganization(tx, organization)
  await returnCollection(tx, now, { ...prepared, organization, collection, author })
}

/** Leaves the rest of a collection to a person. */
export async function leaveSurplus(tx: Tx, collection: number, problem: string): Promise<void> {
  await tx`update surplus_returns set problem = ${problem} where collection = ${collection}`
}

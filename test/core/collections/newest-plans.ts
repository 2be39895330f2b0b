import { getPlan } from '../../../src/core/collections/plans.ts'
import type { Reader } from '../../../src/db/client.ts'

/** Read the newest plans of all organizations. */
export async function newestPlans(db: Reader, limit: number) {
  const found = await db<{ id: number }[]>`select id from plans order by id desc limit ${limit}`
  return Promise.all(found.map(({ id }) => getPlan(db, id)))
}

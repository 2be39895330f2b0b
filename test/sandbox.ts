import { type Demo, ensureDemo } from '../src/cli/service/demo-organization.ts'
import { readConfig } from '../src/config.ts'
import { claimNightlyCheck, recordNightlyCheck } from '../src/core/consistency.ts'
import { maintainPartitions, partitionedTables } from '../src/core/partitions.ts'
import { begin, type Database } from '../src/db/client.ts'

/** The API key of the demo organization. */
export const API_KEY = 'test-key-of-the-demo-shop'

/** Start time of a test's clock, unless the test sets another. */
export const START = new Date('2030-01-15T12:00:00Z')

/**
 * Prepare a migrated database as the first start of a service on this day does: with the demo organization, the
 * partitions that the day needs, and the check of the night done. So the services of tests begin with what a test is
 * about.
 */
export async function prepareSandbox(db: Database): Promise<void> {
  await findDemo(db, START)
  const retention = readConfig({})
  for (const partitioned of partitionedTables)
    await begin(db, (tx) => maintainPartitions(tx, START, partitioned, retention[partitioned.retention]))
  await begin(db, async (tx) => {
    await claimNightlyCheck(tx, START)
    await recordNightlyCheck(tx, START, 0)
  })
}

/** The demo organization, which is created where it is missing. */
export function findDemo(db: Database, now: Date): Promise<Demo> {
  return begin(db, (tx) => ensureDemo(tx, now, { connection: 'sandbox', api_key: API_KEY }))
}

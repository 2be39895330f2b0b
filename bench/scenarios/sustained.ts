import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/db/client.ts'
import { findInconsistencies } from '../../src/jobs/check-consistency.ts'
import { load } from '../load.ts'
import { type Check, type Figure, figureOf, printProgress, type Result, type ScenarioContext } from '../measurements.ts'
import { rawCreates } from '../requests.ts'

/**
 * Time without change after which nothing more will change. It is longer than the first waits before a network is
 * queried again.
 */
const STILL_AFTER_MS = 25_000

/**
 * Measure the full rate for all the seconds with everything on. Requests are made as fast as they are taken. Meanwhile
 * prompts go out, customers pay, callbacks come in and open orders are queried, all on the same rows. Afterwards every
 * payment must have found its request.
 */
export async function measureSustained({
  service: { db, url, shops },
  options,
}: Pick<ScenarioContext, 'service' | 'options'>): Promise<Result> {
  printProgress(`everything on, for ${options.seconds} s`)
  const begun = performance.now()
  const outcome = await load({ ...options, url, requests: rawCreates(shops), warmup_s: 0, expected: 201 })
  const created = outcome.statuses[201] ?? 0
  const successful = await waitUntilStill(db, created)
  const settled: Figure = {
    name: 'sustained: from create to successful',
    per_second: successful / ((performance.now() - begun) / 1_000),
    p50_ms: null,
    p99_ms: null,
    errors: created - successful,
  }
  return {
    figures: [figureOf('sustained: create', [outcome]), settled],
    checks: await checkPayments(db, created, successful),
  }
}

/** Wait until all of these requests are successful, or nothing changes any more. Returns how many are. */
async function waitUntilStill(db: Database, created: number): Promise<number> {
  let successful = -1
  let changed = performance.now()
  while (successful < created && performance.now() - changed < STILL_AFTER_MS) {
    await sleep(100)
    const [row] = await db<{ count: number }[]>`
      select count(*) from collection_requests where status = 'successful'`
    if (row!.count !== successful) changed = performance.now()
    successful = row!.count
  }
  return successful
}

async function checkPayments(db: Database, created: number, successful: number): Promise<Check[]> {
  const [row] = await db<{ collections: number; unmatched: number }[]>`
    select count(*) as collections, count(*) filter (where collection_request is null) as unmatched from collections`
  const { collections, unmatched } = row!
  const findings = await findInconsistencies(db)
  return [
    { claim: `${successful} of ${created} requests are successful`, holds: successful === created },
    { claim: `${unmatched} of ${collections} payments are unmatched`, holds: unmatched === 0 },
    {
      claim: findings.length > 0 ? `${findings.length} things are wrong: ${findings[0]}` : 'the data is consistent',
      holds: findings.length === 0,
    },
  ]
}
